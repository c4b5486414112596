//! Conditions to code: short-circuit jumps, forward only.
//!
//! A block is a condition of the module. Conditions of hooks have one, and so do groups that are
//! used more than once, which others then test by number; everything else is inlined. Groups are
//! evaluated in source order and each jump goes directly to its final target, so a block needs no
//! plain jump. The address after its last row is `yes`, the next one is `no`.

use hookc_base::row_number;
use hookc_vm::format::op::Op;
use hookc_vm::format::{HookTest, Range, Row};

use super::open::Open;
use crate::fault::Faults;
use crate::plan::{Cond, CondId, Plan, Right, Template};
use crate::rows::range;

/// The conditions and the code of a module.
#[derive(Debug)]
pub(super) struct Blocks<'f> {
    pub(super) conds: Vec<Range>,
    pub(super) code: Vec<Row>,
    /// By condition of the plan, its block.
    numbers: Vec<Option<u32>>,
    faults: &'f Faults,
}

/// A jump target in a block, by its number there.
#[derive(Clone, Copy, Debug)]
struct Label(usize);

/// Where a condition continues.
#[derive(Clone, Copy, Debug)]
struct Targets {
    yes: Label,
    no: Label,
    /// Which of the two directly follows the code: `yes` if true.
    falls: bool,
}

/// A block under construction; addresses in `rows` are labels until it is complete.
#[derive(Debug)]
struct Block<'p> {
    plan: &'p Plan,
    numbers: &'p [Option<u32>],
    open: &'p Open,
    rows: Vec<Row>,
    /// By label, its row once that is known.
    labels: Vec<Option<u32>>,
    faults: &'p Faults,
}

/// Lays out the conditions of all hooks. Operands of the plan's conditions
/// have lower numbers, so blocks refer to lower blocks only.
pub(super) fn blocks<'f>(plan: &Plan, faults: &'f Faults) -> Blocks<'f> {
    let (has_block, open) = (own_blocks(plan, faults), Open::new(plan, faults));
    let numbers = vec![None; plan.conds.len()];
    let mut blocks = Blocks { conds: Vec::new(), code: Vec::new(), numbers, faults };
    for (at, _) in has_block.iter().enumerate().filter(|(_, has_block)| **has_block) {
        let rows = Block::rows(plan, &blocks.numbers, &open, CondId::new(at), faults);
        let number = Some(row_number(blocks.conds.len()));
        faults.put(&mut blocks.numbers, at, number, UNKNOWN_COND);
        let start = blocks.code.len();
        blocks.code.extend(rows);
        blocks.conds.push(range(start, blocks.code.len()));
    }
    blocks
}

/// Any other would leave a hook with the condition of another one.
pub(super) const UNKNOWN_COND: &str = "a hook or a group refers to a condition that the plan does not have";

impl Blocks<'_> {
    /// What a hook tests: its condition's only predicate, or its block.
    pub(super) fn test(&self, plan: &Plan, cond: CondId) -> HookTest {
        match plan.conds.get(cond.index()) {
            Some(Cond::Pred(pred)) => HookTest::Pred(pred.0),
            _ => HookTest::Cond(self.number(cond)),
        }
    }

    /// The block of a condition.
    pub(super) fn number(&self, cond: CondId) -> u32 {
        let block = self.numbers.get(cond.index()).copied().flatten();
        self.faults.known(block, 0, "the condition of a hook or a quantifier has no block")
    }
}

/// The conditions with their own block: those of quantifiers, those of hooks and reasons with more than a predicate,
/// and shared groups.
fn own_blocks(plan: &Plan, faults: &Faults) -> Vec<bool> {
    let mut roots = vec![false; plan.conds.len()];
    let hooks = plan.events.iter().flat_map(|event| &event.hooks).map(|hook| hook.cond);
    let reasons = plan.templates.iter().flat_map(|template| match template {
        Template::Because(reasons) => reasons.as_slice(),
        _ => &[],
    });
    let watches = plan.events.iter().flat_map(|event| &event.watches);
    let watches = watches.flat_map(|watch| {
        let excluded = watch.excluded.iter().filter_map(|(cond, _)| *cond);
        std::iter::once(watch.cond).chain(excluded)
    });
    for cond in hooks.chain(reasons.map(|(cond, _)| *cond)).chain(watches) {
        if !matches!(plan.conds.get(cond.index()), Some(Cond::Pred(_))) {
            faults.put(&mut roots, cond.index(), true, UNKNOWN_COND);
        }
    }
    for pred in &plan.preds {
        if let Right::Cond(cond) = pred.right {
            faults.put(&mut roots, cond.index(), true, UNKNOWN_COND);
        }
    }
    let mut uses = vec![0_u32; plan.conds.len()];
    for (at, cond) in plan.conds.iter().enumerate() {
        match cond {
            Cond::All(inner) | Cond::Any(inner) => {
                inner.iter().for_each(|inner| used(plan, *inner, &mut uses, faults))
            }
            Cond::Not(inner) if roots.get(at) == Some(&true) => used(plan, *inner, &mut uses, faults),
            Cond::Not(_) | Cond::Const(_) | Cond::Pred(_) => {}
        }
    }
    let shared = uses.iter().enumerate().filter(|(_, uses)| **uses > 1).map(|(at, _)| CondId::new(at));
    for cond in shared.filter(|cond| group(plan, *cond)) {
        faults.put(&mut roots, cond.index(), true, UNKNOWN_COND);
    }
    roots
}

