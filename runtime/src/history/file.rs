//! Opens, locks and reads the file of a partition.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use hookc_history::DecodeError;

use super::Unavailable;
use crate::limits::{HISTORY_FILE_BYTES, HISTORY_LOCK_WAIT};
use crate::open;

/// Waits for the lock of a file.
pub(super) fn lock(file: &File, wait: Duration) -> Result<(), Unavailable> {
    open::lock(file, wait).map_err(|error| match error.kind() {
        io::ErrorKind::TimedOut => Unavailable::Locked,
        _ => Unavailable::NoLocks,
    })
}

/// Rejects files of other users, directories, pipes and devices.
pub(super) fn check_owner(file: &File) -> Result<(), Unavailable> {
    let found = file.metadata()?;
    let is_ours = found.is_file() && found.uid() == rustix::process::geteuid().as_raw();
    if is_ours { Ok(()) } else { Err(Unavailable::Foreign) }
}

/// The file of a partition under its lock, and its bytes. After a snapshot the path has another file, which is then
/// locked instead.
pub(super) fn open_and_lock(path: &Path, create: bool) -> Result<(File, Vec<u8>), Unavailable> {
    let start = Instant::now();
    loop {
        let file = open::private(path, create)?;
        check_owner(&file)?;
        lock(&file, HISTORY_LOCK_WAIT.saturating_sub(start.elapsed()))?;
        if is_at(&file, path)? {
            let bytes = content(&file)?;
            return Ok((file, bytes));
        }
        if start.elapsed() >= HISTORY_LOCK_WAIT {
            return Err(Unavailable::Locked);
        }
    }
}

/// Whether the path still leads to this file.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let opened = file.metadata()?;
    match std::fs::symlink_metadata(path) {
        Ok(found) => Ok((found.dev(), found.ino()) == (opened.dev(), opened.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn content(file: &File) -> Result<Vec<u8>, Unavailable> {
    let size = file.metadata()?.len();
    if size > HISTORY_FILE_BYTES {
        return Err(Unavailable::Invalid(DecodeError::Damaged));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    file.take(HISTORY_FILE_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Like [`read`]; `None` without a file.
pub(super) fn read_existing(path: &Path) -> Result<Option<Vec<u8>>, Unavailable> {
    match read(path) {
        Err(Unavailable::Unreadable(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

/// The bytes of a file without its lock. A record that is being appended is incomplete, as if its writer had died.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Unavailable> {
    let file = open::unlinked(path)?;
    check_owner(&file)?;
    content(&file)
}
