//! Lines of a log, one in memory at a time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use hookc_runtime::log::LINE_BYTES;
use hookc_runtime::open;

use super::bar::Bar;
use crate::files::Texts;
use crate::{events, files};

/// A non-empty line.
pub(in crate::cmd) enum Line<'l> {
    /// Without its end.
    Whole(&'l [u8]),
    /// Longer than the limit; it was skipped.
    TooLong,
}

/// The position of a line, or of an event in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cmd) struct Spot {
    /// From 1.
    pub(in crate::cmd) line: usize,
    /// The event number in a document, from 1, if several share a line.
    pub(in crate::cmd) event: Option<usize>,
}

/// The lines of a file or of standard input.
pub(in crate::cmd) struct Lines<'b> {
    from: LineSource,
    bar: &'b Bar,
    buffer: Vec<u8>,
    number: usize,
}

enum LineSource {
    Stream(Box<dyn BufRead>),
    /// A JSON document: its events with their positions, the last one first.
    Document(Vec<(Spot, Vec<u8>)>),
}

impl<'b> Lines<'b> {
    /// Opens a log. A `*.json` file is a document, an event or an array of events, and read as a
    /// whole; everything else is read line by line.
    pub(in crate::cmd) fn open(path: &Path, bar: &'b Bar, texts: &mut Texts) -> io::Result<Self> {
        let document = path.extension().is_some_and(|extension| extension == "json");
        let from = match document {
            _ if files::is_stdin(path) => LineSource::Stream(Box::new(BufReader::new(io::stdin()))),
            true => {
                let read = events::read(path, texts).map_err(|failure| io::Error::other(failure.to_string()));
                LineSource::Document(last_first(read?))
            }
            false => LineSource::Stream(Box::new(BufReader::with_capacity(1 << 17, open::named(path)?))),
        };
        Ok(Self { from, bar, buffer: Vec::new(), number: 0 })
    }

    /// The lines of a file that is open.
    pub(in crate::cmd) fn stream(file: File, bar: &'b Bar) -> Self {
        let from = LineSource::Stream(Box::new(BufReader::with_capacity(1 << 17, file)));
        Self { from, bar, buffer: Vec::new(), number: 0 }
    }

    /// The next non-empty line with its position.
    pub(in crate::cmd) fn read(&mut self) -> io::Result<Option<(Spot, Line<'_>)>> {
        let stream = match &mut self.from {
            LineSource::Stream(stream) => stream,
            LineSource::Document(events) => {
                let Some((spot, bytes)) = events.pop() else { return Ok(None) };
                self.bar.advance(bytes.len());
                self.buffer = bytes;
                return Ok(Some((spot, Line::Whole(&self.buffer))));
            }
        };
        loop {
            self.buffer.clear();
            self.number += 1;
            let spot = Spot { line: self.number, event: None };
            let most = LINE_BYTES as u64;
            let read = stream.take(most).read_until(b'\n', &mut self.buffer)?;
            self.bar.advance(read);
            if read == 0 {
                return Ok(None);
            }
            if read == LINE_BYTES && !self.buffer.ends_with(b"\n") {
                skip(stream, self.bar)?;
                return Ok(Some((spot, Line::TooLong)));
            }
            if !self.buffer.trim_ascii().is_empty() {
                return Ok(Some((spot, Line::Whole(self.buffer.trim_ascii()))));
            }
        }
    }
}

/// The events of a document, the last one first.
fn last_first(events: Vec<events::Event>) -> Vec<(Spot, Vec<u8>)> {
    let lines: Vec<usize> = events.iter().map(|event| event.line).collect();
    let shared = |at: usize| {
        let line = lines.get(at);
        let before = at.checked_sub(1).and_then(|before| lines.get(before));
        before == line || lines.get(at + 1) == line
    };
    let spot = |(at, event): (usize, events::Event)| {
        (Spot { line: event.line, event: shared(at).then_some(at + 1) }, event.bytes)
    };
    let mut spots: Vec<_> = events.into_iter().enumerate().map(spot).collect();
    spots.reverse();
    spots
}

/// Skips the rest of a line.
fn skip(stream: &mut dyn BufRead, bar: &Bar) -> io::Result<()> {
    loop {
        let piece = stream.fill_buf()?;
        let end = piece.iter().position(|&byte| byte == b'\n');
        let (used, done) = end.map_or((piece.len(), piece.is_empty()), |at| (at + 1, true));
        stream.consume(used);
        bar.advance(used);
        if done {
            return Ok(());
        }
    }
}
