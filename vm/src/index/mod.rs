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
mod group;
mod search;
mod texts;

pub(crate) use search::{Buffers, Facts};
