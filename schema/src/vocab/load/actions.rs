//! `action_types:`: a map from kind to `{description, parameters, one_of}`.

use super::param;
use super::shape::{bad, elements};
use crate::decode::DECLARED;
use crate::diag::{Diagnostic, Diagnostics};
use crate::dialect::declared;
use crate::span::Spanned;
use crate::suggest::nearest;
use crate::value::{Kind, Member, Value};
use crate::vocab::{ActionKind, ParamType, Vocabulary};

/// Adds kinds, or narrows known ones.
pub(super) fn section(vocabulary: &mut Vocabulary, section: &Value, out: &mut Diagnostics) {
    for member in DECLARED.mapping(section, "`action_types`", out).unwrap_or_default() {
        let name = &member.key.node;
        if name.is_empty() {
            out.push(bad(member.key.span, "an action kind without a name").with_label("empty"));
            continue;
        }
        let known = vocabulary.actions.get(name);
        let declared = kind(name, &member.value, known, out);
        vocabulary.actions.insert(name.clone(), declared);
    }
}

fn kind(name: &str, value: &Value, known: Option<&ActionKind>, out: &mut Diagnostics) -> ActionKind {
    let mut declared = known.cloned().unwrap_or_default();
    if value.kind == Kind::Null {
        return declared;
    }
    let what = format!("the action kind `{name}`");
    let Some(fields) = declared::ACTION.read_as(&what, value, DECLARED, out) else { return declared };
    if let Some(description) = fields.string("description") {
        declared.description = description.node.trim().to_owned();
    }
    let conditional = params(&mut declared, known, fields.members("parameters"), out);
    for (param, condition) in conditional {
        required_if(&mut declared, &param, condition, out);
    }
    if let Some(value) = fields.value("one_of") {
        declared.one_of.extend(one_of(&declared, value, out));
    }
    declared
}

type Conditional<'v> = Vec<(String, &'v Value)>;

/// Reads parameters into `own`. Returns each `required_if`, which can name a parameter declared
/// later.
fn params<'v>(
    kind: &mut ActionKind,
    known: Option<&ActionKind>,
    params: &'v [Member],
    out: &mut Diagnostics,
) -> Conditional<'v> {
    let mut conditional = Vec::new();
    for member in params {
        let name = &member.key.node;
        if name == "type" {
            out.push(reserved(member));
            continue;
        }
        let base = known.and_then(|known| known.params.get(name));
        let (read, condition) = param::param(name, &member.value, base, out);
        kind.params.insert(name.clone(), read);
        conditional.extend(condition.map(|value| (name.clone(), value)));
    }
    conditional
}

fn reserved(member: &Member) -> Diagnostic {
    bad(member.key.span, "a parameter cannot be called `type`")
        .with_label("`type` names the action kind")
        .help("give the parameter another name")
}

/// `required_if: {param: value}`
fn required_if(kind: &mut ActionKind, name: &str, value: &Value, out: &mut Diagnostics) {
    let found = match DECLARED.mapping(value, "`required_if`", out) {
        None => return,
        Some([only]) => only,
        Some(_) => {
            let found = bad(value.span, "`required_if` must be an object of one member");
            out.push(found.help("write `required_if: {other_parameter: value}`"));
            return;
        }
    };
    let Some(other) = parameter(kind, &found.key, out) else { return };
    if let Some(problem) = param::refuses(other, &found.value) {
        let message = format!("`{}` can never have this value", found.key.node);
        out.push(bad(found.value.span, message).with_label(problem));
        return;
    }
    let condition = (found.key.node.clone(), found.value.clone());
    if let Some(param) = kind.params.get_mut(name) {
        param.required_if = Some(condition);
    }
}

/// `one_of: [[a, b]]`
fn one_of(kind: &ActionKind, value: &Value, out: &mut Diagnostics) -> Vec<Vec<String>> {
    let mut groups = Vec::new();
    for group in elements(value, "`one_of`", out).unwrap_or_default() {
        let names = elements(group, "a group of `one_of`", out).unwrap_or_default();
        let known = names.iter().filter_map(|name| {
            let key = DECLARED.string(name, "a name in `one_of`", out)?;
            parameter(kind, &key, out).map(|_| key.node)
        });
        let known: Vec<String> = known.collect();
        if !known.is_empty() && known.len() == names.len() {
            groups.push(known);
        }
    }
    groups
}

fn parameter<'o>(
    declared: &'o ActionKind,
    name: &Spanned<String>,
    out: &mut Diagnostics,
) -> Option<&'o ParamType> {
    let found = declared.params.get(&name.node);
    if found.is_none() {
        let near = nearest(&name.node, declared.params.keys().map(String::as_str));
        let message = format!("the action kind has no parameter `{}`", name.node);
        out.push(bad(name.span, message).with_label("not declared").did_you_mean(near, name.span));
    }
    found
}
