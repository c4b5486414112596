//! The shape of a JSON text, found without building a tree: whether it is valid, its number of
//! values, and the positions of the members of an object.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::value::RawValue;

use hookc_vm::EventError as InvalidEvent;
use hookc_vm::limits::EVENT_DEPTH;

use super::tokens::Tokens;
use crate::escaped::{content, is_text};
use crate::json;

/// Whether every parser can read a text: it is JSON within the depth of an event and the number range of
/// `serde_json`.
///
/// # Errors
/// It cannot.
pub(crate) fn sound(bytes: &[u8]) -> Result<(), String> {
    match values(bytes) {
        Some(_) => Ok(()),
        None => Err(match count(bytes) {
            Err(error) if error.to_string().starts_with(TOO_DEEP) => {
                InvalidEvent::TooDeep(EVENT_DEPTH).to_string()
            }
            Err(error) => format!("the event is not JSON: {error}"),
            // A program can make serde_json read numbers of any range.
            Ok(_) => "the event is not JSON: number out of range".to_owned(),
        }),
    }
}

/// How `serde_json` begins its message about nesting, whose limit is another one.
const TOO_DEEP: &str = "recursion limit exceeded";

/// The number of values in a text, including nested ones; `None` if a parser cannot read it. Read
/// in place: `serde_json` decodes each string next to the text, and one may be as long as the event.
pub(super) fn values(bytes: &[u8]) -> Option<usize> {
    let text = serde_json::from_slice::<&RawValue>(bytes).ok()?.get();
    let (mut values, mut depth) = (0_usize, 0_usize);
    for token in Tokens::new(text) {
        match token.as_bytes().first()? {
            b',' => {}
            // The string before it was a key.
            b':' => values = values.saturating_sub(1),
            b'}' | b']' => depth = depth.saturating_sub(1),
            first => {
                values = values.saturating_add(1);
                depth = depth.saturating_add(usize::from(matches!(first, b'{' | b'[')));
                if depth > EVENT_DEPTH || !is_readable(token) {
                    return None;
                }
            }
        }
    }
    Some(values)
}

/// Whether the escapes of a string are those of characters, and a number is in the range.
fn is_readable(token: &str) -> bool {
    match token.as_bytes().first() {
        Some(b'"') => content(token).is_some_and(is_text),
        Some(b'-' | b'0'..=b'9') => token.parse::<f64>().is_ok_and(f64::is_finite),
        _ => true,
    }
}

fn count(bytes: &[u8]) -> Result<usize, serde_json::Error> {
    let count = Cell::new(0);
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    Count(&count).deserialize(&mut reader)?;
    reader.end()?;
    Ok(count.get())
}

/// The names of an object's members with the positions of their values, in order; empty for
/// anything else.
pub(crate) fn members(bytes: &[u8]) -> Vec<(String, Range<usize>)> {
    let Ok(Members(members)) = serde_json::from_slice::<Members<'_>>(bytes) else { return Vec::new() };
    members.into_iter().map(|(name, raw)| (name, range(bytes, raw))).collect()
}

/// The position of the value of the last member of a name, without a list of all members.
pub(super) fn member(bytes: &[u8], name: &str) -> Option<Range<usize>> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let found = reader.deserialize_map(Find(name)).ok()?;
    reader.end().ok()?;
    found.map(|raw| range(bytes, raw))
}

/// The values of the members with chosen names, the last one of each, without a list of all members; none for
/// anything but an object.
pub(crate) fn chosen<'b>(
    bytes: &'b [u8],
    is_chosen: &dyn Fn(&str) -> bool,
) -> BTreeMap<String, &'b RawValue> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    reader.deserialize_map(Choose(is_chosen)).unwrap_or_default()
}

/// The members with chosen names.
struct Choose<'c>(&'c dyn Fn(&str) -> bool);

impl<'de> Visitor<'de> for Choose<'_> {
    type Value = BTreeMap<String, &'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let mut found = BTreeMap::new();
        while let Some((key, value)) = from.next_entry::<String, &RawValue>()? {
            if self.0(&key) {
                found.insert(key, value);
            }
        }
        Ok(found)
    }
}

fn range(bytes: &[u8], raw: &RawValue) -> Range<usize> {
    let at = raw.get().as_ptr().addr().saturating_sub(bytes.as_ptr().addr());
    at..at.saturating_add(raw.get().len())
}

/// The last member of a name.
struct Find<'n>(&'n str);

impl<'de> Visitor<'de> for Find<'_> {
    type Value = Option<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some((key, value)) = from.next_entry::<String, &RawValue>()? {
            found = if key == self.0 { Some(value) } else { found };
        }
        Ok(found)
    }
}

/// Counts a value and the nested ones, and keeps none.
#[derive(Clone, Copy)]
struct Count<'c>(&'c Cell<usize>);

impl<'de> DeserializeSeed<'de> for Count<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        self.0.set(self.0.get().saturating_add(1));
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Count<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<(), A::Error> {
        while from.next_element_seed(self)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<(), A::Error> {
        // A key has to be sound too.
        while let Some(key) = from.next_key::<String>()? {
            match key == json::NUMBER && json::numbers_are_maps() {
                true => drop(from.next_value::<IgnoredAny>()?),
                false => from.next_value_seed(self)?,
            }
        }
        Ok(())
    }
}

struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = from.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        from.deserialize_map(Read)
    }
}

#[cfg(test)]
mod tests {
    use super::{count, sound, values};

    #[test]
    fn values_are_counted_as_a_parser_counts_them() {
        let deep = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        let objects = |depth: usize| format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
        let long = format!("[1,{}]", "9".repeat(400));
        let texts = [
            "",
            " {} ",
            "null",
            "[1, {\"a\": \"b\", \"c\\n\": [true, -0.5e3]}, \"\\ud83d\\ude00\"]",
            "[\"\\ud83d\"]",
            "{\"\\ud83d\": 1}",
            "1e999",
            "[-1e400]",
            "1e-999",
            "[1 2]",
            "{\"a\" 1}",
            "\"\\q\"",
            "\"a",
            "{} {}",
            "\"\t\"",
            &deep(127),
            &objects(127),
            &deep(129),
            &objects(129),
            &long,
        ];
        for text in texts {
            assert_eq!(values(text.as_bytes()), count(text.as_bytes()).ok(), "{text}");
            assert_eq!(sound(text.as_bytes()).is_ok(), count(text.as_bytes()).is_ok(), "{text}");
        }
        let deepest = [deep(128), objects(128)];
        assert!(
            deepest.iter().all(|text| values(text.as_bytes()).is_some() && sound(text.as_bytes()).is_ok())
        );
        assert_eq!(
            sound(deep(129).as_bytes()).unwrap_err().to_string(),
            "the event is nested deeper than 128"
        );
        assert!(values(b"\"\xff\"").is_none() && sound(b"\"\xff\"").is_err());
    }
}
