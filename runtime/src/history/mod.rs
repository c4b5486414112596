//! The history of sessions in files, for programs that handle one event and end.
//!
//! [`Store`] has a file for each partition of one installed call. Programs take turns with a lock on the file.

mod call;
mod clock;
mod disk;
mod file;
mod locked;
mod memory;
#[cfg(test)]
mod model;
mod partition;
mod secret;
mod shared;
mod store;
mod turn;

use hookc_base::PartitionTag;
use hookc_history::Secret;
use hookc_vm::{Histories, Module};

pub use call::{Call, HistoryMode, HistoryOptions, PartitionFile, calls};
pub use clock::reading;
pub use locked::Locked;
pub use memory::{Memory, MemoryTurn, verdict};
pub(crate) use partition::Partitions;
#[cfg(feature = "postgres")]
pub use shared::PostgresStore;
pub use shared::{Addition, Appended, HistoryStore, MemoryStore, SharedHistory, StoreError, Stored};
pub(crate) use shared::{Candidate, Loaded, SharedRecord};
pub use store::{Beginning, Durability, Store, Unavailable};
pub(crate) use turn::{History, Recorded, Records, Request, Start, Turn, Waiting, borrowed};

/// The partitions that an event of this type reads or feeds. The start of a session is also recorded in those that other
/// events use, so that they know that it was seen.
pub(crate) fn keys(module: &Module, event: &str, start: Start) -> Vec<PartitionTag> {
    if !module.has_history() {
        return Vec::new();
    }
    let mut keys = module.observes(event, None);
    if start.is_start() {
        let others = module.events().flat_map(|event| module.observes(event.name, Some(event.family)));
        keys.extend(others.filter(|key| matches!(key, PartitionTag::Session | PartitionTag::Agent)));
    }
    keys
}

/// Histories as a decision reads them.
pub(crate) fn views<'a>(secret: &'a Secret, histories: &'a [History<'a>]) -> Histories<'a> {
    histories.iter().fold(Histories::new(secret), |views, (key, history)| match history {
        Ok((partition, time)) => views.with(*key, partition, *time),
        Err(unknown) => views.without(*key, &unknown.why),
    })
}
