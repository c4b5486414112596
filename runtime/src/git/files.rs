//! Reads regular files, and of all files of a repository together at most [`TOTAL`] bytes.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use crate::open::regular;

/// The bytes that are read of a repository: the index of 50,000 files has some 5 MB.
const TOTAL: u64 = 64 << 20;

/// What may still be read.
#[derive(Debug)]
pub(super) struct Files {
    left: Cell<u64>,
}

impl Default for Files {
    fn default() -> Self {
        Self { left: Cell::new(TOTAL) }
    }
}

impl Files {
    /// The bytes of a regular file.
    pub(super) fn bytes(&self, path: &Path) -> Option<Vec<u8>> {
        self.read(path, u64::MAX).ok()
    }

    /// The bytes of a regular file that is not longer than `most`.
    pub(super) fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let limit = most.min(self.left.get());
        let mut bytes = Vec::new();
        regular(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(ErrorKind::FileTooLarge.into());
        }
        self.left.set(self.left.get().saturating_sub(bytes.len() as u64));
        Ok(bytes)
    }

    /// Up to `most` bytes of a regular file from a position.
    pub(super) fn part(&self, path: &Path, at: u64, most: u64) -> Option<Vec<u8>> {
        let mut file = regular(path).ok()?;
        file.seek(SeekFrom::Start(at)).ok()?;
        self.left.set(self.left.get().checked_sub(most)?);
        let mut part = Vec::new();
        file.take(most).read_to_end(&mut part).ok()?;
        Some(part)
    }

    /// The text of a small file of git, such as `HEAD`.
    pub(super) fn text(&self, path: &Path) -> Option<String> {
        String::from_utf8(self.read(path, SMALL).ok()?).ok()
    }
}

/// More than the length of a path or the name of a ref.
const SMALL: u64 = 64 << 10;
