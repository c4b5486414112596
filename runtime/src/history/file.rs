//! Opens, locks and reads the file of a partition.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::Unavailable;
use super::disk::PartitionHandle;
use crate::limits::HISTORY_LOCK_WAIT;
use crate::open;

/// The file of a partition under its lock, and its bytes.
pub(super) fn open_and_lock(path: &Path, create: bool) -> Result<(File, Vec<u8>), Unavailable> {
    lock_by(path, HISTORY_LOCK_WAIT, || open::private(path, create))
}

/// The file at a path under its lock, and its bytes. After a snapshot the path has another file, which is then locked
/// instead.
pub(super) fn lock_by<F: PartitionHandle>(
    path: &Path,
    wait: Duration,
    open: impl Fn() -> io::Result<F>,
) -> Result<(F, Vec<u8>), Unavailable> {
    let start = Instant::now();
    loop {
        let file = open()?;
        file.check_owner()?;
        file.lock(wait.saturating_sub(start.elapsed()))?;
        if file.is_at(path)? {
            let bytes = file.content()?;
            return Ok((file, bytes));
        }
        if start.elapsed() >= wait {
            return Err(Unavailable::Locked);
        }
    }
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
    file.check_owner()?;
    file.content()
}
