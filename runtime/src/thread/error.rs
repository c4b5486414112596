//! Why a thread has no reply.

use std::error::Error;
use std::fmt;

use hookc_vm::DecideError;

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ThreadError {
    /// No decision was possible.
    Decide(DecideError),
    /// The thread is suspended, or waits for an answer.
    Waiting,
}

impl fmt::Display for ThreadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decide(_) => f.write_str("nothing can be decided about the event"),
            Self::Waiting => f.write_str("the thread is suspended or waits for an answer"),
        }
    }
}

impl Error for ThreadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Decide(error) => Some(error),
            Self::Waiting => None,
        }
    }
}
