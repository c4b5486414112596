//! An event as the runtime passes it on: its bytes and their content.
//!
//! The runtime mostly needs a member or two of an event, which are read in place. A tree of all
//! values needs up to 150 times the bytes (an empty array in an array is two bytes, and about three
//! hundred as a [`Value`]), so only code that needs everything requests one, and gets none with
//! more than [`EVENT_VALUES`] values.

mod error;
mod exact;
mod input;
mod kind;
mod shape;
mod tokens;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

pub use error::EventError;
pub(crate) use exact::rounded_number;
pub use input::ToolInput;
pub use kind::{AgentEvent, RepositoryEvent};
pub(crate) use shape::{chosen, members as members_of};
pub(crate) use tokens::Tokens;

use crate::limits::EVENT_VALUES;

/// An event: the bytes that are decided about and that handlers read. Read once,
/// and only if somebody asks.
///
/// ```
/// use hookc_runtime::Event;
///
/// let event = Event::new(r#"{"tool_name": "Bash", "tool_input": {"command": "ls"}}"#);
/// assert_eq!(event.text("tool_name").as_deref(), Some("Bash"));
/// assert_eq!(event.text_in("tool_input", "command").as_deref(), Some("ls"));
/// ```
#[derive(Debug)]
pub struct Event {
    bytes: Arc<Vec<u8>>,
    members: OnceLock<Vec<(String, Range<usize>)>>,
    value: OnceLock<Value>,
    /// How many values it has; none if it cannot be read.
    values: OnceLock<Option<usize>>,
    /// Whether it would be too large for an event in the names of the vocabulary.
    oversized: bool,
}

