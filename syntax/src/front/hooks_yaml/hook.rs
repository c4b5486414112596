//! Reads one hook.

use std::collections::HashMap;

use hookc_schema::decode::YAML;
use hookc_schema::dialect::hooks::HOOK;
use hookc_schema::tree::{Family, Hook, Section, UncomparedSpan};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Diagnostics, Spanned};

use super::{action, draft, legacy};
use crate::expr::path::PathCache;
use crate::front::common::{Common, both};

/// Reads a hook; `None` after an error was reported.
pub(super) fn hook(
    value: &Value,
    section: Section,
    paths: &mut PathCache,
    out: &mut Diagnostics,
) -> Option<Hook> {
    let mark = out.mark();
    let hook = sound_hook(value, section, paths, out);
    // One problem has its own help. If the shape is wrong and there is more, the whole hook is clearer.
    let found = out.since(mark);
    let is_shape = |one: &Diagnostic| one.code == Code::E0202 || is_of_key(value, one);
    if found.iter().filter(|one| one.is_error()).count() > 1
        && found.iter().any(is_shape)
        && let Some(last) = found.last_mut()
        && let Some(draft) = draft::hook(value)
    {
        last.notes.push(format!("what is understood of this hook, in the right form:\n\n{draft}\n"));
    }
    hook
}

/// Whether a diagnostic is about a key of the hook, or about an action that is not a mapping.
fn is_of_key(hook: &Value, found: &Diagnostic) -> bool {
    let Kind::Map(members) = &hook.kind else { return false };
    members.iter().any(|member| {
        let is_action = member.key.node == "action" && found.code == Code::E0203;
        found.span() == Some(if is_action { member.value.span } else { member.key.span })
    })
}

fn sound_hook(value: &Value, section: Section, paths: &mut PathCache, out: &mut Diagnostics) -> Option<Hook> {
    let start = out.errors();
    let fields = HOOK.read(value, YAML, out)?;
    let legacy = legacy::Keys::read(&fields, section, out);
    let common = Common::read(&fields, YAML, paths, out);
    let events = fields.value("event").and_then(|value| events(value, out));
    let action = fields.value("action").and_then(|value| action::action(value, legacy.position, out));
    let sound = out.errors() == start;
    let hook = Hook {
        span: UncomparedSpan(value.span),
        id: common.id,
        events: events?,
        family: Family::Thread,
        section: legacy.section,
        priority: common.priority,
        enabled: common.enabled,
        mode: common.mode,
        condition: both(common.condition, common.when, value.span),
        action: action?,
        on_error: common.on_error,
        on_failure: common.on_failure,
        description: common.description,
        examples: common.examples,
        effects: Vec::new(),
    };
    sound.then_some(hook)
}

pub(super) fn events(value: &Value, out: &mut Diagnostics) -> Option<Vec<Spanned<String>>> {
    let names = match &value.kind {
        Kind::Seq(items) if items.is_empty() => {
            let new = Diagnostic::new(Code::E0203, value.span, "`event` names no event type");
            out.push(new.with_label("an empty list").help("write at least one event type"));
            return None;
        }
        Kind::Seq(items) => items.iter().map(|item| event(item, out)).collect::<Vec<_>>(),
        Kind::Str(_) => vec![event(value, out)],
        _ => {
            let new = YAML.wrong(value, "`event`", "an event type or a list of event types");
            out.push(new.help("write the name of an event type"));
            return None;
        }
    };
    let names: Option<Vec<_>> = names.into_iter().collect();
    names.filter(|names| unrepeated(names, out))
}

fn event(value: &Value, out: &mut Diagnostics) -> Option<Spanned<String>> {
    let name = YAML.string(value, "an event type", out)?;
    if name.node.is_empty() {
        let new = Diagnostic::new(Code::E0203, value.span, "the name of an event type is empty");
        out.push(new.with_label("empty").help("write the name of an event type"));
        return None;
    }
    Some(name)
}

fn unrepeated(names: &[Spanned<String>], out: &mut Diagnostics) -> bool {
    let mut seen = HashMap::new();
    let mut sound = true;
    for name in names {
        if let Some(first) = seen.insert(name.node.as_str(), name.span) {
            sound = false;
            let new = Diagnostic::new(Code::E0212, name.span, format!("duplicate event `{}`", name.node));
            out.push(new.with_label("again here").also(first, "first here").help("remove one of the two"));
        }
    }
    sound
}
