//! Conditions to code: short-circuit jumps, forward only.
//!
//! A block is a condition of the module. Conditions of hooks have one, and so do groups that are
//! used more than once, which others then test by number; everything else is inlined. Groups are
//! evaluated in source order and each jump goes directly to its final target, so a block needs no
//! plain jump and ends in `yes` and `no`.

use hookc_vm::format::op::Op;
use hookc_vm::format::{Range, Row};

use crate::plan::{Cond, CondId, Plan};

/// The conditions and the code of a module.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    pub(super) conds: Vec<Range>,
    pub(super) code: Vec<Row>,
    /// By condition of the plan, its block.
    numbers: Vec<Option<u32>>,
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
    rows: Vec<Row>,
    labels: Vec<u32>,
}

/// Lays out the conditions of all hooks. Operands of the plan's conditions
/// have lower numbers, so blocks refer to lower blocks only.
pub(super) fn blocks(plan: &Plan) -> Blocks {
    let own = own_blocks(plan);
    let mut blocks = Blocks { numbers: vec![None; plan.conds.len()], ..Blocks::default() };
    for (at, _) in own.iter().enumerate().filter(|(_, own)| **own) {
        let rows = Block::of(plan, &blocks.numbers, CondId::new(at));
        let range =
            Range { start: row_number(blocks.code.len()).into(), length: row_number(rows.len()).into() };
        if let Some(number) = blocks.numbers.get_mut(at) {
            *number = Some(row_number(blocks.conds.len()));
        }
        blocks.conds.push(range);
        blocks.code.extend(rows);
    }
    blocks
}

impl Blocks {
    /// The block of a hook's condition.
    pub(super) fn number(&self, cond: CondId) -> u32 {
        self.numbers.get(cond.index()).copied().flatten().unwrap_or_default()
    }
}

fn row_number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The conditions with their own block.
fn own_blocks(plan: &Plan) -> Vec<bool> {
    let mut roots = vec![false; plan.conds.len()];
    for hook in plan.events.iter().flat_map(|event| &event.hooks) {
        mark(&mut roots, hook.cond, true);
    }
    let mut uses = vec![0_u32; plan.conds.len()];
    for (at, cond) in plan.conds.iter().enumerate() {
        match cond {
            Cond::All(inner) | Cond::Any(inner) => {
                inner.iter().for_each(|inner| used(plan, *inner, &mut uses))
            }
            Cond::Not(inner) if roots.get(at) == Some(&true) => used(plan, *inner, &mut uses),
            Cond::Not(_) | Cond::Const(_) | Cond::Pred(_) => {}
        }
    }
    let shared = uses.iter().enumerate().filter(|(_, uses)| **uses > 1).map(|(at, _)| CondId::new(at));
    for cond in shared.filter(|cond| group(plan, *cond)) {
        mark(&mut roots, cond, true);
    }
    roots
}

fn mark<T>(marks: &mut [T], cond: CondId, value: T) {
    if let Some(mark) = marks.get_mut(cond.index()) {
        *mark = value;
    }
}

/// A use of a negation is a use of its operand.
fn used(plan: &Plan, cond: CondId, uses: &mut [u32]) {
    let at = match plan.conds.get(cond.index()) {
        Some(Cond::Not(inner)) => *inner,
        _ => cond,
    };
    if let Some(uses) = uses.get_mut(at.index()) {
        *uses = uses.saturating_add(1);
    }
}

fn group(plan: &Plan, cond: CondId) -> bool {
    matches!(plan.conds.get(cond.index()), Some(Cond::All(_) | Cond::Any(_)))
}

impl<'p> Block<'p> {
    fn of(plan: &'p Plan, numbers: &'p [Option<u32>], cond: CondId) -> Vec<Row> {
        let mut block = Self { plan, numbers, rows: Vec::new(), labels: Vec::new() };
        if let Some(Cond::Const(value)) = plan.conds.get(cond.index()) {
            block.row(if *value { Op::Yes } else { Op::No }, 0, 0);
            return block.rows;
        }
        let (yes, no) = (block.label(), block.label());
        block.inner(cond, Targets { yes, no, falls: true });
        block.here(yes);
        block.row(Op::Yes, 0, 0);
        block.here(no);
        block.row(Op::No, 0, 0);
        block.resolved()
    }

    /// Code that jumps to `to.yes` if the condition is true, otherwise to `to.no`.
    fn cond(&mut self, cond: CondId, to: Targets) {
        let block = self.numbers.get(cond.index()).copied().flatten();
        match block.filter(|_| group(self.plan, cond)) {
            Some(block) => self.test(Op::IfCond, Op::UnlessCond, block, to),
            None => self.inner(cond, to),
        }
    }

    /// The same, inlined. The nesting of the source bounds the recursion.
    fn inner(&mut self, cond: CondId, to: Targets) {
        let plan = self.plan;
        match plan.conds.get(cond.index()) {
            Some(Cond::Pred(pred)) => self.test(Op::IfPred, Op::UnlessPred, pred.0, to),
            Some(Cond::Not(inner)) => {
                self.cond(*inner, Targets { yes: to.no, no: to.yes, falls: !to.falls });
            }
            Some(Cond::All(inner)) => self.members(inner, true, to),
            Some(Cond::Any(inner)) => self.members(inner, false, to),
            Some(Cond::Const(value)) => self.constant(*value, to),
            None => {}
        }
    }

    /// Members in order; each except the last falls through to the next if it does not decide the
    /// group.
    fn members(&mut self, members: &[CondId], all: bool, to: Targets) {
        let Some((last, before)) = members.split_last() else { return self.constant(all, to) };
        for member in before {
            let next = self.label();
            let targets = match all {
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
        self.rows.push(Row { op: op as u8, zero: [0; 3], a: a.into(), b: b.into() });
    }

    fn label(&mut self) -> Label {
        self.labels.push(u32::MAX);
        Label(self.labels.len() - 1)
    }

    fn here(&mut self, label: Label) {
        let here = row_number(self.rows.len());
        if let Some(place) = self.labels.get_mut(label.0) {
            *place = here;
        }
    }

    /// The rows with labels replaced by addresses.
    fn resolved(self) -> Vec<Row> {
        let Self { mut rows, labels, .. } = self;
        for row in &mut rows {
            if !matches!(Op::from_number(row.op), Some(Op::Yes | Op::No)) {
                let label = labels.get(row.b.get() as usize);
                row.b = label.copied().unwrap_or(u32::MAX).into();
            }
        }
        rows
    }
}
