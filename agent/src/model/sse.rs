//! Server-sent events: the `data` of each event, as it arrives.
//!
//! The format is that of the HTML standard, as far as the endpoints use it: lines that end with LF
//! or CR LF, `data:` lines that belong together until an empty line, comments.

use std::io::{BufRead, BufReader, Read};

use super::ModelError;

/// Bytes of one event, and of a whole answer: an endless stream must end.
const EVENT_BYTES: usize = 16 << 20;
const STREAM_BYTES: u64 = 64 << 20;

/// The events of a stream.
pub(super) struct Events<R> {
    lines: BufReader<std::io::Take<R>>,
    read: u64,
}

impl<R: Read> Events<R> {
    pub(super) fn new(stream: R) -> Self {
        Self { lines: BufReader::new(stream.take(STREAM_BYTES + 1)), read: 0 }
    }

    /// The data of the next event; `None` at the end. An event without its empty line is not
    /// complete, and not an event.
    pub(super) fn next(&mut self) -> Result<Option<String>, ModelError> {
        let mut data: Option<String> = None;
        loop {
            let mut line = Vec::new();
            let read =
                self.lines.read_until(b'\n', &mut line).map_err(|error| super::http::broken(&error))?;
            self.read += read as u64;
            if self.read > STREAM_BYTES {
                return Err(ModelError::new(
                    "invalid_stream",
                    format!("the answer is longer than {STREAM_BYTES} bytes"),
                ));
            }
            if read == 0 {
                return Ok(None);
            }
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches(['\n', '\r']);
            if line.is_empty() {
                match data {
                    Some(data) => return Ok(Some(data)),
                    None => continue,
                }
            }
            let Some(value) = line.strip_prefix("data:") else { continue };
            let value = value.strip_prefix(' ').unwrap_or(value);
            let joined = data.get_or_insert_with(String::new);
            if !joined.is_empty() {
                joined.push('\n');
            }
            joined.push_str(value);
            if joined.len() > EVENT_BYTES {
                return Err(ModelError::new(
                    "invalid_stream",
                    format!("an event is longer than {EVENT_BYTES} bytes"),
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Events;

    #[test]
    fn events() {
        let text = ": comment\r\nevent: a\r\ndata: 1\r\n\r\ndata:2\ndata: 3\n\n\n\ndata: half\n";
        let mut events = Events::new(text.as_bytes());
        let mut names = Vec::new();
        while let Some(data) = events.next().unwrap() {
            names.push(data);
        }
        assert_eq!(names, ["1", "2\n3"]);
    }

    #[test]
    fn endless_streams_end() {
        let mut line = Events::new(std::io::repeat(b'x'));
        assert_eq!(line.next().unwrap_err().kind, "invalid_stream");
    }
}
