//! An event as the runtime passes it around: its bytes, and what they say.

use std::sync::OnceLock;

use serde_json::Value;

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

    /// Whether an agent wants to stop that hooks have kept from stopping before.
    #[must_use]
    pub fn stops_again(&self) -> bool {
        let value = self.value();
        value.get("stop_hook_active") == Some(&Value::Bool(true))
            || value.get("loop_count").and_then(Value::as_u64).is_some_and(|count| count > 0)
    }

    /// A member of it that is a string.
    #[must_use]
    pub fn text(&self, member: &str) -> Option<&str> {
        self.value().get(member).and_then(Value::as_str)
    }
}
