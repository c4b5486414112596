//! The files of [`Store`] for programs that run on: each operation takes the lock for a moment.

use std::io;

use hookc_history::Partition;

use super::super::file::{open_and_lock, read};
use super::super::{Locked, Store, Unavailable};
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
        match read(&self.named(partition)) {
            Ok(bytes) => Ok(Stored { version: version(&bytes), bytes }),
            Err(Unavailable::Unreadable(error)) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Stored::default())
            }
            Err(error) => Err(error.into()),
        }
    }

    fn append(&self, additions: &[Addition]) -> Result<Appended, StoreError> {
        let mut locked = Vec::new();
        for addition in additions {
            let path = self.named(&addition.partition);
            let (file, bytes) = open_and_lock(&path, true)?;
            if version(&bytes) != addition.version {
                return Ok(Appended::Conflict);
            }
            locked.push(if bytes.is_empty() {
                Locked::created(file, path, Partition::new(self.limits()), self.is_synced())
            } else {
                let decoded = Partition::decode(&bytes, self.limits())?;
                Locked::opened(file, path, decoded, &bytes, self.is_synced())
            });
        }
        for (addition, file) in additions.iter().zip(&mut locked) {
            if addition.is_snapshot { file.replace(&addition.bytes)? } else { file.append(&addition.bytes)? }
        }
        Ok(Appended::Written)
    }

    fn remove(&self, partition: &str) -> Result<(), StoreError> {
        Ok(self.clear_file(&self.named(partition))?)
    }
}
