//! Quantifiers: a condition about each node of a path.
//!
//! A predicate or condition that reads a bound node is *open*: it has a result for each node, so
//! nothing remembers it. Everything that the condition executes is charged to the budget of
//! queries.

use super::machine::Machine;
use super::test::Test;
use crate::event::Item;
use crate::module::row;
use crate::op::{Op, Operand};
use crate::rows::Row;
use crate::stop::StopReason;

impl Machine<'_> {
    /// Whether the condition of a quantifier is true for one of its nodes. Out of line, so that other
    /// predicates cost what they did.
    #[cold]
    #[inline(never)]
    pub(super) fn some(&mut self, some: Row) -> Result<bool, StopReason> {
        let mut truth = false;
        self.each_node(some, &mut |_, _, held| {
            truth = held;
            !held
        })?;
        Ok(truth)
    }

    /// Calls `each` with the number of every node of a quantifier and whether its condition is true
    /// for it, until it returns `false`.
    pub(super) fn each_node(
        &mut self,
        some: Row,
        each: &mut dyn FnMut(&mut Self, usize, bool) -> bool,
    ) -> Result<(), StopReason> {
        let last = self.last;
        let found = self.queries.find(&self.view, some.a.get())?;
        let start = found.start;
        let mut done = Ok(());
        for node in found {
            self.queries.bind(node);
            let held = self.open_cond(some.b.get());
            self.queries.unbind();
            match held {
                Ok(held) if each(self, node, held) => {}
                Ok(_) => break,
                Err(stop) => {
                    done = Err(stop);
                    break;
                }
            }
        }
        self.queries.release(start);
        self.last = last;
        done
    }

    /// Whether a condition is true for the bound nodes. The recursion depth is the nesting of
    /// conditions, which the verifier bounds.
    pub(super) fn open_cond(&mut self, cond: u32) -> Result<bool, StopReason> {
        let block = self.view.tables.code_of(cond).ok_or(StopReason::Unverified)?;
        self.queries.charge(block.len().max(1))?;
        let mut at = 0;
        while let Some(row) = block.get(at) {
            let a = row.a.get();
            let go = match Op::from_number(row.op) {
                Some(Op::Yes) => return Ok(true),
                Some(Op::No) => return Ok(false),
                Some(Op::Jump) => true,
                Some(Op::IfBound) => self.open_pred(a)?,
                Some(Op::UnlessBound) => !self.open_pred(a)?,
                Some(Op::IfBoundCond) => self.open_cond(a)?,
                Some(Op::UnlessBoundCond) => !self.open_cond(a)?,
                Some(op @ (Op::IfPred | Op::UnlessPred)) => {
                    self.last_of_node = a;
                    self.pred(a)? == (op == Op::IfPred)
                }
                Some(Op::IfCond) => self.cond(a)?,
                Some(Op::UnlessCond) => !self.cond(a)?,
                _ => return Err(StopReason::Unverified),
            };
            at = if go { row.b.get() as usize } else { at.saturating_add(1) };
        }
        Ok(at == block.len())
    }

    /// Whether a predicate is true for the bound nodes.
    pub(super) fn open_pred(&mut self, pred: u32) -> Result<bool, StopReason> {
        let row = row(self.view.tables.preds, pred).ok_or(StopReason::Unverified)?;
        let op = Op::from_number(row.op).ok_or(StopReason::Unverified)?;
        // The operations from here on are about more than the values of two slots.
        if op >= Op::Some {
            let truth = if op == Op::Some { self.some(row) } else { self.historic(op, row) };
            self.last_of_node = pred;
            return truth;
        }
        self.last_of_node = pred;
        let Self { view, queries, texts, schema, late, elements, .. } = self;
        let left = queries.operand(view, row.a.get(), &mut late.left);
        let right = match op.operands().1 {
            Operand::Const => view.tables.constant(row.b.get()),
            Operand::Slot => queries.operand(view, row.b.get(), &mut late.right),
            _ => Item::Absent,
        };
        let (truth, steps) =
            Test { view, texts, schema }.of_many((op, row), (row.a.get(), left, right), elements)?;
        queries.charge(steps)?;
        Ok(truth)
    }
}
