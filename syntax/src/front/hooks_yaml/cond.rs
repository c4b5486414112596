//! Reads conditions: a mapping with exactly one of `path`, `all`, `any`, `not`, a quantifier, `formerly` and a predicate,
//! or `true` or `false`. The checker validates operators and their values.

use std::borrow::Cow;
use std::sync::Arc;

use hookc_schema::decode::{YAML, missing, misspelled, short};
use hookc_schema::dialect::hooks::{CONDITION, QUANTIFIED};
use hookc_schema::tree::{Cond, CondKind, Op, PredicateName, Quantified, Quantifier};
use hookc_schema::value::{Kind, Member, Text, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Span, Spanned};

use super::{history, predicate};
use crate::expr;
use crate::expr::path::PathCache;
use crate::front::leaf::{self, Parts};
use crate::limits;

const HEADS: [&str; 7] = ["path", "all", "any", "not", "some", "every", "formerly"];

/// What reading a condition adds to: the paths read so far, and the diagnostics.
pub(super) type Outputs<'o> = (&'o mut PathCache, &'o mut Diagnostics);

/// Reads a condition; `None` after an error was reported.
pub(super) fn condition(value: &Value, room: usize, (paths, out): Outputs<'_>) -> Option<Cond> {
    nested(value, "a condition", room, (paths, out))
}

fn nested(value: &Value, what: &str, room: usize, (paths, out): Outputs<'_>) -> Option<Cond> {
    let kind = match &value.kind {
        Kind::Bool(truth) => CondKind::Const(*truth),
        Kind::Map(members) if members.is_empty() => return empty(value, what, out),
        Kind::Null => return empty(value, what, out),
        Kind::Map(_) if room == 0 => {
            let message = format!("conditions are nested deeper than {}", limits::NESTING);
            out.push(Diagnostic::new(Code::E0103, short(value), message).with_label("exceeds the limit"));
            return None;
        }
        Kind::Map(members) => mapping(value, members, room - 1, (paths, out))?,
        _ => {
            out.push(no_condition(value, what));
            return None;
        }
    };
    Some(Cond { span: value.span, kind })
}

fn empty(value: &Value, what: &str, out: &mut Diagnostics) -> Option<Cond> {
    let new = Diagnostic::new(Code::E0206, value.span, format!("{what} is empty")).with_label("empty");
    out.push(new.help("write `true` for a condition that is always true, or remove the key"));
    None
}

fn no_condition(value: &Value, what: &str) -> Diagnostic {
    let new = YAML.wrong(value, what, "a mapping, `true` or `false`");
    match &value.kind {
        Kind::Str(_) => new.help("put an expression under the hook's `when:`"),
        Kind::Seq(_) => new.help("put `all:` or `any:` before the list"),
        _ => new.help("write `{path: ..., op: ..., value: ...}`"),
    }
}

/// Reads a mapping: the only head among its keys determines the kind of the condition.
fn mapping(value: &Value, members: &[Member], room: usize, (paths, out): Outputs<'_>) -> Option<CondKind> {
    let is_head = |name: &str| HEADS.contains(&name) || PredicateName::from_name(name).is_some();
    let heads: Vec<&Member> = members.iter().filter(|member| is_head(&member.key.node)).collect();
    match heads.as_slice() {
        [] => headless(value, members, out),
        [head] if head.key.node == "path" => leaf(value, room, (paths, out)),
        [head] => combinator(head, members, room, (paths, out)),
        [first, second, ..] => {
            out.push(two_heads(first, second));
            None
        }
    }
}

fn two_heads(first: &Member, second: &Member) -> Diagnostic {
    let (a, b) = (&first.key.node, &second.key.node);
    Diagnostic::new(Code::E0205, second.key.span, format!("a condition has both `{a}` and `{b}`"))
        .with_label("the second")
        .also(first.key.span, "the first")
        .help("write both as items of an `all:` or `any:` list")
}

fn headless(value: &Value, members: &[Member], out: &mut Diagnostics) -> Option<CondKind> {
    let before = out.reported();
    let unknown = members.iter().filter(|member| CONDITION.key(&member.key.node).is_none());
    out.extend(unknown.map(|member| CONDITION.unknown(CONDITION.what, &member.key)));
    if out.reported() == before {
        out.push(missing(value, "a condition", "path").help("write the `path` of the field to test"));
    }
    None
}

fn combinator(head: &Member, members: &[Member], room: usize, (paths, out): Outputs<'_>) -> Option<CondKind> {
    let name = head.key.node.as_str();
    let mut sound = true;
    for other in members.iter().filter(|member| member.key.node != name) {
        sound = false;
        let new =
            Diagnostic::new(Code::E0201, other.key.span, format!("`{}` next to `{name}`", other.key.node));
        out.push(
            new.with_label("not allowed here").also(head.key.span, "this must be alone").help("remove it"),
        );
    }
    if let Some(predicate) = PredicateName::from_name(name) {
        let read = predicate::predicate(predicate, head, out)?;
        return sound.then(|| CondKind::Predicate(Arc::new(read)));
    }
    let kind = match name {
        "not" => CondKind::Not(Arc::new(not(&head.value, room, (paths, out))?)),
        "formerly" => CondKind::Formerly(Arc::new(history::selection(&head.value, room, (paths, out))?)),
        "all" => CondKind::All(items(&head.value, name, room, (paths, out))?.into()),
        "some" => {
            CondKind::Quantified(Arc::new(quantified(&head.value, Quantifier::Some, room, (paths, out))?))
        }
        "every" => {
            CondKind::Quantified(Arc::new(quantified(&head.value, Quantifier::Every, room, (paths, out))?))
        }
        _ => CondKind::Any(items(&head.value, name, room, (paths, out))?.into()),
    };
    sound.then_some(kind)
}

