//! What a thread does next.

use std::time::Duration;

use hookc_base::Family;

use super::state::{Escalation, Suspension};
use crate::outcome::{Effect, EventOutcome, HistoryNote, PendingAction};

/// The next step of the thread.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Step {
    /// No hook has a verdict: the default of the runtime.
    NoOpinion,
    /// It continues.
    Continue,
    /// It tries again after this wait; the how-manieth try it is.
    Retry {
        /// The wait.
        after: Duration,
        /// From 1.
        attempt: u64,
    },
    /// It fails with this message.
    Fail(String),
    /// It stops immediately.
    Abort,
    /// It waits until it is resumed.
    Suspend(Suspension),
    /// It waits until somebody has answered.
    Escalate(Escalation),
    /// A summary replaces its context up to a turn.
    Compact {
        /// The summary.
        summary: String,
        /// The first turn that is kept.
        prune_before_turn: Option<i64>,
    },
}

impl Step {
    /// If several hooks request a step, the strongest wins: ending the thread before pausing it,
    /// and that before continuing.
    pub(super) fn strength(&self) -> u8 {
        match self {
            Self::NoOpinion => 0,
            Self::Continue => 1,
            Self::Compact { .. } => 2,
            Self::Retry { .. } => 3,
            Self::Escalate(_) => 4,
            Self::Suspend(_) => 5,
            Self::Fail(_) => 6,
            Self::Abort => 7,
        }
    }
}

/// The outcome of an event.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reply {
    /// The event's type.
    pub event: String,
    /// Its vocabulary, if the policy has hooks for it.
    pub family: Option<Family>,
    /// The next step of the thread: the strongest one that a hook requests; for equal ones, the
    /// first hook's.
    pub step: Step,
    /// The hooks in order, with the outcomes of their actions.
    pub effects: Vec<Effect>,
    /// Which of them the step is from.
    pub decided: Option<usize>,
    /// Warn and shadow hooks that matched.
    pub reported: Vec<PendingAction>,
    /// What became of the record of the event.
    pub history: HistoryNote,
}

impl Reply {
    /// The hook of the step, with the outcome of its action.
    #[must_use]
    pub fn by(&self) -> Option<&Effect> {
        self.effects.get(self.decided?)
    }

    /// An entry for a [`Log`](crate::log::Log): `event` is its type, `module` the hash of the module
    /// that decided.
    #[must_use]
    pub fn to_event_outcome(&self, event: &str, module: [u8; 32]) -> EventOutcome {
        EventOutcome {
            event: event.to_owned(),
            family: Some(Family::Thread),
            effects: self.effects.clone(),
            reported: self.reported.clone(),
            module,
            history: self.history.clone(),
        }
    }
}
