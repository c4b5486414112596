//! One JSON object per event.

use std::io::{self, Write};

use super::{Event, Origin, Writer};

/// One JSON object per event..
#[derive(Debug, Default)]
pub(super) struct Stream;

impl Writer for Stream {
    fn event(&mut self, _: &Origin, _: &Event, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}
