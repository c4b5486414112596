//! Partitions and records as bytes.
//!
//! ```text
//! "hookhist" version 0 0 0   frame(owner, monitors)   frame(record or settlement) ...
//! frame: length, check of the length, checksum of the content, content
//! ```
//! The monitors are those after all settled records; records that wait follow as records. A program adds a record by
//! appending its frame. A writer that dies leaves an incomplete frame at the end, which is ignored: the writer had not
//! answered. Everything else that is wrong is an error, never another history.
//!
//! The cells of a monitor that has many are a section, in which the cell of a key is found without reading the others: a
//! process that handles one event needs few of them. A cell that cannot be read, although the checksum of the
//! snapshot is right, is unknown.

mod bytes;
mod record;
mod shape;
mod state;

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use bytes::{Reader, Writer, whole};
use rapidhash::v3::{RapidSecrets, rapidhash_v3_seeded};
use record::{read_record, read_verdict, write_record, write_verdict};
use state::{Snapshot, read_state, write_state};

use crate::key::Key;
use crate::limits::Limits;
use crate::partition::Partition;
use crate::record::{Record, Verdict};

const MAGIC: &[u8; 8] = b"hookhist";
/// The version of this format. Earlier ones are still read: version 2 does not say whose history it is, and in version 1
/// the cells of a monitor have no section.
const VERSION: u8 = 3;
/// The first version that says whose history it is.
const WITH_OWNER: u8 = 3;
const HEADER: usize = MAGIC.len() + 4;

const SECRETS: RapidSecrets = RapidSecrets::seed(0);

/// Why bytes are not a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// Bytes are missing or were changed, or they never were a partition.
    Damaged,
    /// A newer program wrote them, with this version of the format.
    Newer(u8),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged => f.write_str("the history is damaged"),
            Self::Newer(version) => write!(f, "a newer hookc wrote the history, in version {version}"),
        }
    }
}

impl std::error::Error for DecodeError {}

/// A partition, and how many of its bytes are in use: a writer cuts off an incomplete record before it appends.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// The history.
    pub partition: Partition,
    /// The length without an incomplete record at the end.
    pub length: usize,
    /// The length of the snapshot alone.
    pub snapshot: usize,
    /// Records and settlements after the snapshot.
    pub records: usize,
    /// The records that are about uses of tools.
    pub tool_uses: Vec<ToolUse>,
}

/// The record of a use of a tool.
#[derive(Clone, Copy, Debug)]
pub struct ToolUse {
    /// [`Record::tool_use`].
    pub key: Key,
    /// Its number.
    pub step: u64,
    /// Its time.
    pub time: u64,
    /// The length of the bytes before it: the history that its decision read.
    pub before: usize,
}

impl Partition {
    /// Reads what [`Partition::encode`] and [`Record::encode`] wrote. Any bytes are verified.
    ///
    /// # Errors
    /// See [`DecodeError`].
    pub fn decode(bytes: &[u8], limits: Limits) -> Result<Decoded, DecodeError> {
        Self::decode_owned(bytes.to_vec(), limits)
    }

    /// Like [`Partition::decode`], without a copy: the cells that are not read yet keep the bytes.
    ///
    /// # Errors
    /// See [`DecodeError`].
    pub fn decode_owned(bytes: Vec<u8>, limits: Limits) -> Result<Decoded, DecodeError> {
        let bytes = &Arc::new(bytes);
        let (header, mut rest) = bytes.split_at_checked(HEADER).ok_or(DecodeError::Damaged)?;
        let version = match header.strip_prefix(MAGIC) {
            Some([version @ 1..=VERSION, 0, 0, 0]) => *version,
            Some([version, 0, 0, 0]) if *version > VERSION => return Err(DecodeError::Newer(*version)),
            _ => return Err(DecodeError::Damaged),
        };
        let content = frame(&mut rest)?.ok_or(DecodeError::Damaged)?;
        let mut owner = None;
        let snapshot = bytes.len().saturating_sub(rest.len());
        let settled = whole(content, |input| {
            owner = if version < WITH_OWNER { None } else { input.option(Reader::key)? };
            read_state(input, Snapshot { version, bytes, end: snapshot })
        });
        let settled = settled.ok_or(DecodeError::Damaged)?;
        let mut partition = Self::from_parts(settled, VecDeque::new(), limits);
        partition.owner = owner;
        let mut records = 0_usize;
        let (mut length, mut tool_uses) = (snapshot, Vec::new());
        while let Some(content) = frame(&mut rest)? {
            let tool_use = partition.replay(content)?;
            let (step, time) = (partition.step(), partition.time());
            tool_uses.extend(tool_use.map(|key| ToolUse { key, step, time, before: length }));
            length = bytes.len().saturating_sub(rest.len());
            records = records.saturating_add(1);
        }
        Ok(Decoded { partition, length, snapshot, records, tool_uses })
    }

