//! Three truths: a condition that reads an unknown history is evaluated by Kleene's logic.
//!
//! Code only jumps forward, so both ways of an unknown test are followed in one pass over the rows of a block: it marks
//! the rows that can be reached. The condition is unknown if both of its ends are. The search comes here when the first
//! unknown predicate appears, and stays here for the rest of the decision.

use super::machine::Machine;
use crate::history::Cause;
use crate::module::row;
use crate::op::Op;
use crate::rows::{HookTest, NONE, Row};
use crate::stop::StopReason;

/// A truth, or why it is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kleene {
    False,
    True,
    Unknown(Cause),
}

impl From<bool> for Kleene {
    fn from(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }
}

/// The truth of an evaluation with two truths, which ends at the first unknown one.
fn of_result(truth: Result<bool, StopReason>) -> Result<Kleene, StopReason> {
    match truth {
        Ok(truth) => Ok(truth.into()),
        Err(StopReason::Unknown(cause)) => Ok(Kleene::Unknown(cause)),
        Err(stop) => Err(stop),
    }
}

impl Machine<'_> {
    /// The truth of what a hook or a watch tests.
    pub(super) fn truth(&mut self, test: HookTest) -> Result<Kleene, StopReason> {
        match test {
            HookTest::Cond(cond) => self.truth_of_cond(cond),
            HookTest::Pred(pred) => self.truth_of_pred(pred),
        }
    }

    /// The truth of a closed condition. The recursion depth is the nesting of conditions, which the verifier bounds.
    fn truth_of_cond(&mut self, cond: u32) -> Result<Kleene, StopReason> {
        if let Some((truth, last)) = self.memo.cond(cond) {
            self.settle(last);
            return Ok(truth.into());
        }
        if let Some((cause, last)) = self.past.memory.unknown_conds.get(&cond).copied() {
            self.settle(last);
            return Ok(Kleene::Unknown(cause));
        }
        let before = std::mem::replace(&mut self.last, NONE);
        let block = self.view.tables.code_of(cond).ok_or(StopReason::Unverified)?;
        let truth = self.follow(block, false)?;
        let last = std::mem::replace(&mut self.last, before);
        match truth {
            Kleene::Unknown(cause) => drop(self.past.memory.unknown_conds.insert(cond, (cause, last))),
            known => self.memo.set_cond(cond, known == Kleene::True, last),
        }
        self.settle(last);
        Ok(truth)
    }

    /// The truth of a closed predicate.
    fn truth_of_pred(&mut self, pred: u32) -> Result<Kleene, StopReason> {
        self.last = pred;
        if let Some(truth) = self.memo.pred(pred) {
            return Ok(truth.into());
        }
        if let Some(cause) = self.past.memory.unknown_preds.get(&pred) {
            return Ok(Kleene::Unknown(*cause));
        }
        let row = row(self.view.tables.preds, pred).ok_or(StopReason::Unverified)?;
        let truth = if row.op == Op::Some as u8 {
            self.late.release();
            self.truth_of_some(row)?
        } else {
            of_result(self.pred(pred))?
        };
        self.last = pred;
        match truth {
            Kleene::Unknown(cause) => drop(self.past.memory.unknown_preds.insert(pred, cause)),
            known => self.memo.set_pred(pred, known == Kleene::True),
        }
        Ok(truth)
    }

    /// The truth of a quantifier: true if its condition is for one node, else unknown if it is for one.
    fn truth_of_some(&mut self, some: Row) -> Result<Kleene, StopReason> {
        let last = self.last;
        let found = self.queries.find(&self.view, some.a.get())?;
        let start = found.start;
        let mut truth = Ok(Kleene::False);
        for node in found {
            self.queries.bind(node);
            let of_node = self.truth_of_open(some.b.get());
            self.queries.unbind();
            match of_node {
                Ok(Kleene::False) => {}
                Ok(Kleene::Unknown(cause)) => truth = Ok(Kleene::Unknown(cause)),
                ended => {
                    truth = ended;
                    break;
                }
            }
        }
        self.queries.release(start);
        self.last = last;
        truth
    }

    /// The truth of a condition for the bound nodes.
    fn truth_of_open(&mut self, cond: u32) -> Result<Kleene, StopReason> {
        let block = self.view.tables.code_of(cond).ok_or(StopReason::Unverified)?;
        self.queries.charge(block.len().max(1))?;
        self.follow(block, true)
    }

    fn truth_of_open_pred(&mut self, pred: u32) -> Result<Kleene, StopReason> {
        let row = row(self.view.tables.preds, pred).ok_or(StopReason::Unverified)?;
        let truth = if row.op == Op::Some as u8 {
            self.truth_of_some(row)?
        } else {
            of_result(self.open_pred(pred))?
        };
        self.last_of_node = pred;
        Ok(truth)
    }

    /// Follows every way through a block. Addresses only grow: past the last row is `yes`, further on `no`.
    fn follow(&mut self, block: &[Row], is_open: bool) -> Result<Kleene, StopReason> {
        let mut reached = vec![false; block.len().saturating_add(2)];
        let mut unknown = None;
        mark(&mut reached, 0);
        for (at, row) in block.iter().enumerate() {
            if reached.get(at) != Some(&true) {
                continue;
            }
            let (target, next) = (row.b.get() as usize, at.saturating_add(1));
            let op = Op::from_number(row.op).ok_or(StopReason::Unverified)?;
            let Some((truth, jumps)) = self.tested_row(op, row.a.get(), is_open)? else {
                mark(
                    &mut reached,
                    match op {
                        Op::Yes => block.len(),
                        Op::No => block.len().saturating_add(1),
                        _ => target,
                    },
                );
                continue;
            };
            if let Kleene::Unknown(cause) = truth {
                unknown = unknown.or(Some((cause, self.last)));
                mark(&mut reached, target);
                mark(&mut reached, next);
            } else {
                mark(&mut reached, if (truth == Kleene::True) == jumps { target } else { next });
            }
        }
        let ends = (reached.get(block.len()).copied(), reached.last().copied());
        Ok(match (ends, unknown) {
            ((Some(true), Some(false)), _) => Kleene::True,
            ((_, Some(true)), None) | ((Some(false), _), _) => Kleene::False,
            (_, Some((cause, last))) => {
                self.last = last;
                Kleene::Unknown(cause)
            }
            _ => return Err(StopReason::Unverified),
        })
    }

    /// The truth of what a row tests, and whether it jumps if that is true; `None` for a row without a test.
    fn tested_row(&mut self, op: Op, a: u32, is_open: bool) -> Result<Option<(Kleene, bool)>, StopReason> {
        Ok(Some(match op {
            Op::Yes | Op::No | Op::Jump => return Ok(None),
            Op::IfPred | Op::UnlessPred => {
                if is_open {
                    self.last_of_node = a;
                }
                (self.truth_of_pred(a)?, op == Op::IfPred)
            }
            Op::IfCond | Op::UnlessCond => (self.truth_of_cond(a)?, op == Op::IfCond),
            Op::IfBound | Op::UnlessBound if is_open => (self.truth_of_open_pred(a)?, op == Op::IfBound),
            Op::IfBoundCond | Op::UnlessBoundCond if is_open => {
                (self.truth_of_open(a)?, op == Op::IfBoundCond)
            }
            _ => return Err(StopReason::Unverified),
        }))
    }
}

fn mark(reached: &mut [bool], at: usize) {
    if let Some(place) = reached.get_mut(at) {
        *place = true;
    }
}
