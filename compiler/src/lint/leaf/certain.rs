//! Tests of members of views whose result is certain (W0601, W0604): a flag is never `false`, a list is always present.
//! Redirections by their position (W0670): `c.redirects[0].target` is another one if a redirection precedes it.

use hookc_schema::tree::{Leaf, Op, PathKind, Right, Segment, Selector, Step, ViewKind};
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::{FieldSchema, Type, ViewMember};
use hookc_schema::{Code, Diagnostic};

/// Reports a test of a member whose result does not depend on the text of the view.
pub(crate) fn certain(leaf: &Leaf, member: ViewMember, field: &FieldSchema) -> Option<Diagnostic> {
    flag(leaf, member, field).or_else(|| presence(leaf, member, field))
}

/// A flag is present, with `true` or its text, or it is absent.
fn flag(leaf: &Leaf, member: ViewMember, field: &FieldSchema) -> Option<Diagnostic> {
    let Right::Value(value) = &leaf.right else { return None };
    let is_false = |value: &Value| value.kind == Kind::Bool(false);
    let is_only_false = match (leaf.op.node, &value.kind) {
        (Op::Eq | Op::Ne, _) => is_false(value),
        (Op::In, Kind::Seq(items)) => !items.is_empty() && items.iter().all(is_false),
        _ => false,
    };
    if member != ViewMember::Flags || !field.types.has(Type::Boolean) || !is_only_false {
        return None;
    }
    let path = &leaf.path.text;
    let (code, when, not) = match leaf.op.node {
        Op::Ne => (Code::W0604, "always", ""),
        _ => (Code::W0601, "never", "not "),
    };
    let what = format!("`{}` of `{path}` is {when} true", leaf.op.node.name());
    let new = Diagnostic::new(code, value.span, what).with_label("no flag is `false`");
    let why = "a flag of a command is `true` or its text, and absent if the command does not have it";
    Some(new.note(why).help(format!("write `{not}exists({path})`")))
}

/// `exists(c.runs)` is true of an empty list.
fn presence(leaf: &Leaf, member: ViewMember, field: &FieldSchema) -> Option<Diagnostic> {
    let is_null = |value: &Value| value.kind == Kind::Null;
    let span = match (leaf.op.node, &leaf.right) {
        (Op::Exists, _) => leaf.path.span,
        (Op::Eq | Op::Ne, Right::Value(value)) if is_null(value) => value.span,
        _ => return None,
    };
    if !is_always_present(member, field) {
        return None;
    }
    let path = &leaf.path.text;
    let (is_list, is_object) = (field.types.has(Type::Array), field.types.has(Type::Object));
    let empty = if is_list || is_object { ", even if it is empty" } else { "" };
    let new = Diagnostic::new(Code::W0604, span, format!("`{path}` is always present{empty}"));
    let new = new.with_label(match leaf.path.view(ViewKind::File) {
        Some(_) => "does not depend on the path",
        None => "does not depend on the command line",
    });
    Some(new.help(match member {
        _ if is_list => {
            format!("write `exists({path}[{}])`", if leaf.path.is_singular() { "0" } else { "*" })
        }
        ViewMember::Flags => format!("name a flag, as in `exists({path}.force)`"),
        ViewMember::Env => format!("name a variable, as in `exists({path}.PATH)`"),
        _ if field.types.has(Type::Boolean) => format!("write `{path} == true`, or `{path} == false`"),
        _ => "compare it with a value".to_owned(),
    }))
}

fn is_always_present(member: ViewMember, field: &FieldSchema) -> bool {
    match member {
        ViewMember::Operator | ViewMember::Target => true,
        // A line that can be read has none.
        ViewMember::Reason => false,
        // Elements, and the values of flags and variables.
        _ => !field.types.has(Type::String) && !field.types.has(Type::Null),
    }
}

/// Reports a member of one redirection. Whether there is a first one is a test that no other redirection changes.
pub(super) fn redirect(leaf: &Leaf) -> Option<Diagnostic> {
    let is_placed = match &leaf.path.kind {
        PathKind::Short(steps) => steps.windows(3).any(
            |steps| matches!(steps, [Step::Name(list), Step::Index(_), Step::Name(_)] if list == "redirects"),
        ),
        PathKind::View(view) => view.rest.segments.windows(3).any(|segments| match segments {
            [Segment::Child(list), Segment::Child(at), Segment::Child(_)] => {
                matches!(list.as_slice(), [Selector::Name(name)] if name == "redirects")
                    && matches!(at.as_slice(), [Selector::Index(_)])
            }
            _ => false,
        }),
        PathKind::Query(_) | PathKind::Recall(_) => false,
    };
    if !is_placed {
        return None;
    }
    let path = &leaf.path.text;
    let (list, member) = path.rsplit_once('[').unwrap_or((path, ""));
    let member = member.split_once(']').map_or("", |(_, member)| member);
    let what = format!("`{path}` is not always the same redirection");
    let new = Diagnostic::new(Code::W0670, leaf.path.span, what).with_label("a redirection by its position");
    let new = new.note("others can precede it, as in `2>/dev/null >/etc/hosts`");
    Some(new.help(format!("test each of them: `some(r in {list}: r{member} ...)`")))
}
