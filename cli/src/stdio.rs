//! Standard input, and waiting for descriptors that do not block.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use hookc_runtime::open;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// How long the end of the input is waited for after a whole object: what follows it in the meantime belongs to it.
const REST: Duration = Duration::from_millis(20);

/// How long bytes that keep arriving after a whole object are read.
const LONGEST_REST: Duration = Duration::from_secs(1);

/// Standard input, at most so many bytes. A descriptor that does not block (another
/// program shares it) is waited for.
pub(crate) fn input(most: u64) -> io::Result<Vec<u8>> {
    let (mut bytes, mut stdin) = (Vec::new(), io::stdin().lock().take(most));
    loop {
        match stdin.read_to_end(&mut bytes) {
            Ok(_) => return Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                ready(&io::stdin(), PollFlags::IN, None)?;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Input that cannot be read to the end of its object, or takes too long. Input that ends within its object is whole: its
/// JSON is invalid.
#[derive(Debug)]
pub(crate) struct Incomplete {
    pub(crate) bytes: Vec<u8>,
    error: io::Error,
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

/// The object on standard input, one byte more than `most` at most. Ends when the input or the object does: a program
/// that keeps its pipe open, or keeps writing to it, is not waited for. An object that takes longer than `patience` is
/// incomplete.
pub(crate) fn object(most: usize, patience: Option<Duration>) -> Result<Vec<u8>, Incomplete> {
    let (mut bytes, mut object) = (Vec::new(), Object::default());
    let mut chunk = vec![0; 64 << 10];
    let late = patience.map(|patience| Instant::now() + patience);
    let most = usize::try_from(open::one_more(most)).unwrap_or(usize::MAX);
    let mut completed = None;
    while bytes.len() < most && completed.is_none_or(|at: Instant| at.elapsed() < LONGEST_REST) {
        let left = late.map(|late| late.saturating_duration_since(Instant::now()));
        let wait = if object.is_complete() { Some(REST) } else { left };
        match ready(&io::stdin(), PollFlags::IN, wait).and_then(|is_ready| read(is_ready, &mut chunk)) {
            Ok(Some(0)) => return Ok(bytes),
            Ok(None) if object.is_complete() => return Ok(bytes),
            Ok(None) if left.is_some_and(|left| left.is_zero()) => {
                let seconds = patience.unwrap_or_default().as_secs();
                let what = if bytes.is_empty() { "nothing has arrived" } else { "its object has no end" };
                let error = io::Error::other(format!("{what} after {seconds} seconds"));
                return Err(Incomplete { bytes, error });
            }
            Ok(None) => {}
            Ok(Some(count)) => {
                let new = chunk.get(..count.min(most - bytes.len())).unwrap_or_default();
                object.read(new);
                bytes.extend_from_slice(new);
                completed = completed.or_else(|| object.is_complete().then(Instant::now));
            }
            Err(error) => return Err(Incomplete { bytes, error }),
        }
    }
    Ok(bytes)
}

/// A line without its end.
pub(crate) enum Line {
    Whole(Vec<u8>),
    /// It is longer than it may be.
    TooLong,
}

/// The next line of standard input; `None` at the end. What follows the last line end is a line too. Of a line that is
/// longer than `most`, nothing is kept.
pub(crate) fn line(most: usize) -> io::Result<Option<Line>> {
    let (mut bytes, mut is_long, mut stdin) = (Vec::new(), false, io::stdin().lock());
    loop {
        let chunk = match stdin.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                ready(&io::stdin(), PollFlags::IN, None)?;
                continue;
            }
            Err(error) => return Err(error),
        };
        let part = chunk.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let (is_input_over, has_end) = (chunk.is_empty(), part.len() < chunk.len());
        is_long |= bytes.len() + part.len() > most;
        if is_long {
            bytes.clear();
        } else {
            bytes.extend_from_slice(part);
        }
        let used = part.len() + usize::from(has_end);
        stdin.consume(used);
        if is_input_over && bytes.is_empty() && !is_long {
            return Ok(None);
        }
        if is_input_over || has_end {
            return Ok(Some(if is_long { Line::TooLong } else { Line::Whole(bytes) }));
        }
    }
}

/// Reads what is there; `None` if nothing is.
fn read(is_ready: bool, chunk: &mut [u8]) -> io::Result<Option<usize>> {
    if !is_ready {
        return Ok(None);
    }
    match rustix::io::read(io::stdin(), chunk) {
        Err(Errno::AGAIN | Errno::INTR) => Ok(None),
        read => Ok(Some(read?)),
    }
}

/// How far a text of JSON has been read, by its brackets alone: the event is checked when all of it is there.
#[derive(Clone, Copy, Debug, Default)]
struct Object {
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    has_ended: bool,
}

impl Object {
    fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match byte {
                _ if self.has_ended => return,
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.in_string => self.is_escaped = true,
                b'"' if self.depth > 0 => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.has_ended = self.depth == 0;
                }
                _ if self.depth > 0 || is_before_object(*byte) => {}
                // It is no object, whatever follows.
                _ => self.has_ended = true,
            }
        }
    }

    fn is_complete(self) -> bool {
        self.has_ended
    }
}

/// Whether a byte can precede an object: whitespace, the marks of encodings, and the zeros of UTF-16.
fn is_before_object(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0 | 0xef | 0xbb | 0xbf | 0xfe | 0xff)
}

/// Waits until a descriptor can be read or written, without a limit or until a timeout; whether it can.
pub(crate) fn ready(file: &impl AsFd, what: PollFlags, most: Option<Duration>) -> io::Result<bool> {
    // A wait beyond 2^63 seconds is as good as for ever.
    let most = most.map(|most| Timespec {
        tv_sec: i64::try_from(most.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: most.subsec_nanos().into(),
    });
    match poll(&mut [PollFd::new(file, what)], most.as_ref()) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::Object;

    #[test]
    fn an_object_ends_with_its_last_bracket() {
        let is_complete = |text: &str| {
            let mut object = Object::default();
            text.as_bytes().chunks(2).for_each(|chunk| object.read(chunk));
            object.is_complete()
        };
        for text in
            ["{}", "\u{feff} {\"a\": [\"}\\\"}\\\\\"]}", "{} x", "[1]", "{\"a\": \"]\"}\n{", "text", "\"text"]
        {
            assert!(is_complete(text), "{text}");
        }
        for text in ["", " ", "{", "{\"a\": \"}", "{\"a\": \"\\\"}", "[{}", "\u{feff}", "\0"] {
            assert!(!is_complete(text), "{text}");
        }
    }
}
