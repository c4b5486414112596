//! Whole lines at the end of a file that others write to as well.
//!
//! An appending system call is not atomic if its process is killed during the call, or the disk is
//! full: Linux checks for SIGKILL at every page. Writers therefore take turns with a lock on the
//! file, which is released when its holder ends, and the next holder removes an incomplete line
//! that another writer may have left. Such a line is at the end of the file, has no line end, and
//! was never reported as written.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use rustix::fs::{FlockOperation, flock};
use serde::de::IgnoredAny;

use crate::limits::LOG_LOCK_WAIT;
use crate::open;

/// The prefix of every line.
const BEGINNING: &[u8] = br#"{"time":""#;
/// The maximum length of a line: the largest event, and as much again for the other members.
pub const LINE_BYTES: usize = 2 * hookc_vm::limits::EVENT_BYTES;
/// The maximum length of an incomplete line.
const PIECE: u64 = LINE_BYTES as u64;

/// Bytes of a line that are in memory at a time.
pub(super) const CHUNK: usize = 64 << 10;

/// A file that several programs append to.
pub(super) trait Shared: Read + Write + Seek {
    /// Waits for the lock; `false` if there are no locks.
    fn turn(&mut self) -> io::Result<bool>;
    /// Releases the lock.
    fn end_turn(&mut self);
    /// Cuts the file off.
    fn cut(&mut self, size: u64) -> io::Result<()>;
}

impl Shared for File {
    fn turn(&mut self) -> io::Result<bool> {
        match open::lock(self, LOG_LOCK_WAIT) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Err(error),
            Err(_) => Ok(false),
        }
    }

    fn end_turn(&mut self) {
        let _ = flock(&*self, FlockOperation::Unlock);
    }

    fn cut(&mut self, size: u64) -> io::Result<()> {
        self.set_len(size)
    }
}

/// Appends what `write` writes: lines, their ends included.
pub(super) fn append<F: Shared>(
    file: &mut F,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    match file.turn()? {
        true => {
            let written = tidy(file).and_then(|()| in_chunks(file, write));
            if written.is_err() {
                let _ = tidy(file);
            }
            file.end_turn();
            written
        }
        false => {
            let mut lines = Vec::new();
            write(&mut lines)?;
            append_unlocked(file, &lines)
        }
    }
}

fn in_chunks(file: &mut impl Shared, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(CHUNK, file);
    let written = write(&mut out).and_then(|()| out.flush());
    // After a failure, the rest of the line must not follow what was written.
    let _rest = out.into_parts();
    written
}

/// Removes an incomplete line at the end; if it is not ours, or lacks only the line end, a line end
/// is added.
fn tidy(file: &mut impl Shared) -> io::Result<()> {
    let size = file.seek(SeekFrom::End(0))?;
    if is_ended(file, size)? {
        return Ok(());
    }
    match last_line(file, size)? {
        Some((start, piece)) if is_torn(&piece) => file.cut(start),
        _ => file.write_all(b"\n"),
    }
}

fn is_ended(file: &mut impl Shared, size: u64) -> io::Result<bool> {
    let mut last = [b'\n'];
    if size > 0 {
        file.seek(SeekFrom::Start(size - 1))?;
        file.read_exact(&mut last)?;
    }
    Ok(last == *b"\n")
}

/// The text after the last line end with its position; `None` if it is longer than any line.
fn last_line(file: &mut impl Shared, size: u64) -> io::Result<Option<(u64, Vec<u8>)>> {
    let mut most: u64 = 64 << 10;
    loop {
        let from = size.saturating_sub(most);
        let mut tail = Vec::new();
        file.seek(SeekFrom::Start(from))?;
        Read::by_ref(file).take(size - from).read_to_end(&mut tail)?;
        let end = tail.iter().rposition(|byte| *byte == b'\n');
        if end.is_some() || from == 0 {
            let piece = tail.split_off(end.map_or(0, |end| end + 1));
            return Ok(Some((from.saturating_add(tail.len() as u64), piece)));
        }
        if most >= PIECE {
            return Ok(None);
        }
        most = most.saturating_mul(8).min(PIECE);
    }
}

