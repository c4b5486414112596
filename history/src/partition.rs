//! A partition: the history of one session, agent, project or user.

use std::collections::VecDeque;

use crate::clock::Reading;
use crate::key::Key;
use crate::limits::Limits;
use crate::read::History;
use crate::record::{Change, Outcome, Record, Verdict};
use crate::shape::{CellId, Shape};
use crate::state::State;

/// The history of one session, agent, project or user, as far as the monitors need it.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    /// After the records that are settled.
    pub(crate) settled: State,
    /// From the first pending record on.
    pub(crate) waiting: VecDeque<Record>,
    /// After all records, with pending ones as events without a verdict; `None` if none waits.
    visible: Option<State>,
    limits: Limits,
    pub(crate) owner: Option<Key>,
}

/// Two partitions are equal if they answer every selection equally, from now on too.
impl PartialEq for Partition {
    fn eq(&self, other: &Self) -> bool {
        self.settled == other.settled && self.waiting == other.waiting
    }
}

impl Eq for Partition {}

impl Partition {
    /// The empty history of a partition that begins now.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// A history whose start was not recorded: what happened before `time` is unknown.
    #[must_use]
    pub fn unseen(limits: Limits, time: u64) -> Self {
        let settled = State { unseen: Some(time), time, ..State::default() };
        Self { settled, limits, ..Self::default() }
    }

    /// Like [`Partition::set_owner`].
    #[must_use]
    pub fn with_owner(mut self, owner: Key) -> Self {
        self.owner = Some(owner);
        self
    }

    /// Makes it the history of the session, agent, project or user whose name has this hash.
    pub fn set_owner(&mut self, owner: Option<Key>) {
        self.owner = owner;
    }

    /// The hash of the name of its session, agent, project or user. Its bytes contain it, so that a file that is
    /// renamed is not read as that of another one.
    #[must_use]
    pub fn owner(&self) -> Option<Key> {
        self.owner
    }

    /// The time before which events are unknown, for a history whose start was not recorded.
    #[must_use]
    pub fn unseen_before(&self) -> Option<u64> {
        self.settled.unseen
    }

    /// With records that wait; the first one is pending.
    pub(crate) fn from_parts(settled: State, waiting: VecDeque<Record>, limits: Limits) -> Self {
        let mut partition = Self { settled, waiting, visible: None, limits, owner: None };
        partition.look_again();
        partition
    }

    fn state(&self) -> &State {
        self.visible.as_ref().unwrap_or(&self.settled)
    }

    /// How many events have been recorded: the number of the last one.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.state().number
    }

    /// The time of the last event.
    #[must_use]
    pub fn time(&self) -> u64 {
        self.state().time
    }

    /// The time of an event now, by the history clock: the time of the last one, and what has passed since. The first
    /// event has the time of the wall clock.
    #[must_use]
    pub fn clock(&self, now: Reading) -> u64 {
        match self.state().reading {
            Some(earlier) => self.time().saturating_add(now.since(earlier)),
            None => self.time().max(now.wall),
        }
    }

    /// Whether the partition has a monitor. The first feed of one that it does not have has its shape.
    #[must_use]
    pub fn has(&self, cell: CellId) -> bool {
        self.state().monitors.contains_key(&cell)
    }

    /// What the next record says about the policies if they are others than those of the last one. `shape` finds the
    /// monitors of the module, of which the fingerprint is [`crate::fingerprint`].
    #[must_use]
    pub fn change<'a>(
        &self,
        fingerprint: u64,
        shape: impl Fn(CellId) -> Option<&'a Shape>,
    ) -> Option<Change> {
        let state = self.state();
        if state.fingerprint == fingerprint {
            return None;
        }
        let mut kept: Vec<Shape> = state.monitors.keys().filter_map(|id| shape(*id).cloned()).collect();
        kept.sort_unstable_by_key(|shape| shape.id);
        Some(Change { fingerprint, kept })
    }

    /// Bytes that the cells take in a file, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.state().bytes
    }

    /// Cells of all monitors.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.state().cells
    }

    /// Events that wait for an outcome, or for an earlier event that does.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Adds an event, and returns its number. More than [`Limits::pending`] waiting events settle the oldest with what
    /// is known.
    pub fn apply(&mut self, record: Record) -> u64 {
        let is_pending = matches!(record.outcome, Outcome::Pending { .. });
        if self.waiting.is_empty() && !is_pending {
            self.settled.apply(&record, record.visible(), &self.limits);
            return self.settled.number;
        }
        let limits = self.limits;
        let visible = self.visible.get_or_insert_with(|| self.settled.clone());
        visible.apply(&record, record.visible(), &limits);
        let number = visible.number;
        self.waiting.push_back(record);
        if self.waiting.len() > limits.pending {
            self.settle_first();
        }
        number
    }

    /// Settles a pending event: what the handlers, or the host, made of it. `false` if no event of this number is
    /// pending: it never was, it is settled, or it was too old.
    pub fn settle(&mut self, step: u64, verdict: Verdict) -> bool {
        let index = self.pending(step);
        let Some(record) = index.and_then(|index| self.waiting.get_mut(index)) else { return false };
        let is_as_seen = record.is_same(record.visible(), verdict);
        record.outcome = Outcome::Settled(verdict);
        self.fold();
        if !is_as_seen || self.waiting.is_empty() {
            self.look_again();
        }
        true
    }

    /// Whether the event of this number waits for its outcome.
    #[must_use]
    pub fn is_pending(&self, step: u64) -> bool {
        self.pending(step).is_some()
    }

    /// The position of a pending event among those that wait.
    fn pending(&self, step: u64) -> Option<usize> {
        let index = usize::try_from(step.checked_sub(self.settled.number)?.checked_sub(1)?).ok()?;
        let record = self.waiting.get(index)?;
        matches!(record.outcome, Outcome::Pending { .. }).then_some(index)
    }

    /// The pending events whose handlers no longer run at this time: their process was killed. The caller settles them
    /// with what is known, no verdict.
    pub fn late(&self, time: u64) -> impl Iterator<Item = u64> {
        (self.settled.number.saturating_add(1)..).zip(&self.waiting).filter_map(move |(step, record)| {
            matches!(record.outcome, Outcome::Pending { until } if until < time).then_some(step)
        })
    }

    fn settle_first(&mut self) {
        if let Some(record) = self.waiting.front_mut() {
            record.outcome = Outcome::Settled(record.visible());
        }
        self.fold();
        if self.waiting.is_empty() {
            self.visible = None;
        }
    }

    /// Adds the waiting records up to the first pending one to the cells.
    fn fold(&mut self) {
        while let Some(Outcome::Settled(verdict)) = self.waiting.front().map(|record| record.outcome) {
            let Some(record) = self.waiting.pop_front() else { break };
            self.settled.apply(&record, verdict, &self.limits);
        }
    }

    /// Drops what no selection can reach.
    pub(crate) fn expire(&mut self) {
        self.settled.expire();
        self.look_again();
    }

    fn look_again(&mut self) {
        self.visible = None;
        if self.waiting.is_empty() {
            return;
        }
        let mut state = self.settled.clone();
        self.waiting.iter().for_each(|record| state.apply(record, record.visible(), &self.limits));
        self.visible = Some(state);
    }

    /// Reads the history for an event at this time, or at that of the last event if it is later.
    #[must_use]
    pub fn at(&self, time: u64) -> History<'_> {
        let state = self.state();
        History { state, limits: &self.limits, time: time.max(state.time) }
    }
}
