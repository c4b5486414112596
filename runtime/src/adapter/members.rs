//! The members of an object, as written.
//!
//! An agent's event is rebuilt under the vocabulary's names. Values keep their spelling: numbers
//! keep all digits, and duplicate keys inside a value remain, so that the decision rejects them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, error::Category};

use super::failed;
use crate::escaped::decoded;
use crate::event::Event;
use crate::event::EventError;
use crate::limits::EVENT_VALUES;

/// Members in order, without duplicate keys. Values from the agent's bytes are borrowed, because
/// they can be as long as an event.
#[derive(Debug, Default)]
pub(super) struct Members<'a> {
    entries: Vec<(String, Cow<'a, RawValue>)>,
    /// A duplicate key.
    twice: Option<String>,
    /// Whether some members were dropped because there were too many.
    many: bool,
    /// Whether a member was not changed because the event would become too large.
    oversized: bool,
}

impl<'a> Members<'a> {
    /// The members of the object that an agent sent.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, EventError> {
        Self::read_as(bytes, "the event")
    }

    /// The members of an object that errors call `what`.
    pub(super) fn read_as(bytes: &'a [u8], what: &str) -> Result<Self, EventError> {
        match serde_json::from_slice::<Self>(bytes) {
            Ok(Self { many: true, .. }) => {
                Err(failed(format!("{what} has more than {EVENT_VALUES} members")))
            }
            Ok(Self { twice: Some(key), .. }) => Err(EventError::Quoting {
                why: format!("{what} has a duplicate key `{key}`"),
                bare: format!("{what} has a duplicate key"),
            }),
            Ok(members) => Ok(members),
            Err(error) if error.classify() == Category::Data => {
                Err(failed(format!("{what} is not an object")))
            }
            Err(error) => Err(failed(format!("{what} is not JSON: {error}"))),
        }
    }

    /// The members of an object that was already checked; the last of duplicate keys wins.
    pub(super) fn last(object: &'a str) -> Self {
        let mut members = serde_json::from_str::<Self>(object).unwrap_or_default();
        if members.twice.take().is_some() {
            let (mut places, mut entries) = (HashMap::new(), Vec::new());
            for (name, value) in members.entries {
                let at = *places.entry(name.clone()).or_insert(entries.len());
                match entries.get_mut(at) {
                    Some((_, old)) => *old = value,
                    None => entries.push((name, value)),
                }
            }
            members.entries = entries;
        }
        members
    }

    /// A member as written.
    pub(super) fn get(&self, name: &str) -> Option<&RawValue> {
        self.entries.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_ref())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// A member that is a string.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        decoded(self.get(name)?.get())
    }

    /// Sets a member.
    pub(super) fn set(&mut self, name: &str, value: Box<RawValue>) {
        self.add(name, Cow::Owned(value));
    }

    pub(super) fn add(&mut self, name: &str, value: Cow<'a, RawValue>) {
        match self.entries.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => self.entries.push((name.to_owned(), value)),
        }
    }

    /// Copies a member of another object.
    pub(super) fn copy_from(&mut self, name: &str, from: &Members<'a>) {
        let value = from.value(name).unwrap_or(Cow::Borrowed(RawValue::NULL));
        self.add(name, value);
    }

    pub(super) fn value(&self, name: &str) -> Option<Cow<'a, RawValue>> {
        self.entries.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
    }

    /// Removes a member.
    pub(super) fn take(&mut self, name: &str) {
        self.entries.retain(|(key, _)| key != name);
    }

    /// Sets a member to a generated value.
    pub(super) fn put(&mut self, name: &str, value: impl Serialize) {
        if let Ok(value) = to_raw_value(&value) {
            self.set(name, value);
        }
    }

    /// Copies a member to another name, unless that name exists or the member does not.
    pub(super) fn copy(&mut self, from: &str, to: &str) {
        if !self.has(to)
            && let Some(value) = self.value(from)
        {
            self.add(to, value);
        }
    }

    /// All members in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.entries.iter().map(|(name, value)| (name.as_str(), value.as_ref()))
    }

    /// Whether a member was left as it was because the event would become too large.
    pub(super) fn is_oversized(&self) -> bool {
        self.oversized
    }

    /// The names of all members.
    pub(super) fn names(&self) -> HashSet<&str> {
        self.entries.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Sets all of these.
    pub(super) fn put_all(&mut self, new: &serde_json::Map<String, Value>) {
        let places: HashMap<String, usize> =
            self.entries.iter().enumerate().map(|(at, (name, _))| (name.clone(), at)).collect();
        for (name, value) in new {
            let Ok(value) = to_raw_value(value).map(Cow::Owned) else { continue };
            match places.get(name).and_then(|at| self.entries.get_mut(*at)) {
                Some((_, old)) => *old = value,
                None => self.entries.push((name.clone(), value)),
            }
        }
    }

    /// Removes a member and returns it.
    pub(super) fn remove(&mut self, name: &str) -> Option<Cow<'a, RawValue>> {
        let at = self.entries.iter().position(|(key, _)| key == name)?;
        Some(self.entries.remove(at).1)
    }

    /// The length of [`Self::to_json`], without escapes in keys.
    fn size(&self) -> usize {
        self.entries.iter().map(|(key, value)| key.len() + value.get().len() + 4).sum::<usize>() + 2
    }

    /// As JSON.
    pub(super) fn to_json(&self) -> String {
        let mut text = String::with_capacity(self.size());
        self.write(&mut text, None);
        text
    }

    /// As JSON, with an object in the place of a member that is there. `None` as for
    /// [`Self::within_limit`].
    fn to_json_with(&self, name: &str, object: &Members<'_>) -> Option<String> {
        let old = self.get(name).map(|old| old.get().len()).unwrap_or_default();
        let size = self.size().saturating_sub(old).saturating_add(object.size());
        (!self.oversized && size <= hookc_vm::limits::EVENT_BYTES).then(|| {
            let mut text = String::with_capacity(size);
            self.write(&mut text, Some((name, object)));
            text
        })
    }

    fn write(&self, text: &mut String, other: Option<(&str, &Members<'_>)>) {
        text.push('{');
        for (at, (key, value)) in self.entries.iter().enumerate() {
            text.push_str(if at > 0 { "," } else { "" });
            text.extend([&Value::from(key.as_str()).to_string(), ":"]);
            match other {
                Some((name, object)) if name == key => object.write(text, None),
                _ => text.push_str(value.get()),
            }
        }
        text.push('}');
    }

    /// As a value of another object; `None` as for [`Self::within_limit`].
    pub(super) fn to_raw(&self) -> Result<Option<Box<RawValue>>, EventError> {
        let raw = |json| RawValue::from_string(json).map_err(|error| failed(error.to_string()));
        self.within_limit().map(raw).transpose()
    }

    /// The JSON; `None` if it is larger than the limit of an event, which is checked first: some
    /// members appear twice, under the agent's and the vocabulary's name.
    pub(super) fn within_limit(&self) -> Option<String> {
        (!self.oversized && self.size() <= hookc_vm::limits::EVENT_BYTES).then(|| self.to_json())
    }

    /// Sets a member to an object, unless the object alone exceeds the limit of an event.
    pub(super) fn set_object(&mut self, name: &str, object: Option<Box<RawValue>>) {
        match object {
            Some(object) => self.set(name, object),
            None => self.oversized = true,
        }
    }

    /// As the event for the decision, within the limit of an event.
    pub(super) fn event(&self) -> Result<Option<Event>, EventError> {
        self.within_limit().map(|json| sound(json.into_bytes())).transpose()
    }

    /// Like `event`, but with an object in the place of a member that is there. It is not copied before: it
    /// may be as long as an event may be.
    pub(super) fn event_with(&self, name: &str, object: &Members<'_>) -> Result<Option<Event>, EventError> {
        self.to_json_with(name, object).map(|json| sound(json.into_bytes())).transpose()
    }
}