/// A use of a negation is a use of its operand.
fn used(plan: &Plan, cond: CondId, uses: &mut [u32], faults: &Faults) {
    let at = match plan.conds.get(cond.index()) {
        Some(Cond::Not(inner)) => *inner,
        _ => cond,
    };
    match uses.get_mut(at.index()) {
        // More than one is all that matters.
        Some(uses) => *uses = uses.saturating_add(1),
        None => faults.note(UNKNOWN_COND),
    }
}

fn group(plan: &Plan, cond: CondId) -> bool {
    matches!(plan.conds.get(cond.index()), Some(Cond::All(_) | Cond::Any(_)))
}

impl<'p> Block<'p> {
    fn rows(
        plan: &'p Plan,
        numbers: &'p [Option<u32>],
        open: &'p Open,
        cond: CondId,
        faults: &'p Faults,
    ) -> Vec<Row> {
        let mut block = Self { plan, numbers, open, rows: Vec::new(), labels: Vec::new(), faults };
        let (yes, no) = (block.label(), block.label());
        block.inner(cond, Targets { yes, no, falls: true });
        block.here(yes);
        let after = Some(row_number(block.rows.len().saturating_add(1)));
        faults.put(&mut block.labels, no.0, after, "a label of another block");
        block.resolved()
    }

    /// Code that jumps to `to.yes` if the condition is true, otherwise to `to.no`.
    fn cond(&mut self, cond: CondId, to: Targets) {
        let block = self.numbers.get(cond.index()).copied().flatten();
        match block.filter(|_| group(self.plan, cond)) {
            Some(block) if self.open.cond(cond) => {
                self.test(Op::IfBoundCond, Op::UnlessBoundCond, block, to);
            }
            Some(block) => self.test(Op::IfCond, Op::UnlessCond, block, to),
            None => self.inner(cond, to),
        }
    }

    /// Like `cond`, inlined. The nesting of the source bounds the recursion.
    fn inner(&mut self, cond: CondId, to: Targets) {
        let plan = self.plan;
        match plan.conds.get(cond.index()) {
            Some(Cond::Pred(pred)) if self.open.pred(*pred) => {
                self.test(Op::IfBound, Op::UnlessBound, pred.0, to);
            }
            Some(Cond::Pred(pred)) => self.test(Op::IfPred, Op::UnlessPred, pred.0, to),
            Some(Cond::Not(inner)) => {
                self.cond(*inner, Targets { yes: to.no, no: to.yes, falls: !to.falls });
            }
            Some(Cond::All(inner)) => self.members(inner, true, to),
            Some(Cond::Any(inner)) => self.members(inner, false, to),
            Some(Cond::Const(value)) => self.constant(*value, to),
            None => self.faults.note(UNKNOWN_COND),
        }
    }

    /// Members in order; each except the last falls through to the next if it does not decide the
    /// group.
    fn members(&mut self, members: &[CondId], is_all: bool, to: Targets) {
        let Some((last, before)) = members.split_last() else { return self.constant(is_all, to) };
        for member in before {
            let next = self.label();
            let targets = match is_all {
                true => Targets { yes: next, no: to.no, falls: true },
                false => Targets { yes: to.yes, no: next, falls: false },
            };
            self.cond(*member, targets);
            self.here(next);
        }
        self.cond(*last, to);
    }

    fn test(&mut self, if_true: Op, if_false: Op, operand: u32, to: Targets) {
        match to.falls {
            true => self.row(if_false, operand, row_number(to.no.0)),
            false => self.row(if_true, operand, row_number(to.yes.0)),
        }
    }

    fn constant(&mut self, value: bool, to: Targets) {
        if value != to.falls {
            let target = if value { to.yes } else { to.no };
            self.row(Op::Jump, 0, row_number(target.0));
        }
    }

    fn row(&mut self, op: Op, a: u32, b: u32) {
        self.rows.push(Row { op: op as u8, a: a.into(), b: b.into() });
    }

    fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    fn here(&mut self, label: Label) {
        let here = Some(row_number(self.rows.len()));
        self.faults.put(&mut self.labels, label.0, here, "a label of another block");
    }

    /// The rows with labels replaced by addresses.
    fn resolved(self) -> Vec<Row> {
        let Self { mut rows, labels, faults, .. } = self;
        for row in &mut rows {
            let target = labels.get(row.b.get() as usize).copied().flatten();
            row.b = faults.known(target, 0, "a jump without a target").into();
        }
        rows
    }
}