impl Event {
    /// From its bytes, which need not be sound: deciding finds that out. A byte order mark is dropped.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            bytes: Arc::new(without_mark(bytes.into())),
            members: OnceLock::new(),
            value: OnceLock::new(),
            values: OnceLock::new(),
            oversized: false,
        }
    }

    /// From bytes that every parser can read.
    ///
    /// # Errors
    /// A parser cannot read them.
    pub(crate) fn sound(bytes: Vec<u8>) -> Result<Self, String> {
        let new = Self::new(bytes);
        if new.values().is_some() { Ok(new) } else { Err(shape::fault(&new.bytes)) }
    }

    /// Like `sound` for an object whose members were read, which checked its grammar.
    ///
    /// # Errors
    /// A parser cannot read a number or an escape of it, or it is too deep.
    pub(crate) fn with_members(bytes: Vec<u8>, members: Vec<(String, Range<usize>)>) -> Result<Self, String> {
        let values = std::str::from_utf8(&bytes).ok().and_then(shape::values_of_json);
        let values = values.ok_or_else(|| shape::fault(&bytes))?;
        Ok(Self { members: members.into(), values: Some(values).into(), ..Self::new(bytes) })
    }

    /// From the bytes of a host that cannot become an event, because it would be too large.
    /// Deciding about it is an error.
    #[must_use]
    pub(crate) fn oversized(bytes: Vec<u8>) -> Self {
        Self { oversized: true, ..Self::new(bytes) }
    }

    /// The event, marked as too large.
    pub(crate) fn into_oversized(self) -> Self {
        Self { oversized: true, ..self }
    }

    /// Whether it is too large for an event, whatever the size of its bytes.
    pub(crate) fn is_oversized(&self) -> bool {
        self.oversized
    }

    /// From a value.
    #[must_use]
    pub fn from_value(value: Value) -> Self {
        let new = Self::new(value.to_string());
        let _first = new.value.set(value);
        // A tree exists already, however many values it has.
        let _first = new.values.set(Some(0));
        new
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its bytes, without a copy unless they are shared.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        Arc::unwrap_or_clone(self.bytes)
    }

    /// With another member at its end. An event that would be too large then cannot be decided.
    pub(crate) fn with_member(self, name: &str, value: &Value) -> Self {
        let separator =
            if self.members.get_or_init(|| shape::members(&self.bytes)).is_empty() { "" } else { "," };
        let member = format!("{separator}{}:{value}", Value::from(name));
        let Some(end) = self.bytes.iter().rposition(|byte| *byte == b'}') else { return self };
        if self.bytes.len().saturating_add(member.len()) > hookc_vm::limits::EVENT_BYTES {
            return self.into_oversized();
        }
        let mut bytes = self.into_bytes();
        bytes.splice(end..end, member.into_bytes());
        Self::new(bytes)
    }

    /// Its bytes, without a copy.
    pub(crate) fn shared(&self) -> Arc<Vec<u8>> {
        Arc::clone(&self.bytes)
    }

    /// Its value; `null` if it is not JSON, or [dense](Self::is_dense).
    pub fn value(&self) -> &Value {
        self.value
            .get_or_init(|| if self.is_dense() { Value::Null } else { self.parsed().unwrap_or_default() })
    }

    /// An object member by member: a tree of `serde_json` is one level less deep than an event may be.
    fn parsed(&self) -> Option<Value> {
        if let Ok(value) = serde_json::from_slice(&self.bytes) {
            return Some(value);
        }
        self.values()?;
        let members = self.members.get_or_init(|| shape::members(&self.bytes)).iter();
        let value = |range: &Range<usize>| serde_json::from_slice(self.bytes.get(range.clone())?).ok();
        members
            .map(|(name, range)| Some((name.clone(), value(range)?)))
            .collect::<Option<_>>()
            .map(Value::Object)
    }

    /// Whether it has more than [`EVENT_VALUES`] values: code that needs all of them then fails.
    #[must_use]
    pub fn is_dense(&self) -> bool {
        self.values().is_some_and(|values| values > EVENT_VALUES)
    }

    fn values(&self) -> Option<usize> {
        *self.values.get_or_init(|| shape::values(&self.bytes))
    }

    /// Its text, if every parser can read it; `null` otherwise.
    ///
    /// # Errors
    /// It is [dense](Self::is_dense).
    pub(crate) fn readable(&self) -> Result<&str, EventError> {
        if self.is_dense() {
            return Err(dense("the event"));
        }
        let text = self.values().and_then(|_| std::str::from_utf8(&self.bytes).ok());
        Ok(text.unwrap_or("null"))
    }

    /// Its value.
    ///
    /// # Errors
    /// It is [dense](Self::is_dense).
    pub(crate) fn whole(&self) -> Result<&Value, EventError> {
        if self.is_dense() { Err(dense("the event")) } else { Ok(self.value()) }
    }

    /// Whether an agent wants to stop after hooks have already prevented it from stopping; `name`
    /// is the event's type in the agent vocabulary.
    #[must_use]
    pub fn stops_again(&self, name: &str) -> bool {
        let count = || self.raw("loop_count").and_then(|count| serde_json::from_str::<u64>(count).ok());
        AgentEvent::from_name(name).is_stop()
            && (self.raw("stop_hook_active") == Some("true") || count().is_some_and(|count| count > 0))
    }

    /// A member as written; for duplicates, the last one.
    #[must_use]
    pub fn raw(&self, member: &str) -> Option<&str> {
        let bytes = self.bytes.get(self.range(member)?);
        bytes.and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    /// Where a member's value is in the bytes.
    pub(crate) fn range(&self, member: &str) -> Option<Range<usize>> {
        let members = self.members.get_or_init(|| shape::members(&self.bytes));
        members.iter().rfind(|(name, _)| name == member).map(|(_, range)| range.clone())
    }

    /// Where the value of a member of a member is in the bytes.
    pub(crate) fn range_in(&self, outer: &str, member: &str) -> Option<Range<usize>> {
        let outer = self.range(outer)?;
        let inner = shape::member(self.bytes.get(outer.clone())?, member)?;
        Some(outer.start.checked_add(inner.start)?..outer.start.checked_add(inner.end)?)
    }

    /// A member of a member that is an object, as written.
    #[must_use]
    pub fn raw_in(&self, outer: &str, member: &str) -> Option<&str> {
        let object = self.raw(outer)?;
        object.get(shape::member(object.as_bytes(), member)?)
    }

    /// Whether a member has too many values for a tree.
    pub(crate) fn is_dense_in(&self, outer: &str) -> bool {
        let dense = |raw: &str| shape::values(raw.as_bytes()).is_some_and(|values| values > EVENT_VALUES);
        self.raw(outer).is_some_and(dense)
    }

    /// The names of a member's own members, in order.
    pub(crate) fn names_in(&self, outer: &str) -> Vec<String> {
        let members = self.raw(outer).map(|object| shape::members(object.as_bytes()));
        members.unwrap_or_default().into_iter().map(|(name, _)| name).collect()
    }

    /// A member that is a string.
    #[must_use]
    pub fn text(&self, member: &str) -> Option<Cow<'_, str>> {
        text(self.raw(member)?)
    }

    /// A member of a member, that is a string.
    #[must_use]
    pub fn text_in(&self, outer: &str, member: &str) -> Option<Cow<'_, str>> {
        text(self.raw_in(outer, member)?)
    }

    /// The stated type.
    pub(crate) fn type_name(&self) -> Option<String> {
        let top = || ["hook_event_name", "event_type"].iter().find_map(|member| self.text(member));
        self.text_in("event", "type").or_else(top).map(Cow::into_owned)
    }

    /// A member's value; `None` if absent.
    ///
    /// # Errors
    /// It has more values than become a tree.
    pub(crate) fn member(&self, member: &str) -> Result<Option<Value>, EventError> {
        let Some(raw) = self.raw(member) else { return Ok(None) };
        if self.is_dense_in(member) {
            return Err(dense(&format!("`{member}` of the event")));
        }
        Ok(serde_json::from_str(raw).ok())
    }

    /// The event with another value of a member.
    #[must_use]
    pub(crate) fn with(&self, member: &str, value: &Value) -> Self {
        let mut text = String::with_capacity(self.bytes.len());
        for (name, range) in self.members.get_or_init(|| shape::members(&self.bytes)) {
            let raw = self.bytes.get(range.clone()).and_then(|raw| std::str::from_utf8(raw).ok());
            if let Some(raw) = raw.filter(|_| name != member) {
                text.push(if text.is_empty() { '{' } else { ',' });
                text.extend([&Value::from(name.as_str()).to_string(), ":", raw]);
            }
        }
        text.push(if text.is_empty() { '{' } else { ',' });
        text.extend([&Value::from(member).to_string(), ":", &value.to_string(), "}"]);
        Self::new(text)
    }
}

