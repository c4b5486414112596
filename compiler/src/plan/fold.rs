//! Simplifies conditions: no constants inside, flattened groups, no double negations. The rest
//! keeps its order.

use foldhash::fast::RandomState;
use hookc_schema::Spanned;
use hookc_schema::tree::SharedId;
use indexmap::IndexMap;

use super::conds::FLATTENED;
use crate::ir::{EffectTest, LowCond, PastTest, Quantified, Test};

/// A condition after folding: `Const` occurs only at the top.
#[derive(Debug)]
pub(super) enum FoldedCond<'c> {
    Const(bool),
    Test(&'c Spanned<Test>),
    Effects(&'c EffectTest),
    Past(&'c PastTest),
    Not(Box<FoldedCond<'c>>),
    /// A quantifier, and its condition.
    Some(&'c Quantified, Box<FoldedCond<'c>>),
    /// `true`: all, `false`: any.
    Group(bool, Vec<FoldedCond<'c>>),
    /// A condition that others share, and that is not constant.
    Shared(SharedId, &'c LowCond),
}

/// The values of shared conditions; `None` for those that are not constant.
#[derive(Debug, Default)]
pub(super) struct Constants(IndexMap<SharedId, Option<bool>, RandomState>);

impl Constants {
    /// Folds a condition. The recursion is bounded by the nesting of a source.
    pub(super) fn fold<'c>(&mut self, cond: &'c LowCond) -> FoldedCond<'c> {
        let Some(id) = cond.shared() else { return self.contents(cond) };
        let known = match self.0.get(&id) {
            Some(known) => *known,
            None => {
                let value = match self.contents(cond) {
                    FoldedCond::Const(value) => Some(value),
                    _ => None,
                };
                self.0.insert(id, value);
                value
            }
        };
        known.map_or(FoldedCond::Shared(id, cond), FoldedCond::Const)
    }

    /// Folds a condition whether or not it is shared.
    pub(super) fn contents<'c>(&mut self, cond: &'c LowCond) -> FoldedCond<'c> {
        match cond {
            LowCond::Const(value) => FoldedCond::Const(*value),
            LowCond::All(conds) => self.group(true, conds),
            LowCond::Any(conds) => self.group(false, conds),
            LowCond::Not(cond) => match self.fold(cond) {
                FoldedCond::Const(value) => FoldedCond::Const(!value),
                FoldedCond::Not(cond) => *cond,
                cond => FoldedCond::Not(Box::new(cond)),
            },
            LowCond::Test(test) => FoldedCond::Test(test),
            LowCond::Effects(test) => FoldedCond::Effects(&test.node),
            LowCond::Past(test) => FoldedCond::Past(&test.node),
            LowCond::Some(some) => match self.fold(&some.node.cond) {
                FoldedCond::Const(false) => FoldedCond::Const(false),
                cond => FoldedCond::Some(&some.node, Box::new(cond)),
            },
        }
    }

    fn group<'c>(&mut self, is_all: bool, conds: &'c [LowCond]) -> FoldedCond<'c> {
        let mut members = Vec::with_capacity(conds.len());
        for cond in conds {
            match self.fold(cond) {
                FoldedCond::Const(value) if value != is_all => return FoldedCond::Const(value),
                FoldedCond::Const(_) => {}
                FoldedCond::Group(kind, inner) if kind == is_all && inner.len() <= FLATTENED => {
                    members.extend(inner);
                }
                member => members.push(member),
            }
        }
        match members.len() {
            0 => FoldedCond::Const(is_all),
            1 => members.pop().unwrap_or(FoldedCond::Const(is_all)),
            _ => FoldedCond::Group(is_all, members),
        }
    }
}
