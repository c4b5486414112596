//! A monitor: the cells of one selection.

use crate::cell::{Cell, Rules};
use crate::cells::Cells;
use crate::index::{self, CellIndex};
use crate::key::Key;
use crate::limits::Limits;
use crate::record::{Feed, Verdict};
use crate::shape::{CellId, Kind, Shape};
use crate::stamp::Stamp;

/// What is kept to answer one selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Monitor {
    pub(crate) kind: Kind,
    pub(crate) anchors: Vec<CellId>,
    pub(crate) retention: Option<u64>,
    /// The first event with the policies that had it.
    pub(crate) watched_since: Stamp,
    /// The first event that it did not see, because the policies no longer have it.
    pub(crate) unused_since: Option<Stamp>,
    /// The latest event of a key that was dropped.
    pub(crate) dropped: Option<Stamp>,
    /// The latest event that may match any key.
    pub(crate) crowded: Option<Stamp>,
    /// The latest event that matched and had another verdict than the selection asks for; for explanations.
    pub(crate) passed_over: Option<(Stamp, Verdict)>,
    pub(crate) cells: Cells,
    pub(crate) oldest: Oldest,
}

/// Some keys that were seen longest ago, the oldest at the end, as they were when a full monitor was last searched. It
/// saves further searches, and says nothing that the cells do not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Oldest(Vec<(Stamp, Key)>);

impl PartialEq for Oldest {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Oldest {}

/// The last time at which a reader of a monitor can be interested in an event. It is rounded up, so that it seldom
/// changes.
fn until_of(retention: Option<u64>, stamp: Stamp) -> u64 {
    let Some(retention) = retention else { return u64::MAX };
    let grain = (retention >> 3).max(1);
    let end = stamp.time.saturating_add(retention);
    end.checked_next_multiple_of(grain).unwrap_or(u64::MAX)
}

/// One key in so many is remembered as one of the oldest.
const OLDEST: usize = 16;

/// What a change of a monitor means for the partition: cells and bytes, before and after.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Growth {
    pub(crate) added_cells: usize,
    pub(crate) added_bytes: usize,
    pub(crate) removed_cells: usize,
    pub(crate) removed_bytes: usize,
}

impl Monitor {
    pub(crate) fn new(shape: &Shape, watched_since: Stamp, dropped: Option<Stamp>) -> Self {
        Self {
            kind: shape.kind,
            anchors: shape.anchors.clone(),
            retention: shape.retention,
            watched_since,
            unused_since: None,
            dropped,
            crowded: None,
            passed_over: None,
            cells: Cells::default(),
            oldest: Oldest::default(),
        }
    }

    /// How its cells are fed at this time.
    pub(crate) fn rules(&self, time: u64, start: u64, limits: &Limits) -> Rules {
        let not_before = self.retention.map_or(0, |retention| time.saturating_sub(retention));
        Rules { kind: self.kind, start, not_before, sum: limits.sum }
    }

    /// Adds an event; `certain` says whether it is in the selection, or may be.
    pub(crate) fn feed(
        &mut self,
        feed: &Feed,
        certain: bool,
        stamp: Stamp,
        start: u64,
        (limits, index): (&Limits, &mut CellIndex),
    ) -> Growth {
        let mut growth = Growth::default();
        let doubtful = self.doubtful_until();
        if feed.is_crowded(limits.event_keys) {
            self.crowded = Some(stamp);
            index.change(feed.cell, None, doubtful, self.doubtful_until());
            return growth;
        }
        let until = self.until(stamp);
        let rules = self.rules(stamp.time, start, limits);
        for key in feed.keys.iter() {
            let before = self.cells.get(key).map(|cell| self.until(cell.seen));
            if before.is_none() {
                self.make_space(feed.cell, stamp.time, &mut growth, index);
                growth.added_cells = growth.added_cells.saturating_add(1);
                self.cells.insert(*key, Cell::new(self.kind, stamp, self.dropped));
            }
            index.change(feed.cell, Some(*key), before, Some(until));
            let Some(cell) = self.cells.get_mut(key) else { continue };
            growth.removed_bytes = growth.removed_bytes.saturating_add(cell.bytes());
            if certain {
                cell.feed(stamp, &feed.value, &rules);
            } else {
                cell.doubt(stamp);
            }
            growth.added_bytes = growth.added_bytes.saturating_add(cell.bytes());
        }
        // What was removed of new cells was not there before.
        let fresh = growth.added_cells.saturating_mul(Cell::new(self.kind, stamp, None).bytes());
        growth.removed_bytes = growth.removed_bytes.saturating_sub(fresh);
        while self.cells.len() > limits.keys {
            self.drop_oldest(feed.cell, &mut growth, index);
        }
        growth
    }

