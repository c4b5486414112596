//! The history of sessions in files, for programs that handle one event and end.
//!
//! [`Store`] has a file for each partition of one installed call. Programs take turns with a lock on the file.

mod call;
mod clock;
mod file;
mod locked;
mod merge;
mod partition;
mod secret;
mod store;
mod turn;

use hookc_base::PartitionTag;
use hookc_vm::Module;

pub use call::{Call, HistoryOptions, PartitionFile, calls};
pub use clock::reading;
pub use locked::Locked;
pub(crate) use partition::Partitions;
pub use store::{Beginning, Store, Unavailable};
pub(crate) use turn::{History, Recorded, Records, Request, Start, Turn, Waiting, borrowed};

/// The partitions that an event of this type reads or feeds. The start of a session is also recorded in those that other
/// events use, so that they know that it was seen.
pub(crate) fn keys(module: &Module, event: &str, start: Start) -> Vec<PartitionTag> {
    let _ = (module, event, start);
    Vec::new()
}
