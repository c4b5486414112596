//! Conditions, each once.

use foldhash::fast::RandomState;
use hookc_schema::Spanned;
use hookc_vm::format::op::Op;
use indexmap::IndexSet;

use super::fold::FoldedCond;
use super::simple_schema::simple_schema;
use super::{Builder, Cond, CondId, Left, Right};
use crate::ir::{LowCond, ReadPath, Test, TestRight};

/// Up to here, repeats in a group are found by looking.
const FEW: usize = 8;

/// The most members that a group takes over from a group of the same kind in it. A longer one stays
/// a condition by itself: many hooks can have it among their own conditions.
pub(super) const FLATTENED: usize = 16;

impl Builder {
    /// The condition of a hook.
    pub(super) fn condition(&mut self, cond: &LowCond) -> CondId {
        let flat = self.constants.fold(cond);
        self.flat(&flat)
    }

    fn flat(&mut self, cond: &FoldedCond<'_>) -> CondId {
        match cond {
            FoldedCond::Const(value) => self.cond(Cond::Const(*value)),
            FoldedCond::Test(test) => self.tested(test),
            FoldedCond::Effects(test) => self.acts(test),
            FoldedCond::Past(test) => self.past(test),
            FoldedCond::Some(some, cond) => {
                let nodes = self.nodes_of(some);
                let cond = self.flat(cond);
                self.test_of(Op::Some, Left::Bound(nodes), Right::Cond(cond))
            }
            FoldedCond::Not(cond) => {
                let cond = self.flat(cond);
                self.not(cond)
            }
            FoldedCond::Group(is_all, members) => {
                let members = members.iter().map(|member| self.flat(member)).collect();
                self.group(*is_all, members)
            }
            FoldedCond::Shared(id, cond) => {
                if let Some(known) = self.shared.get(id) {
                    return *known;
                }
                let contents = self.constants.contents(cond);
                let made = self.flat(&contents);
                self.shared.insert(*id, made);
                made
            }
        }
    }

    fn tested(&mut self, test: &Spanned<Test>) -> CondId {
        if let TestRight::Schema(graph) = &test.node.right
            && !matches!(test.node.path, ReadPath::Nodes(_) | ReadPath::Bound(..) | ReadPath::Recall(_))
            && let Some(cond) =
                simple_schema(graph).and_then(|schema| self.simple_schema(&test.node.path, &schema))
        {
            return cond;
        }
        let pred = self.pred(test);
        self.cond(pred.map_or(Cond::Const(false), Cond::Pred))
    }

    /// The condition of a predicate.
    pub(super) fn test_of(&mut self, op: Op, left: Left, right: Right) -> CondId {
        let pred = self.add(op, left, right);
        self.cond(Cond::Pred(pred))
    }

    /// Removing duplicates may have exposed a negation, or a group of the same kind as the
    /// surrounding one.
    fn not(&mut self, cond: CondId) -> CondId {
        match self.conds.get(cond.0) {
            Some(Cond::Not(inner)) => *inner,
            _ => self.cond(Cond::Not(cond)),
        }
    }

    pub(super) fn group(&mut self, is_all: bool, members: Vec<CondId>) -> CondId {
        let members = without_repeats(self.spliced(is_all, members));
        match members.as_slice() {
            [one] => *one,
            _ if is_all => self.cond(Cond::All(members)),
            _ => self.cond(Cond::Any(members)),
        }
    }

    fn spliced(&self, is_all: bool, members: Vec<CondId>) -> Vec<CondId> {
        let inner = |member: &CondId| match self.conds.get(member.0) {
            Some(Cond::All(inner)) if is_all && inner.len() <= FLATTENED => Some(inner),
            Some(Cond::Any(inner)) if !is_all && inner.len() <= FLATTENED => Some(inner),
            _ => None,
        };
        if members.iter().all(|member| inner(member).is_none()) {
            return members;
        }
        let splice = |member: &CondId| inner(member).cloned().unwrap_or_else(|| vec![*member]);
        members.iter().flat_map(splice).collect()
    }

    fn cond(&mut self, cond: Cond) -> CondId {
        CondId::new(self.conds.add(cond))
    }
}

fn without_repeats(members: Vec<CondId>) -> Vec<CondId> {
    if members.len() > FEW {
        return members.into_iter().collect::<IndexSet<_, RandomState>>().into_iter().collect();
    }
    let mut kept: Vec<CondId> = Vec::with_capacity(members.len());
    for member in members {
        if !kept.contains(&member) {
            kept.push(member);
        }
    }
    kept
}
