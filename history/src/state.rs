//! The monitors of a partition, after a number of records.

use crate::cells::Cells;
use crate::clock::Reading;
use crate::index::CellIndex;
use crate::key::{Key, Map};
use crate::limits::{Limits, MONITORS, UNUSED};
use crate::monitor::{Growth, Monitor};
use crate::record::{Change, Feed, Record, Verdict};
use crate::shape::CellId;
use crate::stamp::Stamp;

/// The monitors of a partition.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct State {
    /// Events so far.
    pub(crate) number: u64,
    /// The time of the last.
    pub(crate) time: u64,
    /// The clocks at the last.
    pub(crate) reading: Option<Reading>,
    /// The module that wrote last, and its first event.
    pub(crate) fingerprint: u64,
    pub(crate) adopted: Stamp,
    /// When the state was started without knowing what happened before.
    pub(crate) unseen: Option<u64>,
    pub(crate) monitors: Map<CellId, Monitor>,
    pub(crate) cells: usize,
    pub(crate) bytes: usize,
    pub(crate) index: CellIndex,
}

impl State {
    /// The stamp of the next event at this time.
    pub(crate) fn next(&self, time: u64) -> Stamp {
        Stamp { number: self.number.saturating_add(1), time: time.max(self.time) }
    }

    /// The stamp of the last event.
    pub(crate) fn last(&self) -> Stamp {
        Stamp { number: self.number, time: self.time }
    }

    /// Adds a record, with this verdict.
    pub(crate) fn apply(&mut self, record: &Record, verdict: Verdict, limits: &Limits) {
        let stamp = self.next(record.time);
        if let Some(change) = &record.change {
            self.adopt(change, stamp, limits);
        }
        record.feeds.iter().for_each(|feed| self.add_monitor(feed));
        for feed in record.feeds.iter().filter(|feed| feed.certainty(verdict).is_none()) {
            if let Some(monitor) = self.monitors.get_mut(&feed.cell) {
                monitor.passed_over = Some((stamp, verdict));
            }
        }
        let feeds = || record.feeds.iter().filter_map(|feed| Some((feed, feed.certainty(verdict)?)));
        let mut restarts = false;
        for (feed, certain) in feeds() {
            let Some(monitor) = self.monitors.get_mut(&feed.cell) else { continue };
            if monitor.anchors.is_empty() {
                let growth = monitor.feed(feed, certain, stamp, 0, (limits, &mut self.index));
                self.grow(growth);
            } else {
                restarts = true;
            }
        }
        // Counters start again at their anchors, so these come first.
        for (feed, certain) in feeds().filter(|_| restarts) {
            let Some(monitor) = self.monitors.get(&feed.cell) else { continue };
            if monitor.anchors.is_empty() {
                continue;
            }
            let start = self.start(&monitor.anchors);
            if let Some(monitor) = self.monitors.get_mut(&feed.cell) {
                let growth = monitor.feed(feed, certain, stamp, start, (limits, &mut self.index));
                self.grow(growth);
            }
        }
        (self.number, self.time) = (stamp.number, stamp.time);
        self.reading = record.reading.or(self.reading);
        if self.cells > limits.cells || self.bytes > limits.bytes {
            self.shrink(limits);
        }
        let monitors = &self.monitors;
        self.index.prepare(|| monitors.iter().flat_map(|(id, monitor)| monitor.index_entries(*id)));
    }

    /// Calls `each` with the monitors in which a reader at this time may find something under one of the keys.
    pub(crate) fn find(&self, keys: &[Key], time: u64, each: &mut dyn FnMut(CellId)) {
        if !self.index.find(keys, time, each) {
            let found = self.monitors.iter().filter(|(_, monitor)| monitor.may_have(keys, time));
            found.for_each(|(id, _)| each(*id));
        }
    }

    /// The number of the last certain event among these untied anchors, else 0.
    fn start(&self, anchors: &[CellId]) -> u64 {
        let latest = |id| self.monitors.get(id)?.cells.get(&Key::UNTIED)?.latest(&[]);
        anchors.iter().filter_map(latest).map(|stamp| stamp.number).max().unwrap_or(0)
    }

