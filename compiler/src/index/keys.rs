//! The witnesses of predicates, operator by operator.

use std::rc::Rc;

use hookc_base::text::Case;
use hookc_base::{ConstTag, ProbeTag};
use hookc_vm::format::index::{affix, gram};
use hookc_vm::format::op::Op;
use hookc_vm::text::fold;

use super::choose::ExcludedProbes;
use super::witness::{Bound, Key, Required, Set, SharedSet, Witness, Witnesses};
use super::{globs, regexes};
use crate::plan::{BoundId, ConstId, Left, ListId, PatternId, Pred, PredId, Right, SlotId};

/// The default probability that a number is on one side of a bound.
const HALF: f64 = 0.5;

impl<'p> Witnesses<'p> {
    /// The set of a predicate, or of its negation.
    pub(super) fn of_pred(&mut self, id: PredId, negated: bool, excluded: &ExcludedProbes) -> SharedSet {
        let shared = match self.of_preds.get(&(id, negated)) {
            Some(known) => SharedSet::clone(known),
            None => {
                let made = self.made(id, negated).shared();
                self.of_preds.insert((id, negated), SharedSet::clone(&made));
                made
            }
        };
        let useless = shared.places.iter().any(|(place, _)| excluded.contains(place));
        if useless { Set::always().shared() } else { shared }
    }

    /// Computes the set of a predicate, or of its negation.
    fn made(&mut self, id: PredId, negated: bool) -> Set {
        let Some(pred) = self.plan.preds.get(id.index()).copied() else {
            self.faults.note("a condition refers to a predicate that the plan does not have");
            return Set::always();
        };
        match pred.left {
            Left::Slot(slot) if negated => self.negated(slot, pred),
            Left::Slot(slot) => self.held(slot, pred),
            Left::Query(query) if !negated => {
                let slot = self.plan.queries.get(query.index()).and_then(|query| query.slot);
                slot.map_or_else(Set::always, |slot| self.in_view(slot, pred))
            }
            Left::Bound(nodes) if !negated && pred.op == Op::Some => self.of_nodes(nodes, pred),
            Left::Effect(effect) if !negated => Self::acts(effect),
            Left::Recall(recall) if !negated => self.recalled(recall),
            Left::Query(_)
            | Left::Node
            | Left::Bound(_)
            | Left::Effect(_)
            | Left::Recall(_)
            | Left::Pred(_) => Set::always(),
        }
    }

    /// A true quantifier has a node, so the start of its nodes is present.
    fn of_nodes(&mut self, nodes: BoundId, pred: Pred) -> Set {
        let query =
            self.plan.bounds.get(nodes.index()).and_then(|bound| self.plan.queries.get(bound.query.index()));
        let slot = query.and_then(|query| query.slot);
        slot.map_or_else(Set::always, |slot| self.in_view(slot, pred))
    }

    /// The implications of a predicate.
    fn held(&mut self, slot: SlotId, pred: Pred) -> Set {
        match (pred.op, pred.right) {
            (Op::Exists, _) => Self::present(slot),
            (Op::Eq, Right::Const(id)) => self.union([self.equal(slot, id)]),
            (Op::EqFold, Right::Const(id)) => {
                let key = self.equal_folded(slot, id);
                self.union([key])
            }
            (Op::In, Right::List(list)) => {
                let keys: Vec<_> = self.list(list).iter().map(|id| self.equal(slot, *id)).collect();
                self.union(keys)
            }
            (Op::InFold, Right::List(list)) => {
                let keys: Vec<_> = self.list(list).iter().map(|id| self.equal_folded(slot, *id)).collect();
                self.union(keys)
            }
            (Op::Gt | Op::Gte, Right::Const(id)) => self.bound(Bound::Low(slot, self.number(id), false)),
            (Op::Lt | Op::Lte, Right::Const(id)) => self.bound(Bound::High(slot, self.number(id), false)),
            (Op::StartsWith, Right::Const(id)) => self.of_text(slot, ProbeTag::Begins, id),
            (Op::StartsWithFold, Right::Const(id)) => self.of_text(slot, ProbeTag::BeginsFold, id),
            (Op::EndsWith, Right::Const(id)) => self.of_text(slot, ProbeTag::Ends, id),
            (Op::EndsWithFold, Right::Const(id)) => self.of_text(slot, ProbeTag::EndsFold, id),
            (Op::Contains, Right::Const(id)) => self.of_text(slot, ProbeTag::Has, id),
            (Op::ContainsFold, Right::Const(id)) => self.of_text(slot, ProbeTag::HasFold, id),
            (Op::Regex, Right::Pattern(id)) => self.pattern(slot, id, Case::Respected),
            (Op::RegexFold, Right::Pattern(id)) => self.pattern(slot, id, Case::Ignored),
            (Op::Glob | Op::GlobFold, Right::List(list)) => {
                self.globs(slot, list, Case::ignored_if(pred.op == Op::GlobFold))
            }
            // Absent equals null, which can be an element; the other slot is present.
            // It has a value only under its quantifier.
            (_, Right::Bound(_) | Right::Recall(_)) => Set::always(),
            (_, Right::Slot(other)) => Self::present(other),
            _ => Self::present(slot),
        }
    }

