//! The files of [`Store`] for programs that run on: each operation takes the lock for a moment.

use hookc_history::Partition;

use super::super::file::{open_and_lock, read_existing};
use super::super::{Locked, Store};
use super::{Addition, Appended, HistoryStore, StoreError, Stored};

/// The version of a file: a hash of its content.
fn version(bytes: &[u8]) -> u64 {
    if bytes.is_empty() {
        return 0;
    }
    blake3::hash(bytes).as_bytes().first_chunk().map_or(0, |first| u64::from_le_bytes(*first))
}

impl HistoryStore for Store {
    fn load(&self, partition: &str) -> Result<Stored, StoreError> {
        let bytes = read_existing(&self.named(partition))?.unwrap_or_default();
        Ok(Stored { version: version(&bytes), bytes })
    }

    fn append(&self, additions: &[Addition]) -> Result<Appended, StoreError> {
        let mut locked = Vec::new();
        for addition in additions {
            let path = self.named(&addition.partition);
            let (file, bytes) = open_and_lock(&path, true)?;
            if version(&bytes) != addition.version {
                return Ok(Appended::Conflict);
            }
            // What has this version was decoded when it was loaded.
            let length = match addition.is_snapshot || bytes.is_empty() {
                true => 0,
                false => Partition::complete_length(&bytes)?,
            };
            locked.push(Locked::unread(file, path, (length, bytes.len()), self.is_synced()));
        }
        for (at, addition) in additions.iter().enumerate() {
            let Some(file) = locked.get_mut(at) else { continue };
            let written = match addition.is_snapshot {
                true => file.replace(&addition.bytes),
                false => file.append(&addition.bytes),
            };
            if let Err(error) = written {
                locked.iter_mut().take(at + 1).for_each(|earlier| drop(earlier.take_back()));
                return Err(error.into());
            }
        }
        Ok(Appended::Written)
    }

    fn remove(&self, prefix: &str) -> Result<(), StoreError> {
        Ok(self.clear_all(prefix)?)
    }
}
