//! The shape of a JSON text, found without building a tree: whether it is valid, its number of
//! values, and the positions of the members of an object.

use std::cell::Cell;
use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Whether every parser can read a text: it is JSON within the depth and number range of
/// `serde_json`.
///
/// # Errors
/// It cannot.
pub(crate) fn sound(bytes: &[u8]) -> Result<(), serde_json::Error> {
    count(bytes).map(drop)
}

/// The number of values in a text, including nested ones; `None` if it is not JSON.
pub(super) fn values(bytes: &[u8]) -> Option<usize> {
    count(bytes).ok()
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
pub(super) fn members(bytes: &[u8]) -> Vec<(String, Range<usize>)> {
    let Ok(Members(all)) = serde_json::from_slice::<Members<'_>>(bytes) else { return Vec::new() };
    all.into_iter().map(|(name, raw)| (name, range(bytes, raw))).collect()
}

/// The position of the value of the last member of a name, without a list of all members.
pub(super) fn member(bytes: &[u8], name: &str) -> Option<Range<usize>> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let found = reader.deserialize_map(Find(name)).ok()?;
    reader.end().ok()?;
    found.map(|raw| range(bytes, raw))
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
        while from.next_key_seed(Key)?.is_some() {
            from.next_value_seed(self)?;
        }
        Ok(())
    }
}

/// A key, which has to be sound too.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_str(Count(&Cell::new(0)))
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
                let mut all = Vec::new();
                while let Some(member) = from.next_entry()? {
                    all.push(member);
                }
                Ok(Members(all))
            }
        }
        from.deserialize_map(Read)
    }
}
