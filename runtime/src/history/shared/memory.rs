//! A store in the memory of the process.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Addition, Appended, HistoryStore, StoreError, Stored};

/// Partitions of a store: events of further ones are not recorded.
const PARTITIONS: usize = 100_000;

/// A store in the memory of the process, for threads of one program.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    partitions: BTreeMap<String, Stored>,
    /// Additions so far. The versions of a partition that was removed do not come again.
    additions: u64,
}

impl MemoryStore {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HistoryStore for MemoryStore {
    fn load(&self, partition: &str) -> Result<Stored, StoreError> {
        Ok(self.state().partitions.get(partition).cloned().unwrap_or_default())
    }

    fn append(&self, additions: &[Addition]) -> Result<Appended, StoreError> {
        let State { partitions, additions: count } = &mut *self.state();
        let version = |name: &str| partitions.get(name).map_or(0, |stored| stored.version);
        if additions.iter().any(|addition| version(&addition.partition) != addition.version) {
            return Ok(Appended::Conflict);
        }
        let new = additions.iter().filter(|addition| !partitions.contains_key(&addition.partition)).count();
        if partitions.len().saturating_add(new) > PARTITIONS && new > 0 {
            return Err(format!("more than {PARTITIONS} histories are in memory").into());
        }
        for Addition { partition, bytes, is_snapshot, .. } in additions {
            let stored = partitions.entry(partition.clone()).or_default();
            if *is_snapshot {
                stored.bytes.clear();
            }
            stored.bytes.extend(bytes);
            *count = count.saturating_add(1);
            stored.version = *count;
        }
        Ok(Appended::Written)
    }

    fn remove(&self, prefix: &str) -> Result<(), StoreError> {
        self.state().partitions.retain(|name, _| !name.starts_with(prefix));
        Ok(())
    }
}
