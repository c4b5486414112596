//! Simplifies conditions: no constants inside, flattened groups, no double negations. The rest
//! keeps its order.

use hookc_schema::Spanned;

use crate::ir::{LowCond, Quantified, Test};

/// A condition after folding: `Const` occurs only at the top.
#[derive(Debug)]
pub(super) enum FoldedCond<'c> {
    Const(bool),
    Test(&'c Spanned<Test>),
    Not(Box<FoldedCond<'c>>),
    /// A quantifier, and its condition.
    Some(&'c Quantified, Box<FoldedCond<'c>>),
    /// `true`: all, `false`: any.
    Group(bool, Vec<FoldedCond<'c>>),
}

/// Folds a condition. The recursion is bounded by the nesting of a source.
pub(super) fn fold(cond: &LowCond) -> FoldedCond<'_> {
    match cond {
        LowCond::Const(value) => FoldedCond::Const(*value),
        LowCond::All(conds) => group(true, conds),
        LowCond::Any(conds) => group(false, conds),
        LowCond::Not(cond) => match fold(cond) {
            FoldedCond::Const(value) => FoldedCond::Const(!value),
            FoldedCond::Not(cond) => *cond,
            cond => FoldedCond::Not(Box::new(cond)),
        },
        LowCond::Test(test) => FoldedCond::Test(test),
        LowCond::Some(some) => match fold(&some.node.cond) {
            FoldedCond::Const(false) => FoldedCond::Const(false),
            cond => FoldedCond::Some(&some.node, Box::new(cond)),
        },
    }
}

fn group(all: bool, conds: &[LowCond]) -> FoldedCond<'_> {
    let mut members = Vec::with_capacity(conds.len());
    if gather(all, conds, &mut members) {
        return FoldedCond::Const(!all);
    }
    match members.len() {
        0 => FoldedCond::Const(all),
        1 => members.pop().unwrap_or(FoldedCond::Const(all)),
        _ => FoldedCond::Group(all, members),
    }
}

/// Adds the rest of `conds`; returns whether one of them decides the group.
fn gather<'c>(all: bool, conds: &'c [LowCond], members: &mut Vec<FoldedCond<'c>>) -> bool {
    conds.iter().any(|cond| match (all, cond) {
        (true, LowCond::All(inner)) | (false, LowCond::Any(inner)) => gather(all, inner, members),
        _ => match fold(cond) {
            FoldedCond::Const(value) => value != all,
            FoldedCond::Group(kind, inner) if kind == all => {
                members.extend(inner);
                false
            }
            member => {
                members.push(member);
                false
            }
        },
    })
}
