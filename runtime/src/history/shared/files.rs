//! The files of [`Store`] for programs that run on: each operation takes the lock for a moment.

use std::io;

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
        if let Err(error) = write(additions, &mut locked) {
            locked.iter_mut().for_each(|file| drop(file.take_back()));
            return Err(error.into());
        }
        Ok(Appended::Written)
    }

    fn remove(&self, prefix: &str) -> Result<(), StoreError> {
        Ok(self.clear_all(prefix)?)
    }
}

/// Writes additions to their files. What needs space comes first, so that a full disk leaves what can be taken back: the new
/// names of snapshots need none.
fn write(additions: &[Addition], locked: &mut [Locked]) -> io::Result<()> {
    let mut prepared = Vec::new();
    let written = additions.iter().zip(&mut *locked).enumerate().try_for_each(|(at, (addition, file))| {
        if !addition.is_snapshot {
            return file.append(&addition.bytes);
        }
        prepared.push((at, file.prepare(&addition.bytes)?));
        Ok(())
    });
    let mut prepared = prepared.into_iter();
    let adopted = written.and_then(|()| {
        prepared.by_ref().try_for_each(|(at, new)| match locked.get_mut(at) {
            Some(file) => file.adopt(new),
            None => Ok(()),
        })
    });
    prepared.for_each(|(_, new)| new.discard());
    adopted
}
