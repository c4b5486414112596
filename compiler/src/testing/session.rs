//! The histories of the events of a test: those of its sessions, agents, projects and users, in memory.

use std::collections::{BTreeMap, BTreeSet};

use hookc_history::{CellId, Limits, Outcome, Partition, Record, Secret, Verdict};
use hookc_schema::dialect::moment::Moment;
use hookc_schema::tree::Recorded;
use hookc_vm::{Histories, PartitionTag};
use serde_json::Value;

/// What has happened in a test so far. Events without ids are of one session, project and user.
pub(super) struct Sessions {
    secret: Secret,
    partitions: BTreeMap<(PartitionTag, String), Partition>,
    /// The monitors that had an event.
    fed: BTreeMap<(PartitionTag, String), BTreeSet<CellId>>,
    /// Whose histories the current event reads.
    current: Vec<(PartitionTag, String)>,
}

impl Default for Sessions {
    fn default() -> Self {
        Self::new()
    }
}

impl Sessions {
    /// Nothing has happened.
    pub(super) fn new() -> Self {
        // Hashes of a test are compared with each other alone.
        Self {
            secret: Secret::new([0; 32]),
            partitions: BTreeMap::new(),
            fed: BTreeMap::new(),
            current: Vec::new(),
        }
    }

    /// Selects the histories of an event.
    pub(super) fn enter(&mut self, event: &str) {
        let event: Value = serde_json::from_str(event).unwrap_or_default();
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let member = |name: &str| event.get(name).or_else(|| event.get("event")?.get(name)).map(text);
        let session = member("session_id").or_else(|| member("thread_id")).unwrap_or_default();
        let agent = format!("{session}\n{}", member("agent_id").unwrap_or_default());
        let project = member("project_dir").unwrap_or_default();
        self.current = vec![
            (PartitionTag::Session, session),
            (PartitionTag::Agent, agent),
            (PartitionTag::Project, project),
            (PartitionTag::User, String::new()),
        ];
        for key in &self.current {
            self.partitions.entry(key.clone()).or_insert_with(|| Partition::new(Limits::default()));
        }
    }

    /// The histories of the current event at a time in milliseconds.
    pub(super) fn histories(&self, time: u64) -> Histories<'_> {
        self.current.iter().fold(Histories::new(&self.secret), |histories, key| {
            match self.partitions.get(key) {
                Some(partition) => histories.with(key.0, partition, time),
                None => histories,
            }
        })
    }

    /// Whether an event of a monitor is in the histories of the current event.
    pub(super) fn has(&self, tag: PartitionTag, cell: CellId) -> bool {
        let mut keys = self.current.iter().filter(|(current, _)| *current == tag);
        keys.any(|key| self.fed.get(key).is_some_and(|fed| fed.contains(&cell)))
    }

    /// Adds the current event.
    pub(super) fn record(&mut self, records: Vec<(PartitionTag, Record)>, verdict: Verdict) {
        for (tag, record) in records {
            let key = self.current.iter().find(|(current, _)| *current == tag);
            let fed = record.feeds.iter().filter(|feed| feed.certain.contains(verdict)).map(|feed| feed.cell);
            if let Some(key) = key {
                self.fed.entry(key.clone()).or_default().extend(fed);
            }
            if let Some(partition) = key.and_then(|key| self.partitions.get_mut(key)) {
                partition.apply(Record { outcome: Outcome::Settled(verdict), ..record });
            }
        }
    }
}

/// The time of the events of a test.
#[derive(Default)]
pub(super) struct Clock {
    /// The start, and the time of the last event.
    times: Option<(u64, u64)>,
}

impl Clock {
    /// The milliseconds of the next event. Without a time it is a second after the last one.
    pub(super) fn time(&mut self, at: Option<Moment>) -> u64 {
        const SECOND: u64 = 1_000;
        let time = match (at, self.times) {
            (Some(moment), times) => moment.milliseconds(times.map_or(0, |(start, _)| start)),
            (None, Some((_, last))) => last.saturating_add(SECOND),
            (None, None) => 0,
        };
        let first = if matches!(at, Some(Moment::After(_))) { 0 } else { time };
        self.times = Some((self.times.map_or(first, |(start, _)| start), time));
        time
    }
}

/// The verdict of an outcome that a test states.
pub(super) fn recorded(outcome: Recorded) -> Verdict {
    match outcome {
        Recorded::Denied => Verdict::Deny,
        Recorded::Asked => Verdict::Ask,
        Recorded::Allowed => Verdict::Allow,
        Recorded::None => Verdict::None,
    }
}
