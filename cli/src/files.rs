//! Reading files and standard input.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hookc_compiler::Files;
use hookc_runtime::disk::Disk;
use hookc_runtime::open;
use hookc_schema::{Code, Diagnostic};
use hookc_syntax::files::FileKind;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::edit::swap;
use crate::exit::Failure;

/// Whether a path means standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Standard input, at most so many bytes. A descriptor that does not block (another
/// program shares it) is waited for.
pub(crate) fn stdin(most: u64) -> io::Result<Vec<u8>> {
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

/// Waits until a descriptor can be read or written, for ever or at most so long.
pub(crate) fn ready(file: &impl AsFd, what: PollFlags, most: Option<Duration>) -> io::Result<()> {
    let most = most.map(|most| Timespec {
        tv_sec: i64::try_from(most.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: most.subsec_nanos().into(),
    });
    match poll(&mut [PollFd::new(file, what)], most.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The bytes of a file that was named or of standard input, at most one more than
/// `limit`.
pub(crate) fn bytes(path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
    read(path, limit).map_err(|error| Failure::io(path, &error))
}

fn read(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    contents(path, limit).map(|contents| contents.bytes)
}

fn contents(path: &Path, limit: usize) -> io::Result<Contents> {
    let most = open::one_more(limit);
    if is_stdin(path) {
        return Ok(Contents { bytes: stdin(most)?, regular: false });
    }
    let file = open::named(path)?;
    let (mut bytes, regular) = (Vec::new(), file.is_regular());
    file.take(most).read_to_end(&mut bytes)?;
    Ok(Contents { bytes, regular })
}

/// What was read of a file.
#[derive(Debug)]
struct Contents {
    bytes: Vec<u8>,
    /// Whether it is a regular file: others, such as the pipe of a shell's `<(...)`, deliver their
    /// content once.
    regular: bool,
}

/// The contents of files that were looked at before they are used: each is read once.
#[derive(Debug, Default)]
pub(crate) struct Texts(BTreeMap<PathBuf, Contents>);

impl Texts {
    /// The bytes of a file that was named, which stay here for their use.
    pub(crate) fn peek(&mut self, path: &Path, limit: usize) -> Result<&[u8], Failure> {
        if !self.0.contains_key(path) {
            let contents = contents(path, limit).map_err(|error| Failure::io(path, &error))?;
            self.0.insert(path.to_owned(), contents);
        }
        Ok(self.0.get(path).map_or(&[], |contents| &contents.bytes))
    }

    /// The bytes of a file that was named, at most one more than `limit` unless they were read
    /// before. A pipe can be named twice.
    pub(crate) fn bytes(&mut self, path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
        match self.0.remove(path) {
            None => bytes(path, limit),
            Some(contents) if contents.regular => Ok(contents.bytes),
            Some(contents) => {
                let bytes = contents.bytes.clone();
                self.0.insert(path.to_owned(), contents);
                Ok(bytes)
            }
        }
    }

    /// The text of a named source, or the diagnostic that explains why there is none.
    pub(crate) fn source(&mut self, path: &Path) -> Result<Result<String, Diagnostic>, Failure> {
        let bytes = self.bytes(path, hookc_syntax::limits::SOURCE_BYTES)?;
        Ok(decoded(path, bytes).map_err(|new| *new))
    }

    /// The same for a file found in a directory, which must be a regular file.
    pub(crate) fn found(&mut self, path: &Path) -> Result<Result<String, Diagnostic>, Failure> {
        match self.0.get(path) {
            Some(contents) if contents.regular => self.source(path),
            _ => found(path),
        }
    }
}

/// The text of a named source, or the diagnostic that explains why there is none.
pub(crate) fn source(path: &Path) -> Result<Result<String, Diagnostic>, Failure> {
    let bytes = bytes(path, hookc_syntax::limits::SOURCE_BYTES)?;
    Ok(decoded(path, bytes).map_err(|new| *new))
}

/// The same for a file found in a directory, which must be a regular file.
pub(crate) fn found(path: &Path) -> Result<Result<String, Diagnostic>, Failure> {
    text(path).map_err(|error| Failure::io(path, &error))
}

/// The same for callers that report the unreadable file themselves.
pub(crate) fn text(path: &Path) -> io::Result<Result<String, Diagnostic>> {
    let bytes = open::read(path, hookc_syntax::limits::SOURCE_BYTES)?;
    Ok(decoded(path, bytes).map_err(|new| *new))
}

fn decoded(path: &Path, bytes: Vec<u8>) -> Result<String, Box<Diagnostic>> {
    let (limit, name) = (hookc_syntax::limits::SOURCE_BYTES, name(path));
    if is_module(&bytes) {
        let message = format!("{name} is a compiled module, not the source of a policy");
        let help = "name the source that it was compiled from; `hookc list`, `disasm`, `eval`, `explain`, \
                    `run`, `replay` and `bench` accept a module";
        return Err(Box::new(Diagnostic::global(Code::E0006, message).help(help)));
    }
    if bytes.len() > limit {
        let message = format!("{name} is larger than {limit} bytes");
        return Err(Box::new(Diagnostic::global(Code::E0001, message).help("split it into several files")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = format!("{name} is not UTF-8: byte {at} does not start a character");
        Box::new(Diagnostic::global(Code::E0002, message).help("save it as UTF-8"))
    })
}

/// Whether bytes are a compiled module.
pub(crate) fn is_module(bytes: &[u8]) -> bool {
    bytes.starts_with(b"hookc\0")
}

/// The name of a file in diagnostics.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// Writes a file, or standard output for `-`.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if is_stdin(path) {
        return crate::out::file(bytes);
    }
    let write = || open::to_write(path, 0o666)?.write_all(bytes);
    write().map_err(|error| Failure::io(path, &error))
}

/// Writes a file atomically, creating its directories; never overwrites an existing file.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let create = || {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        swap::create(path, bytes)
    };
    create().map_err(|error| Failure::file(path, &error))
}

/// Rejects files that their owner made read-only: replacing them would bypass that.
pub(crate) fn may_change(path: &Path) -> Result<(), Failure> {
    match fs::metadata(path) {
        Ok(found) if found.permissions().readonly() => {
            Err(Failure::file(path, &"it is read-only: nothing was written"))
        }
        _ => Ok(()),
    }
}

/// Replaces the text of a file that still contains `old`, atomically through a new file next to it.
/// Owner, permissions and symbolic links are kept.
pub(crate) fn replace(path: &Path, old: &[u8], new: &[u8]) -> Result<(), Failure> {
    may_change(path)?;
    swap::replace(path, old, new, None).map_err(|error| Failure::file(path, &error))
}

/// Whether a path is an executable file.
pub(crate) fn runs(path: &Path) -> bool {
    Disk.kind(&path.to_string_lossy()) == Some(FileKind::File { executable: true })
}
