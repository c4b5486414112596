//! The turn of an event: its partitions, which are locked in the order session, agent, project, user.

use std::borrow::Cow;
use std::time::{Duration, SystemTime};

use hookc_base::PartitionTag;
use hookc_history::{Key, Outcome, Partition, Reading, Record, Secret, Verdict};
use hookc_vm::Decision;

use super::locked::Earlier;
use super::{Beginning, HistoryMode, HistoryOptions, Locked, Partitions, Store, Unavailable, reading};
use crate::event::Event;
use crate::limits::HISTORY_GRACE;

/// Why a history is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnknownHistory {
    /// One word, for the log.
    pub(crate) word: &'static str,
    /// For people.
    pub(crate) why: String,
}

impl UnknownHistory {
    /// Of an event without the key.
    pub(super) fn no_key(key: PartitionTag) -> Self {
        let why = format!("the event does not say which {} it belongs to", key.name());
        Self { word: "no key", why }
    }
}

impl From<&Unavailable> for UnknownHistory {
    fn from(unavailable: &Unavailable) -> Self {
        Self { word: unavailable.word(), why: unavailable.to_string() }
    }
}

/// A partition and the time of the event in it, or why it is unknown.
pub(crate) type History<'a> = (PartitionTag, Result<(Cow<'a, Partition>, u64), UnknownHistory>);

/// Borrows a history.
pub(crate) fn borrowed<'a>((key, state): &'a History<'static>) -> History<'a> {
    let state = state.as_ref().map_err(Clone::clone);
    (*key, state.map(|(partition, time)| (Cow::Borrowed(partition.as_ref()), *time)))
}

/// How a session starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// This event starts it.
    New,
    /// This event starts it again without its past.
    Cleared,
    /// This event continues it: it started before.
    Resumed,
    /// This event is within it.
    Within,
}

impl Start {
    /// By the type of an event, and its member `source`.
    pub(crate) fn new(event: &str, source: Option<&str>) -> Self {
        match (event, source) {
            ("SessionStart", Some("clear")) => Self::Cleared,
            ("SessionStart", Some("resume" | "compact")) => Self::Resumed,
            ("SessionStart" | "thread_started", _) => Self::New,
            _ => Self::Within,
        }
    }

    pub(crate) fn is_start(self) -> bool {
        self != Self::Within
    }
}

/// What a turn is for.
pub(crate) struct Request<'a> {
    /// The partitions that the event reads or feeds.
    pub(crate) keys: Vec<PartitionTag>,
    pub(crate) partitions: Partitions,
    pub(crate) start: Start,
    /// A text that is equal for all calls of hookc about the same use of a tool.
    pub(crate) tool_use: Option<String>,
    /// Whether the agent calls this policy at the start of a session.
    pub(crate) starts_are_recorded: &'a dyn Fn() -> bool,
}

impl Request<'static> {
    /// The request for an event that an embedder passes.
    pub(crate) fn of_embedder(keys: Vec<PartitionTag>, event: &Event, start: Start) -> Self {
        let partitions = Partitions::of_embedder(event);
        Self { keys, partitions, start, tool_use: None, starts_are_recorded: &|| false }
    }
}

/// The partitions of an event.
pub(crate) struct Turn {
    store: Result<Store, UnknownHistory>,
    reading: Reading,
    entries: Vec<Entry>,
    start: Start,
    tool_use: Option<Key>,
}

struct Entry {
    key: PartitionTag,
    name: Option<Key>,
    state: Result<State, UnknownHistory>,
}

impl Entry {
    fn history(&self) -> History<'_> {
        let state = self.state.as_ref().map_err(Clone::clone);
        (self.key, state.map(State::history))
    }
}

struct State {
    locked: Locked,
    /// The time of the event.
    time: u64,
    /// What another call of hookc about the same event has read and recorded.
    earlier: Option<Earlier>,
}

impl State {
    fn history(&self) -> (Cow<'_, Partition>, u64) {
        match &self.earlier {
            Some(earlier) => (Cow::Borrowed(&earlier.partition), earlier.time),
            None => (Cow::Borrowed(self.locked.partition()), self.time),
        }
    }
}

/// What became of the record of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Recorded {
    /// The number of the event in the first of its partitions.
    pub(crate) step: Option<u64>,
    /// Why it is not recorded in one of them.
    pub(crate) failure: Option<String>,
}

