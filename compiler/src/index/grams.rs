//! Which grams represent a text: those that the fewest texts of the policy have.

use foldhash::fast::RandomState;
use hookc_vm::format::index::gram;
use hookc_vm::format::op::Op;
use hookc_vm::text::fold;
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
        for gram in gram::grams(text.as_bytes()) {
            let count = self.0.entry(gram).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// How a probe finds its texts, with a step of at most `most`: by grams for each remainder that few texts
    /// share. A range of rare bytes saves more than a larger step.
    pub(super) fn chosen(&self, texts: &[&str], most: u8) -> Choice {
        let steps = || [STEPS, 2].into_iter().filter(|step| *step <= most);
        let rare = steps().find_map(|step| self.rare(texts, step));
        let any = || steps().find_map(|step| self.few_shared(texts, step));
        let last = || {
            let grams = self.of_all(texts, 1, gram::ALL).unwrap_or_default();
            Choice { step: 1, range: gram::ALL, grams }
        };
        rare.or_else(any).or_else(|| self.rare(texts, 1)).unwrap_or_else(last)
    }

    /// Grams that few texts share.
    fn few_shared(&self, texts: &[&str], step: u8) -> Option<Choice> {
        let grams = self.of_all(texts, step, gram::ALL)?;
        Sharing::new(&grams).is_little().then_some(Choice { step, range: gram::ALL, grams })
    }

    /// Grams with rare bytes, if little more texts share them than the rarest grams.
    fn rare(&self, texts: &[&str], step: u8) -> Option<Choice> {
        let least = Sharing::new(&self.of_all(texts, step, gram::ALL)?).pairs;
        gram::RARE.into_iter().find_map(|range| {
            let grams = self.of_all(texts, step, range)?;
            let sharing = Sharing::new(&grams);
            let is_little = step == 1 || sharing.is_little();
            (is_little && sharing.pairs <= least.saturating_mul(2)).then_some(Choice { step, range, grams })
        })
    }

    /// The grams of all texts for a step, each with a byte of a range.
    fn of_all(&self, texts: &[&str], step: u8, range: (u8, u8)) -> Option<Vec<Vec<u32>>> {
        texts.iter().map(|text| self.rarest(text, usize::from(step), range)).collect()
    }

    /// For each remainder of a position in a text by `step`, the rarest gram that has a byte of a range; `None`
    /// if some remainder has no gram.
    fn rarest(&self, text: &str, step: usize, range: (u8, u8)) -> Option<Vec<u32>> {
        let count = |gram: &u32| self.0.get(gram).copied().unwrap_or(0);
        let rarest = |first| {
            let grams = gram::grams(text.as_bytes()).skip(first).step_by(step);
            grams.filter(|gram| gram::has_byte(&gram.to_le_bytes(), range)).min_by_key(count)
        };
        let mut found = (0..step).map(rarest).collect::<Option<Vec<u32>>>()?;
        found.sort_unstable();
        found.dedup();
        Some(found)
    }
}

/// How a probe finds its texts.
#[derive(Debug)]
pub(super) struct Choice {
    /// The distance between the grams of a value that are looked at.
    pub(super) step: u8,
    /// Each gram has a byte from the first to the second.
    pub(super) range: (u8, u8),
    /// The grams of each text.
    pub(super) grams: Vec<Vec<u32>>,
}

/// The largest step.
pub(super) const STEPS: u8 = 4;

/// The texts that share a gram with a text, on average, from which on a smaller step costs less.
const MANY: usize = 16;

/// How texts share grams.
struct Sharing {
    /// Grams, those of each text counted.
    grams: usize,
    /// Pairs of texts with the same gram, each with itself too.
    pairs: usize,
}

impl Sharing {
    fn new(texts: &[Vec<u32>]) -> Self {
        let mut shared: IndexMap<u32, usize, RandomState> = IndexMap::default();
        for gram in texts.iter().flatten() {
            let count = shared.entry(*gram).or_default();
            *count = count.saturating_add(1);
        }
        let pairs = shared.values().map(|count| count.saturating_mul(*count)).sum();
        Self { grams: shared.values().sum(), pairs }
    }

    fn is_little(&self) -> bool {
        self.pairs <= MANY.saturating_mul(self.grams)
    }
}
