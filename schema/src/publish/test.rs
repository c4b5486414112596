//! The schema of test files (`hookc test`). Its keys and the kinds of errors
//! are those of the reader's table in the compiler (`testing/keys.rs`), which a
//! test there compares.

use serde_json::{Value, json};

/// Why an event has no decision, in the words of test files.
const EVENT_ERRORS: &[&str] = &[
    "too_large",
    "too_deep",
    "utf8",
    "not_json",
    "not_an_object",
    "surrogate",
    "exponent",
    "duplicate_key",
    "no_type",
    "ambiguous_type",
    "pattern",
    "query_steps",
    "schema_steps",
    "schema_depth",
];

pub(super) fn schema() -> Value {
    json!({
        "description": "Events and their expected decisions.",
        "type": "object",
        "properties": {
            "policy": files("The policies in order, relative to this file."),
            "layers": {
                "description": "Policies of other layers.",
                "type": "object",
                "propertyNames": {"enum": ["managed", "directive", "project", "user", "builtin"]},
                "additionalProperties": files("The policies of the layer."),
            },
            "builtin": {"description": "Whether to link the shipped hooks (default: with thread policies).", "type": "boolean"},
            "tests": {"description": "The tests.", "type": "array", "items": {"$ref": "#/$defs/test"}},
        },
        "required": ["tests"],
        "anyOf": [{"required": ["policy"]}, {"required": ["layers"]}],
        "additionalProperties": false,
        "$defs": {
            "test": test(),
            "event": event(),
            "expect": expect(),
            "hook": hook(),
            "id": json!({"type": "string"}),
            "action": action(),
        },
    })
}

fn files(about: &str) -> Value {
    let several = json!({"type": "array", "items": {"type": "string"}, "minItems": 1});
    json!({"description": about, "anyOf": [{"type": "string"}, several]})
}

fn test() -> Value {
    json!({
        "title": "test",
        "type": "object",
        "properties": {
            "name": {"description": "The name of the test.", "type": "string"},
            "event": {"$ref": "#/$defs/event"},
            "events": {
                "description": "Several events, one case each.",
                "type": "array",
                "items": {"$ref": "#/$defs/event"},
                "minItems": 1,
            },
            "type": {"description": "The event type, whatever the event itself states.", "type": "string"},
            "expect": {"$ref": "#/$defs/expect"},
        },
        "required": ["expect"],
        "oneOf": [{"required": ["event"]}, {"required": ["events"]}],
        "additionalProperties": false,
    })
}

fn event() -> Value {
    json!({
        "title": "event",
        "description": "A mapping, or the JSON text of the event, taken byte for byte.",
        "type": ["object", "string"],
    })
}

fn expect() -> Value {
    let errors: Vec<Value> = EVENT_ERRORS.iter().map(|kind| json!(kind)).chain([json!(true)]).collect();
    json!({
        "title": "expectation",
        "description": "The hook that decides, `none`, all hooks that decide, or a mapping.",
        "anyOf": [
            {"type": "string"},
            {"type": "array", "items": {"$ref": "#/$defs/hook"}},
            {
                "type": "object",
                "properties": {
                    "hook": {"description": "The one hook that decides, or `none`.", "type": "string"},
                    "hooks": {
                        "description": "All hooks that decide, in order.",
                        "type": "array",
                        "items": {"$ref": "#/$defs/hook"},
                    },
                    "action": {"$ref": "#/$defs/action"},
                    "action_error": {"description": "Whether the action cannot be rendered.", "type": "boolean"},
                    "reported": {
                        "description": "The warn and shadow hooks that match, in order.",
                        "type": "array",
                        "items": {"$ref": "#/$defs/id"},
                    },
                    "error": {
                        "description": "The reason why there is no decision, or `true` for any reason.",
                        "enum": errors,
                    },
                },
                "additionalProperties": false,
                "minProperties": 1,
                "dependentRequired": {"action": ["hook"], "action_error": ["hook"]},
                "not": {"required": ["hook", "hooks"]},
                "if": {"required": ["error"]},
                "then": {"maxProperties": 1},
            },
        ],
    })
}

fn hook() -> Value {
    json!({
        "title": "expected hook",
        "description": "A hook's id, or a mapping.",
        "anyOf": [
            {"type": "string", "not": {"const": "none"}},
            {
                "type": "object",
                "properties": {
                    "hook": {"$ref": "#/$defs/id"},
                    "action": {"$ref": "#/$defs/action"},
                    "action_error": {"description": "Whether its action cannot be rendered.", "type": "boolean"},
                },
                "required": ["hook"],
                "additionalProperties": false,
            },
        ],
    })
}

fn action() -> Value {
    json!({
        "title": "action",
        "description": "Its kind, or the fields to compare; other fields are ignored.",
        "type": ["string", "object"],
    })
}