/// `{as: x, in: path, condition: ...}`
fn quantified(
    value: &Value,
    quantifier: Quantifier,
    room: usize,
    (paths, out): Outputs<'_>,
) -> Option<Quantified> {
    let start = out.errors();
    let fields = QUANTIFIED.read(value, YAML, out)?;
    let name = fields.value("as").and_then(|value| YAML.string(value, "`as`", out));
    out.extend(name.as_ref().and_then(expr::when::unfit));
    let nodes = fields.value("in").map(|value| path(value, "`in`", out));
    let nodes = nodes.and_then(|nodes| paths.parse(&nodes.node, nodes.span, out));
    out.extend(nodes.as_ref().and_then(|nodes| expr::history::no_value(nodes, "`in`")));
    let what = format!("the condition of `{}`", quantifier.name());
    let cond = fields.value("condition").and_then(|value| nested(value, &what, room, (paths, out)));
    let sound = out.errors() == start;
    Some(Quantified { quantifier, name: name?, path: nodes?, cond: cond? }).filter(|_| sound)
}

fn not(value: &Value, room: usize, (paths, out): Outputs<'_>) -> Option<Cond> {
    if let Kind::Seq(_) = value.kind {
        let new = YAML.wrong(value, "`not`", "one condition");
        out.push(new.help("write `not: {any: [...]}` or `not: {all: [...]}`"));
        return None;
    }
    nested(value, "`not`", room, (paths, out))
}

fn items(value: &Value, name: &str, room: usize, (paths, out): Outputs<'_>) -> Option<Vec<Cond>> {
    if value.kind == Kind::Null {
        return empty_list(value, name, out);
    }
    let Kind::Seq(items) = &value.kind else {
        out.push(YAML.wrong(value, &format!("`{name}`"), "a list").help("start each condition with `- `"));
        return None;
    };
    let what = if name == "all" { "a condition of `all`" } else { "a condition of `any`" };
    let read: Vec<Option<Cond>> = items.iter().map(|item| nested(item, what, room, (paths, out))).collect();
    read.into_iter().collect()
}

fn empty_list(value: &Value, name: &str, out: &mut Diagnostics) -> Option<Vec<Cond>> {
    let holds = if name == "all" { "always" } else { "never" };
    let new = Diagnostic::new(Code::E0206, value.span, format!("`{name}` is empty")).with_label("empty");
    out.push(new.help(format!("write its conditions as a list; `{name}: []` is {holds} true")));
    None
}

/// Reads a leaf. A part of the wrong type is reported and replaced by a placeholder, so that errors
/// in the other parts are reported too.
fn leaf(value: &Value, room: usize, (paths, out): Outputs<'_>) -> Option<CondKind> {
    let (start, errors) = (out.len(), out.errors());
    let at = short(value);
    let fields = CONDITION.read(value, YAML, out)?;
    let op = match fields.value("op") {
        Some(value) => Some(match YAML.text(value, "`op`", out) {
            Some(text) => Spanned::new(Cow::Borrowed(text.value.as_str()), value.span),
            None => any_op(value.span),
        }),
        None => misspelled(out.get(start..).unwrap_or(&[]), "op").then(|| any_op(at)),
    };
    if let Some(constant) = fields.value("value").filter(|value| is_unwritten(value)) {
        let new = Diagnostic::new(Code::E0206, constant.span, "`value` is empty").with_label("empty");
        out.push(new.help("write a value; `value: null` compares with a value that is absent"));
    }
    let parts = Parts {
        span: at,
        room,
        path: fields.value("path").map(|value| path(value, "`path`", out)),
        op,
        value: fields.value("value").cloned(),
        value_path: fields.value("value_path").map(|value| path(value, "`value_path`", out)),
        ignore_case: fields.boolean("ignore_case"),
        assert_format: fields.boolean("assert_format"),
    };
    let leaf = leaf::build(parts, paths, out)?;
    let sound = out.errors() == errors;
    sound.then_some(leaf.kind)
}

/// Whether nothing is written where a value would be.
fn is_unwritten(value: &Value) -> bool {
    value.kind == Kind::Null && value.span.range().is_empty()
}

fn any_op<'v>(span: Span) -> Spanned<Cow<'v, str>> {
    Spanned::new(Cow::Borrowed(Op::Eq.name()), span)
}

fn path<'v>(value: &'v Value, what: &str, out: &mut Diagnostics) -> Spanned<Cow<'v, Text>> {
    if let Kind::Str(text) = &value.kind {
        return Spanned::new(Cow::Borrowed(text), value.span);
    }
    out.push(YAML.wrong(value, what, "a path as a string").help("write a path such as `error.code`"));
    Spanned::new(Cow::Owned(Text::plain("any")), value.span)
}
