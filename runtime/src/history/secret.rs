//! The secret of a store: 32 random bytes in a file for this user alone.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use hookc_history::Secret;

use super::disk::PartitionHandle;
use super::{Store, Unavailable};
use crate::limits::HISTORY_LOCK_WAIT;
use crate::open;

/// The secret in a file, which is created if it is not there.
pub(super) fn load(path: &Path) -> Result<Secret, Unavailable> {
    let mut file = open::private(path, true)?;
    file.check_owner()?;
    if let Some(secret) = read(&mut file)? {
        return Ok(secret);
    }
    // It is new, or its writer died before it was used.
    PartitionHandle::lock(&file, HISTORY_LOCK_WAIT)?;
    if let Some(secret) = read(&mut file)? {
        return Ok(secret);
    }
    // Histories are found by a secret that is lost: with another one, they would be empty.
    if has_histories(path) {
        return Err(Unavailable::NoSecret);
    }
    let mut bytes = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    file.rewind()?;
    file.write_all(&bytes)?;
    Ok(Secret::new(bytes))
}

/// Whether there are histories next to the file.
fn has_histories(path: &Path) -> bool {
    let entries = path.parent().and_then(|directory| fs::read_dir(directory).ok());
    let mut paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    paths.any(|path| path.extension().is_none() && Store::is_partition(&path))
}

/// The secret of a file that has been written completely.
fn read(file: &mut File) -> io::Result<Option<Secret>> {
    file.rewind()?;
    let mut bytes = [0; 32];
    match file.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(Secret::new(bytes))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}
