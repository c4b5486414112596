//! Conditions (semantics §3 and §4): a mapping with exactly one of `path`,
//! `all`, `any` and `not`, or `true` or `false`. Whether an operator takes the
//! value beside it is for the checker.

use hookc_schema::suggest::nearest;
use hookc_schema::tree::{Cond, CondKind, Leaf, Op, Path, Right};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Span, Spanned};

use super::shape::{self, Keys};
use crate::expr::path;
use crate::limits;

const HEADS: [&str; 4] = ["path", "all", "any", "not"];

const LEAF: Keys = Keys {
    what: "a condition",
    known: &["path", "op", "value", "value_path", "ignore_case", "assert_format", "all", "any", "not"],
};

/// Reads a condition; `None` when something in it was told.
pub(super) fn condition(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Cond> {
    nested(value, "a condition", limits::NESTING, out)
}

fn nested(value: &Value, what: &str, room: usize, out: &mut Vec<Diagnostic>) -> Option<Cond> {
    let kind = match &value.kind {
        Kind::Bool(truth) => CondKind::Const(*truth),
        Kind::Map(members) if members.is_empty() => return empty(value, what, out),
        Kind::Null => return empty(value, what, out),
        Kind::Map(_) if room == 0 => {
            let message = format!("conditions are nested more than {} deep", limits::NESTING);
            out.push(Diagnostic::new(Code::E0103, shape::short(value), message).saying("one level too many"));
            return None;
        }
        Kind::Map(members) => mapping(value, members, room - 1, out)?,
        _ => {
            out.push(no_condition(value, what));
            return None;
        }
    };
    Some(Cond { span: value.span, kind })
}

fn empty(value: &Value, what: &str, out: &mut Vec<Diagnostic>) -> Option<Cond> {
    let new = Diagnostic::new(Code::E0206, value.span, format!("{what} is empty")).saying("nothing here");
    out.push(new.help("write `true` for a condition that always holds, or remove the key"));
    None
}

fn no_condition(value: &Value, what: &str) -> Diagnostic {
    let new = shape::wrong(value, what, "a mapping, `true` or `false`");
    match &value.kind {
        Kind::Str(_) => new.help("an expression goes under the hook's `when:`"),
        Kind::Seq(_) => new.help("put `all:` or `any:` before the list"),
        _ => new.help("write `{path: ..., op: ..., value: ...}`"),
    }
}

/// A condition's mapping: which of its heads it has decides what it is.
fn mapping(value: &Value, members: &[Member], room: usize, out: &mut Vec<Diagnostic>) -> Option<CondKind> {
    let heads: Vec<&Member> =
        members.iter().filter(|member| HEADS.contains(&member.key.node.as_str())).collect();
    match heads.as_slice() {
        [] => headless(value, members, out),
        [head] if head.key.node == "path" => leaf(value, members, out),
        [head] => combinator(head, members, room, out),
        [first, second, ..] => {
            out.push(two_heads(first, second));
            None
        }
    }
}

fn two_heads(first: &Member, second: &Member) -> Diagnostic {
    let (a, b) = (&first.key.node, &second.key.node);
    Diagnostic::new(Code::E0205, second.key.span, format!("a condition with both `{a}` and `{b}`"))
        .saying("a second head")
        .also(first.key.span, "the first")
        .help("write each as an item of an `all:` or `any:` list")
}

fn headless(value: &Value, members: &[Member], out: &mut Vec<Diagnostic>) -> Option<CondKind> {
    let before = out.len();
    LEAF.admit(members, out);
    if out.len() == before {
        out.push(
            shape::missing(value, "a condition", "path").help("write the `path` of the field to look at"),
        );
    }
    None
}

fn combinator(head: &Member, members: &[Member], room: usize, out: &mut Vec<Diagnostic>) -> Option<CondKind> {
    let name = head.key.node.as_str();
    let mut sound = true;
    for other in members.iter().filter(|member| member.key.node != name) {
        sound = false;
        let new =
            Diagnostic::new(Code::E0201, other.key.span, format!("`{}` beside `{name}`", other.key.node));
        out.push(new.saying("has no place here").also(head.key.span, "this stands alone").help("remove it"));
    }
    let kind = match name {
        "not" => CondKind::Not(Box::new(not(&head.value, room, out)?)),
        "all" => CondKind::All(items(&head.value, name, room, out)?),
        _ => CondKind::Any(items(&head.value, name, room, out)?),
    };
    sound.then_some(kind)
}

fn not(value: &Value, room: usize, out: &mut Vec<Diagnostic>) -> Option<Cond> {
    if let Kind::Seq(_) = value.kind {
        let new = shape::wrong(value, "`not`", "one condition");
        out.push(new.help("write `not: {any: [...]}` or `not: {all: [...]}`"));
        return None;
    }
    nested(value, "`not`", room, out)
}

fn items(value: &Value, name: &str, room: usize, out: &mut Vec<Diagnostic>) -> Option<Vec<Cond>> {
    let what = format!("`{name}`");
    if value.kind == Kind::Null {
        return empty_list(value, name, out);
    }
    let Kind::Seq(items) = &value.kind else {
        out.push(shape::wrong(value, &what, "a list").help("start each condition with `- `"));
        return None;
    };
    let what = format!("a condition of `{name}`");
    let read: Vec<Option<Cond>> = items.iter().map(|item| nested(item, &what, room, out)).collect();
    read.into_iter().collect()
}

fn empty_list(value: &Value, name: &str, out: &mut Vec<Diagnostic>) -> Option<Vec<Cond>> {
    let holds = if name == "all" { "always" } else { "never" };
    let new = Diagnostic::new(Code::E0206, value.span, format!("`{name}` is empty")).saying("nothing here");
    out.push(new.help(format!("write its conditions as a list; `{name}: []` {holds} holds")));
    None
}

/// The parts of a leaf, as far as they were written.
#[derive(Default)]
struct Parts<'a> {
    path: Option<Path>,
    op: Option<&'a Value>,
    value: Option<&'a Member>,
    value_path: Option<&'a Member>,
    ignore_case: Option<Spanned<()>>,
    assert_format: Option<Spanned<()>>,
}

