//! Answers as text.

use std::io::{self, Write};

use super::{Event, Origin, Writer};

/// Writes the text of the session's own agent.
#[derive(Debug, Default)]
pub(super) struct Text;

impl Writer for Text {
    fn event(&mut self, _: &Origin, _: &Event, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}