/// Whether it is an incomplete line of a decision log: its writer was killed, or the disk was full.
#[must_use]
pub fn is_torn(piece: &[u8]) -> bool {
    let ours = piece.starts_with(BEGINNING) || BEGINNING.starts_with(piece);
    ours && serde_json::from_slice::<IgnoredAny>(piece).is_err()
}

/// Without locks nothing is removed: others may be writing. One write, after the end of a line.
fn append_unlocked(file: &mut impl Shared, line: &[u8]) -> io::Result<()> {
    let size = file.seek(SeekFrom::End(0))?;
    let before: &[u8] = if is_ended(file, size)? { b"" } else { b"\n" };
    let line = [before, line].concat();
    if file.write(&line)? < line.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::{append_unlocked, is_torn};
    use std::fs::{File, OpenOptions};
    use std::path::Path;

    fn open(path: &Path) -> File {
        OpenOptions::new().append(true).read(true).create(true).open(path).unwrap()
    }

    fn append(file: &mut File, line: &[u8]) -> std::io::Result<()> {
        super::append(file, |out| out.write_all(line))
    }

    fn after(before: &str, how: fn(&mut File, &[u8]) -> std::io::Result<()>) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, before).unwrap();
        how(&mut open(&path), b"{\"time\":\"2\"}\n").unwrap();
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn incomplete_lines_of_killed_writers_are_removed() {
        let (one, two) = ("{\"time\":\"1\"}\n", "{\"time\":\"2\"}\n");
        assert_eq!(after("", append), two);
        assert_eq!(after(one, append), format!("{one}{two}"));
        for torn in ["{", "{\"tim", "{\"time\":\"", "{\"time\":\"1\"", "{\"time\":\"1\",\"x\":\"\u{e9}"] {
            assert_eq!(after(torn, append), two);
            assert_eq!(after(&format!("{one}{torn}"), append), format!("{one}{two}"));
        }
        let long = format!("{{\"time\":\"1\",\"payload\":\"{}", "x".repeat(1 << 20));
        assert_eq!(after(&format!("{one}{long}"), append), format!("{one}{two}"));
    }

    #[test]
    fn torn_wherever_it_ends() {
        let line = br#"{"time":"t","host":"claude","event":null,"outcome":"error","error":"e"}"#;
        assert!((1..line.len()).all(|end| is_torn(&line[..end])));
        assert!(!is_torn(line) && !is_torn(b"{\"event_type\":") && !is_torn(b"text"));
    }

    #[test]
    fn foreign_partial_lines_get_a_line_end() {
        let two = "{\"time\":\"2\"}\n";
        for other in ["{\"time\":\"1\"}", "{\"torn\": ", "text", "\0\0"] {
            assert_eq!(after(other, append), format!("{other}\n{two}"));
        }
        assert_eq!(after("{\"time\":\"1", append_unlocked), format!("{{\"time\":\"1\n{two}"));
    }

    #[test]
    fn nothing_is_left_of_a_line_that_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        for length in [1_usize, 1_000, 100_000, 300_000] {
            std::fs::write(&path, "{\"time\":\"1\"}\n").unwrap();
            let failed = super::append(&mut open(&path), |out| {
                out.write_all(b"{\"time\":\"2\",\"payload\":\"")?;
                out.write_all("x".repeat(length).as_bytes())?;
                Err(std::io::ErrorKind::Other.into())
            });
            assert!(failed.is_err());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"time\":\"1\"}\n");
        }
    }

    #[test]
    fn a_log_that_is_kept_locked_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let holder = open(&path);
        holder.lock().unwrap();
        assert_eq!(append(&mut open(&path), b"x\n").unwrap_err().kind(), std::io::ErrorKind::TimedOut);
        drop(holder);
        append(&mut open(&path), b"x\n").unwrap();
        assert_eq!(std::fs::read_to_string(path).unwrap(), "x\n");
    }
}
