//! Which grams represent a text: those that the fewest texts of the policy have.

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

    /// The largest step up to `most` for which every text has a gram for each remainder, and few texts share
    /// them; with the grams of each text.
    pub(super) fn chosen(&self, texts: &[&str], most: u8) -> (u8, Vec<Vec<u32>>) {
        let all = |step| texts.iter().map(|text| self.rarest(text, step)).collect::<Option<Vec<_>>>();
        let found = [STEPS, 2].into_iter().filter(|step| *step <= most).find_map(|step| {
            let all = all(usize::from(step)).filter(|all| are_few_shared(all))?;
            Some((step, all))
        });
        found.unwrap_or_else(|| (1, all(1).unwrap_or_default()))
    }

    /// For each remainder of a position in a text by `step`, the rarest gram; `None` if some
    /// remainder has no gram.
    fn rarest(&self, text: &str, step: usize) -> Option<Vec<u32>> {
        let count = |gram: &u32| self.0.get(gram).copied().unwrap_or(0);
        let of = |first| gram::of(text.as_bytes()).skip(first).step_by(step).min_by_key(count);
        let mut found = (0..step).map(of).collect::<Option<Vec<u32>>>()?;
        found.sort_unstable();
        found.dedup();
        Some(found)
    }
}

/// The largest step.
pub(super) const STEPS: u8 = 4;

/// The texts that share a gram with a text, on average, from which on a smaller step costs less.
const MANY: usize = 16;

fn are_few_shared(all: &[Vec<u32>]) -> bool {
    let mut shared: IndexMap<u32, usize, RandomState> = IndexMap::default();
    for gram in all.iter().flatten() {
        let count = shared.entry(*gram).or_default();
        *count = count.saturating_add(1);
    }
    let pairs: usize = shared.values().map(|count| count.saturating_mul(*count)).sum();
    pairs <= MANY.saturating_mul(shared.values().sum())
}
