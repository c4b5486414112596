//! How a conversation ends.

use crate::failure::{FAILED, WAITING};

/// How a prompt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The model stopped; its last text.
    Done(String),
    /// A hook rejected the prompt, for this reason.
    Rejected(String),
    /// A hook stopped the agent, for this reason.
    Stopped(String),
    /// A limit was reached: `error_max_turns`, ..., and what it was.
    Limit(&'static str, String),
    /// It failed.
    Failed(String),
    /// It waits for a resumption or an answer, for this reason.
    Waiting(String),
    /// A signal arrived.
    Interrupted(u8),
}

impl End {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Done(_) | Self::Stopped(_) => 0,
            Self::Rejected(_) | Self::Limit(..) | Self::Failed(_) => FAILED,
            Self::Waiting(_) => WAITING,
            Self::Interrupted(code) => *code,
        }
    }

    /// The answer, or the reason why the agent has no answer.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Done(text)
            | Self::Rejected(text)
            | Self::Stopped(text)
            | Self::Limit(_, text)
            | Self::Failed(text)
            | Self::Waiting(text) => text,
            Self::Interrupted(_) => "interrupted by a signal",
        }
    }

    /// The word of the result.
    pub(crate) fn subtype(&self) -> &'static str {
        match self {
            Self::Done(_) => "success",
            Self::Rejected(_) => "rejected",
            Self::Stopped(_) => "stopped",
            Self::Limit(subtype, _) => subtype,
            Self::Failed(_) => "error_during_execution",
            Self::Waiting(_) => "waiting",
            Self::Interrupted(_) => "interrupted",
        }
    }
}
