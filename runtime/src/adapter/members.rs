//! The members of an object as they were written.
//!
//! What a host sends is put together anew under the vocabulary's names. Values
//! keep their spelling on the way: a number that no float holds stays the number
//! it is, and a key given twice inside of one is still there for the one who
//! decides, and refuses it.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, error::Category};

use super::failed;
use crate::event::Event;
use crate::event::EventError;

/// Members in order, no key twice.
#[derive(Debug, Default)]
pub(super) struct Members {
    all: Vec<(String, Box<RawValue>)>,
    /// A key that came twice.
    twice: Option<String>,
}

impl Members {
    /// The members of the object that a host sent.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, EventError> {
        Self::of(bytes, "the event")
    }

    /// The members of an object, which an error calls `what`.
    pub(super) fn of(bytes: &[u8], what: &str) -> Result<Self, EventError> {
        match serde_json::from_slice::<Self>(bytes) {
            Ok(Self { twice: Some(key), .. }) => Err(EventError::Quoting {
                why: format!("{what} has the key `{key}` twice"),
                bare: format!("{what} has a key twice"),
            }),
            Ok(members) => Ok(members),
            Err(error) if error.classify() == Category::Data => Err(failed(format!("{what} is no object"))),
            Err(error) => Err(failed(format!("{what} is not JSON: {error}"))),
        }
    }

    /// A member as it is written.
    pub(super) fn get(&self, name: &str) -> Option<&RawValue> {
        self.all.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_ref())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// A member that is a text.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.get(name)?.get()).ok()
    }

    /// Sets a member.
    pub(super) fn set(&mut self, name: &str, value: Box<RawValue>) {
        match self.all.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => self.all.push((name.to_owned(), value)),
        }
    }

    /// Takes a member away.
    pub(super) fn take(&mut self, name: &str) {
        self.all.retain(|(key, _)| key != name);
    }

    /// Sets a member to a value that was not written by anybody.
    pub(super) fn put(&mut self, name: &str, value: impl Into<Value>) {
        if let Ok(value) = to_raw_value(&value.into()) {
            self.set(name, value);
        }
    }

    /// Sets a member to what another one is, unless it is there or the other is not.
    pub(super) fn copy(&mut self, from: &str, to: &str) {
        if !self.has(to)
            && let Some(value) = self.get(from).map(ToOwned::to_owned)
        {
            self.set(to, value);
        }
    }

    /// As JSON.
    pub(super) fn to_json(&self) -> String {
        let size: usize = self.all.iter().map(|(key, value)| key.len() + value.get().len() + 4).sum();
        let mut text = String::with_capacity(size + 2);
        text.push('{');
        for (at, (key, value)) in self.all.iter().enumerate() {
            text.push_str(if at > 0 { "," } else { "" });
            text.extend([&Value::from(key.as_str()).to_string(), ":", value.get()]);
        }
        text.push('}');
        text
    }

    /// As a value of another object.
    pub(super) fn to_raw(&self) -> Result<Box<RawValue>, EventError> {
        RawValue::from_string(self.to_json()).map_err(|error| failed(error.to_string()))
    }

    /// As the event that is decided about.
    pub(super) fn event(&self) -> Result<Event, EventError> {
        sound(self.to_json().into_bytes())
    }
}

/// The event that bytes are which everybody can read.
pub(super) fn sound(bytes: Vec<u8>) -> Result<Event, EventError> {
    crate::event::sound(&bytes).map_err(|error| failed(format!("the event is not JSON: {error}")))?;
    Ok(Event::new(bytes))
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Read)
    }
}

struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
        let (mut members, mut seen) = (Members::default(), HashSet::new());
        while let Some((key, value)) = map.next_entry::<String, Box<RawValue>>()? {
            if !seen.insert(key.clone()) {
                members.twice.get_or_insert(key.clone());
            }
            members.all.push((key, value));
        }
        Ok(members)
    }
}

#[cfg(test)]
mod tests {
    use super::Members;

    #[test]
    fn values_stay_as_written() {
        let mut all =
            Members::read(br#"{ "a" : 12345678901234567890123.50, "b\n": {"k":1,"k":2} }"#).unwrap();
        all.copy("a", "c");
        all.copy("none", "d");
        all.put("b\n2", "x");
        let json = r#"{"a":12345678901234567890123.50,"b\n":{"k":1,"k":2},"c":12345678901234567890123.50,"b\n2":"x"}"#;
        assert_eq!(all.to_json(), json);
        assert_eq!(all.event().unwrap().bytes(), json.as_bytes());
    }

    #[test]
    fn what_is_no_object_says_so() {
        let why = |text: &str| Members::read(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(why(r#"{"a":1,"\u0061":2}"#), "the event has the key `a` twice");
        assert_eq!(why("[1]"), "the event is no object");
        assert!(why("{\"a\":").starts_with("the event is not JSON: "));
        assert!(why("{\"a\":1}x").starts_with("the event is not JSON: "));
    }
}
