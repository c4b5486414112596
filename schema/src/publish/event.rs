//! The schema of events: open objects whose declared fields have their declared types. Evaluation
//! is less strict: it accepts a field of another type.

use serde_json::{Map, Value, json};

use super::action::number;
use super::{members, object, plain, types};
use crate::tree::Family;
use crate::vocab::{EventType, FieldSchema, ToolField, Vocabulary};

pub(super) fn schema(vocabulary: &Vocabulary) -> Value {
    let mut names: Vec<&String> = vocabulary.events.keys().map(|(_, name)| name).collect();
    names.sort();
    names.dedup();
    let rules: Vec<Value> = names.iter().map(|name| rule(vocabulary, name)).collect();
    let events = vocabulary.events.values().map(|event| (definition(event.family, &event.name), one(event)));
    let defs = object([
        json!({
            "type_in_event": {
                "properties": {"event": {"properties": {"type": {"type": "string"}}, "required": ["type"], "type": "object"}},
                "required": ["event"],
            },
            "hook_event_name": {"properties": {"hook_event_name": {"type": "string"}}, "required": ["hook_event_name"]},
            "event_type": {"properties": {"event_type": {"type": "string"}}, "required": ["event_type"]},
        }),
        json!({"tool_inputs": {"description": "The inputs of each built-in tool. Tools of MCP servers \
            have their own inputs.", "allOf": tool_rules(vocabulary)}}),
        members(
            vocabulary
                .tools
                .by_name
                .iter()
                .filter_map(|(name, tool)| Some((tool_definition(name), field(tool.input.as_ref()?)))),
        ),
        members(events),
    ]);
    json!({
        "description": "A JSON object. Its type is the first string of `event.type`, `hook_event_name` \
                        and `event_type`.",
        "type": "object",
        "anyOf": [
            {"$ref": "#/$defs/type_in_event"},
            {"$ref": "#/$defs/hook_event_name"},
            {"$ref": "#/$defs/event_type"},
        ],
        "allOf": rules,
        "$defs": defs,
    })
}

fn definition(family: Family, name: &str) -> String {
    format!("{}_{name}", family.name())
}

fn tool_definition(tool: &str) -> String {
    format!("tool_{tool}")
}

/// The input of a built-in tool has the declared type.
fn tool_rules(vocabulary: &Vocabulary) -> Vec<Value> {
    let declared =
        vocabulary.tools.by_name.iter().filter(|(_, tool)| tool.input.is_some()).map(|(name, _)| name);
    let rule = |name: &String| {
        let input = json!({"$ref": format!("#/$defs/{}", tool_definition(name))});
        json!({
            "if": {"properties": {"tool_name": {"const": name}}, "required": ["tool_name"]},
            "then": {"properties": {"tool_input": input}},
        })
    };
    declared.map(rule).collect()
}

/// An event with a known name has the fields of one of the vocabularies with that name.
fn rule(vocabulary: &Vocabulary, name: &str) -> Value {
    let events = vocabulary.events.keys().filter(|(_, other)| other == name);
    let refs: Vec<Value> = events
        .map(|(family, name)| json!({"$ref": format!("#/$defs/{}", definition(*family, name))}))
        .collect();
    json!({"if": is(name), "then": {"anyOf": refs}})
}

/// The type of the event is `name`.
fn is(name: &str) -> Value {
    let named = |key: &str| json!({"properties": {key: {"const": name}}, "required": [key]});
    let first = json!({"$ref": "#/$defs/type_in_event"});
    let second = json!({"$ref": "#/$defs/hook_event_name"});
    json!({"anyOf": [
        {"properties": {"event": {"type": "object", "properties": {"type": {"const": name}}, "required": ["type"]}}, "required": ["event"]},
        object([named("hook_event_name"), json!({"not": first})]),
        object([named("event_type"), json!({"not": {"anyOf": [first, second]}})]),
    ]})
}

fn one(event: &EventType) -> Value {
    let head = json!({"title": event.name, "description": event.description});
    let input = event.schema.properties.values().any(|field| field.tool == Some(ToolField::Input));
    let tools = if input { json!({"allOf": [{"$ref": "#/$defs/tool_inputs"}]}) } else { json!({}) };
    object([head, field(&merged(event)), tools])
}

/// The fields of a thread event can be at the root or in `event`.
fn merged(event: &EventType) -> FieldSchema {
    let mut schema = (*event.schema).clone();
    let fields = event.schema.properties.iter().filter(|(name, _)| event.schema.merges(name));
    let fields: Vec<_> = fields.map(|(name, field)| (name.clone(), field.clone())).collect();
    if let Some(inner) = schema.properties.get_mut("event") {
        inner.properties.extend(fields);
    }
    schema
}

fn field(declared: &FieldSchema) -> Value {
    let mut schema = Map::new();
    if !declared.description.is_empty() {
        schema.insert("description".to_owned(), json!(declared.description));
    }
    if let Some(types) = types(declared.types) {
        schema.insert("type".to_owned(), types);
    }
    if !declared.properties.is_empty() {
        let properties = declared.properties.iter().map(|(name, inner)| (name.clone(), field(inner)));
        schema.insert("properties".to_owned(), members(properties));
    }
    if let Some(items) = &declared.items {
        schema.insert("items".to_owned(), field(items));
    }
    if declared.closed {
        schema.insert("additionalProperties".to_owned(), json!(false));
    }
    if let Some(allowed) = &declared.allowed {
        schema.insert("enum".to_owned(), allowed.iter().map(plain).collect());
    }
    for (name, bound) in [("minimum", &declared.minimum), ("maximum", &declared.maximum)] {
        schema.extend(bound.as_ref().and_then(number).map(|bound| (name.to_owned(), bound)));
    }
    if let Some(format) = &declared.format {
        schema.insert("format".to_owned(), json!(format));
    }
    Value::Object(schema)
}
