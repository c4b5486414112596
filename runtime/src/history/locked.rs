//! A partition whose file this program has locked.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use hookc_history::{Key, Limits, Partition, Reading, Record, ToolUse, Verdict, encode_settlement};

use super::Unavailable;
use super::disk::PartitionHandle;
use super::store::{Beginning, claim};
use crate::limits::{HISTORY_RECORD_BYTES, HISTORY_RECORDS, REPEAT_WINDOW};

/// A partition whose file this program has locked. Dropping the value releases the lock.
#[derive(Debug)]
pub struct Locked<F: PartitionHandle = File> {
    file: F,
    path: PathBuf,
    partition: Partition,
    /// Bytes of the file without an incomplete record.
    length: u64,
    /// Bytes of the file.
    size: u64,
    /// Records after the snapshot, and their bytes.
    records: usize,
    appended: u64,
    /// Bytes of the file before what was written last, unless that was the snapshot of records.
    before: Option<u64>,
    tool_uses: Vec<ToolUse>,
    sync: bool,
}

/// The record of a use of a tool, and the history before it.
#[derive(Debug)]
pub(super) struct Earlier {
    pub(super) partition: Partition,
    pub(super) time: u64,
    pub(super) step: u64,
}

impl<F: PartitionHandle> Locked<F> {
    /// A file that is not read, only written: its bytes without an incomplete record, and all.
    pub(super) fn unread(file: F, path: PathBuf, (length, size): (usize, usize), sync: bool) -> Self {
        let bytes = |length: usize| u64::try_from(length).unwrap_or(u64::MAX);
        let (length, size) = (bytes(length), bytes(size));
        let (partition, tool_uses) = Default::default();
        Self { file, path, partition, length, size, records: 0, appended: 0, before: None, tool_uses, sync }
    }

    /// The file of a partition, which is read, with what the clocks show now; `beginning` says what it means that it is
    /// empty.
    pub(super) fn read(
        (file, bytes): (F, Vec<u8>),
        path: PathBuf,
        (owner, limits, sync): (Key, Limits, bool),
        now: Reading,
        beginning: impl FnOnce() -> Beginning,
    ) -> Result<Self, Unavailable> {
        if bytes.is_empty() {
            let mut partition = match beginning() {
                Beginning::Seen => Partition::new(limits),
                Beginning::Missed => Partition::unseen(limits, now.wall),
            };
            partition.set_owner(Some(owner));
            return Ok(Self { partition, ..Self::unread(file, path, (0, 0), sync) });
        }
        let size = bytes.len();
        let mut decoded = Partition::decode_owned(bytes, limits).map_err(Unavailable::Invalid)?;
        claim(&mut decoded.partition, Some(owner))?;
        let appended = u64::try_from(decoded.length.saturating_sub(decoded.snapshot)).unwrap_or(u64::MAX);
        let mut locked = Self {
            partition: decoded.partition,
            records: decoded.records,
            appended,
            tool_uses: decoded.tool_uses,
            ..Self::unread(file, path, (decoded.length, size), sync)
        };
        locked.settle_late(now)?;
        Ok(locked)
    }

    /// The history.
    #[must_use]
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The record of this use of a tool, if another call of hookc has made it just now.
    pub(super) fn earlier(&self, tool_use: Key, now: u64, limits: Limits) -> Option<Earlier> {
        let is_recent =
            |record: &&ToolUse| Duration::from_millis(now.saturating_sub(record.time)) <= REPEAT_WINDOW;
        let record = self.tool_uses.iter().rfind(|record| record.key == tool_use).filter(is_recent)?;
        let bytes = self.file.prefix(record.before).ok()?;
        let partition = Partition::decode_owned(bytes, limits).ok()?.partition;
        Some(Earlier { partition, time: record.time, step: record.step })
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
        let owner = self.partition.owner();
        self.partition = partition;
        self.partition.set_owner(owner);
        self.length = 0;
    }