/// An event of bytes that are valid for every reader.
pub(super) fn sound(bytes: Vec<u8>) -> Result<Event, EventError> {
    Event::sound(bytes).map_err(failed)
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Read)
    }
}

struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let (mut members, mut seen) = (Members::default(), HashSet::new());
        while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
            if members.entries.len() > EVENT_VALUES {
                members.many = true;
                continue;
            }
            if !seen.insert(key.clone()) {
                members.twice.get_or_insert(key.clone());
            }
            members.entries.push((key, Cow::Borrowed(value)));
        }
        Ok(members)
    }
}

#[cfg(test)]
mod tests {
    use super::Members;

    #[test]
    fn values_stay_as_written() {
        let mut members =
            Members::read(br#"{ "a" : 12345678901234567890123.50, "b\n": {"k":1,"k":2} }"#).unwrap();
        members.copy("a", "c");
        members.copy("none", "d");
        members.put("b\n2", "x");
        let json = r#"{"a":12345678901234567890123.50,"b\n":{"k":1,"k":2},"c":12345678901234567890123.50,"b\n2":"x"}"#;
        assert_eq!(members.to_json(), json);
        assert_eq!(members.event().unwrap().unwrap().bytes(), json.as_bytes());
    }

    #[test]
    fn a_non_object_is_reported() {
        let why = |text: &str| Members::read(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(why(r#"{"a":1,"\u0061":2}"#), "the event has a duplicate key `a`");
        assert_eq!(why("[1]"), "the event is not an object");
        assert!(why("{\"a\":").starts_with("the event is not JSON: "));
        assert!(why("{\"a\":1}x").starts_with("the event is not JSON: "));
    }
}
