//! Which gram represents a text: the one that the fewest texts of the policy have.

use foldhash::fast::RandomState;
use hookc_vm::format::index::gram;
use hookc_vm::format::op::Op;
use hookc_vm::format::text::fold;
use indexmap::IndexMap;

use crate::plan::{Plan, Right};

/// How many searched substrings have a gram.
#[derive(Debug, Default)]
pub(super) struct Grams(IndexMap<u32, u32, RandomState>);

impl Grams {
    pub(super) fn new(plan: &Plan) -> Self {
        let mut grams = Self::default();
        let mut folded = String::new();
        for pred in &plan.preds {
            let Right::Const(id) = pred.right else { continue };
            let text = plan.consts.get(id.index()).and_then(|constant| constant.text);
            let text = text.map_or("", |text| plan.string(text));
            match pred.op {
                Op::Contains => grams.add(text),
                Op::ContainsFold => {
                    folded.clear();
                    fold::fold_into(text, &mut folded);
                    grams.add(&folded);
                }
                _ => {}
            }
        }
        grams
    }

    /// Counts the grams of a searched substring.
    pub(super) fn add(&mut self, text: &str) {
        for gram in gram::of(text.as_bytes()) {
            let count = self.0.entry(gram).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// The rarest gram of a text; `None` if it is too short to have one.
    pub(super) fn rarest(&self, text: &str) -> Option<u32> {
        gram::of(text.as_bytes()).min_by_key(|gram| self.0.get(gram).copied().unwrap_or(0))
    }
}
