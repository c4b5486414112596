//! The schema of a hooks file.

use serde_json::{Value, json};

use super::{action, condition, object};
use crate::decode::{Definitions, Type, object_schema};
use crate::dialect::{declared, history, hooks, predicates};
use crate::tree::Family;
use crate::vocab::Vocabulary;

pub(super) fn schema(vocabulary: &Vocabulary) -> Value {
    // A file that declares action kinds can use kinds and parameters that are not known otherwise.
    let known =
        json!({"type": "array", "items": {"properties": {"action": {"$ref": "#/$defs/known_action"}}}});
    let known = json!({"anyOf": [{"type": "null"}, known]});
    let mut definitions = Definitions::default();
    let file = object_schema(&hooks::FILE, &mut definitions);
    definitions.put("event", event(vocabulary));
    definitions.object(&hooks::ACTION);
    definitions.put("known_action", action::known(vocabulary));
    for declaration in
        [&declared::EVENT, &declared::OPERATOR, &declared::COMBINATOR, &declared::ACTION, &declared::WRAPPER]
    {
        definitions.object(declaration);
    }
    definitions.object(&predicates::SET);
    definitions.object(&history::FACT);
    definitions.put_type("fact_name", Type::Own(history::FACT_NAME));
    definitions.put_type("set_name", Type::Own(predicates::SET_NAME));
    definitions.put_type("declared_program", Type::Own(predicates::PROGRAM));
    definitions.put_type("program_condition", Type::Own(predicates::PROGRAM_CONDITION));
    definitions.put("types", action::types());
    condition::define(&mut definitions);
    for (name, kind) in action::kinds(vocabulary) {
        definitions.put(name, kind);
    }
    object([
        json!({"description": "Hooks: their events, conditions and actions."}),
        file,
        json!({
            // An empty file is `null`.
            "type": ["object", "null"],
            "if": {"required": ["action_types"]},
            "else": {"properties": {"hooks": known, "builtin_hooks": known}},
            "$defs": definitions.into_value(),
        }),
    ])
}

/// The name of an event: known names are suggested, others are allowed.
fn event(vocabulary: &Vocabulary) -> Value {
    let names =
        vocabulary.events.keys().filter(|(family, _)| *family == Family::Thread).map(|(_, name)| name);
    let names: Vec<&String> = names.collect();
    json!({"title": "event type", "anyOf": [{"enum": names}, {"type": "string", "minLength": 1}]})
}
