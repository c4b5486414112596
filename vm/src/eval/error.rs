//! Why there is no decision.

use std::error::Error;
use std::fmt;

use crate::event::EventError;

/// Why nothing could be decided about an event; the caller's polarity applies.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecideError {
    /// The event is at fault.
    Event(EventError),
    /// A pattern of the module could not be built, or not within its limit.
    Pattern {
        /// The pattern.
        pattern: String,
        /// Why not.
        why: String,
    },
    /// What the hooks look into has more values than this limit.
    Values(usize),
    /// The queries of the decision took more steps than this limit.
    QuerySteps(usize),
    /// The schemas of the decision took more steps than this limit.
    SchemaSteps(usize),
    /// A schema went deeper into schemas than this limit.
    SchemaDepth(usize),
}

/// Why an evaluation stops. Small, so that the answers of predicates and
/// conditions travel in registers; [`Machine::explain`] says it in full.
///
/// [`Machine::explain`]: super::machine::Machine::explain
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stop {
    /// A pattern cannot be built.
    Pattern {
        /// Its row.
        index: u32,
        /// Whether case is ignored.
        fold: bool,
    },
    /// [`DecideError::Values`]
    Values,
    /// [`DecideError::QuerySteps`]
    Queries,
    /// [`DecideError::SchemaSteps`]
    Steps,
    /// [`DecideError::SchemaDepth`]
    Depth,
}

impl From<EventError> for DecideError {
    fn from(error: EventError) -> Self {
        Self::Event(error)
    }
}

impl fmt::Display for DecideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event(error) => error.fmt(f),
            Self::Pattern { pattern, why } => write!(f, "the pattern `{pattern}` cannot be built: {why}"),
            Self::Values(limit) => {
                write!(f, "what the hooks look into has more than {limit} values")
            }
            Self::QuerySteps(limit) => {
                write!(f, "the event takes the queries more than {limit} steps to look through")
            }
            Self::SchemaSteps(limit) => {
                write!(f, "the event takes more than {limit} steps to hold against the schemas")
            }
            Self::SchemaDepth(limit) => {
                write!(f, "the event leads more than {limit} schemas deep into one another")
            }
        }
    }
}

impl Error for DecideError {}
