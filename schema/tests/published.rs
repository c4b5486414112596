//! The published schemas: names, descriptions and references.

use std::collections::BTreeSet;

use hookc_corpus::amount;
use hookc_schema::decode::Object;
use hookc_schema::dialect::hooks;
use hookc_schema::publish::Schema;
use hookc_schema::vocab::Vocabulary;
use serde_json::Value;

/// All schemas; for Miri, which needs hours for the largest, those of less than 6,000 bytes.
fn schemas() -> impl Iterator<Item = (Schema, String)> {
    Schema::all()
        .map(|schema| (schema, schema.text()))
        .filter(|(_, text)| text.len() < amount(usize::MAX, 6_000))
}

#[test]
fn names_lead_to_schemas_with_a_title() {
    for (schema, text) in schemas() {
        let name = schema.name();
        assert_eq!(Schema::from_name(name), Some(schema));
        let parsed: Value = serde_json::from_str(&text).unwrap();
        assert!(parsed["title"].is_string() && parsed["$schema"].is_string(), "{name}");
        assert!(text.ends_with("}\n"), "{name}");
    }
}

#[test]
fn everything_in_the_hooks_schema_is_described() {
    let schema: Value = serde_json::from_str(&Schema::Hooks.text()).unwrap();
    let described = |at: &Value| at.get("description").or(at.get("$ref")).is_some();
    for (pointer, keys) in [
        ("/properties", &hooks::FILE),
        ("/$defs/hook/properties", &hooks::HOOK),
        ("/$defs/example/properties", &hooks::EXAMPLE),
        ("/$defs/condition/anyOf/1/properties", &hooks::CONDITION),
    ] {
        let keys: &Object = keys;
        let properties = schema.pointer(pointer).unwrap().as_object().unwrap();
        assert_eq!(properties.len(), keys.keys.len(), "{pointer}");
        for name in keys.names() {
            assert!(described(&properties[name]), "{pointer}/{name} has a description");
        }
    }
    for (name, kind) in &Vocabulary::builtin().actions {
        let found = schema.pointer(&format!("/$defs/action_{name}/properties")).unwrap().as_object().unwrap();
        let found: BTreeSet<&str> = found.keys().map(String::as_str).collect();
        let known = kind.params.keys().map(String::as_str).chain(["type"]).collect();
        assert_eq!(found, known, "{name}");
    }
}

/// Every `$ref` leads to a definition.
#[test]
fn references_lead_somewhere() {
    for (schema, text) in schemas() {
        let whole: Value = serde_json::from_str(&text).unwrap();
        let mut left = vec![&whole];
        while let Some(value) = left.pop() {
            match value {
                Value::Array(items) => left.extend(items),
                Value::Object(members) => {
                    if let Some(Value::String(to)) = members.get("$ref") {
                        let found = to.strip_prefix('#').and_then(|to| whole.pointer(to));
                        assert!(found.is_some(), "{}: {to}", schema.name());
                    }
                    left.extend(members.values());
                }
                _ => {}
            }
        }
    }
}
