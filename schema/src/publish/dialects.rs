//! The schemas of repository hooks, skills and workflows.

use serde_json::{Map, Value, json};

use super::{condition, object};
use crate::decode::{Definitions, object_schema};
use crate::dialect::{repository, skill, workflow};

pub(super) fn repository() -> Value {
    let mut definitions = Definitions::default();
    let hook = object_schema(&repository::HOOK, &mut definitions);
    object([hook, json!({"$defs": definitions.into_value()})])
}

pub(super) fn skill() -> Value {
    let mut definitions = Definitions::default();
    let matter = object_schema(&skill::FRONT_MATTER, &mut definitions);
    definitions.object(&skill::SCRIPT);
    definitions.put("script_path", json!({"type": "string", "pattern": r"\S"}));
    let one = json!([{"$ref": "#/$defs/script_path"}, {"$ref": "#/$defs/script"}]);
    let several = json!({"type": "array", "minItems": 1, "items": {"anyOf": one}});
    definitions.put("scripts", json!({"anyOf": [{"anyOf": one}, several]}));
    let scripts = |event: &&str| ((*event).to_owned(), json!({"$ref": "#/$defs/scripts"}));
    let members: Map<String, Value> = skill::EVENTS.iter().map(scripts).collect();
    definitions.put(
        "events",
        json!({
            "type": "object",
            "properties": members,
            // Events of coding agents, with groups of handlers.
            "patternProperties": {"^[A-Z]": true},
            "additionalProperties": false,
        }),
    );
    // Front matter may be empty.
    object([matter, json!({"type": ["object", "null"], "$defs": definitions.into_value()})])
}

pub(super) fn workflow() -> Value {
    let mut definitions = Definitions::default();
    let level = object_schema(&workflow::LEVEL, &mut definitions);
    condition::define_without_history(&mut definitions);
    object([level, json!({"type": ["object", "null"], "$defs": definitions.into_value()})])
}