    /// Before the memory of the cells grows, those that are out of every window are dropped.
    fn make_space(&mut self, id: CellId, time: u64, growth: &mut Growth, index: &mut CellIndex) {
        if !self.cells.is_full() || self.retention.is_none() {
            return;
        }
        let is_old = |cell: &Cell| self.until(cell.seen) < time;
        let old: Vec<Key> = self.cells.iter().filter(|(_, cell)| is_old(cell)).map(|(key, _)| key).collect();
        old.into_iter().for_each(|key| self.drop_cell((id, key), growth, index));
        self.cells.shrink();
    }

    /// Drops the key that was seen longest ago.
    fn drop_oldest(&mut self, id: CellId, growth: &mut Growth, index: &mut CellIndex) {
        // A key that was seen again is not among the oldest any more; the others still are.
        while let Some((seen, key)) = self.oldest.0.pop() {
            if self.cells.get(&key).is_some_and(|cell| cell.seen == seen) {
                return self.drop_cell((id, key), growth, index);
            }
        }
        let mut keys: Vec<(Stamp, Key)> = self.cells.iter().map(|(key, cell)| (cell.seen, key)).collect();
        keys.sort_unstable();
        keys.truncate(keys.len().div_ceil(OLDEST));
        keys.reverse();
        self.oldest.0 = keys;
        if let Some((_, key)) = self.oldest.0.pop() {
            self.drop_cell((id, key), growth, index);
        }
    }

    /// Drops the cell of a key.
    pub(crate) fn drop_cell(&mut self, (id, key): (CellId, Key), growth: &mut Growth, index: &mut CellIndex) {
        let doubtful = self.doubtful_until();
        if let Some(cell) = self.cells.remove(&key) {
            self.dropped = self.dropped.max(Some(cell.seen)).max(cell.possible);
            index.change(id, Some(key), Some(self.until(cell.seen)), None);
            index.change(id, None, doubtful, self.doubtful_until());
            growth.removed_cells = growth.removed_cells.saturating_add(1);
            growth.removed_bytes = growth.removed_bytes.saturating_add(cell.bytes());
        }
    }

    /// The last time at which a reader can be interested in an event.
    pub(crate) fn until(&self, stamp: Stamp) -> u64 {
        until_of(self.retention, stamp)
    }

    /// The last time at which the answer for a key without a cell may be unknown.
    pub(crate) fn doubtful_until(&self) -> Option<u64> {
        self.dropped.max(self.crowded).map(|stamp| self.until(stamp))
    }

    /// What the index has of its cells.
    pub(crate) fn index_entries(&self, id: CellId) -> impl Iterator<Item = index::Entry> {
        let cells = self.cells.iter().map(move |(key, cell)| (Some(key), self.until(cell.seen), id));
        cells.chain(self.doubtful_until().map(|until| (None, until, id)))
    }

    /// Whether a reader at this time may find something under one of the keys.
    pub(crate) fn may_have(&self, keys: &[Key], time: u64) -> bool {
        let cells = || keys.iter().filter_map(|key| self.cells.get(key));
        self.doubtful_until().is_some_and(|until| until >= time)
            || cells().any(|cell| self.until(cell.seen) >= time)
    }

    /// Whether it is this monitor of the module, except for its capacity and its windows.
    pub(crate) fn is_like(&self, shape: &Shape) -> bool {
        self.kind.is_like(&shape.kind) && self.anchors == shape.anchors
    }

    /// The latest event that may match any key; `last` is the last event of all. A monitor that was not used may have
    /// missed it.
    pub(crate) fn uncertain(&self, last: Stamp) -> Option<Stamp> {
        self.crowded.max(self.unused_since.filter(|since| since.number <= last.number).map(|_| last))
    }

    /// Takes the capacity that the module has now.
    pub(crate) fn adopt(&mut self, shape: &Shape, last: Stamp, limits: &Limits) {
        self.crowded = self.uncertain(last);
        (self.kind, self.retention, self.unused_since) = (shape.kind, shape.retention, None);
        let rules = self.rules(last.time, 0, limits);
        self.cells.values_mut().for_each(|cell| cell.prune(&rules));
    }

    /// Drops the cells that are out of every window.
    pub(crate) fn expire(&mut self, time: u64) {
        if let Some(not_before) = self.retention.and_then(|retention| time.checked_sub(retention)) {
            let mut dropped = self.dropped;
            self.cells.retain(|cell| {
                let is_current = cell.seen.time >= not_before;
                if !is_current {
                    dropped = dropped.max(Some(cell.seen)).max(cell.possible);
                }
                is_current
            });
            self.dropped = dropped;
        }
        self.cells.fit();
    }
}