/// The events that wait for their handlers.
pub(crate) struct Waiting {
    store: Store,
    steps: Vec<(Key, u64)>,
}

impl Turn {
    /// Locks the partitions.
    pub(crate) fn lock(options: Option<&HistoryOptions>, request: &Request<'_>) -> Self {
        let missing = || UnknownHistory { word: "no directory", why: NO_DIRECTORY.to_owned() };
        let store =
            options.ok_or_else(missing).and_then(|options| options.open().map_err(|error| (&error).into()));
        let mode = options.map_or(HistoryMode::default(), |options| options.mode);
        let key = |(store, text): (&Store, &String)| store.key(["tool use", text]);
        let tool_use = store.as_ref().ok().zip(request.tool_use.as_ref()).map(key);
        let mut turn =
            Self { store, reading: reading(), entries: Vec::new(), start: request.start, tool_use };
        for key in PartitionTag::ALL.iter().copied().filter(|key| request.keys.contains(key)) {
            let entry = turn.entry(key, mode, request);
            turn.entries.push(entry);
        }
        turn
    }

    fn entry(&self, key: PartitionTag, mode: HistoryMode, request: &Request<'_>) -> Entry {
        let parts = request.partitions.name(key);
        let store = match &self.store {
            Ok(store) => store,
            Err(why) => return Entry { key, name: None, state: Err(why.clone()) },
        };
        let Some(parts) = parts else {
            return Entry { key, name: None, state: Err(UnknownHistory::no_key(key)) };
        };
        let name = store.key(parts);
        let beginning = || match key {
            PartitionTag::Project | PartitionTag::User => Beginning::Seen,
            _ if mode == HistoryMode::Lenient => Beginning::Seen,
            PartitionTag::Agent if is_known(store, &request.partitions) => Beginning::Seen,
            PartitionTag::Session | PartitionTag::Agent => match request.start {
                Start::New | Start::Cleared => Beginning::Seen,
                Start::Resumed => Beginning::Missed,
                Start::Within if (request.starts_are_recorded)() => Beginning::Missed,
                Start::Within => Beginning::Seen,
            },
        };
        let locked = store.lock_at(name, self.reading, beginning);
        let state = locked.map_err(|why| UnknownHistory::from(&why)).map(|mut locked| {
            let is_cleared =
                request.start == Start::Cleared && matches!(key, PartitionTag::Session | PartitionTag::Agent);
            if is_cleared {
                locked.restart(Partition::new(store.limits()));
            }
            let time = locked.partition().clock(self.reading);
            let earlier = self.tool_use.and_then(|key| locked.earlier(key, time, store.limits()));
            State { locked, time, earlier }
        });
        Entry { key, name: Some(name), state }
    }

    /// The secret of the hashes of values.
    pub(crate) fn secret(&self) -> Secret {
        self.store.as_ref().map_or_else(|_| Secret::new([0; 32]), |store| store.secret().clone())
    }

