//! A partition whose file this program has locked.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::time::Duration;

use hookc_history::{Decoded, Partition, Reading, Record, Verdict, encode_settlement};

use super::Unavailable;
use super::file::lock;
use crate::limits::{HISTORY_RECORD_BYTES, HISTORY_RECORDS};
use crate::open;

/// A partition whose file this program has locked. Dropping the value releases the lock.
#[derive(Debug)]
pub struct Locked {
    file: File,
    path: PathBuf,
    partition: Partition,
    /// Bytes of the file without an incomplete record.
    length: u64,
    /// Bytes of the file.
    size: u64,
    /// Records after the snapshot, and their bytes.
    records: usize,
    appended: u64,
    sync: bool,
}

impl Locked {
    /// A file that is empty.
    pub(super) fn created(file: File, path: PathBuf, partition: Partition, sync: bool) -> Self {
        Self { file, path, partition, length: 0, size: 0, records: 0, appended: 0, sync }
    }

    /// A file that has been read.
    pub(super) fn opened(file: File, path: PathBuf, decoded: Decoded, bytes: &[u8], sync: bool) -> Self {
        let length = u64::try_from(decoded.length).unwrap_or(u64::MAX);
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let appended = u64::try_from(decoded.length.saturating_sub(decoded.snapshot)).unwrap_or(u64::MAX);
        Self {
            file,
            path,
            partition: decoded.partition,
            length,
            size,
            records: decoded.records,
            appended,
            sync,
        }
    }

    /// The history.
    #[must_use]
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Writes the file of a partition that begins, without an event.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn begin(&mut self) -> io::Result<()> {
        if self.length > 0 {
            return Ok(());
        }
        let bytes = self.partition.encode();
        self.replace(&bytes)
    }

    /// Forgets the history: the partition begins again with the next record, or with [`Locked::begin`].
    pub fn restart(&mut self, partition: Partition) {
        self.partition = partition;
        self.length = 0;
    }

    /// Records an event, and returns its number. When this returns, the record survives the death of the process.
    ///
    /// # Errors
    /// The record cannot be written: the event is not in the history.
    pub fn record(&mut self, record: Record) -> io::Result<u64> {
        let step = self.partition.step().saturating_add(1);
        if self.length == 0 {
            // The first record: both are there, or neither.
            let mut partition = self.partition.clone();
            partition.apply(record);
            let bytes = partition.encode();
            self.replace(&bytes)?;
            self.partition = partition;
            return Ok(step);
        }
        self.append(&record.encode(step))?;
        self.partition.apply(record);
        self.compact();
        Ok(step)
    }

    /// Settles a pending event: what its handlers made of it. `false` if it is not pending.
    ///
    /// # Errors
    /// The outcome cannot be written: the event stays pending, until its handlers would have ended.
    pub fn settle(&mut self, step: u64, verdict: Verdict) -> io::Result<bool> {
        if !self.partition.is_pending(step) {
            return Ok(false);
        }
        self.append(&encode_settlement(step, verdict))?;
        let settled = self.partition.settle(step, verdict);
        self.compact();
        Ok(settled)
    }

    /// Settles the events whose handlers were killed.
    pub(super) fn settle_late(&mut self, now: Reading) -> Result<(), Unavailable> {
        let late: Vec<u64> = self.partition.late(self.partition.clock(now)).collect();
        for step in late {
            self.settle(step, Verdict::None)?;
        }
        Ok(())
    }

    /// Appends to the file, all or nothing.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.size > self.length {
            self.file.set_len(self.length)?;
            self.size = self.length;
        }
        self.file.seek(SeekFrom::Start(self.length))?;
        let written = self.file.write_all(bytes).and_then(|()| self.flush());
        if let Err(error) = written {
            // An incomplete record would be cut off by the next writer; a complete one would have happened.
            self.size = u64::MAX;
            if self.file.set_len(self.length).is_ok() {
                self.size = self.length;
            }
            return Err(error);
        }
        let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.length = self.length.saturating_add(count);
        self.size = self.length;
        self.appended = self.appended.saturating_add(count);
        self.records = self.records.saturating_add(1);
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        if self.sync { self.file.sync_data() } else { Ok(()) }
    }

    /// Writes a new snapshot if there are many records. A failure changes nothing: the records are in the file.
    fn compact(&mut self) {
        if self.records >= HISTORY_RECORDS || self.appended >= HISTORY_RECORD_BYTES {
            let bytes = self.partition.encode();
            let _ = self.replace(&bytes);
        }
    }

    /// Replaces the file. Another program sees the old file or the new one, which is locked before it can be seen.
    fn replace(&mut self, bytes: &[u8]) -> io::Result<()> {
        let new = self.path.with_extension("new");
        let mut file = open::private(&new, true)?;
        lock(&file, Duration::ZERO).map_err(io::Error::other)?;
        file.set_len(0)?;
        let replaced = (file.write_all(bytes))
            .and_then(|()| if self.sync { file.sync_all() } else { Ok(()) })
            .and_then(|()| fs::rename(&new, &self.path));
        if let Err(error) = replaced {
            let _ = fs::remove_file(&new);
            return Err(error);
        }
        if self.sync {
            self.sync_directory()?;
        }
        self.file = file;
        self.length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        (self.size, self.records, self.appended) = (self.length, self.partition.waiting(), 0);
        Ok(())
    }

    fn sync_directory(&self) -> io::Result<()> {
        let directory = self.path.parent().map(File::open);
        directory.map_or(Ok(()), |directory| directory?.sync_all())
    }
}
