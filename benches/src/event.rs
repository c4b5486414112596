//! Events: a common frame of about a kilobyte, changed at paths.

use hookc_oracle::generate::Rng;
use serde_json::{Map, Value, json};

use crate::text::filler;

/// An event with all fields that an orchestrator usually sends, without special values.
pub(crate) fn base(rng: &mut Rng, kind: &str) -> Value {
    let thread = rng.below(1_000_000);
    json!({
        "event": {
            "type": kind,
            "timestamp": "2026-11-21T10:00:00Z",
            "thread_id": format!("t-{thread}"),
            "directive": "team/none",
        },
        "error": {"type": "http", "code": "http_500", "message": filler(rng, 75)},
        "classification": {"category": "transient", "retryable": true},
        "tool": "shell",
        "command": "ls -la src",
        "file": "src/a/b/lib.rs",
        "turn_number": rng.below(100),
        "limit_value": rng.below(900),
        "cost": {"spend": f64::from(u32::try_from(rng.below(80)).unwrap_or(0)) / 4.0, "tokens": rng.below(5000)},
    })
}

/// The value at a path of names with dots between them.
#[must_use]
pub fn get<'v>(event: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(event, |value, name| value.get(name))
}

/// Puts a value at a path; objects on the way appear as needed.
pub(crate) fn set(event: &mut Value, path: &str, value: impl Into<Value>) {
    let mut place = event;
    for name in path.split('.') {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        let Value::Object(map) = place else { return };
        place = map.entry(name).or_insert(Value::Null);
    }
    *place = value.into();
}

/// Removes the value at a path.
pub(crate) fn unset(event: &mut Value, path: &str) {
    let (above, name) = path.rsplit_once('.').unwrap_or(("", path));
    let parent = if above.is_empty() {
        Some(event)
    } else {
        event.pointer_mut(&format!("/{}", above.replace('.', "/")))
    };
    if let Some(Value::Object(map)) = parent {
        map.shift_remove(name);
    }
}

/// Adds a history of messages until the event has about so many bytes. No hook
/// reads it.
pub(crate) fn grow(event: &mut Value, rng: &mut Rng, bytes: usize) {
    let mut missing = bytes.saturating_sub(event.to_string().len());
    let mut history = Vec::new();
    while missing > 0 {
        let words = 10 + rng.below(60);
        let role = rng.pick(&["user", "assistant", "tool"]);
        let message = json!({
            "role": role,
            "content": [{"type": "text", "text": filler(rng, words)}],
            "usage": {"input": rng.below(10_000), "output": rng.below(1000), "cached": rng.chance(50)},
        });
        missing = missing.saturating_sub(message.to_string().len() + 1);
        history.push(message);
    }
    if !history.is_empty() {
        set(event, "history", history);
    }
}
