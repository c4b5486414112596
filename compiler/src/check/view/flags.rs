//! Flags compared with `false` (W0601, W0604): a flag is present, with `true` or its text, or it is absent.
//! Flags compared with the text `true` (W0622), which they only have if it is on the line.

use hookc_schema::tree::{Leaf, Op, Right};
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::{FieldSchema, Type, ViewMember};
use hookc_schema::{Code, Diagnostic};

use super::Compared;
use crate::check::Cx;

/// Reports a flag that is compared with `false` only.
pub(super) fn check(
    leaf: &Leaf,
    (member, field): (ViewMember, &FieldSchema),
    compared: &[Compared<'_>],
    cx: &mut Cx<'_>,
) -> bool {
    let Right::Value(value) = &leaf.right else { return false };
    if member != ViewMember::Flags || !field.types.has(Type::Boolean) {
        return false;
    }
    let is_false = |value: &Value| value.kind == Kind::Bool(false);
    let found = match (leaf.op.node, &value.kind) {
        (Op::Eq | Op::Ne, _) => is_false(value),
        (Op::In, Kind::Seq(items)) => !items.is_empty() && items.iter().all(is_false),
        _ => false,
    };
    let has_both = matches!(&value.kind, Kind::Seq(items) if items.iter().any(|item| matches!(item.kind, Kind::Bool(_))));
    if found {
        cx.report_once(report(leaf, value));
    } else if let Some(text) = compared.iter().find(|one| !has_both && matches!(&*one.text, "true" | "false"))
    {
        cx.report_once(as_text(leaf, text));
    }
    found
}

/// `c.flags.r == 'true'`
fn as_text(leaf: &Leaf, one: &Compared<'_>) -> Diagnostic {
    let path = &leaf.path.text;
    let what = format!("a flag without a value is `true`, and not the text `{}`", one.text);
    let new = Diagnostic::new(Code::W0622, one.value.span, what).with_label("a text");
    let new = new.note(format!("the text is that of `--option={}`", one.text));
    let not = if one.text == "false" { "not " } else { "" };
    new.help(format!("write `{not}exists({path})`"))
}

fn report(leaf: &Leaf, value: &Value) -> Diagnostic {
    let (path, op) = (&leaf.path.text, leaf.op.node);
    let (code, when, test) = match op {
        Op::Ne => (Code::W0604, "always", format!("exists({path})")),
        _ => (Code::W0601, "never", format!("not exists({path})")),
    };
    let what = format!("`{}` of `{path}` is {when} true", op.name());
    let new = Diagnostic::new(code, value.span, what).with_label("no flag is `false`");
    let new =
        new.note("a flag of a command is `true` or its text, and absent if the command does not have it");
    new.help(format!("write `{test}`"))
}
