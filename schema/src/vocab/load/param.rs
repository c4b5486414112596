//! One parameter of an action kind: `{type, required | optional, default, enum, minimum,
//! description, required_if}`. A declaration can only narrow a known parameter: it cannot allow a
//! value that the parameter rejects.

use super::shape::{bad, elements, types};
use crate::decode::DECLARED;
use crate::diag::Diagnostics;
use crate::dialect::declared;
use crate::span::{Span, Spanned};
use crate::tree::print::json;
use crate::value::{Kind, Number, Value};
use crate::vocab::{ParamType, Type, TypeSet};

/// A declaration as written.
#[derive(Default)]
struct WrittenParam<'v> {
    types: Option<Spanned<TypeSet>>,
    required: Option<Spanned<bool>>,
    default: Option<&'v Value>,
    allowed: Option<Spanned<&'v [Value]>>,
    minimum: Option<Spanned<Number>>,
    required_if: Option<&'v Value>,
    description: Option<String>,
}

/// Reads a parameter on top of its known declaration, and its `required_if`, which is checked when
/// all parameters are known.
pub(super) fn param<'v>(
    name: &str,
    value: &'v Value,
    base: Option<&ParamType>,
    out: &mut Diagnostics,
) -> (ParamType, Option<&'v Value>) {
    let written = read(name, value, out);
    let mut param = base.cloned().unwrap_or_default();
    if let Some(base) = base {
        narrow(name, &written, base, out);
    }
    take(&mut param, &written, base);
    check(name, &written, &mut param, out);
    (param, written.required_if)
}

/// Why a parameter cannot have a value, if it cannot.
pub(super) fn refuses(param: &ParamType, value: &Value) -> Option<String> {
    if !param.types.holds(value) {
        return Some(format!("this is {}, not {}", value.noun(), param.types));
    }
    if param.allowed.as_ref().is_some_and(|allowed| !allowed.iter().any(|a| a.same(value))) {
        return Some("not in the `enum`".to_owned());
    }
    let (Some(minimum), Kind::Num(number)) = (&param.minimum, &value.kind) else { return None };
    number.compare(minimum).is_lt().then(|| format!("less than the minimum {}", minimum.text()))
}

fn read<'v>(name: &str, value: &'v Value, out: &mut Diagnostics) -> WrittenParam<'v> {
    let mut written = WrittenParam::default();
    let Kind::Map(_) = &value.kind else {
        let found = DECLARED.wrong(value, &format!("the parameter `{name}`"), "a mapping");
        out.push(found.help(format!("write `{name}: {{type: string}}`, or `{name}: {{}}` for any value")));
        return written;
    };
    let what = format!("the parameter `{name}`");
    let Some(fields) = declared::PARAMETER.read_as(&what, value, DECLARED, out) else { return written };
    written.types =
        fields.value("type").and_then(|value| Some(Spanned::new(types(value, "`type`", out)?, value.span)));
    for (key, member) in fields.sound() {
        if let ("required" | "optional", Kind::Bool(truth)) = (key.name, &member.value.kind) {
            agree(&mut written, *truth == (key.name == "required"), member.value.span, out);
        }
    }
    written.default = fields.value("default");
    let allowed = fields.value("enum");
    written.allowed =
        allowed.and_then(|value| Some(Spanned::new(elements(value, "`enum`", out)?, value.span)));
    written.minimum = fields.number("minimum");
    written.description = fields.string("description").map(|text| text.node.trim().to_owned());
    written.required_if = fields.value("required_if");
    if written.required_if.is_some_and(|value| DECLARED.mapping(value, "`required_if`", out).is_none()) {
        written.required_if = None;
    }
    written
}

/// `required` and `optional` must not contradict each other.
fn agree(written: &mut WrittenParam<'_>, required: bool, span: Span, out: &mut Diagnostics) {
    match written.required {
        Some(before) if before.node != required => {
            let found = bad(span, "`required` and `optional` contradict each other");
            out.push(
                found.with_label("this one").also(before.span, "and this one").help("remove one of them"),
            );
        }
        _ => written.required = Some(Spanned::new(required, span)),
    }
}

