//! The schema of a hooks file.

use serde_json::{Value, json};

use super::{action, condition, members};
use crate::keys;
use crate::tree::Family;
use crate::vocab::Vocabulary;

/// Semantic Versioning 2.0.0, of the one major version that is read.
const VERSION: &str = r"^1\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$";

pub(super) fn schema(all: &Vocabulary) -> Value {
    let properties = keys::FILE.iter().map(|key| ((*key).to_owned(), section(key)));
    // A file that declares action kinds can have unknown kinds and additional parameters.
    let known =
        json!({"type": "array", "items": {"properties": {"action": {"$ref": "#/$defs/known_action"}}}});
    let known = json!({"anyOf": [{"type": "null"}, known]});
    json!({
        "description": "Hooks: their events, conditions and actions.",
        "type": ["object", "null"],
        "properties": members(properties),
        "additionalProperties": false,
        "if": {"required": ["action_types"]},
        "else": {"properties": {"hooks": known, "builtin_hooks": known}},
        "$defs": definitions(all),
    })
}

fn definitions(all: &Vocabulary) -> Value {
    let hook = keys::HOOK.iter().map(|key| ((*key).to_owned(), hook(key)));
    let mut parts = vec![
        (
            "hook".to_owned(),
            json!({
                "title": "hook",
                "type": "object",
                "properties": members(hook),
                "required": ["event", "action"],
                "additionalProperties": false,
            }),
        ),
        ("event".to_owned(), event(all)),
        ("example".to_owned(), example()),
        ("action".to_owned(), action::any()),
        ("known_action".to_owned(), action::known(all)),
        ("declared_event".to_owned(), declared_event()),
        ("declared_operator".to_owned(), declared("types", &json!({"$ref": "#/$defs/types"}))),
        ("declared_combinator".to_owned(), declared("syntax", &syntax())),
        ("declared_action".to_owned(), action::declared()),
        ("declared_parameter".to_owned(), action::declared_parameter()),
        ("types".to_owned(), declared_types()),
    ];
    parts.extend(condition::definitions());
    parts.extend(action::definitions(all));
    members(parts)
}

fn section(key: &str) -> Value {
    let hooks = json!({"type": ["array", "null"], "items": {"$ref": "#/$defs/hook"}});
    let described = |about: &str, mut schema: Value| {
        if let Value::Object(members) = &mut schema {
            members.insert("description".to_owned(), json!(about));
        }
        schema
    };
    match key {
        "schema_version" => json!({
            "description": "The version of the language that the file is written in.",
            "type": "string",
            "pattern": VERSION,
            "default": "1.0.0",
        }),
        "hooks" => {
            described("The hooks of the file's layer, in source order unless a priority ranks them.", hooks)
        }
        "builtin_hooks" => described(
            "Hooks of the builtin layer, which is the farthest; they replace shipped hooks of the same id.",
            hooks,
        ),
        "events" => described(
            "Event types that the file declares: a list of names, or a mapping of names to declarations.",
            named("declared_event", None),
        ),
        "operators" => described(
            "The operators that the file relies on; it cannot add any.",
            named("declared_operator", Some("operator")),
        ),
        "combinators" => described(
            "The combinators that the file relies on; it cannot add any.",
            named("declared_combinator", Some("combinator")),
        ),
        "action_types" => json!({
            "description": "Action kinds that the file declares or narrows.",
            "type": ["object", "null"],
            "additionalProperties": {"$ref": "#/$defs/declared_action"},
        }),
        "event_context_schema" => described(
            "A JSON Schema that replaces the known schemas of all events.",
            json!({"type": ["object", "boolean", "null"]}),
        ),
        _ => described(
            "A JSON Schema of the results of actions.",
            json!({"type": ["object", "boolean", "null"]}),
        ),
    }
}

/// Names, or a mapping of names to declarations.
fn named(declaration: &str, names: Option<&str>) -> Value {
    let names = names.map_or(
        json!({"type": "string", "minLength": 1}),
        |names| json!({"$ref": format!("#/$defs/{names}_name")}),
    );
    let declared = json!({"anyOf": [{"type": "null"}, {"$ref": format!("#/$defs/{declaration}")}]});
    json!({
        "type": ["array", "object", "null"],
        "items": names.clone(),
        "propertyNames": names,
        "additionalProperties": declared,
    })
}

