//! The buffers of a decision, reused by the next one.

use super::actions::GatheredActions;
use super::elements::Elements;
use super::past::Memory;
use crate::compare::Texts;
use crate::event::{Decoded, Slots};
use crate::index;
use crate::module::Tables;
use crate::query;
use crate::schema;

/// Buffers for decisions: one per thread, for any modules in any order. It grows to the largest
/// module and event, and then nothing allocates.
///
/// ```
/// use hookc_vm::{DecideOptions, Module, Scratch};
///
/// let module = Module::load(include_bytes!("../../examples/policy.hookc"))?;
/// std::thread::scope(|threads| {
///     for _ in 0..2 {
///         threads.spawn(|| {
///             let mut scratch = Scratch::new();
///             for event in [r#"{"event_type": "Stop"}"#, r#"{"event_type": "PreToolUse"}"#] {
///                 let decided = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default());
///                 assert!(decided.is_ok_and(|decision| decision.is_empty()));
///             }
///         });
///     }
/// });
/// # Ok::<(), hookc_vm::LoadError>(())
/// ```
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) slots: Slots,
    pub(super) memo: Memo,
    pub(super) texts: Texts,
    pub(super) schema: schema::Buffers,
    pub(super) queries: query::Buffers,
    pub(super) index: index::Buffers,
    /// Ranks that fired, and ranks to report.
    pub(super) hits: Vec<u32>,
    pub(super) reported: Vec<u32>,
    pub(super) late: Late,
    pub(super) elements: Elements,
    pub(super) actions: GatheredActions,
    pub(super) past: Memory,
}

/// The long strings that the current predicate reads.
#[derive(Debug, Default)]
pub(super) struct Late {
    pub(super) left: Decoded,
    pub(super) right: Decoded,
}

impl Late {
    /// Forgets the event.
    pub(super) fn clear(&mut self) {
        self.left.clear();
        self.right.clear();
    }

    pub(super) fn release(&mut self) {
        self.left.release();
        self.right.release();
    }
}

impl Scratch {
    /// Empty buffers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// The results of predicates and conditions in this decision. An entry is valid only if it has the
/// stamp of this decision, so nothing needs to be cleared between decisions.
#[derive(Debug, Default)]
pub(super) struct Memo {
    epoch: u32,
    /// By predicate.
    preds: Vec<u32>,
    /// By condition.
    conds: Vec<KnownCond>,
}

/// What is known of a condition.
#[derive(Clone, Copy, Debug, Default)]
struct KnownCond {
    entry: u32,
    /// The predicate that determined it.
    pred: u32,
}

impl Memo {
    /// Forgets everything, and makes room for a module's predicates and
    /// conditions.
    pub(super) fn start(&mut self, tables: &Tables<'_>) {
        self.epoch = self.epoch.saturating_add(1);
        if self.epoch > u32::MAX >> 1 {
            self.preds.clear();
            self.conds.clear();
            self.epoch = 1;
        }
        if self.preds.len() < tables.preds.len() || self.conds.len() < tables.conds.len() {
            self.preds.resize(self.preds.len().max(tables.preds.len()), 0);
            self.conds.resize(self.conds.len().max(tables.conds.len()), KnownCond::default());
        }
    }

    pub(super) fn pred(&self, index: u32) -> Option<bool> {
        self.truth(*self.preds.get(index as usize)?)
    }

    pub(super) fn set_pred(&mut self, index: u32, truth: bool) {
        let entry = self.entry(truth);
        if let Some(place) = self.preds.get_mut(index as usize) {
            *place = entry;
        }
    }

    /// A condition's truth, and the predicate that settled it.
    pub(super) fn cond(&self, index: u32) -> Option<(bool, u32)> {
        let KnownCond { entry, pred } = *self.conds.get(index as usize)?;
        Some((self.truth(entry)?, pred))
    }

    pub(super) fn set_cond(&mut self, index: u32, truth: bool, pred: u32) {
        let entry = self.entry(truth);
        if let Some(place) = self.conds.get_mut(index as usize) {
            *place = KnownCond { entry, pred };
        }
    }

    fn truth(&self, entry: u32) -> Option<bool> {
        (entry >> 1 == self.epoch).then_some(entry & 1 != 0)
    }

    fn entry(&self, truth: bool) -> u32 {
        self.epoch << 1 | u32::from(truth)
    }
}

#[cfg(test)]
mod tests {
    use super::{KnownCond, Memo};

    #[test]
    fn stamps_run_out_safely() {
        let mut memo =
            Memo { epoch: (u32::MAX >> 1) - 1, preds: vec![0; 2], conds: vec![KnownCond::default(); 2] };
        memo.epoch += 1;
        memo.set_pred(0, true);
        memo.set_cond(1, false, 7);
        assert_eq!((memo.pred(0), memo.pred(1)), (Some(true), None));
        assert_eq!((memo.cond(0), memo.cond(1)), (None, Some((false, 7))));
        let image = crate::module::Image::minimal();
        let module = crate::Module::load(image.encode()).expect("loads");
        memo.preds.truncate(1);
        memo.start(module.tables_in_place());
        memo.preds.resize(2, 0);
        assert_eq!((memo.epoch, memo.pred(0)), (1, None));
    }
}
