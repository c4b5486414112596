//! Tests of whether a member of the view is present that every command has (W0604): `exists(c.runs)` is true of
//! an empty list.

use hookc_schema::tree::{Leaf, Op, Right, ViewKind};
use hookc_schema::value::Kind;
use hookc_schema::vocab::{FieldSchema, Type, ViewMember};
use hookc_schema::{Code, Diagnostic};

use crate::check::Cx;

/// Reports a test of the presence of a member that is always present.
pub(super) fn check(leaf: &Leaf, (member, field): (ViewMember, &FieldSchema), cx: &mut Cx<'_>) -> bool {
    if !is_about_presence(leaf) || !is_always_present(member, field) {
        return false;
    }
    let path = &leaf.path.text;
    let span = match &leaf.right {
        Right::Value(value) if leaf.op.node != Op::Exists => value.span,
        _ => leaf.path.span,
    };
    let (list, object) = (field.types.has(Type::Array), field.types.has(Type::Object));
    let empty = if list || object { ", even if it is empty" } else { "" };
    let what = format!("`{path}` is always present{empty}");
    let new = Diagnostic::new(Code::W0604, span, what).with_label(match leaf.path.view(ViewKind::File) {
        Some(_) => "does not depend on the path",
        None => "does not depend on the command line",
    });
    cx.report_once(new.help(match member {
        _ if list => format!("write `exists({path}[{}])`", if leaf.path.is_singular() { "0" } else { "*" }),
        ViewMember::Flags => format!("name a flag, as in `exists({path}.force)`"),
        ViewMember::Env => format!("name a variable, as in `exists({path}.PATH)`"),
        _ if field.types.has(Type::Boolean) => format!("write `{path} == true`, or `{path} == false`"),
        _ => "compare it with a value".to_owned(),
    }));
    true
}

fn is_about_presence(leaf: &Leaf) -> bool {
    let null = matches!(&leaf.right, Right::Value(value) if value.kind == Kind::Null);
    match leaf.op.node {
        Op::Exists => true,
        Op::Eq | Op::Ne => null,
        _ => false,
    }
}

fn is_always_present(member: ViewMember, field: &FieldSchema) -> bool {
    let text = field.types.has(Type::String);
    match member {
        ViewMember::Operator | ViewMember::Target => true,
        // A line that can be read has none.
        ViewMember::Reason => false,
        // Elements, and the values of flags and variables.
        _ => !text && !field.types.has(Type::Null),
    }
}
