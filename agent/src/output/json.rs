//! One JSON object at the end.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Event, Origin, Summary, Writer};

/// Writes the last answer as a message, or an error.
#[derive(Debug, Default)]
pub(super) struct Json;

impl Writer for Json {
    fn event(&mut self, _: &Origin, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        match event {
            Event::Result(summary) => writeln!(out, "{}", message(summary)),
            _ => Ok(()),
        }
    }
}

/// The object.
fn message(summary: &Summary) -> Value {
    let mut value = if summary.is_error() {
        json!({"type": "error", "error": {"type": summary.subtype, "message": summary.text}})
    } else {
        json!({"type": "message", "role": "assistant", "content": summary.content, "stop_reason": summary.stop_reason})
    };
    if let Some(members) = value.as_object_mut() {
        members.insert("model".to_owned(), summary.model.as_str().into());
        members.insert("usage".to_owned(), json!(summary.usage));
        members.insert("session_id".to_owned(), summary.session_id.as_str().into());
        members.insert("num_turns".to_owned(), summary.turns.into());
    }
    value
}
