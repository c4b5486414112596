//! The monitors of a partition, after a number of records.

use std::collections::BTreeMap;

use crate::clock::Reading;
use crate::key::Key;
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
    pub(crate) monitors: BTreeMap<CellId, Monitor>,
    pub(crate) cells: usize,
    pub(crate) bytes: usize,
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
        // Counters start again at their anchors, so these come first.
        for anchors in [true, false] {
            for feed in &record.feeds {
                let Some(certain) = feed.certainty(verdict) else { continue };
                let Some(monitor) = self.monitors.get(&feed.cell) else { continue };
                if monitor.kind.is_anchor() == anchors {
                    let start = self.start(&monitor.anchors);
                    if let Some(monitor) = self.monitors.get_mut(&feed.cell) {
                        let growth = monitor.feed(feed, certain, stamp, start, limits);
                        self.grow(growth);
                    }
                }
            }
        }
        (self.number, self.time) = (stamp.number, stamp.time);
        self.reading = record.reading.or(self.reading);
        if self.cells > limits.cells || self.bytes > limits.bytes {
            self.shrink(limits);
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
            self.monitors.insert(shape.id, Monitor::new(shape, self.adopted, dropped));
        }
    }

    /// Counts cells and bytes again.
    pub(crate) fn count(&mut self) {
        let cells = || self.monitors.values().flat_map(|monitor| monitor.cells.values());
        self.cells = cells().count();
        self.bytes = cells().map(crate::cell::Cell::bytes).fold(0, usize::saturating_add);
    }

    /// Drops the cells that were seen longest ago, an eighth more than needed, so that it is rare.
    fn shrink(&mut self, limits: &Limits) {
        let mut cells: Vec<(Stamp, CellId, Key)> = (self.monitors.iter())
            .flat_map(|(id, monitor)| monitor.cells.iter().map(|(key, cell)| (cell.seen, *id, *key)))
            .collect();
        cells.sort_unstable();
        let lower = |limit: usize| limit.saturating_sub(limit >> 3);
        for (_, id, key) in cells {
            if self.cells <= lower(limits.cells) && self.bytes <= lower(limits.bytes) {
                break;
            }
            let mut growth = Growth::default();
            if let Some(monitor) = self.monitors.get_mut(&id) {
                monitor.drop_cell(key, &mut growth);
            }
            self.grow(growth);
        }
    }

    /// Drops what no read can reach: before a snapshot.
    pub(crate) fn expire(&mut self) {
        let time = self.time;
        self.monitors.retain(|_, monitor| {
            monitor.unused_since.is_none_or(|since| time.saturating_sub(since.time) <= UNUSED)
        });
        self.monitors.values_mut().for_each(|monitor| monitor.expire(time));
        self.count();
    }
}
