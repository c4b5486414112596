//! Shared by the writers: properties of a hook's parts.

use hookc_schema::Span;
use hookc_schema::tree::{Action, Family, Hook, Mode};
use hookc_schema::value::Value;
use hookc_schema::vocab::Vocabulary;

use super::Loss;

/// A hook as losses call it.
pub(super) fn label(hook: &Hook) -> String {
    match (&hook.id, hook.events.first()) {
        (Some(id), _) => format!("hook `{}`", id.node.escape_debug()),
        (None, Some(event)) => format!("a hook of `{}`", event.node.escape_debug()),
        (None, None) => "a hook".to_owned(),
    }
}

/// The loss of something of a hook.
pub(super) fn loss(hook: &Hook, span: Span, why: impl AsRef<str>) -> Loss {
    Loss { span, what: format!("{}: {}", label(hook), why.as_ref()) }
}

/// The vocabulary that a hook's event is looked up in.
pub(super) fn family(hook: &Hook, event: &str) -> Family {
    Vocabulary::builtin().event(hook.family, event).map_or(hook.family, |event| event.family)
}

/// Properties of the execution of a hook, in notations that cannot express them; the hook can be
/// written without them.
pub(super) fn extras(hook: &Hook, losses: &mut Vec<Loss>) {
    let here = hook.span.0;
    let parts = [
        (hook.on_error.map(|on| on.span), "`on_error` has no equivalent"),
        (hook.on_failure.map(|on| on.span), "`on_failure` has no equivalent"),
        ((!hook.examples.is_empty()).then_some(here), "`examples` have no equivalent"),
    ];
    for (span, why) in parts {
        losses.extend(span.map(|span| loss(hook, span, why)));
    }
}

/// Whether a hook decides: warn and shadow hooks do not.
pub(super) fn enforces(hook: &Hook) -> bool {
    hook.mode.is_none_or(|mode| mode.node == Mode::Enforce)
}

/// Whether a text is a valid file name on any system.
pub(super) fn is_file_name(text: &str) -> bool {
    let bad = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    !text.is_empty() && text.len() <= 200 && !text.starts_with('.') && !text.contains(bad)
}

/// A parameter of an action by name.
pub(super) fn param<'a>(action: &'a Action, name: &str) -> Option<&'a Value> {
    action.params.iter().find(|(key, _)| key.node == name).map(|(_, value)| value)
}

/// The string value of an action parameter at execution; `None` if it is not a string, or depends
/// on the event.
pub(super) fn literal(action: &Action, value: &Value) -> Option<String> {
    let text = value.as_str()?;
    match action.templates && text.contains("${") {
        true if text.replace("$${", "").contains("${") => None,
        true => Some(text.replace("$${", "${")),
        false => Some(text.to_owned()),
    }
}
