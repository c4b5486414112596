//! Files on disk: read, compared, and replaced with a backup next to them.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hookc_runtime::open;
use hookc_schema::Sources;
use rustix::fs::{Access, Mode, OFlags};

use super::difference::unified;
use super::{owner, swap};
use crate::args::Global;
use crate::exit::Failure;
use crate::{files, inside, out};

/// The maximum number of backups of a file.
const COPIES: u32 = 1000;

/// The maximum size of a file that may contain only whitespace.
const BLANK: usize = 1 << 10;

/// How long another process may change files.
const LOCK_WAIT: Duration = Duration::from_secs(30);

/// A file is not text, which was reported.
pub(crate) struct NotText;

/// The text of a file, `None` if it does not exist.
pub(crate) fn read(global: &Global, path: &Path) -> Result<Result<Option<String>, NotText>, Failure> {
    match files::text(path) {
        Ok(Ok(text)) => Ok(Ok(Some(text))),
        Ok(Err(diagnostic)) => {
            out::diagnostics(global, &[diagnostic], &Sources::new());
            Ok(Err(NotText))
        }
        Err(_) if path.is_symlink() && !path.exists() => {
            Err(Failure::file(path, &"the symbolic link is broken"))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Ok(None)),
        Err(error) => Err(Failure::file(path, &error)),
    }
}

/// While it exists, no other call of hookc changes files of the same directory.
#[derive(Debug)]
pub(crate) struct Turn {
    /// If directories cannot be locked, there is no lock.
    _folder: Option<fs::File>,
}

/// Waits for the lock of a file's directory, which is created if missing.
pub(crate) fn turn(path: &Path) -> Result<Turn, Failure> {
    owner::check(path).map_err(|error| Failure::file(path, &error))?;
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |error| Failure::file(folder, &error);
    fs::create_dir_all(folder).map_err(failed)?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = rustix::fs::open(folder, flags, Mode::empty()).map_err(|error| failed(error.into()))?;
    let folder_file = fs::File::from(opened);
    match open::lock(&folder_file, LOCK_WAIT) {
        Ok(()) => Ok(Turn { _folder: Some(folder_file) }),
        Err(error) if error.kind() == io::ErrorKind::TimedOut => {
            Err(Failure::usage(format!("{}: another hookc is changing files there", folder.display())))
        }
        Err(_) => Ok(Turn { _folder: None }),
    }
}

/// The planned change.
pub(crate) fn difference(path: &Path, old: &str, new: &str) -> String {
    let name = path.display().to_string();
    unified(&name, old, new)
}

/// Shows on standard output what would change.
pub(crate) fn show(path: &Path, old: &str, new: &str) -> Result<(), Failure> {
    out::text(&difference(path, old, new))
}

/// Writes a file atomically, creating its directories; never overwrites an existing file.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    inside::check(path).map_err(|error| Failure::file(path, &error))?;
    create_anywhere(path, bytes)
}

fn create_anywhere(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let create = || {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        swap::create(path, bytes)
    };
    create().map_err(|error| Failure::file(path, &error))
}

/// Rejects what `change` and `remove` reject: of several files, all are checked before the first one changes.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    owner::check(path).map_err(|error| Failure::file(path, &error))?;
    let above = path.ancestors().skip(1).find(|above| above.symlink_metadata().is_ok());
    if let Some(above) = above.filter(|above| !above.is_dir()) {
        return Err(Failure::file(
            path,
            &format!("{} is not a directory: nothing was written", above.display()),
        ));
    }
    if let Err(error) = rustix::fs::access(above.unwrap_or(Path::new(".")), Access::WRITE_OK) {
        return Err(Failure::file(path, &io::Error::from(error)));
    }
    may_change(path)
}

/// Rejects files that their owner made read-only: replacing them would bypass that.
fn may_change(path: &Path) -> Result<(), Failure> {
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
    inside::check(path).map_err(|error| Failure::file(path, &error))?;
    swap::replace(path, old, new, None).map_err(|error| Failure::file(path, &error))
}

/// Writes the new text and a backup of the old one. Reports both paths. The caller checks that the file of a project
/// is inside it: settings of a person may be links anywhere.
pub(crate) fn change(path: &Path, old: Option<&str>, new: &str) -> Result<Option<PathBuf>, Failure> {
    check(path)?;
    let Some(old) = old else {
        create_anywhere(path, new.as_bytes())?;
        return Ok(None);
    };
    let copy = backup(path, old)?;
    let replaced = swap::replace(path, old.as_bytes(), new.as_bytes(), Some(&copy));
    replaced.map_err(|error| Failure::file(path, &error))?;
    Ok(Some(copy))
}

/// Removes a file and keeps a backup.
pub(crate) fn remove(path: &Path, old: &str) -> Result<PathBuf, Failure> {
    check(path)?;
    let copy = backup(path, old)?;
    swap::remove(path, old.as_bytes(), &copy).map_err(|error| Failure::file(path, &error))?;
    Ok(copy)
}

/// Reports what was done.
pub(crate) fn report_saved(global: &Global, path: &Path, backup: Option<&Path>, what: &str) {
    let before = backup.map(|backup| format!(" (before: {})", backup.display())).unwrap_or_default();
    out::say(global, &format!("{} {what}{before}", path.display()));
}

/// Writes a backup as `.bak` with the permissions of the file. An existing backup with other
/// content stays, and the next number is used.
fn backup(path: &Path, text: &str) -> Result<PathBuf, Failure> {
    for number in 1..COPIES {
        let copy = numbered(path, number);
        if copy.symlink_metadata().is_ok() {
            if has_content(&copy, text) {
                return Ok(copy);
            }
            continue;
        }
        match swap::copy(&copy, text.as_bytes(), path) {
            Ok(()) => return Ok(copy),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Failure::file(&copy, &error)),
        }
    }
    Err(Failure::usage(format!("{}: {COPIES} backup copies already exist", path.display())))
}

/// Whether a backup is a regular file with this content.
fn has_content(copy: &Path, text: &str) -> bool {
    let is_alone = copy.symlink_metadata().is_ok_and(|found| found.is_file() && found.nlink() == 1);
    is_alone && open::read(copy, text.len()).is_ok_and(|found| found == text.as_bytes())
}

/// The backups of a file, in order of creation.
fn copies(path: &Path) -> impl Iterator<Item = PathBuf> + '_ {
    let names = (1..COPIES).map(|number| numbered(path, number));
    names.take_while(|copy| copy.symlink_metadata().is_ok())
}

/// Whether a file had this content before hookc changed it, according to a backup.
pub(crate) fn had_content(path: &Path, text: &str) -> bool {
    copies(path).any(|copy| has_content(&copy, text))
}

/// The content of a file before hookc changed it, if it was only whitespace.
pub(crate) fn was_blank(path: &Path) -> Option<String> {
    let blank = |copy: PathBuf| {
        let text = String::from_utf8(open::read(&copy, BLANK).ok()?).ok()?;
        (text.len() <= BLANK && text.trim_start_matches('\u{feff}').trim().is_empty()).then_some(text)
    };
    copies(path).filter_map(blank).last()
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
