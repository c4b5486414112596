//! `matches`, by the `jsonschema` crate.
//!
//! That crate represents numbers as 64-bit integers or `f64`, but the language has exact numbers.
//! Every number of the schema and of the value is therefore replaced by another one that gives the
//! same results and that both can represent: numbers by rank, whole ones by whole ones.
//! `multipleOf`, which ranks cannot represent, becomes the list of the value's numbers that are
//! multiples, found here with big integers. The crate then receives an exact question with one
//! answer.
//!
//! `tests/schema_suite.rs` lists where it still differs from the JSON Schema Test Suite, with the
//! reason.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use jsonschema::{Draft, Validator};
use serde_json::{Map, Value, json};

use crate::decimal::Decimal;
use crate::json::Json;

/// Whether a value is valid. A schema that the crate rejects is a mistake of the calling test.
///
/// # Panics
/// If the crate rejects the schema.
#[allow(clippy::panic, reason = "a mistake of a test")]
pub(crate) fn valid(schema: &Json, value: &Json, formats: bool) -> bool {
    matches(schema, value, formats)
        .unwrap_or_else(|why| panic!("the oracle's crate refuses {}: {why}", schema.canonical()))
}

/// Whether a value is valid against a JSON Schema, draft 2020-12; with `formats`, `format` is
/// asserted.
///
/// # Errors
/// Why `jsonschema` rejects the schema, in its words.
pub fn matches(schema: &Json, value: &Json, formats: bool) -> Result<bool, String> {
    let mut numbers = BTreeSet::new();
    collect(schema, &mut numbers);
    collect(value, &mut numbers);
    let ranks = Ranks { numbers: numbers.into_iter().collect() };
    let mut values = BTreeSet::new();
    collect(value, &mut values);
    let values: Vec<Decimal> = values.into_iter().collect();
    let schema = Rewriter { ranks: &ranks, own: &values }.schema(schema);
    Ok(validator(&schema, formats)?.is_valid(&ranks.value(value)))
}

thread_local! {
    /// Schemas of earlier calls: those without numbers occur again.
    static KNOWN: RefCell<HashMap<(String, bool), Rc<Validator>>> = RefCell::new(HashMap::new());
}

fn validator(schema: &Value, formats: bool) -> Result<Rc<Validator>, String> {
    let key = (schema.to_string(), formats);
    KNOWN.with_borrow_mut(|known| {
        if let Some(validator) = known.get(&key) {
            return Ok(Rc::clone(validator));
        }
        if known.len() > 4096 {
            known.clear();
        }
        let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(formats);
        let validator = Rc::new(options.build(schema).map_err(|error| error.to_string())?);
        known.insert(key, Rc::clone(&validator));
        Ok(validator)
    })
}

fn collect(json: &Json, numbers: &mut BTreeSet<Decimal>) {
    match json {
        Json::Num(number) => {
            numbers.insert(number.0.clone());
        }
        Json::Arr(items) => items.iter().for_each(|item| collect(item, numbers)),
        Json::Obj(members) => members.iter().for_each(|(_, value)| collect(value, numbers)),
        _ => {}
    }
}

/// Numbers in ascending order with their replacements: in the same order, whole for a whole number,
/// a half more than that for any other.
struct Ranks {
    numbers: Vec<Decimal>,
}

impl Ranks {
    fn number(&self, number: &Decimal) -> Value {
        let rank = self.numbers.binary_search(number).unwrap_or(0);
        let rank = i32::try_from(rank).unwrap_or(i32::MAX);
        if number.is_integer() { json!(rank) } else { json!(f64::from(rank) + 0.5) }
    }

    fn value(&self, json: &Json) -> Value {
        match json {
            Json::Null => Value::Null,
            Json::Bool(truth) => Value::Bool(*truth),
            Json::Num(number) => self.number(&number.0),
            Json::Str(text) => Value::String(text.clone()),
            Json::Arr(items) => items.iter().map(|item| self.value(item)).collect(),
            Json::Obj(members) => members
                .iter()
                .map(|(key, value)| (key.clone(), self.value(value)))
                .collect::<Map<_, _>>()
                .into(),
        }
    }
}

/// Keywords with a schema, an array of schemas, or an object of schemas.
const ONE: &[&str] = &[
    "not",
    "if",
    "then",
    "else",
    "items",
    "contains",
    "additionalProperties",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
];
const MANY: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems"];
const NAMED: &[&str] = &["$defs", "properties", "patternProperties", "dependentSchemas"];
/// Keywords with counts: their numbers are not values.
const COUNTS: &[&str] = &[
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
];

struct Rewriter<'r> {
    ranks: &'r Ranks,
    /// The numbers of the value.
    own: &'r [Decimal],
}

impl Rewriter<'_> {
    /// The schema with numbers replaced.
    fn schema(&self, schema: &Json) -> Value {
        let Json::Obj(members) = schema else { return self.ranks.value(schema) };
        let mut out = Map::new();
        // `multipleOf` extends `allOf`, so it comes last.
        let (last, first): (Vec<_>, Vec<_>) = members.iter().partition(|(key, _)| key == "multipleOf");
        for (key, value) in first.into_iter().chain(last) {
            let name = key.as_str();
            let new = match value {
                _ if ONE.contains(&name) => self.schema(value),
                Json::Arr(items) if MANY.contains(&name) => {
                    items.iter().map(|item| self.schema(item)).collect()
                }
                Json::Obj(named) if NAMED.contains(&name) => {
                    let each = named.iter().map(|(key, value)| (key.clone(), self.schema(value)));
                    each.collect::<Map<_, _>>().into()
                }
                Json::Num(number) if COUNTS.contains(&name) => {
                    json!(number.0.text().parse::<u64>().unwrap_or(u64::MAX))
                }
                Json::Num(divisor) if name == "multipleOf" => {
                    self.multiples(&divisor.0, &mut out);
                    continue;
                }
                _ => self.ranks.value(value),
            };
            out.insert(key.clone(), new);
        }
        Value::Object(out)
    }

    /// Adds to `allOf`: no number, or one of the value's that are multiples.
    fn multiples(&self, divisor: &Decimal, out: &mut Map<String, Value>) {
        let multiples = self.own.iter().filter(|number| number.is_multiple_of(divisor));
        let allowed: Vec<Value> = multiples.map(|number| self.ranks.number(number)).collect();
        let rule = json!({"anyOf": [{"not": {"type": "number"}}, {"enum": allowed}]});
        match out.get_mut("allOf") {
            Some(Value::Array(all)) => all.push(rule),
            _ => {
                out.insert("allOf".to_owned(), json!([rule]));
            }
        }
    }
}