    /// The implications of a predicate's negation.
    fn negated(&mut self, slot: SlotId, pred: Pred) -> Set {
        let null = self.plan.consts.first().filter(|constant| constant.kind == ConstTag::Null);
        match (pred.op, pred.right) {
            (Op::Exists, _) if null.is_some() => {
                Set::new(0.4, Witness::Key(Key { slot, kind: ProbeTag::Equal, value: 0 }))
            }
            // After rounding, a number can equal its strict bound.
            (Op::Gt | Op::Gte, Right::Const(id)) => self.bound(Bound::High(slot, self.number(id), true)),
            (Op::Lt | Op::Lte, Right::Const(id)) => self.bound(Bound::Low(slot, self.number(id), true)),
            (Op::Eq, Right::Const(id)) if self.is_scalar(id) => {
                let likely = if self.kind_of(id) == ConstTag::Null { 0.7 } else { 0.95 };
                Set::new(likely, Witness::Narrow(vec![Bound::Not(slot, id)]))
            }
            (Op::In, Right::List(list)) => {
                let list = self.list(list);
                let bounds = list.iter().filter(|id| self.is_scalar(**id)).map(|id| Bound::Not(slot, *id));
                Set::new(0.9, Witness::Narrow(bounds.collect()))
            }
            _ => Set::always(),
        }
    }

    /// A key with its probability; `None` only requires a value in the slot.
    fn equal(&self, slot: SlotId, id: ConstId) -> Option<(Key, f64)> {
        let key = Key { slot, kind: ProbeTag::Equal, value: id.0 };
        let likely = match self.kind_of(id) {
            ConstTag::Null | ConstTag::False | ConstTag::True => 0.4,
            ConstTag::Number | ConstTag::String => self.costs.key(key, 0),
            ConstTag::Array | ConstTag::Object => return None,
        };
        Some((key, likely))
    }

    fn equal_folded(&mut self, slot: SlotId, id: ConstId) -> Option<(Key, f64)> {
        if self.kind_of(id) != ConstTag::String {
            return self.equal(slot, id);
        }
        let mut text = String::new();
        fold::fold_into(self.constant_text(id)?, &mut text);
        let key = Key { slot, kind: ProbeTag::EqualFold, value: self.text(&text) };
        Some((key, self.costs.key(key, 0)))
    }

    fn union(&self, keys: impl IntoIterator<Item = Option<(Key, f64)>>) -> Set {
        let mut set = Set { cost: 0.0, witnesses: Vec::new() };
        for key in keys {
            // A container is present in any slot; the others are too, or null.
            let Some((key, likely)) = key else { return Set::always() };
            set.cost += likely;
            set.witnesses.push(Witness::Key(key));
        }
        set.cost = set.cost.min(1.0);
        set
    }

    fn bound(&self, bound: Bound) -> Set {
        Set::new(HALF, Witness::Narrow(vec![bound]))
    }

    fn of_text(&mut self, slot: SlotId, kind: ProbeTag, id: ConstId) -> Set {
        match self.constant_text(id) {
            Some(text) => self.texts_of(slot, [(kind, text.to_owned())]),
            None => Self::present(slot),
        }
    }

    /// The value has one of the texts, each in the position of its kind.
    pub(super) fn texts_of(
        &mut self,
        slot: SlotId,
        texts: impl IntoIterator<Item = (ProbeTag, String)>,
    ) -> Set {
        let mut set = Set { cost: 0.0, witnesses: Vec::new() };
        for (kind, text) in texts {
            let Some(key) = self.of_one_text(slot, kind, &text) else { return Self::present(slot) };
            set.cost += self.costs.key(key, text.len());
            set.witnesses.push(Witness::Key(key));
        }
        set.cost = set.cost.min(1.0);
        set
    }

