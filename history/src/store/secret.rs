//! The secret of a store: 32 random bytes in a file for this user alone.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::time::Instant;

use super::file::{check_owner, lock, open};
use super::{LOCK_WAIT, Unavailable};
use crate::key::Secret;

/// The secret in a file, which is created if it is not there.
pub(super) fn load(path: &Path) -> Result<Secret, Unavailable> {
    let mut file = open(path, true)?;
    check_owner(&file)?;
    if let Some(secret) = read(&mut file)? {
        return Ok(secret);
    }
    // It is new, or its writer died before it was used.
    lock(&file, Instant::now().checked_add(LOCK_WAIT).unwrap_or_else(Instant::now))?;
    if let Some(secret) = read(&mut file)? {
        return Ok(secret);
    }
    let mut bytes = [0; 32];
    OpenOptions::new().read(true).open("/dev/urandom")?.read_exact(&mut bytes)?;
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
