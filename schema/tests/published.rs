//! The checked-in schemas are as the code makes them (`BLESS=1` refreshes
//! them).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::disallowed_methods, reason = "checked-in files are read and refreshed")]

use std::collections::BTreeSet;

use hookc_corpus::amount;
use hookc_schema::decode::Object;
use hookc_schema::dialect::hooks;
use hookc_schema::publish::Schema;
use hookc_schema::vocab::Vocabulary;
use serde_json::Value;

/// Where the checked-in file of a schema is.
fn path(schema: Schema) -> String {
    format!("{}/published/{}.schema.json", env!("CARGO_MANIFEST_DIR"), schema.name())
}

/// All schemas; for Miri, which needs hours for the largest, those of less than 6,000 bytes.
fn schemas() -> impl Iterator<Item = Schema> {
    let size = |schema| std::fs::metadata(path(schema)).map_or(0, |file| file.len() as usize);
    Schema::all().filter(move |schema| size(*schema) < amount(usize::MAX, 6_000))
}

#[test]
fn the_checked_in_schemas_are_fresh() {
    for schema in schemas() {
        let (name, path) = (schema.name(), path(schema));
        if std::env::var("BLESS").is_ok() {
            std::fs::write(&path, schema.text()).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(found == schema.text(), "{name}.schema.json is stale: run with BLESS=1 to refresh it");
        assert_eq!(Schema::from_name(name), Some(schema));
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
    for schema in schemas() {
        let whole: Value = serde_json::from_str(&schema.text()).unwrap();
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
