//! Reading files and standard input.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hookc_compiler::Files;
use hookc_compiler::files::FileKind;
use hookc_runtime::disk::Disk;
use hookc_schema::{Code, Diagnostic};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

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

/// The bytes of a file or of standard input, at most one more than `limit`.
pub(crate) fn bytes(path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
    read(path, limit).map_err(|error| Failure::io(path, &error))
}

fn read(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    if is_stdin(path) {
        return stdin(most);
    }
    let mut bytes = Vec::new();
    // A pipe (`<(...)` of a shell) gives what it has once, and is asked first
    // whether it is a module, then for its text.
    let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = given.get(path) {
        return Ok(bytes.clone());
    }
    let file = File::open(path)?;
    let found = file.metadata()?;
    if found.is_dir() {
        return Err(io::Error::other("is a folder: name a file"));
    }
    let whole = found.is_file();
    file.take(most).read_to_end(&mut bytes)?;
    if !whole {
        given.insert(path.to_owned(), bytes.clone());
    }
    Ok(bytes)
}

/// What pipes have given so far.
static GIVEN: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());

/// A source text, or the diagnostic that says why it is none.
pub(crate) fn source(path: &Path) -> Result<Result<String, Diagnostic>, Failure> {
    text(path).map_err(|error| Failure::io(path, &error))
}

/// The same, for those that say themselves which file cannot be read.
pub(crate) fn text(path: &Path) -> io::Result<Result<String, Diagnostic>> {
    let limit = hookc_compiler::limits::SOURCE_BYTES;
    let bytes = read(path, limit)?;
    let name = name(path);
    if is_module(&bytes) {
        let message = format!("{name} is a compiled module, not the source of a policy");
        let help = "name the source that it was compiled from; `hookc list`, `disasm`, `eval`, `explain`, \
                    `run`, `replay` and `bench` take a module";
        return Ok(Err(Diagnostic::global(Code::E0006, message).help(help)));
    }
    if bytes.len() > limit {
        let message = format!("{name} is larger than {limit} bytes");
        return Ok(Err(Diagnostic::global(Code::E0001, message).help("split it into several files")));
    }
    Ok(String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Diagnostic::global(Code::E0002, format!("{name} is not UTF-8: byte {at} begins no character"))
            .help("save it as UTF-8")
    }))
}

/// Whether bytes are those of a compiled module.
pub(crate) fn is_module(bytes: &[u8]) -> bool {
    bytes.starts_with(b"hookc\0")
}

/// How diagnostics call a file.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// Writes a file, or standard output for `-`.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if is_stdin(path) {
        return crate::out::file(bytes);
    }
    fs::write(path, bytes).map_err(|error| Failure::io(path, &error))
}

/// Writes a file in folders that may have to be made; what is there already
/// stays.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let create = || {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        File::create_new(path)?.write_all(bytes)
    };
    create().map_err(|error| Failure::file(path, &error))
}

/// Refuses files that their owner has made read-only: a new file in their place
/// would pass that over.
pub(crate) fn may_change(path: &Path) -> Result<(), Failure> {
    match fs::metadata(path) {
        Ok(found) if found.permissions().readonly() => {
            Err(Failure::file(path, &"it is read-only: nothing was written"))
        }
        _ => Ok(()),
    }
}

/// Puts other text into a file: a new file beside it takes its place, whole or
/// not at all. Its permissions stay, and a link stays a link.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    may_change(path)?;
    swap(path, bytes).map_err(|error| Failure::file(path, &error))
}

fn swap(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = fs::canonicalize(path)?;
    let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let beside = target.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let permissions = fs::metadata(&target)?.permissions();
    let write = || {
        let mut file = File::create_new(&beside)?;
        file.write_all(bytes)?;
        file.set_permissions(permissions)?;
        file.sync_all()?;
        fs::rename(&beside, &target)
    };
    write().inspect_err(|error| {
        if error.kind() != io::ErrorKind::AlreadyExists {
            let _ = fs::remove_file(&beside);
        }
    })
}

/// Whether a path is a file that may be executed.
pub(crate) fn runs(path: &Path) -> bool {
    Disk.kind(&path.to_string_lossy()) == Some(FileKind::File { executable: true })
}
