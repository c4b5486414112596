//! Why an event cannot be read.

use std::error::Error;
use std::fmt;

/// Why the bytes of an agent, or of an embedder, are not a usable event.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventError {
    /// The reason does not quote the event.
    Invalid(String),
    /// The reason quotes the event.
    Quoting {
        /// Why.
        why: String,
        /// Like `why`, but without the content of the event, for a log.
        bare: String,
    },
}

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(why) | Self::Quoting { why, .. } => f.write_str(why),
        }
    }
}

impl Error for EventError {}
