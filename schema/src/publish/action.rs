//! Definitions of actions, one per kind of the vocabulary.

use serde_json::{Map, Value, json};

use super::{members, object, plain, types as type_names};
use crate::value::Number;
use crate::vocab::{ActionKind, ParamType, Type, TypeSet, Vocabulary};

/// Text that consists of one template, whose value can have any type.
const TEMPLATE: &str = r"^\$\{[\s\S]*\}$";
/// Text with a template in it.
const TEMPLATES: &str = r"\$\{";

/// An action of a known kind, with its parameters.
pub(super) fn known(vocabulary: &Vocabulary) -> Value {
    let kinds: Vec<&String> = vocabulary.actions.keys().collect();
    let each = vocabulary.actions.keys().map(|kind| {
        json!({
            "if": {"properties": {"type": {"const": kind}}, "required": ["type"]},
            "then": {"$ref": format!("#/$defs/{}", definition(kind))},
        })
    });
    json!({
        "title": "action",
        "type": "object",
        "properties": {"type": {"description": "The action kind.", "enum": kinds}},
        "required": ["type"],
        "allOf": each.collect::<Vec<_>>(),
    })
}

fn definition(kind: &str) -> String {
    format!("action_{kind}")
}

/// A definition per kind.
pub(super) fn kinds(vocabulary: &Vocabulary) -> Vec<(String, Value)> {
    vocabulary.actions.iter().map(|(name, declared)| (definition(name), kind(name, declared))).collect()
}

fn kind(name: &str, kind: &ActionKind) -> Value {
    let first = ("type".to_owned(), json!({"const": name, "description": kind.description}));
    let params = kind.params.iter().map(|(name, param)| (name.clone(), parameter(param)));
    let required = kind.params.iter().filter(|(_, param)| param.required && param.default.is_none());
    let required: Vec<&str> =
        std::iter::once("type").chain(required.map(|(name, _)| name.as_str())).collect();
    let mut schema = json!({
        "title": name,
        "description": kind.description,
        "type": "object",
        "properties": members(std::iter::once(first).chain(params)),
        "required": required,
        "additionalProperties": false,
    });
    let rules: Vec<Value> =
        kind.one_of.iter().map(|group| exactly_one(group)).chain(conditional(kind)).collect();
    if let (Value::Object(members), false) = (&mut schema, rules.is_empty()) {
        members.insert("allOf".to_owned(), json!(rules));
    }
    schema
}

fn exactly_one(group: &[String]) -> Value {
    json!({"oneOf": group.iter().map(|name| json!({"required": [name]})).collect::<Vec<_>>()})
}

/// `required_if`: the other parameter has the value, explicitly or by default.
fn conditional(kind: &ActionKind) -> Vec<Value> {
    let rule = |(name, param): (&String, &ParamType)| {
        let (other, value) = param.required_if.as_ref()?;
        let default = kind.params.get(other).and_then(|other| other.default.as_ref());
        let mut test = Map::new();
        test.insert("properties".to_owned(), members([(other.clone(), json!({"const": plain(value)}))]));
        if !default.is_some_and(|default| default.same(value)) {
            test.insert("required".to_owned(), json!([other]));
        }
        Some(json!({"if": test, "then": {"required": [name]}}))
    };
    kind.params.iter().filter_map(rule).collect()
}

/// A parameter: a value of its type, or a template that produces one.
fn parameter(param: &ParamType) -> Value {
    let mut head = Map::new();
    if !param.description.is_empty() {
        head.insert("description".to_owned(), json!(param.description));
    }
    if let Some(default) = &param.default {
        head.insert("default".to_owned(), plain(default));
    }
    let constant = constant(param);
    let text = param.types != TypeSet::ANY && param.types.has(Type::String);
    let body = match (&param.allowed, text) {
        (None, true) => constant,
        _ if param.types == TypeSet::ANY && param.allowed.is_none() => constant,
        (Some(_), true) => json!({"anyOf": [constant, template(TEMPLATES)]}),
        _ => json!({"anyOf": [constant, template(TEMPLATE)]}),
    };
    object([Value::Object(head), body])
}

fn template(pattern: &str) -> Value {
    json!({"title": "template", "type": "string", "pattern": pattern})
}

fn constant(param: &ParamType) -> Value {
    let mut schema = Map::new();
    if let Some(types) = type_names(param.types) {
        schema.insert("type".to_owned(), types);
    }
    if let Some(allowed) = &param.allowed {
        schema.insert("enum".to_owned(), allowed.iter().map(plain).collect());
    }
    if let Some(minimum) = minimum(param) {
        schema.insert("minimum".to_owned(), minimum);
    }
    Value::Object(schema)
}

/// The least number of a parameter.
pub(super) fn minimum(param: &ParamType) -> Option<Value> {
    param.minimum.as_ref().and_then(number)
}

/// A number as JSON.
pub(super) fn number(number: &Number) -> Option<Value> {
    serde_json::from_str(&number.0).ok()
}

/// The name of a type, or a list of names, as in a declaration.
pub(super) fn types() -> Value {
    let names: Vec<&str> = Type::ALL.iter().map(|kind| kind.name()).chain(["any"]).collect();
    let names = json!({"enum": names});
    json!({
        "title": "types",
        "description": "The name of a type, or a list of names.",
        "anyOf": [names, {"type": "array", "items": names, "minItems": 1}],
    })
}
