//! Histories in memory, for programs that decide about many events of several sessions.

use std::collections::BTreeMap;

use hookc_base::PartitionTag;
use hookc_base::action::Kind;
use hookc_history::{Limits, Outcome, Partition, Record, Secret, Verdict};
use hookc_vm::{Decision, Histories};

use super::Partitions;
use crate::event::Event;

/// The partitions that are kept: the start of others is unknown.
const PARTITIONS: usize = 10_000;

/// Histories in memory: one for each session, agent, project and user. Events without an id belong to one session.
///
/// ```
/// use hookc_runtime::Event;
/// use hookc_runtime::history::{Memory, verdict};
/// use hookc_vm::{DecideOptions, Module, Scratch};
///
/// # let module = Module::load(include_bytes!("../../../vm/examples/policy.hookc"))?;
/// let (mut memory, mut scratch) = (Memory::default(), Scratch::new());
/// let event = Event::new(r#"{"hook_event_name": "Stop", "session_id": "s1"}"#);
/// let turn = memory.turn(&event, 1_000);
/// let histories = memory.histories(&turn);
/// let options = DecideOptions::default().history(&histories);
/// let decision = module.decide(&mut scratch, event.bytes(), &options)?;
/// let (records, verdict) = (turn.records(&decision), verdict(&decision));
/// memory.record(turn, records, verdict);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Memory {
    secret: Secret,
    partitions: BTreeMap<Name, Partition>,
    /// The history of what has none.
    new: Partition,
}

type Name = (PartitionTag, Vec<Vec<u8>>);

/// The partitions of an event, and its time.
#[derive(Debug)]
pub struct MemoryTurn {
    names: Vec<Name>,
    time: u64,
}

impl Default for Memory {
    fn default() -> Self {
        let new = Partition::new(Limits::default());
        // Nobody but this process sees the hashes.
        Self { secret: Secret::new([0; 32]), partitions: BTreeMap::new(), new }
    }
}

impl Memory {
    /// The partitions of an event at a time in milliseconds.
    #[must_use]
    pub fn turn(&self, event: &Event, time: u64) -> MemoryTurn {
        let partitions = Partitions::of_embedder(event);
        let owned = |parts: Vec<&[u8]>| parts.into_iter().map(<[u8]>::to_vec).collect();
        let name = |key: &PartitionTag| (*key, partitions.name(*key).map(owned).unwrap_or_default());
        MemoryTurn { names: PartitionTag::ALL.iter().map(name).collect(), time }
    }

    /// The histories before an event.
    #[must_use]
    pub fn histories(&self, turn: &MemoryTurn) -> Histories<'_> {
        turn.names.iter().fold(Histories::new(&self.secret), |histories, name| {
            histories.with(name.0, self.partitions.get(name).unwrap_or(&self.new), turn.time)
        })
    }

    /// Records an event with its verdict.
    pub fn record(&mut self, turn: MemoryTurn, records: Vec<(PartitionTag, Record)>, verdict: Verdict) {
        for (key, record) in records {
            let Some(name) = turn.names.iter().find(|name| name.0 == key) else { continue };
            if !self.partitions.contains_key(name) && self.partitions.len() >= PARTITIONS {
                self.partitions.pop_first();
                // What comes without a history now may be what was dropped.
                self.new = Partition::unseen(Limits::default(), turn.time);
            }
            let partition = self.partitions.entry(name.clone()).or_insert_with(|| self.new.clone());
            partition.apply(Record { outcome: Outcome::Settled(verdict), ..record });
        }
    }
}

impl MemoryTurn {
    /// What a decision about the event adds to its partitions.
    #[must_use]
    pub fn records(&self, decision: &Decision<'_>) -> Vec<(PartitionTag, Record)> {
        self.names.iter().filter_map(|(key, _)| Some((*key, decision.record(*key)?))).collect()
    }
}

/// The verdict of a decision by its verdict actions: what handlers would say is not known.
#[must_use]
pub fn verdict(decision: &Decision<'_>) -> Verdict {
    let verdicts = decision.hooks().filter_map(|hook| Verdict::for_kind(Kind::parse(hook.kind())?));
    verdicts.max().unwrap_or_default()
}