    /// The history of each partition.
    pub(crate) fn histories(&self) -> Vec<History<'_>> {
        self.entries.iter().map(Entry::history).collect()
    }

    /// Copies of the histories, for when the partitions are no longer locked.
    pub(crate) fn copies(&self) -> Vec<History<'static>> {
        let copy = |(partition, time): (Cow<'_, Partition>, u64)| (Cow::Owned(partition.into_owned()), time);
        self.histories().into_iter().map(|(key, state)| (key, state.map(copy))).collect()
    }

    /// Why the first history that is unknown is so.
    pub(crate) fn unknown(&self) -> Option<&UnknownHistory> {
        self.entries.iter().find_map(|entry| entry.state.as_ref().err())
    }

    /// Records the event with an outcome, and releases the locks.
    pub(crate) fn record(mut self, records: Records, outcome: Verdict) -> Recorded {
        self.write(records, |_| Outcome::Settled(outcome)).0
    }

    /// Records the event before its handlers run, which end within this time, and releases the locks.
    pub(crate) fn record_pending(
        mut self,
        records: Records,
        within: Duration,
    ) -> (Recorded, Option<Waiting>) {
        let (recorded, steps) = self.write(records, |time| pending(time, within));
        (recorded, self.store.ok().map(|store| Waiting { store, steps }))
    }

    fn write(&mut self, records: Records, outcome: impl Fn(u64) -> Outcome) -> (Recorded, Vec<(Key, u64)>) {
        let (mut recorded, mut steps) = (Recorded::default(), Vec::new());
        let mut records = records.0;
        for entry in &mut self.entries {
            let (Ok(state), Some(name)) = (&mut entry.state, entry.name) else { continue };
            if let Some(earlier) = &state.earlier {
                recorded.step = recorded.step.or(Some(earlier.step));
                continue;
            }
            let position = records.iter().position(|(key, _)| *key == entry.key);
            let Some((_, record)) = position.map(|position| records.swap_remove(position)) else {
                // Without a record too, so that the next event need not ask how the partition began.
                let begun = state.locked.begin();
                let failure = begun.err().filter(|_| self.start.is_start()).map(|error| error.to_string());
                recorded.failure = recorded.failure.or(failure);
                continue;
            };
            let record = Record {
                time: state.time,
                reading: Some(self.reading),
                tool_use: self.tool_use,
                outcome: outcome(state.time),
                ..record
            };
            match state.locked.record(record) {
                Ok(step) => {
                    recorded.step = recorded.step.or(Some(step));
                    steps.push((name, step));
                }
                Err(error) => recorded.failure = Some(error.to_string()),
            }
        }
        if recorded.failure.is_some() {
            self.take_back(&steps);
            (recorded.step, steps) = (None, Vec::new());
        }
        if self.start.is_start()
            && let Ok(store) = &self.store
        {
            let _ = store.remove_old(SystemTime::now());
        }
        (recorded, steps)
    }

    /// Takes back the records of an event that one of its partitions cannot have: it is in none of them. A file from which
    /// its record cannot be removed keeps it.
    fn take_back(&mut self, steps: &[(Key, u64)]) {
        for entry in &mut self.entries {
            let is_recorded = steps.iter().any(|(name, _)| Some(*name) == entry.name);
            if let Some(state) = entry.state.as_mut().ok().filter(|_| is_recorded) {
                let _ = state.locked.take_back();
            }
        }
    }
}

/// The outcome of an event at a time whose handlers end within `within`.
pub(super) fn pending(time: u64, within: Duration) -> Outcome {
    let wait = within.saturating_add(HISTORY_GRACE).as_millis();
    Outcome::Pending { until: time.saturating_add(u64::try_from(wait).unwrap_or(u64::MAX)) }
}

const NO_DIRECTORY: &str = "there is no directory for it: neither XDG_STATE_HOME nor HOME is set";

/// Whether the main agent of a sub-agent has a history: the sub-agent started in it.
fn is_known(store: &Store, partitions: &Partitions) -> bool {
    partitions.main_agent().is_some_and(|main| store.has(store.key(main)))
}

/// The records of one event, by partition.
#[derive(Debug, Default)]
pub(crate) struct Records(Vec<(PartitionTag, Record)>);

impl Records {
    /// The records of a decision.
    pub(crate) fn new(decision: &Decision<'_>) -> Self {
        let record = |key: &PartitionTag| Some((*key, decision.record(*key)?));
        Self(PartitionTag::ALL.iter().filter_map(record).collect())
    }

    pub(super) fn into_vec(self) -> Vec<(PartitionTag, Record)> {
        self.0
    }

    /// Adds the records of another decision about the same call.
    pub(crate) fn add_all(&mut self, others: Self) {
        others.0.into_iter().for_each(|(key, record)| self.add(key, record));
    }

    /// Adds the record of a decision about the event, or about another file of the same patch.
    pub(crate) fn add(&mut self, key: PartitionTag, record: Record) {
        match self.0.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => *known = std::mem::replace(known, Record::new(0)).merge(record),
            None => self.0.push((key, record)),
        }
    }
}

impl Waiting {
    /// Settles the events: what their handlers made of them. A failure leaves them to be settled as late.
    pub(crate) fn settle(self, verdict: Verdict) -> Result<(), UnknownHistory> {
        for (name, step) in self.steps {
            let mut locked =
                self.store.lock(name, || Beginning::Missed).map_err(|why| UnknownHistory::from(&why))?;
            locked.settle(step, verdict).map_err(|error| UnknownHistory::from(&Unavailable::from(error)))?;
        }
        Ok(())
    }
}
