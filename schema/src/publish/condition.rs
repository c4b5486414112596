//! Definitions of conditions, with the operands of each operator.

use serde_json::{Value, json};

use crate::decode::{Definitions, object_schema};
use crate::dialect::{history, hooks};
use crate::tree::Op;
use crate::vocab::Vocabulary;

/// `condition`, and the names of operators and combinators.
pub(super) fn define(definitions: &mut Definitions) {
    let condition = object_schema(&hooks::CONDITION, definitions);
    define_as(condition, definitions);
}

/// Like [`define`], for files whose conditions are not about earlier events.
pub(super) fn define_without_history(definitions: &mut Definitions) {
    let mut condition = object_schema(&hooks::CONDITION, definitions);
    if let Some(properties) = condition.get_mut("properties").and_then(Value::as_object_mut) {
        properties.shift_remove("formerly");
    }
    definitions.remove(history::SELECTION.name);
    definitions.remove(history::PATTERN.name);
    define_as(condition, definitions);
}

fn define_as(mapping: Value, definitions: &mut Definitions) {
    let vocabulary = Vocabulary::builtin();
    let condition = condition(mapping);
    definitions.put("condition", condition);
    definitions.put("operator_name", json!({"enum": vocabulary.operators.keys().collect::<Vec<_>>()}));
    definitions.put("combinator_name", json!({"enum": vocabulary.combinators.keys().collect::<Vec<_>>()}));
}

/// A condition: a mapping by its table, `true` or `false`; the operator determines the value of a
/// leaf.
fn condition(mapping: Value) -> Value {
    let mut leaf =
        vec![json!({"anyOf": [{"required": ["op"]}, {"required": ["value"]}, {"required": ["value_path"]}]})];
    leaf.push(json!({"not": {"required": ["value", "value_path"]}}));
    leaf.extend(Op::ALL.iter().map(|op| operator(*op)));
    json!({
        "title": "condition",
        "description": "A test of one field, a combination of conditions, `true` or `false`.",
        "anyOf": [{"type": "boolean"}, mapping],
        "if": {"type": "object", "required": ["path"]},
        "then": {"allOf": leaf},
    })
}
/// The operand of an operator.
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
    // A leaf without `op` has the operator `eq`.
    let named = if op == Op::Eq { json!([]) } else { json!(["op"]) };
    json!({"if": {"properties": {"op": {"const": op.name()}}, "required": named}, "then": then})
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
