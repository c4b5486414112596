//! Effects as a line of JSON.

use hookc_shell::effects::{Actions, Effect};
use serde_json::{Map, Value, json};

use super::text::shown;

/// An event: what is unknown, its commands, and its effects.
pub(super) fn event(actions: &Actions) -> String {
    let commands: Vec<Value> = actions
        .commands()
        .map(|command| {
            let words: Vec<String> = command.words().map(shown).collect();
            json!({"name": command.name(), "verb": command.verb(), "words": words, "plain": command.is_plain()})
        })
        .collect();
    let effects: Vec<Value> = actions.effects().map(|effect| Value::Object(members(&effect))).collect();
    let line = json!({
        "unknown": actions.unknown().map(|cause| cause.to_string()),
        "undeclared": actions.is_undeclared(),
        "commands": commands,
        "effects": effects,
    });
    format!("{line}\n")
}

fn members(effect: &Effect<'_>) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("kind".to_owned(), effect.kind.as_str().into());
    members.insert("object".to_owned(), format!("{}{}", effect.scheme.prefix(), shown(effect.object)).into());
    members.insert("known".to_owned(), effect.object.holes.is_empty().into());
    let marks = [("tree", effect.is_tree), ("implied", effect.is_implied), ("assumed", effect.is_assumed)];
    for (name, _) in marks.into_iter().filter(|(_, is_marked)| *is_marked) {
        members.insert(name.to_owned(), true.into());
    }
    if let Some(number) = effect.command {
        members.insert("command".to_owned(), number.into());
    }
    members
}