    /// Records an event, and returns its number. When this returns, the record survives the death of the process.
    ///
    /// # Errors
    /// The record cannot be written: the event is not in the history.
    pub fn record(&mut self, record: Record) -> io::Result<u64> {
        let step = self.partition.step().saturating_add(1);
        let bytes = record.encode(step);
        if self.length == 0 {
            // The first record: both are there, or neither.
            let beginning = self.partition.encode();
            let before = u64::try_from(beginning.len()).ok();
            let replaced = self.replace(&[beginning, bytes].concat());
            if self.length > 0 {
                self.before = before;
            }
            if let Err(error) = replaced {
                // The new file is there, although the disk may not have its name.
                drop(self.take_back());
                return Err(error);
            }
        } else {
            self.compact(record.time);
            self.append(&bytes)?;
        }
        self.partition.apply(record);
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
        Ok(self.partition.settle(step, verdict))
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
    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.size > self.length {
            self.file.cut(self.length)?;
            self.size = self.length;
        }
        let written = self.file.write_at(self.length, bytes).and_then(|()| self.flush());
        if let Err(error) = written {
            // An incomplete record would be cut off by the next writer; a complete one would have happened.
            self.size = u64::MAX;
            if self.file.cut(self.length).is_ok() {
                self.size = self.length;
                let _ = self.flush();
            }
            return Err(error);
        }
        let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.before = Some(self.length);
        self.length = self.length.saturating_add(count);
        self.size = self.length;
        self.appended = self.appended.saturating_add(count);
        self.records = self.records.saturating_add(1);
        Ok(())
    }

    /// Takes back what was written last, before another program can see it: the event could not be recorded in another
    /// partition. The history in memory still has it.
    pub(super) fn take_back(&mut self) -> io::Result<()> {
        if let Some(before) = self.before.take() {
            self.file.cut(before)?;
            (self.length, self.size) = (before, before);
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        if self.sync { self.file.sync() } else { Ok(()) }
    }

    /// Writes a new snapshot if there are many records. While a second call of hookc can be about the last of them, there
    /// may be twice as many. A failure changes nothing: the records are in the file.
    fn compact(&mut self, now: u64) {
        let is_recent = Duration::from_millis(now.saturating_sub(self.partition.time())) <= REPEAT_WINDOW;
        let (records, appended) = (self.records >> u8::from(is_recent), self.appended >> u8::from(is_recent));
        if records >= HISTORY_RECORDS || appended >= HISTORY_RECORD_BYTES {
            let bytes = self.partition.encode();
            let _ = self.replace(&bytes);
        }
    }

    /// Replaces the file. Another program sees the old file or the new one, which is locked before it can be seen.
    pub(super) fn replace(&mut self, bytes: &[u8]) -> io::Result<()> {
        let replacement = self.prepare(bytes)?;
        self.adopt(replacement)
    }

    /// Writes a new file, which is locked and does not have the name of the partition yet.
    pub(super) fn prepare(&self, bytes: &[u8]) -> io::Result<Replacement<F>> {
        let path = self.path.with_extension("new");
        let mut file = self.file.create(&path)?;
        file.lock(Duration::ZERO).map_err(io::Error::other)?;
        file.cut(0)?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let written = file.write_at(0, bytes).and_then(|()| if self.sync { file.sync() } else { Ok(()) });
        let replacement = Replacement { file, path, length };
        match written {
            Ok(()) => Ok(replacement),
            Err(error) => {
                replacement.discard();
                Err(error)
            }
        }
    }

    /// Gives a new file the name of the partition.
    pub(super) fn adopt(&mut self, new: Replacement<F>) -> io::Result<()> {
        self.before = None;
        if let Err(error) = new.file.rename(&new.path, &self.path) {
            new.discard();
            return Err(error);
        }
        // The path leads to the new file, whether or not the disk has its name.
        let synced = if self.sync { new.file.sync_directory(&self.path) } else { Ok(()) };
        // What a file had before that is replaced cannot be taken back: the new one stays.
        self.before = (self.size == 0).then_some(0);
        (self.file, self.length, self.size) = (new.file, new.length, new.length);
        (self.records, self.appended) = (self.partition.waiting(), 0);
        synced
    }
}

/// A new file of a partition that does not have its name yet.
#[derive(Debug)]
pub(super) struct Replacement<F> {
    file: F,
    path: PathBuf,
    length: u64,
}

impl<F: PartitionHandle> Replacement<F> {
    /// Removes the file.
    pub(super) fn discard(self) {
        let _ = self.file.remove(&self.path);
    }
}
