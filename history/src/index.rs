//! An index of the monitors by the keys of their cells: the keys of an event lead to the selections that it can be in.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::key::Key;
use crate::shape::CellId;

/// A key, the last time at which a reader can be interested, and the monitor. Without a key, the monitor may have
/// dropped what the reader asks for.
pub(crate) type Entry = (Option<Key>, u64, CellId);

/// The cells by key. It follows from the monitors, and exists only once readers of two events have asked: a process
/// that handles one event does not need it.
#[derive(Debug, Default)]
pub(crate) struct CellIndex {
    /// Whether a reader has asked since the last record.
    is_missed: AtomicBool,
    /// Whether one had asked before an earlier record.
    was_missed: bool,
    entries: Option<BTreeSet<Entry>>,
}

impl Clone for CellIndex {
    fn clone(&self) -> Self {
        let is_missed = AtomicBool::new(self.is_missed.load(Ordering::Relaxed));
        Self { is_missed, was_missed: self.was_missed, entries: self.entries.clone() }
    }
}

impl PartialEq for CellIndex {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for CellIndex {}

impl CellIndex {
    /// Calls `each` with the monitors in which a reader at this time may find something under one of the keys; `false` if
    /// the index does not exist yet.
    pub(crate) fn find(&self, keys: &[Key], time: u64, each: &mut dyn FnMut(CellId)) -> bool {
        let Some(entries) = &self.entries else {
            self.is_missed.store(true, Ordering::Relaxed);
            return false;
        };
        for key in keys.iter().map(|key| Some(*key)).chain([None]) {
            let range = (key, time, CellId([0; 8]))..=(key, u64::MAX, CellId([u8::MAX; 8]));
            entries.range(range).for_each(|(_, _, id)| each(*id));
        }
        true
    }

    /// Makes the index after a record, once readers of two events have asked.
    pub(crate) fn prepare<I: Iterator<Item = Entry>>(&mut self, entries: impl FnOnce() -> I) {
        if !std::mem::take(self.is_missed.get_mut()) {
            return;
        }
        if self.was_missed && self.entries.is_none() {
            self.entries = Some(entries().collect());
        }
        self.was_missed = true;
    }

    /// Forgets everything, because many monitors have changed.
    pub(crate) fn reset(&mut self) {
        self.entries = None;
    }

    /// Replaces the time of an entry; `None` removes the entry.
    pub(crate) fn change(&mut self, id: CellId, key: Option<Key>, before: Option<u64>, after: Option<u64>) {
        let Some(entries) = self.entries.as_mut().filter(|_| before != after) else { return };
        if let Some(before) = before {
            entries.remove(&(key, before, id));
        }
        if let Some(after) = after {
            entries.insert((key, after, id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_program_that_runs_on_makes_an_index() {
        let mut index = CellIndex::default();
        let entry = || std::iter::once((None, 7, CellId([1; 8])));
        let found = |index: &CellIndex| {
            let mut ids = Vec::new();
            index.find(&[], 7, &mut |id| ids.push(id)).then_some(ids)
        };
        // One event of several files is decided several times before it is recorded, and records alone ask for nothing.
        index.prepare(|| -> std::iter::Once<Entry> { panic!("nobody has asked") });
        assert_eq!([found(&index), found(&index)], [None, None]);
        index.prepare(|| -> std::iter::Once<Entry> { panic!("one event has asked") });
        index.prepare(|| -> std::iter::Once<Entry> { panic!("one event has asked") });
        assert_eq!(found(&index), None);
        index.prepare(entry);
        assert_eq!(found(&index), Some(vec![CellId([1; 8])]));
        index.reset();
        assert_eq!(found(&index), None);
        index.prepare(entry);
        assert!(found(&index).is_some(), "an index that is missed again is made at once");
    }
}
