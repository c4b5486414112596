//! The schema of decisions: the lines of `hookc eval`, and what the bindings give.

use hookc_base::{Family, Layer, Mode, OnError, OnFailure, Strategy};
use serde_json::{Value, json};

pub(super) fn schema() -> Value {
    json!({
        "description": "The decision about an event, or the reason why there is none.",
        "oneOf": [{"$ref": "#/$defs/decision"}, {"$ref": "#/$defs/error"}],
        "$defs": {"decision": decision(), "error": error(), "hook": hook(), "action": action()},
    })
}

fn decision() -> Value {
    let hooks = json!({"type": "array", "items": {"$ref": "#/$defs/hook"}});
    let list = |about: &str| {
        let mut list = hooks.clone();
        if let Value::Object(members) = &mut list {
            members.insert("description".to_owned(), json!(about));
        }
        list
    };
    json!({
        "title": "decision",
        "type": "object",
        "properties": {
            "event": {"description": "The event's type.", "type": "string"},
            "decision": list("The hooks that decide, in order. An empty list is no decision, which allows \
                nothing."),
            "reported": list("The warn and shadow hooks that matched, in order; absent without such hooks."),
            "unknown": list("The hooks whose condition is unknown, because what happened before is, in order; absent if \
                             all conditions are known. The failure mode of such a hook decides."),
            "family": {
                "description": "The vocabulary of the event's type; absent if the policy has no hooks for it. \
                    Not in the lines of `hookc eval`.",
                "enum": names(Family::CHOICES),
            },
            "strategy": {
                "description": "How the hooks of the event's type combine. Not in the lines of `hookc eval`.",
                "enum": names(Strategy::CHOICES),
            },
        },
        "required": ["event", "decision"],
        "additionalProperties": false,
    })
}

fn error() -> Value {
    json!({
        "title": "not decided",
        "type": "object",
        "properties": {
            "error": {"description": "What was wrong with the event.", "type": "string"},
            "line": {"description": "Its line in the input, from 1.", "type": "integer", "minimum": 1},
        },
        "required": ["error", "line"],
        "additionalProperties": false,
    })
}

fn hook() -> Value {
    json!({
        "title": "hook that matched",
        "type": "object",
        "properties": {
            "hook": {"description": "Its id, or `<event>#<n>`.", "type": "string"},
            "rank": {
                "description": "Its position among the hooks of the event, from 0. In the lines of `hookc eval` \
                    it replaces the id, which a stripped module lacks.",
                "type": "integer",
                "minimum": 0,
            },
            "source": {"description": "File, line and column.", "type": "string"},
            "mode": {"description": "Whether it decides, warns the user, or is only logged.", "enum": names(Mode::CHOICES)},
            "action": {"$ref": "#/$defs/action"},
            "action_error": {"description": "Why the action cannot be executed: a rendered parameter has \
                an invalid value.", "type": "string"},
            "cause": {"description": "Why the condition is unknown.", "type": "string"},
            "layer": {
                "description": "Its layer; absent in a stripped module, and in the lines of `hookc eval`.",
                "enum": names(Layer::CHOICES),
            },
            "on_error": {"description": "How an error of the action is handled.", "enum": names(OnError::CHOICES)},
            "on_failure": {"description": "The failure mode when its action fails.", "enum": names(OnFailure::CHOICES)},
        },
        "required": ["mode", "action"],
        "anyOf": [{"required": ["hook"]}, {"required": ["rank"]}],
        "additionalProperties": false,
    })
}

/// The names of a closed enum.
fn names<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
    choices.iter().map(|(name, _)| *name).collect()
}

fn action() -> Value {
    json!({
        "title": "action",
        "description": "The kind and its parameters, with templates substituted; only the kind next to \
                        `action_error`.",
        "type": "object",
        "properties": {"type": {"description": "The action kind.", "type": "string"}},
        "required": ["type"],
    })
}
