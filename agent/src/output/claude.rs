//! The output of Claude Code.

use std::io::{self, Write};

use super::{Event, Origin, Writer};

/// Writes the text of the session's own agent.
#[derive(Debug, Default)]
pub(super) struct Claude;

impl Writer for Claude {
    fn event(&mut self, _: &Origin, _: &Event, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

impl Claude {
    pub(super) fn json() -> Self {
        Self
    }

    pub(super) fn stream() -> Self {
        Self
    }
}