fn leaf(value: &Value, members: &[Member], out: &mut Vec<Diagnostic>) -> Option<CondKind> {
    let start = out.len();
    let mut parts = Parts::default();
    for member in LEAF.admit(members, out) {
        match member.key.node.as_str() {
            "path" => parts.path = field(&member.value, "`path`", out),
            "op" => parts.op = Some(&member.value),
            "value" => parts.value = Some(member),
            "value_path" => parts.value_path = Some(member),
            "ignore_case" => parts.ignore_case = flag(member, out),
            _ => parts.assert_format = flag(member, out),
        }
    }
    let spared = parts.op.is_none() && shape::misspelled(out.get(start..).unwrap_or(&[]), "op");
    let op = if spared { None } else { operator(value, &parts, out) };
    let right = right(&parts, op.map(|op| op.node), out);
    let sound = !out.iter().skip(start).any(Diagnostic::is_error);
    let Parts { path, ignore_case, assert_format, .. } = parts;
    let leaf = Leaf { path: path?, op: op?, right: right?, ignore_case, assert_format };
    sound.then(|| CondKind::Leaf(Box::new(leaf)))
}

fn field(value: &Value, what: &str, out: &mut Vec<Diagnostic>) -> Option<Path> {
    match &value.kind {
        Kind::Str(text) => path::parse(text, value.span, out),
        _ => {
            out.push(
                shape::wrong(value, what, "a path as a string").help("write a path such as `error.code`"),
            );
            None
        }
    }
}

/// A modifier: `false` is as if it were not there.
fn flag(member: &Member, out: &mut Vec<Diagnostic>) -> Option<Spanned<()>> {
    let truth = shape::boolean(&member.value, &format!("`{}`", member.key.node), out)?;
    truth.node.then(|| Spanned::new((), member.key.span.to(member.value.span)))
}

fn operator(leaf: &Value, parts: &Parts<'_>, out: &mut Vec<Diagnostic>) -> Option<Spanned<Op>> {
    let Some(value) = parts.op else {
        return implied(leaf, parts, out);
    };
    let name = shape::string(value, "`op`", out)?;
    let op = Op::from_name(&name.node);
    if op.is_none() {
        out.push(unknown_operator(&name.node, value.span));
    }
    op.map(|op| Spanned::new(op, value.span))
}

/// No `op`: `eq` if there is something to compare with.
fn implied(leaf: &Value, parts: &Parts<'_>, out: &mut Vec<Diagnostic>) -> Option<Spanned<Op>> {
    let Some(compared) = parts.value.or(parts.value_path) else {
        let new = shape::missing(leaf, "a condition with `path`", "op");
        out.push(new.help("write `op: exists` to ask whether the field is there, or `op` and `value`"));
        return None;
    };
    let message = format!("no `op` beside `{}`: taken as `op: eq`", compared.key.node);
    let new = Diagnostic::new(Code::W0211, compared.key.span, message).saying("compared with `eq`");
    out.push(new.help("write `op: eq`"));
    Some(Spanned::new(Op::Eq, compared.key.span))
}

fn unknown_operator(name: &str, span: Span) -> Diagnostic {
    let near = nearest(name, Op::ALL.iter().map(|op| op.name()));
    let all: Vec<&str> = Op::ALL.iter().map(|op| op.name()).collect();
    let new = Diagnostic::new(Code::E0401, span, format!("there is no operator `{name}`")).saying("unknown");
    let negated = name.strip_prefix("not_").and_then(Op::from_name);
    match negated {
        Some(op) => new.help(format!("put a `not:` around a condition with `op: {}`", op.name())),
        None => new.help(format!("it is one of `{}`", all.join("`, `"))).did_you_mean(near, span),
    }
}

/// The right side. Whether it is one that the operator takes, and whether one
/// may lack, is for the checker.
fn right(parts: &Parts<'_>, op: Option<Op>, out: &mut Vec<Diagnostic>) -> Option<Right> {
    match (parts.value, parts.value_path) {
        (None, None) => Some(Right::None),
        (None, Some(path)) => field(&path.value, "`value_path`", out).map(Right::Path),
        (Some(value), None) => {
            let plain = op == Some(Op::Exists) && value.value.kind == Kind::Bool(true);
            Some(if plain { Right::None } else { Right::Value(value.value.clone()) })
        }
        (Some(value), Some(path)) => {
            let new = Diagnostic::new(Code::E0403, path.key.span, "both `value` and `value_path`");
            out.push(
                new.saying("one too many").also(value.key.span, "the other").help("keep one of the two"),
            );
            None
        }
    }
}
