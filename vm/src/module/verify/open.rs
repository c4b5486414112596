//! What reads a bound node: predicates and conditions that are open run only under the quantifiers
//! that bind their nodes, and quantifiers nest to a bounded depth.
//!
//! The condition of a quantifier tests only predicates with lower numbers than the quantifier, so
//! evaluation ends.

use hookc_base::row_number;

use super::{Checked, ensure, history};
use crate::limits::MODULE_DEPTH;
use crate::module::Tables;
use crate::op::{Op, Operand};
use crate::rows::{HookTest, NONE, Row, SectionKind};

/// Facts about a predicate or a condition.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach {
    /// The number of quantifiers around it that it needs, counted from the innermost.
    pub(super) needs: u32,
    /// The nesting of the conditions below it.
    pub(super) depth: usize,
    /// One more than the highest predicate that it tests.
    pub(super) above: usize,
    /// One more than the highest level of the cells that it reads.
    pub(super) level: u8,
}

impl Reach {
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            needs: self.needs.max(other.needs),
            depth: self.depth.max(other.depth),
            above: self.above.max(other.above),
            level: self.level.max(other.level),
        }
    }
}

/// Code tests open predicates and conditions as open ones, and conditions of hooks are closed.
/// Linear in predicates and code.
pub(super) fn open(t: &Tables<'_>) -> Checked {
    // Without bound nodes no predicate is open, so no test may be marked; conditions are known to end.
    if t.bounds.is_empty() && t.recalls.is_empty() && !t.code.iter().any(is_marked) {
        return Ok(());
    }
    let mut open = Open { t, preds: Vec::with_capacity(t.preds.len()), conds: vec![None; t.conds.len()] };
    for (row, pred) in t.preds.iter().enumerate() {
        let reach = open.pred(row, pred)?;
        open.preds.push(reach);
    }
    for cond in 0..t.conds.len() {
        open.cond(cond)?;
    }
    let reach = |test: HookTest| {
        let reach = match test {
            HookTest::Cond(cond) => open.known(cond as usize),
            HookTest::Pred(pred) => open.preds.get(pred as usize).copied(),
        };
        reach.unwrap_or_default()
    };
    let is_closed = |test: HookTest| reach(test).needs == 0;
    for (row, hook) in t.hooks.iter().enumerate() {
        ensure(is_closed(hook.test()), SectionKind::Hooks, row, "the condition reads a bound node")?;
    }
    for (row, node) in t.templates.iter().enumerate() {
        let closed = t.reasons_of(node).all(|(test, _)| is_closed(test));
        ensure(closed, SectionKind::Templates, row, "a test of a reason reads a bound node")?;
    }
    for (row, watch) in t.watches.iter().enumerate() {
        let tests = history::tests_of(t, watch).map(reach).fold(Reach::default(), Reach::and);
        history::watch_reach(t, row, watch, tests)?;
    }
    Ok(())
}

/// Whether a row of code tests something open.
pub(super) fn is_marked(code: &Row) -> bool {
    use Op::{IfBound, IfBoundCond, UnlessBound, UnlessBoundCond};
    [IfBound, UnlessBound, IfBoundCond, UnlessBoundCond].iter().any(|op| *op as u8 == code.op)
}

/// The facts about a quantifier over a condition.
pub(super) fn quantifier(t: &Tables<'_>, row: usize, pred: &Row, inner: Reach) -> Checked<Reach> {
    let up = t.bounds.get(pred.a.get() as usize).map_or(NONE, |bound| bound.up.get());
    let start = if up == NONE { 0 } else { up.saturating_add(1) };
    let bad = |good, what| ensure(good, SectionKind::Preds, row, what);
    bad(inner.above <= row, "the condition tests the quantifier or a later predicate")?;
    bad(inner.depth <= MODULE_DEPTH, "nested too deep")?;
    let needs = inner.needs.saturating_sub(1).max(start);
    Ok(Reach { needs, above: row, ..inner })
}

/// The facts about any other predicate: what its slots need, and the cells that it reads.
pub(super) fn simple(t: &Tables<'_>, op: Option<Op>, pred: &Row) -> Reach {
    let of_slot = |slot: u32| match history::recall_of(t, slot) {
        Some(recall) => history::recalled(t, recall),
        None => Reach { needs: history::slot_needs(t, slot), ..Reach::default() },
    };
    let read = match op {
        Some(Op::Past) => return history::recalled(t, pred.a.get()),
        Some(Op::Recalled) => t.preds.get(pred.a.get() as usize).copied(),
        // Nothing but a predicate that `recalled` tests has a recall in the test of a node.
        _ => Some(*pred),
    };
    let slots = read.iter().flat_map(|pred| history::slots_of(t, pred));
    slots.map(of_slot).fold(Reach::default(), Reach::and)
}

struct Open<'t, 'm> {
    t: &'t Tables<'m>,
    /// By predicate, as far as known.
    preds: Vec<Reach>,
    /// By condition.
    conds: Vec<Option<Reach>>,
}

impl Open<'_, '_> {
    fn known(&self, cond: usize) -> Option<Reach> {
        self.conds.get(cond).copied().flatten()
    }

    fn pred(&mut self, row: usize, pred: &Row) -> Checked<Reach> {
        let op = Op::from_number(pred.op);
        match op {
            Some(Op::Some) => {
                let inner = self.cond(pred.b.get() as usize)?;
                quantifier(self.t, row, pred, inner)
            }
            op => Ok(simple(self.t, op, pred)),
        }
    }

    /// A condition, after those that it tests. The recursion depth is the nesting of conditions,
    /// which is checked already.
    fn cond(&mut self, cond: usize) -> Checked<Reach> {
        if let Some(known) = self.known(cond) {
            return Ok(known);
        }
        let block = self.t.block(row_number(cond));
        let mut total = Reach::default();
        for code in block {
            let Some((reach, marked)) = self.tested(code)? else { continue };
            let fits = marked == (reach.needs > 0);
            ensure(fits, SectionKind::Conds, cond, "a test of a bound node is not marked, or another is")?;
            total = total.and(reach);
        }
        total.depth = total.depth.saturating_add(1);
        ensure(total.depth <= MODULE_DEPTH, SectionKind::Conds, cond, "nested too deep")?;
        if let Some(place) = self.conds.get_mut(cond) {
            *place = Some(total);
        }
        Ok(total)
    }

    /// What a row of code tests, and whether it is marked as open.
    fn tested(&mut self, code: &Row) -> Checked<Option<(Reach, bool)>> {
        let number = code.a.get() as usize;
        let marked = match Op::from_number(code.op) {
            Some(Op::IfPred | Op::UnlessPred | Op::IfCond | Op::UnlessCond) => false,
            Some(Op::IfBound | Op::UnlessBound | Op::IfBoundCond | Op::UnlessBoundCond) => true,
            _ => return Ok(None),
        };
        let reach = match Op::from_number(code.op).map(|op| op.operands().0) {
            Some(Operand::Cond) => self.cond(number)?,
            _ => {
                let known = self.preds.get(number).copied();
                ensure(
                    known.is_some(),
                    SectionKind::Preds,
                    number,
                    "a quantifier's condition tests it before it",
                )?;
                let known = known.unwrap_or_default();
                Reach { above: number.saturating_add(1), ..known }
            }
        };
        Ok(Some((reach, marked)))
    }
}
