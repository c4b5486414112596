//! Coverage of patterns: whether their events were in the history of events that a condition was tested with.

use hookc_history::CellId;
use hookc_schema::Span;
use hookc_vm::PartitionTag;

use super::result::Outcomes;
use super::session::Sessions;
use crate::disasm::patterns::Written;
use crate::ir::LowCond;
use crate::rows;

/// The coverage of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PatternCoverage {
    /// The pattern as an expression.
    pub text: String,
    /// Its source location.
    pub span: Span,
    /// How often such an event was in the history, and how often not.
    pub happened: Outcomes,
    /// Whether selections start at it: then both are to be seen, otherwise that it happened.
    pub is_anchor: bool,
    partition: PartitionTag,
    cell: CellId,
}

impl PatternCoverage {
    /// Results that were seen, and all that are to be.
    #[must_use]
    pub fn outcomes(&self) -> (usize, usize) {
        match self.is_anchor {
            true => (self.happened.seen(), 2),
            false => (usize::from(self.happened.yes > 0), 1),
        }
    }

    /// Counts whether it is in the histories of the current event.
    pub(super) fn count(&mut self, sessions: &Sessions) {
        self.happened.count(sessions.has(self.partition, self.cell));
    }
}

/// The patterns of a condition, and those that they need, each once.
pub(super) fn patterns(cond: &LowCond, written: &Written) -> Vec<PatternCoverage> {
    let mut found: Vec<PatternCoverage> = Vec::new();
    if written.is_empty() {
        return found;
    }
    cond.monitors(&mut |monitor, is_anchor| {
        let is_known = |known: &PatternCoverage| (known.cell, known.is_anchor) == (monitor.id, is_anchor);
        let Some((span, text)) = written.pattern(monitor) else { return false };
        if found.iter().any(is_known) {
            return false;
        }
        let (partition, cell) = (rows::partition(monitor.partition), monitor.id);
        let (text, happened) = (text.to_owned(), Outcomes::default());
        found.push(PatternCoverage { text, span, happened, is_anchor, partition, cell });
        true
    });
    found
}
