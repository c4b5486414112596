//! An action: `{type, ...parameters}`, or one of the older form.

use hookc_schema::tree::{Action, UncomparedSpan};
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::{Code, Diagnostic, Spanned};

use crate::front::older::{self, Older};
use crate::front::shape::{self, Keys};

const OLDER: Keys = Keys { what: "an action in legacy syntax", known: &older::KEYS };

/// Keys that such an action may have and that mean nothing here.
const OTHER: [&str; 1] = ["thread"];

/// Reads an action. Which kinds there are, and which parameters they take, is
/// for the checker. `position` is that of a hook of the older form.
pub(super) fn action(
    value: &Value,
    position: Option<Spanned<String>>,
    out: &mut Vec<Diagnostic>,
) -> Option<Action> {
    if let Kind::Seq(_) = value.kind {
        let new = shape::wrong(value, "`action`", "a mapping");
        out.push(new.help("a hook has one action: write one hook per action"));
        return None;
    }
    let members = shape::mapping(value, "`action`", out)?;
    let Some(kind) = members.iter().find(|member| member.key.node == "type") else {
        if members.iter().any(|member| older::KEYS.contains(&member.key.node.as_str())) {
            return older(value, members, position, out);
        }
        out.push(shape::missing(value, "an action", "type").help("write `type:` with an action kind"));
        return None;
    };
    let kind = shape::string(&kind.value, "the `type` of an action", out)?;
    if kind.node.is_empty() {
        let new = Diagnostic::new(Code::E0203, kind.span, "the `type` of an action is empty");
        out.push(new.with_label("unknown action").help("write an action kind"));
        return None;
    }
    let params = members.iter().filter(|member| member.key.node != "type");
    let params = params.map(|member| (member.key.clone(), member.value.clone())).collect();
    out.extend(position.map(|position| older::lost_one("position", position.span)));
    Some(Action { span: UncomparedSpan(value.span), kind, params, templates: true })
}

fn older(
    value: &Value,
    members: &[Member],
    position: Option<Spanned<String>>,
    out: &mut Vec<Diagnostic>,
) -> Option<Action> {
    let start = out.len();
    let (other, members): (Vec<_>, Vec<_>) =
        members.iter().cloned().partition(|member| OTHER.contains(&member.key.node.as_str()));
    out.extend(older::lost(other.iter().map(|member| &member.key)));
    let at = shape::short(value);
    let mut older = Older {
        span: value.span,
        at,
        primary: None,
        item_type: None,
        item_id: None,
        params: Vec::new(),
        position,
    };
    for Member { key, value } in OLDER.admit(&members, out) {
        match key.node.as_str() {
            "primary" => older.primary = shape::string(value, "`primary`", out),
            "item_type" => older.item_type = shape::string(value, "`item_type`", out),
            "item_id" => match &value.kind {
                Kind::Str(text) => older.item_id = Some(Spanned::new(text.clone(), value.span)),
                _ => out.push(shape::wrong(value, "`item_id`", "a string").help("put it in quotes")),
            },
            _ => {
                let params = shape::mapping(value, "`params`", out).unwrap_or_default();
                older.params = params.iter().map(|m| (m.key.clone(), m.value.clone())).collect();
            }
        }
    }
    if out.iter().skip(start).any(Diagnostic::is_error) {
        return None;
    }
    older.lower(out)
}
