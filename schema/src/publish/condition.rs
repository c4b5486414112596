//! Conditions: which keys can be combined, and which values each operator accepts.

use serde_json::{Value, json};

use super::members;
use crate::keys;
use crate::tree::Op;
use crate::vocab::Vocabulary;

/// `condition`, and the names of operators and combinators.
pub(super) fn definitions() -> Vec<(String, Value)> {
    let all = Vocabulary::builtin();
    let operators: Vec<&String> = all.operators.keys().collect();
    let combinators: Vec<&String> = all.combinators.keys().collect();
    vec![
        ("condition".to_owned(), condition()),
        ("operator_name".to_owned(), json!({"enum": operators})),
        ("combinator_name".to_owned(), json!({"enum": combinators})),
    ]
}

fn condition() -> Value {
    let properties = keys::CONDITION.iter().map(|key| ((*key).to_owned(), property(key)));
    let head = |key: &str| json!({"type": "object", "required": [key], "maxProperties": 1});
    let alone = json!({"all": false, "any": false, "not": false});
    let mut leaf =
        vec![json!({"anyOf": [{"required": ["op"]}, {"required": ["value"]}, {"required": ["value_path"]}]})];
    leaf.push(json!({"not": {"required": ["value", "value_path"]}}));
    leaf.extend(Op::ALL.iter().map(|op| operator(*op)));
    json!({
        "title": "condition",
        "description": "A test of one field, a combination of conditions, `true` or `false`.",
        "type": ["object", "boolean"],
        "properties": members(properties),
        "additionalProperties": false,
        "oneOf": [{"type": "boolean"}, {"type": "object", "required": ["path"], "properties": alone}, head("all"), head("any"), head("not")],
        "if": {"type": "object", "required": ["path"]},
        "then": {"allOf": leaf},
    })
}

fn property(key: &str) -> Value {
    let path = |about: &str| json!({"description": about, "type": "string", "minLength": 1});
    let list =
        |about: &str| json!({"description": about, "type": "array", "items": {"$ref": "#/$defs/condition"}});
    match key {
        "path" => path("The field to test: `error.code`, `items[0]`, or JSONPath from `$`."),
        "op" => json!({"description": "How to compare (default: `eq`).", "$ref": "#/$defs/operator_name"}),
        "value" => json!({"description": "What to compare with."}),
        "value_path" => path("The field whose value to compare with."),
        "ignore_case" => json!({"description": "Compare text case-insensitively.", "type": "boolean"}),
        "assert_format" => {
            json!({"description": "Assert `format` in the schema of `matches`.", "type": "boolean"})
        }
        "all" => list("True if all of these are true; an empty list is true."),
        "any" => list("True if one of these is true; an empty list is false."),
        _ => json!({"description": "True if this is false.", "$ref": "#/$defs/condition"}),
    }
}

/// The keys next to an operator.
fn operator(op: Op) -> Value {
    let off = json!({"const": false});
    let mut then = json!({"properties": {"value": value(op)}});
    let mut put = |key: &str, schema: Value| {
        if let Some(properties) = then.get_mut("properties").and_then(Value::as_object_mut) {
            properties.insert(key.to_owned(), schema);
        }
    };
    if !op.takes_path() {
        put("value_path", json!(false));
    }
    if !op.takes_case() {
        put("ignore_case", off.clone());
    }
    if op != Op::Matches {
        put("assert_format", off);
    }
    if op != Op::Exists {
        let right = json!([{"required": ["value"]}, {"required": ["value_path"]}]);
        if let Value::Object(members) = &mut then {
            members.insert("anyOf".to_owned(), right);
        }
    }
    json!({"if": {"properties": {"op": {"const": op.name()}}, "required": ["op"]}, "then": then})
}

/// The type that an operator accepts as `value`.
fn value(op: Op) -> Value {
    match op {
        Op::Eq | Op::Ne => json!(true),
        Op::Gt | Op::Gte | Op::Lt | Op::Lte => json!({"type": "number"}),
        Op::In => json!({"type": "array"}),
        Op::Contains => json!({"type": ["string", "number", "boolean", "null"]}),
        Op::StartsWith | Op::EndsWith | Op::Regex => json!({"type": "string"}),
        Op::Glob => json!({"type": ["string", "array"], "items": {"type": "string"}}),
        Op::Exists => json!({"type": "boolean"}),
        Op::Matches => json!({"type": ["object", "boolean"]}),
    }
}