    fn grow(&mut self, growth: Growth) {
        self.cells = self.cells.saturating_add(growth.added_cells).saturating_sub(growth.removed_cells);
        self.bytes = self.bytes.saturating_add(growth.added_bytes).saturating_sub(growth.removed_bytes);
    }

    /// Takes other policies: the monitors that they still have keep their state, and new ones will start empty.
    fn adopt(&mut self, change: &Change, stamp: Stamp, limits: &Limits) {
        let last = self.last();
        (self.fingerprint, self.adopted) = (change.fingerprint, stamp);
        self.index.reset();
        for monitor in self.monitors.values_mut() {
            monitor.unused_since = monitor.unused_since.or(Some(stamp));
        }
        for shape in &change.kept {
            let monitor = self.monitors.get_mut(&shape.id).filter(|monitor| monitor.is_like(shape));
            if let Some(monitor) = monitor {
                monitor.adopt(shape, last, limits);
            }
        }
        self.count();
    }

    /// Adds a monitor when it is fed first, whether or not the verdict makes the event count.
    fn add_monitor(&mut self, feed: &Feed) {
        let Some(shape) = feed.shape.as_ref().filter(|shape| shape.is_valid() && shape.id == feed.cell)
        else {
            return;
        };
        let is_there = self.monitors.get(&shape.id).is_some_and(|monitor| monitor.is_like(shape));
        if !is_there && self.monitors.len() < MONITORS {
            let dropped = self.unseen.map(|time| Stamp { number: 0, time });
            let monitor = Monitor::new(shape, self.adopted, dropped);
            let doubtful = monitor.doubtful_until();
            if let Some(Monitor { cells, .. }) = self.monitors.insert(shape.id, monitor) {
                self.index.reset();
                self.cells = self.cells.saturating_sub(cells.len());
                self.bytes = self.bytes.saturating_sub(cells.bytes());
            }
            self.index.change(shape.id, None, None, doubtful);
        }
    }

    /// Counts cells and bytes again.
    pub(crate) fn count(&mut self) {
        let cells = || self.monitors.values().map(|monitor| &monitor.cells);
        self.cells = cells().map(Cells::len).fold(0, usize::saturating_add);
        self.bytes = cells().map(Cells::bytes).fold(0, usize::saturating_add);
    }

    /// Drops the cells that were seen longest ago, an eighth more than needed, so that it is rare.
    fn shrink(&mut self, limits: &Limits) {
        let lower = |limit: usize| limit.saturating_sub(limit >> 3);
        let is_low = |state: &Self| state.cells <= lower(limits.cells) && state.bytes <= lower(limits.bytes);
        let mut cells: Vec<(Stamp, CellId, Key)> = (self.monitors.iter())
            .flat_map(|(id, monitor)| monitor.cells.iter().map(|(key, cell)| (cell.seen, *id, key)))
            .collect();
        while !is_low(self) && !cells.is_empty() {
            // Few of them are dropped, so only these are put in order.
            let part = cells.len().div_ceil(4).min(cells.len().saturating_sub(1));
            let (oldest, ..) = cells.select_nth_unstable(part);
            oldest.sort_unstable();
            let few = oldest.len().max(1);
            for (_, id, key) in cells.drain(..few) {
                if is_low(self) {
                    break;
                }
                let mut growth = Growth::default();
                if let Some(monitor) = self.monitors.get_mut(&id) {
                    monitor.drop_cell((id, key), &mut growth, &mut self.index);
                }
                self.grow(growth);
            }
        }
    }

    /// Drops what no read can reach: before a snapshot.
    pub(crate) fn expire(&mut self) {
        let time = self.time;
        self.index.reset();
        self.monitors.retain(|_, monitor| {
            monitor.unused_since.is_none_or(|since| time.saturating_sub(since.time) <= UNUSED)
        });
        self.monitors.values_mut().for_each(|monitor| monitor.expire(time));
        self.count();
    }
}
