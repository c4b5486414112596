//! Tables as JSON Schema (2020-12).

use serde_json::{Map, Value, json};

use super::table::{Key, Object, Others, Rule, Type};

/// The `$defs` of a schema.
#[derive(Debug, Default)]
pub struct Definitions {
    all: Map<String, Value>,
}

impl Definitions {
    /// Adds a definition.
    pub fn put(&mut self, name: impl Into<String>, schema: Value) {
        self.all.insert(name.into(), schema);
    }

    /// Removes a definition.
    pub fn remove(&mut self, name: &str) {
        self.all.shift_remove(name);
    }

    /// Adds a definition of a type.
    pub(crate) fn put_type(&mut self, name: impl Into<String>, kind: Type) {
        let schema = self.schema_of(kind);
        self.put(name, schema);
    }

    /// Adds an object and all objects that its keys may hold.
    pub fn object(&mut self, object: &'static Object) {
        if !self.all.contains_key(object.name) {
            self.put(object.name, Value::Null);
            let schema = object_schema(object, self);
            self.put(object.name, schema);
        }
    }

    /// As the value of `$defs`.
    #[must_use]
    pub fn into_value(self) -> Value {
        Value::Object(self.all)
    }

    fn schema_of(&mut self, kind: Type) -> Value {
        match kind {
            Type::Any => json!({}),
            Type::Text => json!({"type": "string"}),
            Type::Filled(..) => json!({"type": "string", "pattern": r"\S"}),
            Type::Bool => json!({"type": "boolean"}),
            Type::Number => json!({"type": "number"}),
            Type::Count => json!({"type": "integer", "minimum": 0}),
            Type::Word(words) => json!({"enum": words.names()}),
            Type::List(of, _) => json!({"type": "array", "items": self.schema_of(*of)}),
            Type::Map(Type::Any) => json!({"type": "object"}),
            Type::Map(of) => json!({"type": "object", "additionalProperties": self.schema_of(*of)}),
            Type::Object(object) => {
                self.object(object);
                json!({"$ref": format!("#/$defs/{}", object.name)})
            }
            Type::Either(all) => {
                json!({"anyOf": all.iter().map(|kind| self.schema_of(*kind)).collect::<Vec<_>>()})
            }
            Type::Own(schema) => own(schema),
        }
    }

    fn property(&mut self, key: &Key) -> Value {
        let mut schema = Map::new();
        if !key.about.is_empty() {
            schema.insert("description".to_owned(), json!(key.about));
        }
        let mut body = self.schema_of(key.is);
        if key.nullable {
            body = or_null(body);
        }
        if let Value::Object(body) = body {
            schema.extend(body);
        }
        if let Some(default) = key.default {
            schema.insert("default".to_owned(), own(default));
        }
        if key.legacy {
            schema.insert("deprecated".to_owned(), json!(true));
        }
        Value::Object(schema)
    }
}

/// A schema that a table spells out. A test reads them all.
fn own(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

fn or_null(mut schema: Value) -> Value {
    match schema.get_mut("type") {
        Some(types @ Value::String(_)) => {
            *types = json!([types.clone(), "null"]);
            schema
        }
        _ => json!({"anyOf": [{"type": "null"}, schema]}),
    }
}

/// The schema of an object; what it refers to goes to `definitions`.
pub(crate) fn object_schema(object: &'static Object, definitions: &mut Definitions) -> Value {
    let mut schema = Map::new();
    let mut put = |name: &str, value: Value| schema.insert(name.to_owned(), value);
    put("title", json!(object.name.replace('_', " ")));
    put("type", json!("object"));
    let properties = object.keys.iter().map(|key| (key.name.to_owned(), definitions.property(key)));
    let properties: Map<String, Value> = properties.collect();
    put("properties", Value::Object(properties));
    let needed = object.keys.iter().filter(|key| key.needed.is_some());
    let needed: Vec<&str> = needed.map(|key| key.name).collect();
    if !needed.is_empty() {
        put("required", json!(needed));
    }
    if object.others != Others::Open {
        put("additionalProperties", json!(false));
    }
    let rules: Vec<Value> = object.rules.iter().map(rule).collect();
    match rules.as_slice() {
        [] => {}
        [Value::Object(only)] if !only.keys().any(|key| schema.contains_key(key)) => {
            schema.extend(only.clone());
        }
        several => {
            schema.insert("allOf".to_owned(), json!(several));
        }
    }
    Value::Object(schema)
}

fn rule(rule: &Rule) -> Value {
    let required = |keys: &[&str]| json!({"required": keys});
    match rule {
        Rule::AnyOf(keys, _) => json!({"anyOf": keys.iter().map(|key| required(&[key])).collect::<Vec<_>>()}),
        Rule::OneOf(keys) => {
            let pairs = keys
                .iter()
                .enumerate()
                .flat_map(|(at, one)| keys.iter().skip(at + 1).map(move |other| required(&[one, other])));
            json!({"not": {"anyOf": pairs.collect::<Vec<_>>()}})
        }
        Rule::Own(schema) => own(schema),
    }
}
