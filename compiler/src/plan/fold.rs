//! Simplifies conditions: no constants inside, flattened groups, no double negations. The rest
//! keeps its order.

use hookc_schema::Spanned;

use crate::ir::{LowCond, Test};

/// A condition after folding: `Const` occurs only at the top.
#[derive(Debug)]
pub(super) enum Flat<'c> {
    Const(bool),
    Test(&'c Spanned<Test>),
    Not(Box<Flat<'c>>),
    /// `true`: all, `false`: any.
    Group(bool, Vec<Flat<'c>>),
}

/// Folds a condition. The recursion is bounded by the nesting of a source.
pub(super) fn fold(cond: &LowCond) -> Flat<'_> {
    match cond {
        LowCond::Const(value) => Flat::Const(*value),
        LowCond::All(conds) => group(true, conds),
        LowCond::Any(conds) => group(false, conds),
        LowCond::Not(cond) => match fold(cond) {
            Flat::Const(value) => Flat::Const(!value),
            Flat::Not(cond) => *cond,
            cond => Flat::Not(Box::new(cond)),
        },
        LowCond::Test(test) => Flat::Test(test),
    }
}

fn group(all: bool, conds: &[LowCond]) -> Flat<'_> {
    let mut members = Vec::with_capacity(conds.len());
    if gather(all, conds, &mut members) {
        return Flat::Const(!all);
    }
    match members.len() {
        0 => Flat::Const(all),
        1 => members.pop().unwrap_or(Flat::Const(all)),
        _ => Flat::Group(all, members),
    }
}

/// Adds the rest of `conds`; returns whether one of them decides the group.
fn gather<'c>(all: bool, conds: &'c [LowCond], members: &mut Vec<Flat<'c>>) -> bool {
    conds.iter().any(|cond| match (all, cond) {
        (true, LowCond::All(inner)) | (false, LowCond::Any(inner)) => gather(all, inner, members),
        _ => match fold(cond) {
            Flat::Const(value) => value != all,
            Flat::Group(kind, inner) if kind == all => {
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
