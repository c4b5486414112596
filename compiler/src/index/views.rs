//! Witnesses of conditions about the nodes of views.
//!
//! The VM writes a view as JSON, in which printable ASCII other than `"` and `\` is written as it is. So if
//! a value in a view equals the text `git`, the JSON has `"git"`, in quotes. Only views have this
//! property: an event can have escapes.

use hookc_base::{ConstTag, ProbeTag};
use hookc_vm::format::index::gram;
use hookc_vm::format::op::Op;

use super::witness::{Set, Witnesses};
use crate::plan::{CondId, ConstId, Left, Pred, Right, SlotId};

/// A condition with more alternatives has no witness but the presence of its view.
const MOST_TEXTS: usize = 64;

/// A condition with more parts, shared ones counted each time, neither.
const MOST_PARTS: usize = 4096;

/// A text as the JSON of a view has it.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// The search for texts.
struct Search {
    /// Whether the nodes of each quantifier, the innermost last, are in the view.
    levels: Vec<bool>,
    /// How many parts of the condition are left.
    parts: usize,
}

impl Search {
    /// Whether the node that a bound value starts at is in the view.
    fn is_inside(&self, up: Option<u32>) -> bool {
        let above = up.and_then(|up| usize::try_from(up).ok());
        let level = above.and_then(|above| self.levels.len().checked_sub(above.saturating_add(1)));
        level.and_then(|level| self.levels.get(level)).copied().unwrap_or_default()
    }
}

impl Witnesses<'_> {
    /// The set of a predicate about nodes that start at a slot: that it is present, or what it contains.
    pub(super) fn in_view(&mut self, slot: SlotId, pred: Pred) -> Set {
        let texts = self.is_in_view(slot).then(|| self.texts_of_nodes(pred)).flatten();
        match texts {
            Some(texts) => self.texts_of(slot, texts.into_iter().map(|text| (ProbeTag::Within, text))),
            None => Self::present(slot),
        }
    }

    /// Whether all values of a slot are in views.
    fn is_in_view(&self, slot: SlotId) -> bool {
        let plan = self.plan;
        let of_node = |slot: SlotId| plan.slots.get(slot.index()).is_some_and(|node| plan.is_in_view(*node));
        match slot.index().checked_sub(plan.slots.len()) {
            None => of_node(slot),
            Some(at) => {
                plan.derived.get(at).is_some_and(|merged| of_node(merged.root) && of_node(merged.nested))
            }
        }
    }

    /// The texts, one of which a view has if a predicate about its nodes is true.
    fn texts_of_nodes(&self, pred: Pred) -> Option<Vec<String>> {
        let mut search = Search { levels: vec![true], parts: MOST_PARTS };
        match (pred.op, pred.right) {
            (Op::Some, Right::Cond(cond)) => self.in_cond(cond, &mut search),
            (Op::Any, Right::Pred(inner)) => {
                let inner = self.plan.preds.get(inner.index()).copied()?;
                if inner.left == Left::Node { self.in_value(inner) } else { None }
            }
            _ => None,
        }
    }

    fn in_cond(&self, cond: CondId, search: &mut Search) -> Option<Vec<String>> {
        use crate::plan::Cond;
        search.parts = search.parts.checked_sub(1)?;
        match self.plan.conds.get(cond.index())? {
            Cond::Pred(pred) => {
                let pred = self.plan.preds.get(pred.index()).copied()?;
                self.in_pred(pred, search)
            }
            Cond::All(conds) => {
                let found = conds.iter().filter_map(|cond| self.in_cond(*cond, search));
                found.min_by_key(Vec::len)
            }
            Cond::Any(conds) => {
                let mut texts = Vec::new();
                for cond in conds {
                    texts.extend(self.in_cond(*cond, search)?);
                }
                (texts.len() <= MOST_TEXTS).then_some(texts)
            }
            Cond::Not(_) | Cond::Const(_) => None,
        }
    }

    fn in_pred(&self, pred: Pred, search: &mut Search) -> Option<Vec<String>> {
        let Left::Bound(bound) = pred.left else { return None };
        let bound = self.plan.bounds.get(bound.index())?;
        let is_inside = search.is_inside(bound.up);
        if let (Op::Some, Right::Cond(cond)) = (pred.op, pred.right) {
            search.levels.push(is_inside);
            let texts = self.in_cond(cond, search);
            search.levels.pop();
            return texts;
        }
        if is_inside { self.in_value(pred) } else { None }
    }

    /// The texts of a comparison of a value in the view.
    fn in_value(&self, pred: Pred) -> Option<Vec<String>> {
        let texts = match (pred.op, pred.right) {
            (Op::Eq, Right::Const(id)) => Some(vec![quoted(self.plain(id)?)]),
            (Op::In, Right::List(list)) => {
                let list = self.list(list);
                let texts: Option<Vec<_>> = list.iter().map(|id| self.plain(*id).map(quoted)).collect();
                texts.filter(|texts| texts.len() <= MOST_TEXTS)
            }
            (Op::Contains | Op::StartsWith | Op::EndsWith, Right::Const(id)) => {
                Some(vec![self.plain(id)?.to_owned()])
            }
            _ => None,
        };
        // Shorter ones have no gram.
        texts.filter(|texts| texts.iter().all(|text| gram::grams(text.as_bytes()).next().is_some()))
    }

    /// A constant text that JSON has as it is.
    fn plain(&self, id: ConstId) -> Option<&str> {
        let text = self.constant_text(id).filter(|_| self.kind_of(id) == ConstTag::String)?;
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
        text.bytes().all(is_plain).then_some(text)
    }
}