    /// The length without an incomplete record at the end, of bytes that [`Partition::decode`] accepts. The content of the
    /// records is not read.
    ///
    /// # Errors
    /// See [`DecodeError`].
    pub fn complete_length(bytes: &[u8]) -> Result<usize, DecodeError> {
        let mut rest = bytes.get(HEADER..).ok_or(DecodeError::Damaged)?;
        while frame(&mut rest)?.is_some() {}
        Ok(bytes.len().saturating_sub(rest.len()))
    }

    /// Whether each cell can be read. [`Partition::decode`] leaves the cells of a snapshot unread until they are asked for,
    /// and of one that cannot be read nothing is known.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        self.settled.monitors.values().all(|monitor| monitor.cells.is_readable())
    }

    /// The bytes of the partition. What no selection can reach any more is left out.
    #[must_use]
    pub fn encode(&mut self) -> Vec<u8> {
        self.expire();
        let mut out = [MAGIC.as_slice(), &[VERSION, 0, 0, 0]].concat();
        let mut content = Writer::default();
        content.option(self.owner(), Writer::key);
        write_state(&mut content, &self.settled);
        push_frame(&mut out, &content.bytes);
        for (step, record) in (self.settled.number.saturating_add(1)..).zip(&self.waiting) {
            out.extend(record.encode(step));
        }
        out
    }

    /// Adds what a frame has, and returns the use of a tool that it is about.
    fn replay(&mut self, content: &[u8]) -> Result<Option<Key>, DecodeError> {
        let entry = whole(content, |input| match input.byte()? {
            0 => Some(Entry::Record(input.number()?, read_record(input)?)),
            1 => Some(Entry::Settlement(input.number()?, read_verdict(input)?)),
            _ => None,
        });
        match entry.ok_or(DecodeError::Damaged)? {
            Entry::Record(step, record) => {
                let tool_use = record.tool_use;
                if self.apply(record) == step { Ok(tool_use) } else { Err(DecodeError::Damaged) }
            }
            // One of an event that was too old to wait changes nothing.
            Entry::Settlement(step, verdict) => {
                self.settle(step, verdict);
                Ok(None)
            }
        }
    }
}

/// What follows the snapshot.
enum Entry {
    Record(u64, Record),
    Settlement(u64, Verdict),
}

impl Record {
    /// The bytes to append to those of a partition. `step` is the number of the record.
    #[must_use]
    pub fn encode(&self, step: u64) -> Vec<u8> {
        let mut content = Writer::default();
        content.byte(0);
        content.number(step);
        write_record(&mut content, self);
        let mut out = Vec::new();
        push_frame(&mut out, &content.bytes);
        out
    }
}

/// The bytes to append when a pending event is settled.
#[must_use]
pub fn encode_settlement(step: u64, verdict: Verdict) -> Vec<u8> {
    let mut content = Writer::default();
    content.byte(1);
    content.number(step);
    write_verdict(&mut content, verdict);
    let mut out = Vec::new();
    push_frame(&mut out, &content.bytes);
    out
}

fn checksum(bytes: &[u8]) -> u64 {
    rapidhash_v3_seeded(bytes, &SECRETS)
}

/// The check of a length, so that a damaged one is not taken for an incomplete record.
fn length_check(length: u32) -> [u8; 4] {
    let [a, b, c, d, ..] = checksum(&length.to_le_bytes()).to_le_bytes();
    [a, b, c, d]
}

fn push_frame(out: &mut Vec<u8>, content: &[u8]) {
    let length = hookc_base::row_number(content.len());
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&length_check(length));
    out.extend_from_slice(&checksum(content).to_le_bytes());
    out.extend_from_slice(content);
}

/// The content of the next frame; `None` at the end, and before an incomplete frame.
fn frame<'a>(rest: &mut &'a [u8]) -> Result<Option<&'a [u8]>, DecodeError> {
    let Some((length, after)) = rest.split_first_chunk::<4>() else { return Ok(None) };
    let Some((check, after)) = after.split_first_chunk::<4>() else { return Ok(None) };
    let length = u32::from_le_bytes(*length);
    if *check != length_check(length) {
        return Err(DecodeError::Damaged);
    }
    let Some((sum, after)) = after.split_first_chunk::<8>() else { return Ok(None) };
    let content = usize::try_from(length).ok().and_then(|length| after.split_at_checked(length));
    let Some((content, after)) = content else { return Ok(None) };
    if checksum(content) != u64::from_le_bytes(*sum) {
        return Err(DecodeError::Damaged);
    }
    *rest = after;
    Ok(Some(content))
}