/// Describes what a declaration would allow although the known parameter rejects it.
fn narrow(name: &str, written: &WrittenParam<'_>, base: &ParamType, out: &mut Diagnostics) {
    let mut wider = |span: Span, label: String, note: String| {
        let message = format!("a declaration can only narrow the known parameter `{name}`");
        out.push(bad(span, message).with_label(label).note(note));
    };
    if let Some(types) = written.types.as_ref().filter(|types| !types.node.within(base.types)) {
        wider(types.span, format!("declared as {}", types.node), format!("`{name}` is {}", base.types));
    }
    if let Some(required) = written.required.as_ref().filter(|written| base.required && !written.node) {
        wider(required.span, "declared as optional".to_owned(), format!("`{name}` is required"));
    }
    if let (Some(least), Some(known)) = (&written.minimum, &base.minimum)
        && least.node.compare(known).is_lt()
    {
        wider(least.span, "a lower minimum".to_owned(), format!("the minimum is {}", known.text()));
    }
    let known = base.allowed.as_deref().unwrap_or_default();
    let list = written.allowed.as_ref().filter(|_| base.allowed.is_some()).map_or(&[][..], |all| all.node);
    for extra in list.iter().filter(|value| !known.iter().any(|known| known.same(value))) {
        let values: Vec<String> = known.iter().map(json).collect();
        wider(extra.span, "not an allowed value".to_owned(), format!("allowed are {}", values.join(", ")));
    }
}

/// Applies the declaration, but never wider than `base`.
fn take(param: &mut ParamType, written: &WrittenParam<'_>, base: Option<&ParamType>) {
    let narrower = |types: &TypeSet| base.is_none_or(|base| types.within(base.types));
    if let Some(types) = written.types.map(|types| types.node).filter(narrower) {
        param.types = types;
    }
    if let Some(required) = written.required {
        param.required = required.node || base.is_some_and(|base| base.required);
    }
    if let Some(allowed) = &written.allowed {
        let known = base.and_then(|base| base.allowed.as_deref());
        let held = |value: &&Value| known.is_none_or(|known| known.iter().any(|k| k.same(value)));
        param.allowed = Some(allowed.node.iter().filter(held).cloned().collect());
    }
    if let Some(minimum) = &written.minimum {
        let higher = |known: &Number| minimum.node.compare(known).is_gt();
        if param.minimum.as_ref().is_none_or(higher) {
            param.minimum = Some(minimum.node.clone());
        }
    }
    if let Some(description) = &written.description {
        param.description.clone_from(description);
    }
    if let Some(default) = written.default {
        param.default = Some(default.clone());
    }
}

/// Checks the parts of a declaration against each other.
fn check(name: &str, written: &WrittenParam<'_>, param: &mut ParamType, out: &mut Diagnostics) {
    for value in written.allowed.as_ref().map_or(&[][..], |allowed| allowed.node) {
        if !param.types.holds(value) {
            let found = bad(value.span, format!("a value of the `enum` of `{name}` is not of its type"));
            out.push(found.with_label(format!("this is {}, not {}", value.noun(), param.types)));
        }
    }
    if let Some(least) = written.minimum.as_ref().filter(|_| !param.types.has(Type::Integer)) {
        let found = bad(least.span, format!("`{name}` has a minimum but is not a number"));
        out.push(found.with_label(format!("for values of type {}", param.types)));
    }
    match (written.required.filter(|required| required.node), written.default) {
        (Some(required), Some(default)) => {
            let found = bad(default.span, format!("`{name}` is required and has a default"));
            let found = found.with_label("never used").also(required.span, "required here");
            out.push(found.help("remove one of them"));
            param.default = None;
        }
        (Some(_), None) => param.default = None,
        (None, _) => default(name, written, param, out),
    }
}

/// The default must be a value that the parameter allows.
fn default(name: &str, written: &WrittenParam<'_>, param: &mut ParamType, out: &mut Diagnostics) {
    let Some(value) = &param.default else { return };
    let Some(problem) = refuses(param, value) else { return };
    let found = match (written.default, &written.allowed) {
        (Some(default), _) => {
            bad(default.span, format!("`{name}` does not allow its default value")).with_label(problem)
        }
        (None, Some(allowed)) => {
            bad(allowed.span, format!("the `enum` of `{name}` does not contain its default"))
                .with_label(format!("{} is missing", json(value)))
                .help("keep the default in the list, or declare another `default`")
        }
        (None, None) => {
            let span =
                written.types.map(|types| types.span).or(written.minimum.as_ref().map(|least| least.span));
            let message = format!("`{name}` no longer allows its default {}", json(value));
            bad(span.unwrap_or_default(), message).with_label(problem).help("declare another `default`")
        }
    };
    out.push(found);
    param.default = None;
}
