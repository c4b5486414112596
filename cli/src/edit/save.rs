//! Files on the disk: read, shown as a difference, replaced with a
//! copy of what was there beside them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hookc_schema::Sources;
use similar::TextDiff;

use crate::args::Global;
use crate::exit::Failure;
use crate::{files, out};

/// Copies that may stand beside a file.
const COPIES: u32 = 1000;

/// How often it is looked whether it is our turn: 30 seconds.
const TURNS: u32 = 6000;

/// The text of a file, `None` if it is not there; `None` about that if it is
/// no text, which has been told.
pub(crate) fn read(global: &Global, path: &Path) -> Result<Option<Option<String>>, Failure> {
    match files::text(path) {
        Ok(Ok(text)) => Ok(Some(Some(text))),
        Ok(Err(diagnostic)) => {
            out::diagnostics(global, &[diagnostic], &Sources::new());
            Ok(None)
        }
        Err(_) if path.is_symlink() && !path.exists() => {
            Err(Failure::file(path, &"the link leads to no file"))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Some(None)),
        Err(error) => Err(Failure::file(path, &error)),
    }
}

/// While it is there, no other call of hookc changes files of the same folder.
#[derive(Debug)]
pub(crate) struct Turn {
    /// Where folders cannot be locked there is nothing to hold.
    _folder: Option<fs::File>,
}

/// Waits until it is our turn to change a file; its folder is made if it is not
/// there.
pub(crate) fn turn(path: &Path) -> Result<Turn, Failure> {
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |error| Failure::file(folder, &error);
    fs::create_dir_all(folder).map_err(failed)?;
    let open = fs::File::open(folder).map_err(failed)?;
    for _ in 0..TURNS {
        match open.try_lock() {
            Ok(()) => return Ok(Turn { _folder: Some(open) }),
            Err(fs::TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
            Err(fs::TryLockError::Error(_)) => return Ok(Turn { _folder: None }),
        }
    }
    Err(Failure::usage(format!("{}: another hookc is changing files there", folder.display())))
}

/// What would change.
pub(crate) fn difference(path: &Path, old: &str, new: &str) -> String {
    let name = path.display().to_string();
    let diff = TextDiff::from_lines(old, new);
    diff.unified_diff().context_radius(3).header(&name, &name).to_string()
}

/// Shows on standard output what would change.
pub(crate) fn show(path: &Path, old: &str, new: &str) -> Result<(), Failure> {
    out::text(&difference(path, old, new))
}

/// Writes the new text, and what was there beside it. Says where.
pub(crate) fn change(path: &Path, old: Option<&str>, new: &str) -> Result<Option<PathBuf>, Failure> {
    let Some(old) = old else {
        files::create(path, new.as_bytes())?;
        return Ok(None);
    };
    let backup = kept(path, old)?;
    files::replace(path, new.as_bytes())?;
    Ok(Some(backup))
}

/// Removes a file, and keeps what was there beside its place.
pub(crate) fn remove(path: &Path, old: &str) -> Result<PathBuf, Failure> {
    let backup = kept(path, old)?;
    fs::remove_file(path).map_err(|error| Failure::file(path, &error))?;
    Ok(backup)
}

/// Keeps what a file says that is about to change, if it may and if nobody changed
/// it meanwhile.
fn kept(path: &Path, old: &str) -> Result<PathBuf, Failure> {
    files::may_change(path)?;
    let now = fs::read(path).map_err(|error| Failure::file(path, &error))?;
    if now != old.as_bytes() {
        return Err(Failure::file(path, &"it was changed meanwhile: nothing was written"));
    }
    backup(path, old)
}

/// Says what was done.
pub(crate) fn told(global: &Global, path: &Path, backup: Option<&Path>, what: &str) {
    let before = backup.map(|backup| format!(" (before: {})", backup.display())).unwrap_or_default();
    out::say(global, &format!("{} {what}{before}", path.display()));
}

/// Keeps a text beside its file as `.bak`. A copy that says something else is
/// somebody's: it stays, and the next number is taken.
fn backup(path: &Path, text: &str) -> Result<PathBuf, Failure> {
    for number in 1..COPIES {
        let copy = numbered(path, number);
        match fs::read(&copy) {
            Ok(there) if there == text.as_bytes() => return Ok(copy),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                files::create(&copy, text.as_bytes())?;
                let permissions = fs::metadata(path).map(|found| found.permissions());
                // Settings may hold secrets: the copy is as private as they are.
                permissions
                    .and_then(|permissions| fs::set_permissions(&copy, permissions))
                    .map_err(|error| Failure::file(&copy, &error))?;
                return Ok(copy);
            }
            Err(error) => return Err(Failure::file(&copy, &error)),
        }
    }
    Err(Failure::usage(format!("{}: there are {COPIES} copies beside it already", path.display())))
}

/// Whether a file said this before hookc changed it, as one of the copies beside it
/// has it.
pub(crate) fn said_before(path: &Path, text: &str) -> bool {
    let copies = (1..COPIES).map_while(|number| fs::read(numbered(path, number)).ok());
    copies.into_iter().any(|copy| copy == text.as_bytes())
}

/// `FILE.bak`, `FILE.bak2`, ...
fn numbered(path: &Path, number: u32) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bak");
    if number > 1 {
        name.push(number.to_string());
    }
    PathBuf::from(name)
}
