//! Answers as text.

use std::io::{self, Write};

use super::{Event, Origin, Writer};
use crate::message::texts;

/// Writes the texts of the session's own agent, each when it is complete: a part of an answer that
/// breaks off is no output.
#[derive(Debug, Default)]
pub(super) struct Text {
    last: Option<String>,
}

impl Writer for Text {
    fn event(&mut self, origin: &Origin, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        match event {
            Event::Reply(reply) if origin.agent_id.is_none() => {
                let text = texts(&reply.content);
                if !text.is_empty() {
                    writeln!(out, "{text}")?;
                    self.last = Some(text);
                }
                Ok(())
            }
            // Answers without the model, such as `/help`.
            Event::Result(summary) if !summary.is_error() => {
                let known = self.last.take().is_some_and(|last| last == summary.text);
                if known || summary.text.is_empty() { Ok(()) } else { writeln!(out, "{}", summary.text) }
            }
            _ => Ok(()),
        }
    }
}
