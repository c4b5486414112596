//! Shared by the writers: properties of a hook's parts.

use hookc_schema::tree::{Action, Family, Hook, Mode};
use hookc_schema::value::{Kind, Member, Text, Value};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Span, Spanned};

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
    if action.templates { unescaped(text) } else { Some(text.to_owned()) }
}

/// An action whose strings are literal; `None` if one depends on the event.
pub(super) fn literal_action(action: &Action) -> Option<Action> {
    let param = |(name, value): &(Spanned<String>, Value)| Some((name.clone(), literal_value(value)?));
    match action.templates {
        true => {
            let params = action.params.iter().map(param).collect::<Option<_>>()?;
            Some(Action { params, templates: false, ..action.clone() })
        }
        false => Some(action.clone()),
    }
}

fn literal_value(value: &Value) -> Option<Value> {
    let kind = match &value.kind {
        Kind::Str(text) if text.value.contains("${") => Kind::Str(Text::plain(unescaped(&text.value)?)),
        Kind::Seq(items) => Kind::Seq(items.iter().map(literal_value).collect::<Option<_>>()?),
        Kind::Map(members) => {
            let member = |member: &Member| {
                Some(Member { key: member.key.clone(), value: literal_value(&member.value)? })
            };
            Kind::Map(members.iter().map(member).collect::<Option<_>>()?)
        }
        other => other.clone(),
    };
    Some(Value::new(kind, value.span))
}

/// The text of a template without placeholders.
fn unescaped(template: &str) -> Option<String> {
    let depends = template.replace("$${", "").contains("${");
    (!depends).then(|| template.replace("$${", "${"))
}
