//! The shape of a JSON text, found without building a tree: whether it is valid, its number of
//! values, and the positions of the members of an object.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::de::SliceRead;
use serde_json::value::RawValue;

use hookc_vm::EventError as InvalidEvent;
use hookc_vm::limits::EVENT_DEPTH;

use super::tokens::Tokens;
use crate::escaped::{content, is_text};
use crate::json;

/// Why a parser cannot read a text: it is no JSON within the depth of an event and the number range of `serde_json`.
pub(super) fn fault(bytes: &[u8]) -> String {
    match count(bytes) {
        Err(error) if error.to_string().starts_with(TOO_DEEP) => {
            InvalidEvent::TooDeep(EVENT_DEPTH).to_string()
        }
        Err(error) => format!("the event is not JSON: {error}"),
        // A program can make serde_json read numbers of any range.
        Ok(_) => "the event is not JSON: number out of range".to_owned(),
    }
}

/// How `serde_json` begins its message about nesting, whose limit is another one.
const TOO_DEEP: &str = "recursion limit exceeded";

/// The number of values in a text, including nested ones; `None` if a parser cannot read it. Read
/// in place: `serde_json` decodes each string next to the text, and one may be as long as the event.
pub(super) fn values(bytes: &[u8]) -> Option<usize> {
    values_of_json(serde_json::from_slice::<&RawValue>(bytes).ok()?.get())
}

/// Like [`values`], for a text whose grammar was checked.
pub(super) fn values_of_json(text: &str) -> Option<usize> {
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
    let mut members = Vec::new();
    let end = each_member(bytes, &mut |name, raw| members.push((name, range(bytes, raw))));
    if end.is_some_and(|mut rest| rest.end().is_ok()) { members } else { Vec::new() }
}

/// The position of the value of the last member of a name, without a list of all members.
pub(super) fn member(bytes: &[u8], name: &str) -> Option<Range<usize>> {
    let mut last = None;
    let find = &mut |found: String, raw| last = if found == name { Some(raw) } else { last };
    each_member(bytes, find)?.end().ok()?;
    last.map(|raw| range(bytes, raw))
}

/// The values of the members with chosen names, the last one of each, without a list of all members; none for
/// anything that does not start with an object.
pub(crate) fn chosen<'b>(
    bytes: &'b [u8],
    is_chosen: &dyn Fn(&str) -> bool,
) -> BTreeMap<String, &'b RawValue> {
    let mut chosen = BTreeMap::new();
    let choose = &mut |name: String, raw| {
        if is_chosen(&name) {
            chosen.insert(name, raw);
        }
    };
    let end = each_member(bytes, choose);
    if end.is_some() { chosen } else { BTreeMap::new() }
}

/// Passes each member of an object to `see`, and returns what reads the bytes after it; `None` if they do not start with
/// an object.
fn each_member<'b>(
    bytes: &'b [u8],
    see: &mut dyn FnMut(String, &'b RawValue),
) -> Option<serde_json::Deserializer<SliceRead<'b>>> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    reader.deserialize_map(EachMember(see)).ok()?;
    Some(reader)
}

struct EachMember<'s, 'b>(&'s mut dyn FnMut(String, &'b RawValue));

impl<'b> Visitor<'b> for EachMember<'_, 'b> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'b>>(self, mut from: A) -> Result<(), A::Error> {
        while let Some((name, raw)) = from.next_entry()? {
            (self.0)(name, raw);
        }
        Ok(())
    }
}

fn range(bytes: &[u8], raw: &RawValue) -> Range<usize> {
    let at = raw.get().as_ptr().addr().saturating_sub(bytes.as_ptr().addr());
    at..at.saturating_add(raw.get().len())
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

#[cfg(test)]
mod tests {
    use super::{count, fault, values};

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
        }
        assert!([deep(128), objects(128)].iter().all(|text| values(text.as_bytes()).is_some()));
        assert_eq!(fault(deep(129).as_bytes()), "the event is nested deeper than 128");
        assert!(values(b"\"\xff\"").is_none() && fault(b"\"\xff\"").starts_with("the event is not JSON: "));
    }
}
