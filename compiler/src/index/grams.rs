//! Which gram represents a text: the one that the fewest texts of the policy have.

use foldhash::fast::RandomState;
use hookc_vm::format::index::gram;
use hookc_vm::format::op::Op;
use hookc_vm::format::text::fold;
use indexmap::IndexMap;

use super::views::quoted;
use crate::plan::{ConstId, Left, Plan, Right};

/// How many searched substrings have a gram.
#[derive(Debug, Default)]
pub(super) struct Grams(IndexMap<u32, u32, RandomState>);

const fn is_in_nodes(left: Left) -> bool {
    matches!(left, Left::Bound(_) | Left::Node)
}

fn text_of(plan: &Plan, id: ConstId) -> &str {
    let text = plan.consts.get(id.index()).and_then(|constant| constant.text);
    text.map_or("", |text| plan.string(text))
}

impl Grams {
    pub(super) fn new(plan: &Plan) -> Self {
        let mut grams = Self::default();
        let mut folded = String::new();
        for pred in &plan.preds {
            if let Right::List(list) = pred.right
                && pred.op == Op::In
                && is_in_nodes(pred.left)
            {
                let list = plan.lists.get(list.index()).map_or(&[] as &[_], Vec::as_slice);
                list.iter().for_each(|id| grams.add(&quoted(text_of(plan, *id))));
            }
            let Right::Const(id) = pred.right else { continue };
            if pred.op == Op::Eq && is_in_nodes(pred.left) {
                grams.add(&quoted(text_of(plan, id)));
                continue;
            }
            let text = text_of(plan, id);
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
