//! Which predicates and conditions are open: they read a node that a quantifier around them binds.

use hookc_vm::format::op::Op;

use super::blocks::UNKNOWN_COND;
use crate::fault::Faults;
use crate::plan::{BoundId, Compared, Cond, CondId, Left, Plan, PredId, RecallId, Right, TieValue};

/// By row, the number of quantifiers around it that it needs, counted from the innermost.
#[derive(Debug)]
pub(super) struct Open {
    preds: Vec<u32>,
    conds: Vec<u32>,
}

impl Open {
    /// Of a plan. Predicates in a quantifier's condition have lower numbers than the quantifier.
    pub(super) fn new(plan: &Plan, faults: &Faults) -> Self {
        let (preds, conds) = (Vec::with_capacity(plan.preds.len()), vec![None; plan.conds.len()]);
        let mut needs = Needs { plan, preds, conds, faults };
        for at in 0..plan.preds.len() {
            let needed = needs.of_pred(PredId::new(at));
            needs.preds.push(needed);
        }
        let conds = (0..plan.conds.len()).map(|at| needs.of_cond(CondId::new(at))).collect();
        Self { preds: needs.preds, conds }
    }

    pub(super) fn pred(&self, pred: PredId) -> bool {
        self.preds.get(pred.index()).is_some_and(|needs| *needs > 0)
    }

    pub(super) fn cond(&self, cond: CondId) -> bool {
        self.conds.get(cond.index()).is_some_and(|needs| *needs > 0)
    }
}

struct Needs<'p> {
    plan: &'p Plan,
    /// As far as known.
    preds: Vec<u32>,
    conds: Vec<Option<u32>>,
    faults: &'p Faults,
}

impl Needs<'_> {
    fn of_pred(&mut self, pred: PredId) -> u32 {
        let Some(pred) = self.plan.preds.get(pred.index()).copied() else {
            self.faults.note("a predicate that the plan does not have");
            return 0;
        };
        let left = match pred.left {
            Left::Bound(bound) => self.of_bound(bound),
            Left::Recall(recall) => self.of_recall(recall),
            Left::Pred(inner) => self.of_earlier(inner),
            Left::Slot(_) | Left::Node | Left::Query(_) | Left::Effect(_) => 0,
        };
        let right = match pred.right {
            Right::Recall(recall) => self.of_recall(recall),
            Right::Pred(inner) => self.of_earlier(inner),
            Right::Bound(bound) => self.of_bound(bound),
            Right::Cond(cond) if pred.op == Op::Some => self.of_cond(cond).saturating_sub(1),
            _ => 0,
        };
        left.max(right)
    }

    fn of_earlier(&self, pred: PredId) -> u32 {
        let known = self.preds.get(pred.index()).copied();
        self.faults.known(known, 0, "a predicate that tests a later one")
    }

    /// The current sides of its ties, and what it is compared with.
    fn of_recall(&self, id: RecallId) -> u32 {
        let Some(recall) = self.plan.recalls.get(id.index()) else {
            self.faults.note("a read of the history that the plan does not have");
            return 0;
        };
        let ties = recall.tie.iter().chain(&recall.excluded);
        let values = ties.filter_map(|tie| self.plan.ties.get(tie.index())).flat_map(|tie| &tie.values);
        let bounds = values.map(|value| match value {
            TieValue::Bound(bound) => self.of_bound(*bound),
            TieValue::Slot(_) | TieValue::Query(_) => 0,
        });
        let other = match recall.relation {
            Some((_, Compared::Bound(bound))) => self.of_bound(bound),
            Some((_, Compared::Recall(other))) => self.of_recall(other),
            Some((_, Compared::Const(_) | Compared::Slot(_))) | None => 0,
        };
        let since = recall.since.iter().map(|anchor| self.of_recall(*anchor));
        bounds.chain(since).fold(other, u32::max)
    }

    fn of_bound(&self, bound: BoundId) -> u32 {
        let up = self.plan.bounds.get(bound.index()).map(|bound| bound.up);
        let up = self.faults.known(up, None, "a quantifier over nodes that the plan does not have");
        up.map_or(0, |up| up.saturating_add(1))
    }

    /// The nesting of the source bounds the recursion.
    fn of_cond(&mut self, cond: CondId) -> u32 {
        if let Some(known) = self.conds.get(cond.index()).copied().flatten() {
            return known;
        }
        let plan = self.plan;
        let needs = match plan.conds.get(cond.index()) {
            Some(Cond::Pred(pred)) => {
                let known = self.preds.get(pred.index()).copied();
                self.faults.known(known, 0, "a condition refers to a predicate that the plan does not have")
            }
            Some(Cond::Not(inner)) => self.of_cond(*inner),
            Some(Cond::All(inner) | Cond::Any(inner)) => {
                inner.iter().map(|inner| self.of_cond(*inner)).max().unwrap_or_default()
            }
            Some(Cond::Const(_)) => 0,
            None => {
                self.faults.note(UNKNOWN_COND);
                0
            }
        };
        self.faults.put(&mut self.conds, cond.index(), Some(needs), UNKNOWN_COND);
        needs
    }
}