    /// The key of a text; `None` if it is too short for one.
    fn of_one_text(&mut self, slot: SlotId, kind: ProbeTag, text: &str) -> Option<Key> {
        let mut folded = String::new();
        let text = if matches!(kind, ProbeTag::BeginsFold | ProbeTag::EndsFold | ProbeTag::HasFold) {
            fold::fold_into(text, &mut folded);
            &folded
        } else {
            text
        };
        let value = match kind {
            ProbeTag::Has | ProbeTag::HasFold | ProbeTag::Within if text.len() < gram::LENGTH => return None,
            ProbeTag::Has | ProbeTag::HasFold | ProbeTag::Within if text.len() <= gram::LONGEST => {
                self.text(text)
            }
            ProbeTag::Ends | ProbeTag::EndsFold => self.text(last(text)?),
            _ => self.text(first(text)?),
        };
        Some(Key { slot, kind, value })
    }

    fn pattern(&mut self, slot: SlotId, id: PatternId, case: Case) -> Set {
        let sets = self.required(id, case);
        let likely =
            |texts: &Required| texts.iter().map(|(kind, text)| self.likely(*kind, text)).sum::<f64>();
        match sets.iter().min_by(|a, b| likely(a).total_cmp(&likely(b))) {
            Some(texts) => self.texts_of(slot, texts.iter().cloned()),
            None => Self::present(slot),
        }
    }

    /// How likely it is that a value has a text that patterns require, in addition to others: it is more likely
    /// the shorter it is, and the more patterns require it.
    fn likely(&self, kind: ProbeTag, text: &str) -> f64 {
        let count = self.common.get(&(kind, text.to_owned())).copied().unwrap_or(1);
        let length = match (kind, text.len()) {
            // Too short for a probe.
            (ProbeTag::Has, ..gram::LENGTH) => return f64::INFINITY,
            (_, length) => i32::try_from(length.min(gram::LONGEST)).unwrap_or(0),
        };
        f64::from(count) * 0.5_f64.powi(length)
    }

    /// The sets of texts required by a pattern, computed once.
    pub(super) fn required(&mut self, id: PatternId, case: Case) -> Rc<[Required]> {
        let place = self.required.get(id.index()).and_then(|both| both.get(usize::from(case.is_ignored())));
        if let Some(Some(known)) = place {
            return Rc::clone(known);
        }
        let text = self.plan.patterns.get(id.index()).and_then(|text| self.string(*text));
        let text = self.faults.known(text, "", "a predicate refers to a pattern that the plan does not have");
        let required: Rc<[Required]> = regexes::required(text, case).into();
        let place =
            self.required.get_mut(id.index()).and_then(|both| both.get_mut(usize::from(case.is_ignored())));
        if let Some(place) = place {
            *place = Some(Rc::clone(&required));
        }
        required
    }

    fn globs(&mut self, slot: SlotId, list: ListId, case: Case) -> Set {
        let globs: Vec<&str> = self.list(list).iter().filter_map(|id| self.constant_text(*id)).collect();
        let texts: Option<Vec<_>> = globs.into_iter().map(|glob| globs::required(glob, case)).collect();
        texts.map_or_else(|| Self::present(slot), |texts| self.texts_of(slot, texts))
    }

    pub(super) fn list(&self, id: ListId) -> &'p [ConstId] {
        let list = self.plan.lists.get(id.index()).map(Vec::as_slice);
        self.faults.known(list, &[], "a predicate refers to a list that the plan does not have")
    }

    fn is_scalar(&self, id: ConstId) -> bool {
        !matches!(self.kind_of(id), ConstTag::Array | ConstTag::Object)
    }

    /// A number, rounded: a greater one is never rounded to less.
    fn number(&self, id: ConstId) -> f64 {
        let number = self.constant_text(id).and_then(|text| text.parse::<f64>().ok());
        let number = self.faults.known(number, 0.0, "a bound that is not a number");
        // Minus zero, to which tiny numbers round, is zero.
        number + 0.0
    }
}

/// The lengths in bytes of searched prefixes and suffixes: each of them costs a lookup. A longer
/// text is truncated to one of them, because a text that starts with it also starts with its
/// prefix.
const LENGTHS: [usize; 24] =
    [affix::LONGEST, 56, 48, 40, 32, 28, 24, 20, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];

/// The longest prefix of one of the lengths; `None` if empty.
fn first(text: &str) -> Option<&str> {
    LENGTHS.iter().find_map(|length| text.get(..*length))
}

/// The longest suffix of one of the lengths; `None` if empty.
fn last(text: &str) -> Option<&str> {
    LENGTHS.iter().find_map(|length| text.get(text.len().checked_sub(*length)?..))
}
