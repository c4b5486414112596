//! What a compiler of modules shares with the virtual machine: the tables of a module,
//! its instructions, and the meaning of values and texts.
//!
//! A program that only decides does not need this module.

pub use crate::module::{Image, Tables};
pub use crate::rows::*;
pub use hookc_base::{
    ConstTag, MonitorTag, OtherTag, PartitionTag, RecallTag, RelationTag, SegmentTag, ViewKind, number,
};
pub use hookc_history::{CellId, Kind as MonitorKind, Verdicts};

/// The instruction table.
pub mod op {
    pub use crate::op::*;
}

/// The values of an event, and the slots that a scan fills.
pub mod event {
    pub use crate::event::{Item, Level, ParsedEvent, Slots, Trie, TrieIndex};
}

/// I-Regexp (RFC 9485).
pub mod iregexp {
    pub use crate::query::iregexp::*;
}

/// Paths of files, as far as conditions look into them.
pub mod file {
    pub use crate::file::*;
}
