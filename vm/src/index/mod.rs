//! Indexes: from an event's values to the hooks that it may match.
//!
//! The compiler derives a set of *witnesses* for each hook: the hook does not match unless one of
//! them is true for the event. An index looks up the witnesses by the values of the event, so that
//! hooks without a true one are never visited. The whole condition of every candidate is still
//! evaluated: an index may offer too many hooks, which costs only time.
//!
//! Candidates are returned by ascending rank, each once, and as late as possible: a probe runs only
//! when no candidate of lower rank is left.

mod equal;
pub mod gram;
mod group;
pub mod hash;
mod search;
pub mod set;

pub(crate) use search::Buffers;

/// What a probe searches for: the numbers of [`Probe`](crate::module::format::Probe)'s kinds.
#[allow(missing_docs, reason = "the names say it")]
pub mod kind {
    pub const EQUAL: u8 = 0;
    pub const EQUAL_FOLD: u8 = 1;
    pub const PRESENT: u8 = 2;
    pub const BEGINS: u8 = 3;
    pub const BEGINS_FOLD: u8 = 4;
    pub const ENDS: u8 = 5;
    pub const ENDS_FOLD: u8 = 6;
    pub const HAS: u8 = 7;
    pub const HAS_FOLD: u8 = 8;
}

/// How a dimension excludes: the numbers of [`Dim`](crate::module::format::Dim)'s kinds.
#[allow(missing_docs, reason = "the names say it")]
pub mod exclude {
    pub const BY_RANGE: u8 = 0;
    pub const BY_VALUE: u8 = 1;
}
