//! An action: `{type, ...parameters}`.

use hookc_schema::tree::{Action, Place};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic};

use crate::front::shape;

/// Reads an action. Which kinds there are, and which parameters they take, is
/// for the checker.
pub(super) fn action(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Action> {
    if let Kind::Seq(_) = value.kind {
        let new = shape::wrong(value, "`action`", "a mapping");
        out.push(new.help("a hook has one action: write one hook for each"));
        return None;
    }
    let members = shape::mapping(value, "`action`", out)?;
    let Some(kind) = members.iter().find(|member| member.key.node == "type") else {
        out.push(shape::missing(value, "an action", "type").help("write `type:` with an action kind"));
        return None;
    };
    let kind = shape::string(&kind.value, "an action's `type`", out)?;
    if kind.node.is_empty() {
        let new = Diagnostic::new(Code::E0203, kind.span, "an action's `type` is empty");
        out.push(new.saying("names no action kind").help("write an action kind"));
        return None;
    }
    let params = members.iter().filter(|member| member.key.node != "type");
    let params = params.map(|member| (member.key.clone(), member.value.clone())).collect();
    Some(Action { span: Place(value.span), kind, params, templates: true })
}
