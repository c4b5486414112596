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
        }
    }
}

impl Error for DecideError {}
