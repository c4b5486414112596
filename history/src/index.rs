//! Which monitors have a cell under a key: the selections that an event can be in are found by its keys.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::key::Key;
use crate::shape::CellId;

/// A key, the last time at which a reader can be interested, and the monitor. Without a key, the monitor may have
/// dropped what the reader asks for.
pub(crate) type Entry = (Option<Key>, u64, CellId);

/// The cells by key. It follows from the monitors, and exists only if somebody asks for it.
#[derive(Debug, Default)]
pub(crate) struct CellIndex {
    wanted: AtomicBool,
    entries: Option<BTreeSet<Entry>>,
}

impl Clone for CellIndex {
    fn clone(&self) -> Self {
        let wanted = AtomicBool::new(self.wanted.load(Ordering::Relaxed));
        Self { wanted, entries: self.entries.clone() }
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
            self.wanted.store(true, Ordering::Relaxed);
            return false;
        };
        for key in keys.iter().map(|key| Some(*key)).chain([None]) {
            let range = (key, time, CellId([0; 8]))..=(key, u64::MAX, CellId([u8::MAX; 8]));
            entries.range(range).for_each(|(_, _, id)| each(*id));
        }
        true
    }

    /// Makes the index if somebody has missed it: a process that asks once does not need it.
    pub(crate) fn prepare<I: Iterator<Item = Entry>>(&mut self, entries: impl FnOnce() -> I) {
        if self.entries.is_none() && *self.wanted.get_mut() {
            self.entries = Some(entries().collect());
        }
    }

    /// Forgets everything, because many monitors have changed.
    pub(crate) fn reset(&mut self) {
        self.entries = None;
    }

    /// Replaces the time of an entry; `None` is no entry.
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