/// The bytes of an event after its byte order mark.
pub(crate) fn without_mark(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.starts_with(MARK) {
        bytes.drain(..MARK.len());
    }
    bytes
}

/// The byte order mark of UTF-8, which editors and some shells write at the start of a text.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The string that a text of JSON is.
fn text(raw: &str) -> Option<Cow<'_, str>> {
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    match inner.contains('\\') {
        true => serde_json::from_str(raw).ok().map(Cow::Owned),
        false => Some(Cow::Borrowed(inner)),
    }
}

fn dense(what: &str) -> EventError {
    EventError::Invalid(format!("{what} has more than {EVENT_VALUES} values, too many to parse"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Event;
    use crate::limits::EVENT_VALUES;

    #[test]
    fn only_who_stops_stops_again() {
        for event in [json!({"stop_hook_active": true}), json!({"loop_count": 1})] {
            let event = Event::from_value(event);
            let again =
                ["Stop", "SubagentStop", "PreToolUse", "pre_decision"].map(|name| event.stops_again(name));
            assert_eq!(again, [true, true, false, false]);
        }
        assert!(!Event::from_value(json!({"stop_hook_active": false, "loop_count": 0})).stops_again("Stop"));
    }

    #[test]
    fn members_where_they_stand() {
        let event = Event::new(r#" { "a\n" : "x\"y", "b":{"c":[1 ,2],"c":"last"} ,"d":1e2, "b2":"plain"} "#);
        assert_eq!(event.raw("d"), Some("1e2"));
        assert_eq!(event.raw_in("b", "c"), Some("\"last\""));
        assert_eq!(event.text("a\n").as_deref(), Some("x\"y"));
        assert_eq!(event.text("b2").as_deref(), Some("plain"));
        assert_eq!((event.text("d"), event.raw("e"), event.raw_in("d", "x")), (None, None, None));
        let changed = event.with("b", &json!([true]));
        let expected = json!({"a\n": "x\"y", "b": [true], "d": 1e2, "b2": "plain"});
        assert_eq!(serde_json::from_slice::<Value>(changed.bytes()).unwrap(), expected);
        assert_eq!(Event::new("{}").with("a", &json!(1)).bytes(), br#"{"a":1}"#);
        assert_eq!((Event::new("[1]").raw("a"), Event::new("{\"a\":").raw("a")), (None, None));
    }

    #[test]
    fn a_dense_event_is_not_parsed_into_a_tree() {
        let event_of = |count: usize| Event::new(format!("{{\"a\":[{}0],\"b\":\"c\"}}", "0,".repeat(count)));
        // The root, the array, its last element and `b` in addition to the zeros.
        let (most, more) = (event_of(EVENT_VALUES - 4), event_of(EVENT_VALUES - 3));
        assert!(!most.is_dense() && most.whole().is_ok() && most.member("a").is_ok());
        assert!(more.is_dense() && more.value().is_null());
        assert!(more.whole().unwrap_err().to_string().contains(&EVENT_VALUES.to_string()));
        assert_eq!(more.text("b").as_deref(), Some("c"));
        assert!(more.member("a").is_ok() && event_of(EVENT_VALUES).member("a").is_err());
    }
}
