//! The members of an object as they were written.
//!
//! What a host sends is put together anew under the vocabulary's names. Values
//! keep their spelling on the way: a number that no float holds stays the number
//! it is, and a key given twice inside of one is still there for the one who
//! decides, and refuses it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, error::Category};

use super::escaped::decoded;
use super::failed;
use crate::event::Event;
use crate::event::EventError;
use crate::limits::EVENT_VALUES;

/// Members in order, no key twice. What stands in the bytes that a host sent is not
/// copied: it may be as long as an event may be.
#[derive(Debug, Default)]
pub(super) struct Members<'a> {
    all: Vec<(String, Cow<'a, RawValue>)>,
    /// A key that came twice.
    twice: Option<String>,
    /// Whether there were more members than are kept.
    many: bool,
    /// Whether a member was left as it is because the event would be too large.
    oversized: bool,
}

impl<'a> Members<'a> {
    /// The members of the object that a host sent.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, EventError> {
        Self::of(bytes, "the event")
    }

    /// The members of an object, which an error calls `what`.
    pub(super) fn of(bytes: &'a [u8], what: &str) -> Result<Self, EventError> {
        match serde_json::from_slice::<Self>(bytes) {
            Ok(Self { many: true, .. }) => {
                Err(failed(format!("{what} has more than {EVENT_VALUES} members")))
            }
            Ok(Self { twice: Some(key), .. }) => Err(EventError::Quoting {
                why: format!("{what} has a duplicate key `{key}`"),
                bare: format!("{what} has a duplicate key"),
            }),
            Ok(members) => Ok(members),
            Err(error) if error.classify() == Category::Data => Err(failed(format!(
                "{what} is not an \
                                                                                    object"
            ))),
            Err(error) => Err(failed(format!("{what} is not JSON: {error}"))),
        }
    }

    /// The members of an object that was looked at before: of two of a name the last.
    pub(super) fn last(object: &'a str) -> Self {
        let mut members = serde_json::from_str::<Self>(object).unwrap_or_default();
        if members.twice.take().is_some() {
            let (mut places, mut all) = (HashMap::new(), Vec::new());
            for (name, value) in members.all {
                let at = *places.entry(name.clone()).or_insert(all.len());
                match all.get_mut(at) {
                    Some((_, old)) => *old = value,
                    None => all.push((name, value)),
                }
            }
            members.all = all;
        }
        members
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
        decoded(self.get(name)?.get())
    }

    /// Sets a member.
    pub(super) fn set(&mut self, name: &str, value: Box<RawValue>) {
        self.add(name, Cow::Owned(value));
    }

    pub(super) fn add(&mut self, name: &str, value: Cow<'a, RawValue>) {
        match self.all.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => self.all.push((name.to_owned(), value)),
        }
    }

    /// Sets a member to one of another object.
    pub(super) fn copy_from(&mut self, name: &str, from: &Members<'a>) {
        let value = from.value(name).unwrap_or(Cow::Borrowed(RawValue::NULL));
        self.add(name, value);
    }

    pub(super) fn value(&self, name: &str) -> Option<Cow<'a, RawValue>> {
        self.all.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
    }

    /// Takes a member away.
    pub(super) fn take(&mut self, name: &str) {
        self.all.retain(|(key, _)| key != name);
    }

    /// Sets a member to a value that was not written by anybody.
    pub(super) fn put(&mut self, name: &str, value: impl Serialize) {
        if let Ok(value) = to_raw_value(&value) {
            self.set(name, value);
        }
    }

    /// Sets a member to what another one is, unless it is there or the other is not.
    pub(super) fn copy(&mut self, from: &str, to: &str) {
        if !self.has(to)
            && let Some(value) = self.value(from)
        {
            self.add(to, value);
        }
    }

    /// The names of all members.
    pub(super) fn names(&self) -> HashSet<&str> {
        self.all.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Sets all of these.
    pub(super) fn put_all(&mut self, new: &serde_json::Map<String, Value>) {
        let places: HashMap<String, usize> =
            self.all.iter().enumerate().map(|(at, (name, _))| (name.clone(), at)).collect();
        for (name, value) in new {
            let Ok(value) = to_raw_value(value).map(Cow::Owned) else { continue };
            match places.get(name).and_then(|at| self.all.get_mut(*at)) {
                Some((_, old)) => *old = value,
                None => self.all.push((name.clone(), value)),
            }
        }
    }

    /// Takes a member out.
    pub(super) fn remove(&mut self, name: &str) -> Option<Cow<'a, RawValue>> {
        let at = self.all.iter().position(|(key, _)| key == name)?;
        Some(self.all.remove(at).1)
    }

    /// Bytes of [`Self::to_json`], but for what escapes in keys take.
    fn size(&self) -> usize {
        self.all.iter().map(|(key, value)| key.len() + value.get().len() + 4).sum::<usize>() + 2
    }

    /// As JSON.
    pub(super) fn to_json(&self) -> String {
        let mut text = String::with_capacity(self.size());
        self.write(&mut text, None);
        text
    }

    /// As JSON, with an object in the place of a member that is there. It is not copied
    /// before: it may be as long as an event may be. `None` as for [`Self::within_limit`].
    pub(super) fn to_json_with(&self, name: &str, object: &Members<'_>) -> Option<String> {
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
        for (at, (key, value)) in self.all.iter().enumerate() {
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

    /// The same; `None` if it is larger than an event may be, which is not even put
    /// together then: some members are in it twice, under the host's name and the
    /// vocabulary's.
    pub(super) fn within_limit(&self) -> Option<String> {
        (!self.oversized && self.size() <= hookc_vm::limits::EVENT_BYTES).then(|| self.to_json())
    }

    /// Sets a member to an object, unless that alone is larger than an event may be.
    pub(super) fn set_object(&mut self, name: &str, object: Option<Box<RawValue>>) {
        match object {
            Some(object) => self.set(name, object),
            None => self.oversized = true,
        }
    }

    /// As the event that is decided about, if it is not larger than an event may be.
    pub(super) fn event(&self) -> Result<Option<Event>, EventError> {
        self.within_limit().map(|json| sound(json.into_bytes())).transpose()
    }
}

/// The event that bytes are which everybody can read.
pub(super) fn sound(bytes: Vec<u8>) -> Result<Event, EventError> {
    crate::event::sound(&bytes).map_err(|error| failed(format!("the event is not JSON: {error}")))?;
    Ok(Event::new(bytes))
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
            if members.all.len() > EVENT_VALUES {
                members.many = true;
                continue;
            }
            if !seen.insert(key.clone()) {
                members.twice.get_or_insert(key.clone());
            }
            members.all.push((key, Cow::Borrowed(value)));
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
        assert_eq!(all.event().unwrap().unwrap().bytes(), json.as_bytes());
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
