//! What histories need of a file system, so that the model checker can have one of its own.

use std::fmt::Debug;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::time::Duration;

use hookc_history::DecodeError;

use super::Unavailable;
use crate::limits::HISTORY_FILE_BYTES;
use crate::open;

/// An open file of a partition.
pub trait PartitionHandle: Debug + Sized {
    /// Opens another file of the same file system for reading and writing, and creates it.
    ///
    /// # Errors
    /// It cannot be opened.
    fn create(&self, path: &Path) -> io::Result<Self>;
    /// Waits for the lock, which is released when this value is dropped.
    ///
    /// # Errors
    /// Another program has it, or there are no locks.
    fn lock(&self, wait: Duration) -> Result<(), Unavailable>;
    /// Rejects files of other users, directories, pipes and devices.
    ///
    /// # Errors
    /// It is such a file.
    fn check_owner(&self) -> Result<(), Unavailable>;
    /// Whether the path still leads to this file.
    ///
    /// # Errors
    /// The path cannot be read.
    fn is_at(&self, path: &Path) -> io::Result<bool>;
    /// Its bytes.
    ///
    /// # Errors
    /// It is too large, or cannot be read.
    fn content(&self) -> Result<Vec<u8>, Unavailable>;
    /// So many of its first bytes.
    ///
    /// # Errors
    /// It has fewer, or cannot be read.
    fn prefix(&self, length: usize) -> io::Result<Vec<u8>>;
    /// Writes at a position.
    ///
    /// # Errors
    /// It cannot be written; some of the bytes may be there.
    fn write_at(&mut self, position: u64, bytes: &[u8]) -> io::Result<()>;
    /// Cuts it off.
    ///
    /// # Errors
    /// It cannot be written.
    fn cut(&self, length: u64) -> io::Result<()>;
    /// Waits until its bytes are on the disk.
    ///
    /// # Errors
    /// They cannot be written.
    fn sync(&self) -> io::Result<()>;
    /// Gives it another path, in the place of the file there.
    ///
    /// # Errors
    /// The directory cannot be written.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes the file at a path.
    ///
    /// # Errors
    /// The directory cannot be written.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Waits until the names in the directory of a path are on the disk.
    ///
    /// # Errors
    /// They cannot be written.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;
}

impl PartitionHandle for File {
    fn create(&self, path: &Path) -> io::Result<Self> {
        open::private(path, true)
    }

    fn lock(&self, wait: Duration) -> Result<(), Unavailable> {
        open::lock(self, wait).map_err(|error| match error.kind() {
            io::ErrorKind::TimedOut => Unavailable::Locked,
            _ => Unavailable::NoLocks,
        })
    }

    fn check_owner(&self) -> Result<(), Unavailable> {
        let found = self.metadata()?;
        let is_ours = found.is_file() && found.uid() == rustix::process::geteuid().as_raw();
        if is_ours { Ok(()) } else { Err(Unavailable::Foreign) }
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        let opened = self.metadata()?;
        match fs::symlink_metadata(path) {
            Ok(found) => Ok((found.dev(), found.ino()) == (opened.dev(), opened.ino())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn content(&self) -> Result<Vec<u8>, Unavailable> {
        let size = self.metadata()?.len();
        if size > HISTORY_FILE_BYTES {
            return Err(Unavailable::Invalid(DecodeError::Damaged));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
        self.take(HISTORY_FILE_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn prefix(&self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.read_exact_at(&mut bytes, 0)?;
        Ok(bytes)
    }

    fn write_at(&mut self, position: u64, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::Start(position))?;
        self.write_all(bytes)
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        path.parent().map_or(Ok(()), |directory| File::open(directory)?.sync_all())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::OpenOptionsExt as _;

    use super::*;

    /// A descriptor on which no lock is possible, as in a file system without locks.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_without_locks_is_unknown() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let flags = i32::try_from(rustix::fs::OFlags::PATH.bits()).unwrap();
        let opened = fs::OpenOptions::new().read(true).custom_flags(flags).open(file.path()).unwrap();
        let locked = PartitionHandle::lock(&opened, Duration::ZERO);
        assert!(matches!(locked, Err(Unavailable::NoLocks)));
    }
}
