//! JSON from other programs, with detection of duplicate keys, on which parsers disagree.

use std::cell::RefCell;
use std::fmt;

use serde::de::{Deserialize as _, DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Which of two members of one name is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeepDuplicate {
    First,
    Last,
}

/// The value of a text, and its first duplicate key.
///
/// # Errors
/// It is not JSON.
pub(crate) fn read(text: &str, keep: KeepDuplicate) -> Result<(Value, Option<String>), serde_json::Error> {
    let twice = RefCell::new(None);
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Reader { keep, twice: &twice }.deserialize(&mut reader)?;
    reader.end()?;
    Ok((value, twice.into_inner()))
}

/// The first value of a text, if it starts with a complete one.
pub(crate) fn first(text: &str) -> Option<&str> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    text.get(..values.byte_offset())
}

/// The first value of a text, whether it has a duplicate key, and its bytes. Nested deeper than `serde_json` reads, it is none:
/// [`first`] has no limit.
pub(crate) fn first_value(text: &str) -> Option<(Value, bool, usize)> {
    let twice = RefCell::new(None);
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Reader { keep: KeepDuplicate::Last, twice: &twice }.deserialize(&mut reader).ok()?;
    Some((value, twice.into_inner().is_some(), reader.into_iter::<IgnoredAny>().byte_offset()))
}

/// The value of a text without duplicate keys.
///
/// # Errors
/// It is not JSON, or has a duplicate key.
pub(crate) fn unique(text: &str) -> Result<Value, String> {
    match read(text, KeepDuplicate::Last) {
        Ok((value, None)) => Ok(value),
        Ok((_, Some(key))) => Err(twice(&key)),
        Err(error) => Err(format!("its output is not JSON: {error}")),
    }
}

/// The only key of the map as which serde_json gives a number to a visitor, in a program that enables its
/// feature `arbitrary_precision` (features are shared by all crates of a program).
pub(crate) const NUMBER: &str = "$serde_json::private::Number";

/// Whether this program enables that feature.
pub(crate) fn numbers_are_maps() -> bool {
    "1e999".parse::<Number>().is_ok()
}

/// The number of such a map.
fn number(members: &Map<String, Value>) -> Option<Number> {
    let text = members.get(NUMBER)?.as_str()?;
    if members.len() == 1 && numbers_are_maps() { text.parse().ok() } else { None }
}

/// The message for a duplicate key.
pub(crate) fn twice(key: &str) -> String {
    format!("its output has a duplicate key `{key}`")
}

#[derive(Clone, Copy)]
struct Reader<'t> {
    keep: KeepDuplicate,
    twice: &'t RefCell<Option<String>>,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = from.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = from.next_key_seed(Key)? {
            let value = from.next_value_seed(self)?;
            let known = members.contains_key(&key);
            if known {
                self.twice.borrow_mut().get_or_insert_with(|| key.clone());
            }
            if !known || self.keep == KeepDuplicate::Last {
                members.insert(key, value);
            }
        }
        Ok(number(&members).map_or(Value::Object(members), Value::Number))
    }
}

struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = String;

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<String, D::Error> {
        String::deserialize(from)
    }
}

/// The type of a value, for messages that must not quote it.
pub(crate) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::{KeepDuplicate, first, first_value, read, unique};
    use serde_json::{Value, json};

    #[test]
    fn as_serde_json_reads_it() {
        for text in
            [r#"{"a": [1, -2, 2.5, 18446744073709551615, "é\n", true, null, {"b": {}}]}"#, "null", "\"x\""]
        {
            assert_eq!(unique(text), Ok(serde_json::from_str::<Value>(text).unwrap()));
        }
        assert!(unique("{} {}").is_err() && unique("{").is_err() && unique(&"[".repeat(10_000)).is_err());
    }

    #[test]
    fn numbers_are_exact_where_the_program_wants_them() {
        let text = "[12345678901234567890123, 1e999, 0.10000000000000000555, 7]";
        match read(text, KeepDuplicate::Last) {
            Ok((value, None)) => assert_eq!(value.to_string(), text.replace(", ", ",").replace("1e", "1e+")),
            _ => assert!(!super::numbers_are_maps() && serde_json::from_str::<Value>(text).is_err()),
        }
        let object = format!("{{\"{}\":\"7\",\"a\":1}}", super::NUMBER);
        assert!(unique(&object).unwrap().is_object());
    }

    #[test]
    fn the_first_of_several() {
        for (text, whole) in [
            ("{\"a\": [1]} x", Some("{\"a\": [1]}")),
            ("{}{}", Some("{}")),
            ("{}", Some("{}")),
            ("{\"a\": ", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(first(text), whole);
            assert_eq!(first_value(text).map(|(.., bytes)| text.get(..bytes).unwrap()), whole);
        }
    }

    #[test]
    fn keys_that_stand_twice() {
        let text = r#"{"a": {"b": 1, "b": 2}, "c": 3}"#;
        let twice = Some("b".to_owned());
        assert_eq!(read(text, KeepDuplicate::Last).unwrap(), (json!({"a": {"b": 2}, "c": 3}), twice.clone()));
        assert_eq!(read(text, KeepDuplicate::First).unwrap(), (json!({"a": {"b": 1}, "c": 3}), twice));
        assert_eq!(unique(text), Err("its output has a duplicate key `b`".to_owned()));
    }
}
