//! JSON that every reader understands alike.

use serde_json::{Map, Value};

use crate::event::rounded_number;
use crate::json::{KeepDuplicate, read};

/// An object in JSON, such as the context of an event, if nothing of it is lost in a [`Map`]: no key is there
/// twice, and no number is rounded. A guard would decide about something else than what was written.
///
/// # Errors
/// It is not a JSON object, or would lose something; why.
///
/// ```
/// use hookc_runtime::turn::exact_object;
///
/// assert!(exact_object(br#"{"ability_id": "build", "n": 1.50}"#).is_ok());
/// let twice = exact_object(br#"{"ability_id": "deploy", "ability_id": "build"}"#);
/// assert_eq!(twice.unwrap_err(), "the key `ability_id` is there twice");
/// let long = exact_object(br#"{"n": 12345678901234567890123}"#);
/// assert_eq!(long.unwrap_err(), "the number 12345678901234567890123 would be rounded: write it as text");
/// ```
pub fn exact_object(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let (value, twice) = read(text, KeepDuplicate::Last).map_err(|error| error.to_string())?;
    if let Some(key) = twice {
        return Err(format!("the key `{key}` is there twice"));
    }
    let Value::Object(members) = value else { return Err("it is not an object".to_owned()) };
    match rounded_number(text) {
        Some(number) => Err(format!("the number {number} would be rounded: write it as text")),
        None => Ok(members),
    }
}

#[cfg(test)]
mod tests {
    use super::exact_object;

    #[test]
    fn what_is_kept() {
        for text in [
            r#"{}"#,
            r#"{"a": 1, "b": [-2, 3.25, 1e3, 0.1, 18446744073709551615, -9223372036854775808], "c": {"a": 1}}"#,
            r#"{"a": "12345678901234567890123", "b\"1e999": "\\", "c": "0.10000000000000000555"}"#,
            r#"{"0": -0.0, "x": 100e-2}"#,
        ] {
            assert!(exact_object(text.as_bytes()).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_would_be_lost() {
        for text in [
            r#"{"a": 1, "a": 1}"#,
            r#"{"a": {"b": [{"c": 1, "\u0063": 2}]}}"#,
            r#"{"a": 12345678901234567890123}"#,
            r#"{"a\\": [0.10000000000000000555]}"#,
            r#"{"a": 9007199254740993.0}"#,
            r#"{"a": 1e999}"#,
            "[1]",
            "7",
            "{",
            "",
        ] {
            assert!(exact_object(text.as_bytes()).is_err(), "{text}");
        }
        assert!(exact_object(b"{\"a\": \"\xff\"}").is_err());
    }
}
