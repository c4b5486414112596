//! An event in histories that are shared: it is decided and recorded. If another program changed a history meanwhile, it
//! is decided again.

use std::borrow::Cow;
use std::time::Duration;

use hookc_base::PartitionTag;
use hookc_history::{Key, Outcome, Partition, Reading, Record, Verdict, encode_settlement};
use hookc_vm::{DecideError, Histories};

use super::super::store::decode;
use super::super::turn::{History, Records, Request, Start, UnknownHistory, pending};
use super::super::{Unavailable, reading, views};
use super::{Addition, Appended, SharedHistory, StoreError};
use crate::limits::{HISTORY_RECORDS, HISTORY_TRIES};
use crate::outcome::{HistoryNote, hex};

/// Why an event is not recorded, and the history unknown.
const CONFLICTS: &str = "other programs change the history all the time";
/// Why a point of a workflow is not recorded.
const CHANGED: &str = "another program changed the history, by which other hooks would have run";

/// The record of an event, until its handlers have ended.
#[derive(Debug, Default)]
pub(crate) struct SharedRecord {
    note: HistoryNote,
    /// Why it is not recorded.
    failure: Option<String>,
    /// Where it waits for its outcome.
    waiting: Vec<(Key, u64)>,
}

/// The partitions of an event as they were loaded.
pub(crate) struct Loaded<'s> {
    shared: &'s SharedHistory,
    reading: Reading,
    entries: Vec<(PartitionTag, Result<State, UnknownHistory>)>,
}

/// What was decided under one state of the histories.
pub(crate) struct Candidate<D> {
    pub(crate) decided: D,
    pub(crate) records: Records,
    /// The verdict of its actions, if it is known before they are executed.
    pub(crate) verdict: Option<Verdict>,
    /// How long they can take at most.
    pub(crate) within: Duration,
}

struct State {
    name: Key,
    partition: Partition,
    version: u64,
    time: u64,
    /// Settlements of events whose handlers no longer run.
    late: Vec<u8>,
    /// Whether the partition is written as a whole.
    begins: bool,
    /// Whether the start of the session makes it another partition than the store has, also without a record.
    is_changed: bool,
}

impl SharedHistory {
    /// Decides about an event and records it. `decide` is called again if something else was recorded meanwhile.
    pub(crate) fn decide<'s, D>(
        &'s self,
        request: &Request<'_>,
        decide: impl Fn(&Histories<'_>) -> Result<Candidate<D>, DecideError>,
    ) -> Result<(D, SharedRecord), DecideError> {
        for _ in 0..HISTORY_TRIES {
            let loaded = self.load(request);
            let histories = loaded.histories();
            let Candidate { decided, records, verdict, within } = decide(&views(&self.secret, &histories))?;
            let unknown = histories.iter().find_map(|(_, state)| state.as_ref().err().map(|why| why.word));
            drop(histories);
            let outcome = |time| verdict.map_or_else(|| pending(time, within), Outcome::Settled);
            match loaded.append(records, outcome) {
                Ok(Some(mut record)) => {
                    record.note.unknown = unknown;
                    return Ok((decided, record));
                }
                Ok(None) => {}
                Err(error) => return Ok((decided, SharedRecord::failed(unwritten(error)))),
            }
        }
        let unknown = |histories: Histories<'s>, key: &PartitionTag| histories.without(*key, CONFLICTS);
        let histories = request.keys.iter().fold(Histories::new(&self.secret), unknown);
        Ok((decide(&histories)?.decided, SharedRecord::failed(conflicts(CONFLICTS))))
    }

    /// Loads the partitions of an event.
    pub(crate) fn load<'s>(&'s self, request: &Request<'_>) -> Loaded<'s> {
        let reading = reading();
        let keys = PartitionTag::ALL.iter().filter(|key| request.keys.contains(key));
        let entries = keys.map(|key| (*key, self.state(*key, reading, request))).collect();
        Loaded { shared: self, reading, entries }
    }

    fn state(
        &self,
        key: PartitionTag,
        reading: Reading,
        request: &Request<'_>,
    ) -> Result<State, UnknownHistory> {
        let Some(parts) = request.partitions.name(key) else { return Err(UnknownHistory::no_key(key)) };
        let name = self.key(&parts);
        let (mut partition, version, records) = self.read(name)?;
        let is_of_session = matches!(key, PartitionTag::Session | PartitionTag::Agent);
        let is_stored = version != 0;
        let is_changed = match request.start {
            Start::Cleared if is_of_session && is_stored => {
                partition = Partition::new(self.limits).with_owner(name);
                true
            }
            Start::Resumed if is_of_session && !is_stored => {
                partition = Partition::unseen(self.limits, reading.wall).with_owner(name);
                true
            }
            _ => false,
        };
        let time = partition.clock(reading);
        let mut late = Vec::new();
        for step in partition.late(time).collect::<Vec<_>>() {
            late.extend(encode_settlement(step, Verdict::None));
            partition.settle(step, Verdict::None);
        }
        let begins = is_changed || !is_stored || records >= HISTORY_RECORDS;
        Ok(State { name, partition, version, time, late, begins, is_changed })
    }

    /// A partition, its version, and the number of its records after the snapshot.
    fn read(&self, name: Key) -> Result<(Partition, u64, usize), UnknownHistory> {
        let stored = self.store.load(&hex(name.as_bytes())).map_err(unreadable)?;
        if stored.bytes.is_empty() {
            return Ok((Partition::new(self.limits).with_owner(name), stored.version, 0));
        }
        let decoded = decode(&stored.bytes, Some(name), self.limits);
        let decoded = decoded.map_err(|why| UnknownHistory::from(&why))?;
        Ok((decoded.partition, stored.version, decoded.records))
    }

