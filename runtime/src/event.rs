//! An event as the runtime passes it around: its bytes, and what they say.

use std::sync::OnceLock;

use serde_json::Value;

use crate::agent;

/// An event: the bytes that are decided about and that handlers read. Parsed
/// once, and only if somebody asks.
#[derive(Debug)]
pub struct Event {
    bytes: Vec<u8>,
    value: OnceLock<Value>,
}

impl Event {
    /// From its bytes, which need not be sound: deciding finds that out.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), value: OnceLock::new() }
    }

    /// From its bytes and what they say.
    pub(crate) fn read(bytes: Vec<u8>, value: Value) -> Self {
        Self { bytes, value: OnceLock::from(value) }
    }

    /// From a value.
    #[must_use]
    pub fn of(value: Value) -> Self {
        let bytes = value.to_string().into_bytes();
        Self { bytes, value: OnceLock::from(value) }
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What it says; `null` if it is not JSON.
    pub fn value(&self) -> &Value {
        self.value.get_or_init(|| serde_json::from_slice(&self.bytes).unwrap_or_default())
    }

    /// Whether an agent wants to stop that hooks have kept from stopping before;
    /// `name` is the event's type in the agent vocabulary.
    #[must_use]
    pub fn stops_again(&self, name: &str) -> bool {
        let value = self.value();
        let before = value.get("stop_hook_active") == Some(&Value::Bool(true))
            || value.get("loop_count").and_then(Value::as_u64).is_some_and(|count| count > 0);
        before && agent::is_stop(name)
    }

    /// A member of it that is a string.
    #[must_use]
    pub fn text(&self, member: &str) -> Option<&str> {
        self.value().get(member).and_then(Value::as_str)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Event;

    #[test]
    fn only_who_stops_stops_again() {
        for event in [json!({"stop_hook_active": true}), json!({"loop_count": 1})] {
            let event = Event::of(event);
            let again =
                ["Stop", "SubagentStop", "PreToolUse", "pre_decision"].map(|name| event.stops_again(name));
            assert_eq!(again, [true, true, false, false]);
        }
        assert!(!Event::of(json!({"stop_hook_active": false, "loop_count": 0})).stops_again("Stop"));
    }
}
