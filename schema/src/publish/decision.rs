//! The schema of the lines that `hookc eval` writes.

use serde_json::{Value, json};

pub(super) fn schema() -> Value {
    json!({
        "description": "What was decided about an event, or why nothing was.",
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
            "decision": list("The hooks that decide, in order. None: no opinion, which allows nothing."),
            "reported": list("The warn and shadow hooks that matched, in order; left out when there are none."),
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
                "description": "Its place among the hooks of the event, from 0: in place of the id, which a stripped module lacks.",
                "type": "integer",
                "minimum": 0,
            },
            "source": {"description": "File, line and column.", "type": "string"},
            "mode": {"description": "Whether it decides, tells the user, or is only logged.", "enum": ["enforce", "warn", "shadow"]},
            "action": {"$ref": "#/$defs/action"},
            "action_error": {"description": "Why the action cannot be carried out: a rendered parameter is not what it must be.", "type": "string"},
            "on_error": {"description": "What becomes of an action that makes an error.", "enum": ["skip", "fail", "retry"]},
            "on_failure": {"description": "Which way it falls when its action fails.", "enum": ["open", "closed"]},
        },
        "required": ["mode", "action"],
        "oneOf": [{"required": ["hook"]}, {"required": ["rank"]}],
        "additionalProperties": false,
    })
}

fn action() -> Value {
    json!({
        "title": "action",
        "description": "The kind and its parameters, templates filled in; the kind alone beside `action_error`.",
        "type": "object",
        "properties": {"type": {"description": "The action kind.", "type": "string"}},
        "required": ["type"],
    })
}
