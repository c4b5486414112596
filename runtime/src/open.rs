//! Opens files for reading without ever blocking on another program.
//!
//! Opening a named pipe waits for its writer, and reading a device may never end. Files that were
//! found (in a directory, or where an agent keeps its settings) must therefore be regular:
//! [`regular`]. A file named by the user may be a pipe on purpose (`<(...)` of a shell): [`named`]
//! reads it with a time limit.
//!
//! The type is checked before opening, because opening some devices has side effects, and again on
//! the open file, because the path may have been replaced meanwhile.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use crate::limits::{PIPE_IDLE, PIPE_OPEN_WAIT};
use crate::time::saturating_timespec;

/// Opens a regular file.
///
/// # Errors
/// It cannot be opened, or is a directory, a pipe, a socket or a device.
pub fn regular(path: &Path) -> io::Result<File> {
    check(fs::metadata(path)?.file_type())?;
    let file = open(path)?;
    check(file.metadata()?.file_type())?;
    Ok(file)
}

/// The bytes of a regular file, at most one more than `limit`.
///
/// # Errors
/// As [`regular`], or it cannot be read.
pub fn read(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    regular(path)?.take(one_more(limit)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Locks a file or a directory against other programs, and waits at most this long for one of them.
///
/// # Errors
/// [`ErrorKind::TimedOut`] if another program keeps it locked; another error if it cannot be locked.
pub fn lock(file: &File, wait: Duration) -> io::Result<()> {
    let end = Instant::now() + wait;
    loop {
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(()),
            Err(Errno::WOULDBLOCK) if Instant::now() < end => std::thread::sleep(LOCK_PAUSE),
            Err(Errno::WOULDBLOCK) => {
                return Err(io::Error::new(ErrorKind::TimedOut, "another program keeps it locked"));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// How often a lock is tried.
const LOCK_PAUSE: Duration = Duration::from_millis(1);

/// One byte more than a limit, to see whether a file is larger.
#[must_use]
pub fn one_more(limit: usize) -> u64 {
    (limit as u64).saturating_add(1)
}

/// A file that a person named: a regular one, a pipe, or the null device.
#[derive(Debug)]
pub struct Named {
    file: File,
    /// Bytes of a regular file when it was opened.
    size: u64,
    /// The remaining waiting time for a pipe.
    pipe: Option<Pipe>,
}

#[derive(Debug)]
struct Pipe {
    opened: Instant,
    /// Whether a writer has been seen; always true for an unnamed pipe.
    written: bool,
}

/// Opens a file that a person named.
///
/// # Errors
/// It cannot be opened, or is a directory, a socket, or a device other than
/// `/dev/null`.
pub fn named(path: &Path) -> io::Result<Named> {
    check_named(path, fs::metadata(path)?.file_type())?;
    let file = open(path)?;
    let metadata = file.metadata()?;
    let kind = metadata.file_type();
    check_named(path, kind)?;
    let pipe = kind.is_fifo().then(|| {
        // `/dev/fd/63` of a shell leads to a pipe that has no path.
        let written = path.canonicalize().is_err();
        Pipe { opened: Instant::now(), written }
    });
    Ok(Named { file, size: metadata.len(), pipe })
}

impl Named {
    /// Its bytes, at most so many.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn content(mut self, most: u64) -> io::Result<Vec<u8>> {
        let known = if self.is_regular() { self.size.min(most) } else { 0 };
        // In one read; growing step by step would copy a large module several times.
        let mut bytes = vec![0; usize::try_from(known).unwrap_or(0)];
        let mut filled = 0_usize;
        while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.read(rest) {
                Ok(0) => break,
                Ok(count) => filled = filled.saturating_add(count),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        bytes.truncate(filled);
        self.take(most.saturating_sub(filled as u64)).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Whether it is a regular file, whose content can be read again.
    #[must_use]
    pub fn is_regular(&self) -> bool {
        self.pipe.is_none()
    }
}

impl Read for Named {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(pipe) = &mut self.pipe else { return self.file.read(buffer) };
        loop {
            match self.file.read(buffer) {
                Ok(0) if !pipe.written && pipe.opened.elapsed() < PIPE_OPEN_WAIT => {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
                Ok(0) if !pipe.written => {
                    return Err(io::Error::new(ErrorKind::TimedOut, "no program writes to this pipe"));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    pipe.written = true;
                    wait(&self.file)?;
                }
                read => {
                    pipe.written = true;
                    return read;
                }
            }
        }
    }
}

/// Waits until a pipe delivers data, or ends.
fn wait(pipe: &File) -> io::Result<()> {
    let idle = saturating_timespec(PIPE_IDLE);
    match poll(&mut [PollFd::new(pipe, PollFlags::IN)], Some(&idle)) {
        Ok(0) => {
            let why = format!("the pipe delivered no data for {} seconds", PIPE_IDLE.as_secs());
            Err(io::Error::new(ErrorKind::TimedOut, why))
        }
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Opens a regular file for appending, and creates it, accessible only to its owner, if missing.
///
/// # Errors
/// It cannot be opened or created, or is not a regular file.
pub fn to_append(path: &Path) -> io::Result<File> {
    if let Ok(found) = fs::metadata(path) {
        check(found.file_type())?;
    }
    let mut options = OpenOptions::new();
    let file = options.append(true).read(true).create(true).mode(0o600).custom_flags(flags()).open(path)?;
    check(file.metadata()?.file_type())?;
    Ok(file)
}

/// Opens a file for overwriting, and creates it with `mode` if missing. A pipe must already have a
/// reader.
///
/// # Errors
/// It cannot be opened or created, or the pipe has no reader.
pub fn to_write(path: &Path, mode: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(mode).custom_flags(flags());
    let file = options.open(path).map_err(|error| match Errno::from_io_error(&error) {
        Some(Errno::NXIO) => io::Error::new(error.kind(), "no program reads this pipe"),
        _ => error,
    })?;
    // A reader that is slow is waited for.
    rustix::io::ioctl_fionbio(&file, false)?;
    Ok(file)
}

/// Opens a file of this user's state for reading and writing, never through a symbolic link; `create` makes it, accessible
/// only to its owner, if missing.
pub(crate) fn private(path: &Path, create: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(create).truncate(false).mode(0o600);
    options.custom_flags(flags() | no_links()).open(path)
}

/// Opens a file for reading, never through a symbolic link.
pub(crate) fn unlinked(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(flags() | no_links()).open(path)
}

fn no_links() -> i32 {
    i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or(0)
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(flags()).open(path)
}

fn flags() -> i32 {
    i32::try_from((OFlags::NONBLOCK | OFlags::NOCTTY).bits()).unwrap_or(0)
}

fn check(kind: FileType) -> io::Result<()> {
    if kind.is_file() {
        return Ok(());
    }
    if kind.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    let noun = match kind {
        _ if kind.is_fifo() => "a pipe",
        _ if kind.is_socket() => "a socket",
        _ => "a device",
    };
    Err(io::Error::new(ErrorKind::InvalidInput, format!("it is {noun}, not a regular file")))
}

fn check_named(path: &Path, kind: FileType) -> io::Result<()> {
    match check(kind) {
        Err(_) if kind.is_fifo() || kind.is_char_device() && is_null(path) => Ok(()),
        checked => checked,
    }
}

fn is_null(path: &Path) -> bool {
    path.canonicalize().is_ok_and(|path| path == Path::new("/dev/null"))
}
