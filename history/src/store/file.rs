//! Opens, locks and reads the file of a partition.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use super::{FILE_BYTES, LOCK_WAIT, Unavailable};

/// How often a lock is tried.
const PAUSE: Duration = Duration::from_micros(200);

/// Opens a file for reading and writing; `create` if it is not there.
pub(super) fn open(path: &Path, create: bool) -> io::Result<File> {
    // Neither a link to another file nor a pipe, which would block.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let flags = i32::try_from(flags.bits()).unwrap_or_default();
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(create)
        .truncate(false)
        .mode(0o600)
        .custom_flags(flags)
        .open(path)
}

/// Waits for the lock of a file.
pub(super) fn lock(file: &File, end: Instant) -> Result<(), Unavailable> {
    loop {
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(Errno::WOULDBLOCK) if Instant::now() < end => std::thread::sleep(PAUSE),
            Err(Errno::WOULDBLOCK) => return Err(Unavailable::Locked),
            Err(_) => return Err(Unavailable::NoLocks),
        }
    }
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
    let end = Instant::now().checked_add(LOCK_WAIT).unwrap_or_else(Instant::now);
    loop {
        let file = open(path, create)?;
        check_owner(&file)?;
        lock(&file, end)?;
        if is_at(&file, path)? {
            let bytes = content(&file)?;
            return Ok((file, bytes));
        }
        if Instant::now() >= end {
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
    if size > FILE_BYTES {
        return Err(Unavailable::Invalid(crate::codec::DecodeError::Damaged));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    file.take(FILE_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The bytes of a file without its lock. A record that is being appended is incomplete, as if its writer had died.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Unavailable> {
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).unwrap_or_default();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    check_owner(&file)?;
    content(&file)
}