    /// Settles an event in a partition. A failure leaves it to be settled as late.
    fn settle(&self, name: Key, step: u64, verdict: Verdict) -> Result<(), UnknownHistory> {
        for _ in 0..HISTORY_TRIES {
            let (partition, version, _) = self.read(name)?;
            if !partition.is_pending(step) {
                return Ok(());
            }
            let bytes = encode_settlement(step, verdict);
            let addition = Addition { partition: hex(name.as_bytes()), version, bytes, is_snapshot: false };
            match self.store.append(&[addition]) {
                Ok(Appended::Written) => return Ok(()),
                Ok(Appended::Conflict) => {}
                Err(error) => return Err(unwritten(error)),
            }
        }
        Err(conflicts(CONFLICTS))
    }
}

/// A store that cannot be read. The files of this crate say why themselves.
fn unreadable(error: StoreError) -> UnknownHistory {
    match error.downcast_ref::<Unavailable>() {
        Some(unavailable) => unavailable.into(),
        None => UnknownHistory { word: "unreadable", why: format!("the history cannot be read: {error}") },
    }
}

/// A store that cannot be written.
fn unwritten(error: StoreError) -> UnknownHistory {
    let why = match error.downcast_ref::<Unavailable>() {
        Some(Unavailable::Unreadable(error)) => error.to_string(),
        Some(unavailable) => return unavailable.into(),
        None => error.to_string(),
    };
    UnknownHistory { word: "unwritten", why }
}

fn conflicts(why: &str) -> UnknownHistory {
    UnknownHistory { word: "conflicts", why: why.to_owned() }
}

impl State {
    /// What the start of a session makes of the partition, without an event.
    fn change(mut self) -> Option<Addition> {
        if !self.is_changed {
            return None;
        }
        let bytes = self.partition.encode();
        Some(Addition {
            partition: hex(self.name.as_bytes()),
            version: self.version,
            bytes,
            is_snapshot: true,
        })
    }
}

impl Loaded<'_> {
    pub(crate) fn histories(&self) -> Vec<History<'_>> {
        let mut histories = Vec::new();
        for (key, state) in &self.entries {
            let view = state.as_ref().map(|state| (Cow::Borrowed(&state.partition), state.time));
            histories.push((*key, view.map_err(Clone::clone)));
        }
        histories
    }

    /// Adds the records of a decision to the partitions; `None` if one of them has changed.
    pub(crate) fn append(
        self,
        records: Records,
        outcome: impl Fn(u64) -> Outcome,
    ) -> Result<Option<SharedRecord>, StoreError> {
        let (mut record, mut additions) = (SharedRecord::default(), Vec::new());
        let mut records = records.into_vec();
        for (key, state) in self.entries {
            let Ok(mut state) = state else { continue };
            let position = records.iter().position(|(known, _)| *known == key);
            let step = state.partition.step().saturating_add(1);
            let Some(position) = position else {
                additions.extend(state.change());
                continue;
            };
            let (_, added) = records.swap_remove(position);
            let outcome = outcome(state.time);
            let added = Record { time: state.time, reading: Some(self.reading), outcome, ..added };
            let bytes = added.encode(step);
            let before = if state.begins { state.partition.encode() } else { state.late };
            let (partition, version, is_snapshot) = (hex(state.name.as_bytes()), state.version, state.begins);
            additions.push(Addition { partition, version, bytes: [before, bytes].concat(), is_snapshot });
            record.note.step = record.note.step.or(Some(step));
            if matches!(outcome, Outcome::Pending { .. }) {
                record.waiting.push((state.name, step));
            }
        }
        if additions.is_empty() {
            return Ok(Some(record));
        }
        let appended = self.shared.store.append(&additions)?;
        Ok((appended == Appended::Written).then_some(record))
    }
}

impl SharedRecord {
    fn failed(UnknownHistory { word, why }: UnknownHistory) -> Self {
        let note = HistoryNote { step: None, unknown: Some(word) };
        Self { note, failure: Some(why), waiting: Vec::new() }
    }

    /// Records an event whose hooks have run. If the history changed meanwhile, `decide` makes its records again; `None` if
    /// other hooks would have run.
    pub(crate) fn write<'s>(
        shared: &'s SharedHistory,
        (mut loaded, mut records): (Loaded<'s>, Records),
        request: &Request<'_>,
        verdict: Verdict,
        decide: impl Fn(&Histories<'_>) -> Result<Option<Records>, DecideError>,
    ) -> Self {
        for _ in 0..HISTORY_TRIES {
            match loaded.append(records, |_| Outcome::Settled(verdict)) {
                Ok(Some(record)) => return record,
                Ok(None) => {}
                Err(error) => return Self::failed(unwritten(error)),
            }
            loaded = shared.load(request);
            let histories = loaded.histories();
            records = match decide(&views(&shared.secret, &histories)) {
                Ok(Some(records)) => records,
                Ok(None) => return Self::failed(conflicts(CHANGED)),
                Err(error) => {
                    return Self::failed(UnknownHistory { word: "unwritten", why: error.to_string() });
                }
            };
        }
        Self::failed(conflicts(CONFLICTS))
    }

    /// Why the event is not recorded.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Settles the event with the verdict of its handlers. Returns the note for the log.
    pub(crate) fn settle(self, shared: &SharedHistory, verdict: Verdict) -> HistoryNote {
        let mut note = self.note;
        for (name, step) in self.waiting {
            let settled = shared.settle(name, step, verdict);
            note.unknown = note.unknown.or(settled.err().map(|unknown| unknown.word));
        }
        note
    }
}
