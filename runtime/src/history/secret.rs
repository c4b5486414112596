//! The secret of a store: 32 random bytes in a file for this user alone.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use hookc_history::Secret;

use super::Unavailable;
use super::disk::PartitionHandle;
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
    let mut bytes = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    file.rewind()?;
    file.write_all(&bytes)?;
    Ok(Secret::new(bytes))
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
