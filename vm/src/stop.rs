//! Why an evaluation stops, and the budget that stops it.

use hookc_base::text::Case;

use crate::history::Cause;

/// Why an evaluation stops. Small, so that the answers of predicates and
/// conditions travel in registers; the evaluator explains it in full.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StopReason {
    /// A pattern cannot be built.
    Pattern {
        /// Its row.
        index: u32,
        /// Whether case matters.
        case: Case,
    },
    /// [`DecideError::Values`](crate::DecideError::Values)
    Values,
    /// [`DecideError::QuerySteps`](crate::DecideError::QuerySteps)
    Queries,
    /// [`DecideError::SchemaSteps`](crate::DecideError::SchemaSteps)
    Steps,
    /// [`DecideError::SchemaDepth`](crate::DecideError::SchemaDepth)
    Depth,
    /// [`DecideError::Feeds`](crate::DecideError::Feeds)
    Feeds,
    /// A condition about the history is unknown. The search then follows both ways.
    Unknown(Cause),
    /// A row that the verifier excludes: no answer is safer than any.
    Unverified,
}

/// Steps that a decision may still take.
#[derive(Debug)]
pub(crate) struct Budget {
    left: usize,
    reason: StopReason,
}

impl Default for Budget {
    /// Nothing is left.
    fn default() -> Self {
        Self::new(0, StopReason::Queries)
    }
}

impl Budget {
    /// A budget of steps, and why an evaluation stops that takes more.
    pub(crate) const fn new(left: usize, reason: StopReason) -> Self {
        Self { left, reason }
    }

    /// Takes steps.
    #[inline]
    pub(crate) fn charge(&mut self, steps: usize) -> Result<(), StopReason> {
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(self.reason),
        }
    }
}
