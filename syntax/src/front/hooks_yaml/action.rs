//! Reads an action: `{type, ...parameters}`, or legacy syntax.

use hookc_schema::decode::{YAML, short};
use hookc_schema::dialect::hooks::{ACTION, LEGACY_ACTION};
use hookc_schema::dialect::meant;
use hookc_schema::tree::{Action, UncomparedSpan};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Spanned};

use crate::front::legacy::{self, LegacyAction};

/// Reads an action. The checker validates kinds and parameters. `position` is a legacy key of the
/// hook.
pub(super) fn action(
    value: &Value,
    position: Option<Spanned<String>>,
    out: &mut Diagnostics,
) -> Option<Action> {
    if let Kind::Seq(_) = value.kind {
        let new = YAML.wrong(value, "`action`", "a mapping");
        out.push(new.help("a hook has one action: write one hook per action"));
        return None;
    }
    if value.as_str().is_some() {
        out.push(YAML.wrong(value, "`action`", "a mapping").help(meant::of_word(value)));
        return None;
    }
    let members = YAML.mapping(value, "`action`", out)?;
    let has = |name: &str| members.iter().any(|member| member.key.node == name);
    if !has("type") && LEGACY_ACTION.names().any(has) {
        return legacy_action(value, position, out);
    }
    let kind = ACTION.read(value, YAML, out)?.value("type")?;
    let kind = YAML.string(kind, "the `type` of an action", out)?;
    if kind.node.is_empty() {
        let new = Diagnostic::new(Code::E0203, kind.span, "the `type` of an action is empty");
        out.push(new.with_label("unknown action").help("write an action kind"));
        return None;
    }
    let params = members.iter().filter(|member| member.key.node != "type");
    let params = params.map(|member| (member.key.clone(), member.value.clone())).collect();
    out.extend(position.map(|position| legacy::ignored_key("position", position.span)));
    Some(Action { span: UncomparedSpan(value.span), kind, params, templates: true })
}

fn legacy_action(value: &Value, position: Option<Spanned<String>>, out: &mut Diagnostics) -> Option<Action> {
    let start = out.errors();
    let fields = LEGACY_ACTION.read(value, YAML, out)?;
    // Keys that are allowed in legacy actions but have no effect.
    out.extend(legacy::ignored_keys(
        fields.sound().filter(|(key, _)| key.legacy).map(|(_, member)| &member.key),
    ));
    let params = fields.members("params").iter();
    let legacy = LegacyAction {
        span: value.span,
        at: short(value),
        primary: fields.string("primary"),
        item_type: fields.string("item_type"),
        item_id: fields.text("item_id"),
        params: params.map(|member| (member.key.clone(), member.value.clone())).collect(),
        position,
    };
    if out.errors() > start {
        return None;
    }
    legacy.lower(out)
}