fn hook(key: &str) -> Value {
    let word = |about: &str, words: &[&str]| json!({"description": about, "enum": words});
    match key {
        "id" => json!({
            "description": "A unique name in its layer; a nearer layer replaces the hook by this name.",
            "type": "string",
            "pattern": r"^[^#]*[^#\s][^#]*$",
        }),
        "description" => json!({"description": "What the hook is for.", "type": "string"}),
        "event" => json!({
            "description": "The event types that the hook handles: one, or a list.",
            "anyOf": [
                {"$ref": "#/$defs/event"},
                {"type": "array", "items": {"$ref": "#/$defs/event"}, "minItems": 1, "uniqueItems": true},
            ],
        }),
        "priority" => json!({"description": "A higher priority goes first.", "type": "number", "default": 0}),
        "enabled" => json!({
            "description": "`false` removes the hook and the farther hooks of its id.",
            "type": "boolean",
            "default": true,
        }),
        "mode" => {
            word("Whether it decides, warns the user, or is only logged.", &["enforce", "warn", "shadow"])
        }
        "condition" => json!({
            "description": "When the hook matches (default without `when`: always).",
            "$ref": "#/$defs/condition",
        }),
        "when" => json!({
            "description": "The condition as an expression: `error.code == 'x' and cost.spend > 10`. \
                            `'...'` is raw, with `''` for a quote; `\"...\"` has JSON's escapes; `/.../` \
                            and `/.../i` are allowed after `=~`. With `condition`, both must be true.",
            "type": "string",
            "minLength": 1,
        }),
        "action" => json!({"description": "The action to execute.", "$ref": "#/$defs/action"}),
        "on_error" => word("How an error of the action is handled.", &["skip", "fail", "retry"]),
        "on_failure" => word("The failure mode when its action fails.", &["open", "closed"]),
        _ => json!({
            "description": "Events that must match or must not match; `hookc test` checks them.",
            "type": "array",
            "items": {"$ref": "#/$defs/example"},
        }),
    }
}

fn example() -> Value {
    let properties = keys::EXAMPLE.iter().map(|key| {
        let schema = match *key {
            "event" => json!({"description": "The event; its type is optional.", "type": "object"}),
            _ => json!({"description": "Whether the condition is true for it.", "type": "boolean"}),
        };
        ((*key).to_owned(), schema)
    });
    json!({
        "title": "example",
        "type": "object",
        "properties": members(properties),
        "required": keys::EXAMPLE,
        "additionalProperties": false,
    })
}

/// The name of an event: known names are suggested, others are allowed.
fn event(all: &Vocabulary) -> Value {
    let names = all.events.keys().filter(|(family, _)| *family == Family::Thread).map(|(_, name)| name);
    let names: Vec<&String> = names.collect();
    json!({"title": "event type", "anyOf": [{"enum": names}, {"type": "string", "minLength": 1}]})
}

fn declared_event() -> Value {
    json!({
        "title": "declared event type",
        "type": "object",
        "properties": {
            "family": {
                "description": "The vocabulary that it belongs to.",
                "enum": Family::ALL.iter().map(|family| family.name()).collect::<Vec<_>>(),
                "default": "thread",
            },
            "strategy": {
                "description": "Whether the first matching hook decides, or all of them in order.",
                "enum": ["first", "all"],
            },
            "description": {"description": "One line.", "type": "string"},
            "schema": {"description": "What the event looks like, as JSON Schema.", "type": ["object", "boolean"]},
        },
        "additionalProperties": false,
    })
}

/// The declaration of an operator or combinator.
fn declared(key: &str, schema: &Value) -> Value {
    json!({
        "type": "object",
        "properties": {key: schema, "description": {"description": "One line.", "type": "string"}},
        "additionalProperties": false,
    })
}

fn syntax() -> Value {
    json!({
        "description": "Its syntax: a mapping with one key.",
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
    })
}

fn declared_types() -> Value {
    let names = json!({"enum": ["string", "number", "integer", "boolean", "object", "array", "null", "any"]});
    json!({
        "title": "types",
        "description": "The name of a type, or a list of names.",
        "anyOf": [names, {"type": "array", "items": names, "minItems": 1}],
    })
}
