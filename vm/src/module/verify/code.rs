//! Predicates, conditions, and their code: operands by the instruction table.

use hookc_base::row_number;

use super::{Checked, Claims, Work, ensure, query, within};
use crate::limits::MODULE_DEPTH;
use crate::module::Tables;
use crate::op::{Group, Op, Operand};
use crate::rows::{NODE, NONE, Row, SectionKind, U32, tag};
use crate::text::glob;

/// Every predicate is valid and its operands have the right types.
pub(super) fn preds(t: &Tables<'_>, work: &mut Work) -> Checked {
    let mut globs = vec![false; t.lists.len()];
    let bound = query::bound_values(t, work)?;
    // A slot, or a value below a bound node.
    let slot = |value: u32| match value.checked_sub(t.slots) {
        None => true,
        Some(row) => bound.get(row as usize) == Some(&true),
    };
    for (row, pred) in t.preds.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Preds, row, what);
        let op = operation(pred, Group::Pred);
        bad(op.is_some(), "not a predicate")?;
        let Some(op) = op else { continue };
        let (a, b) = op.operands();
        let node = a == Operand::Slot && tests_node(pred);
        let (left, right) = (pred.a.get(), pred.b.get());
        let a_fits = if a == Operand::Slot { slot(left) } else { operand(t, a, left, None) };
        bad(node || a_fits, "operand a is out of range")?;
        let b_fits = match b {
            Operand::Slot => {
                if node {
                    right < t.slots
                } else {
                    slot(right)
                }
            }
            Operand::Cond => within(pred.b, t.conds),
            _ => operand(t, b, right, None),
        };
        bad(b_fits, "operand b is out of range")?;
        if op == Op::Any {
            bad(
                any(t, pred, row),
                "`any` of a query of the current node, or of a predicate that does not test it",
            )?;
        }
        if b == Operand::Const {
            let kind = t.consts.get(pred.b.get() as usize).map(|constant| constant.tag.get());
            bad(kind.is_some_and(|kind| takes(op, kind)), "a constant that the operation does not take")?;
        }
        if matches!(op, Op::Glob | Op::GlobFold) {
            bad(is_globs(t, pred.b, &mut globs, work)?, "the list is not of globs")?;
        }
    }
    Ok(())
}

/// Whether a predicate tests the current node.
pub(super) fn tests_node(pred: &Row) -> bool {
    pred.op != Op::Any as u8 && pred.op != Op::Some as u8 && pred.a.get() == NODE
}

/// The query starts at a slot; the predicate is a lower one about its nodes.
fn any(t: &Tables<'_>, pred: &Row, row: usize) -> bool {
    let query = t.queries.get(pred.a.get() as usize);
    let inner = pred.b.get() as usize;
    query.is_some_and(|query| query.slot.get() != NONE)
        && inner < row
        && t.preds.get(inner).is_some_and(tests_node)
}

pub(super) fn operation(row: &Row, group: Group) -> Option<Op> {
    Op::from_number(row.op).filter(|op| op.group() == group)
}

/// The tags of constants that an operation accepts.
fn takes(op: Op, kind: u32) -> bool {
    match op {
        Op::Gt | Op::Gte | Op::Lt | Op::Lte => kind == tag::NUMBER,
        Op::StartsWith | Op::EndsWith | Op::StartsWithFold | Op::EndsWithFold => kind == tag::STRING,
        Op::Contains | Op::ContainsFold => kind <= tag::STRING,
        _ => true,
    }
}

/// Whether a list contains only valid globs; `known` caches the result by list.
fn is_globs(t: &Tables<'_>, list: U32, known: &mut [bool], work: &mut Work) -> Checked<bool> {
    let Some(known) = known.get_mut(list.get() as usize).filter(|known| !**known) else { return Ok(true) };
    *known = true;
    for index in t.list(list.get()) {
        let Some(constant) = t.consts.get(index.get() as usize) else { return Ok(false) };
        let pattern = t.str(constant.text.get());
        work.charge(pattern.len())?;
        if constant.tag.get() != tag::STRING || glob::check(pattern).is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The position of a residual instruction.
#[derive(Clone, Copy)]
pub(super) struct At {
    cond: usize,
    /// Row in its block, and rows of the block.
    row: usize,
    rows: usize,
}

pub(super) fn operand(t: &Tables<'_>, kind: Operand, value: u32, at: Option<At>) -> bool {
    let (number, slots, value) = (value as usize, t.slots, U32::new(value));
    match kind {
        Operand::None => number == 0,
        Operand::Slot => value.get() < slots,
        Operand::Const => within(value, t.consts),
        Operand::List => within(value, t.lists),
        Operand::Pattern => within(value, t.patterns),
        Operand::Schema => within(value, t.schemas),
        Operand::Query => within(value, t.queries),
        Operand::Filter => within(value, t.filters),
        Operand::Value => within(value, t.values),
        Operand::Pred => within(value, t.preds),
        Operand::Bound => within(value, t.bounds),
        Operand::Cond => at.is_some_and(|at| number < at.cond),
        // The two addresses behind the rows are the verdicts.
        Operand::Addr => at.is_some_and(|at| at.row < number && number <= at.rows.saturating_add(1)),
    }
}

/// Conditions refer to lower ones, to a bounded depth; blocks do not overlap.
pub(super) fn conds(t: &Tables<'_>) -> Checked {
    let mut claims = Claims::new(t.code.len());
    let mut depths: Vec<usize> = Vec::with_capacity(t.conds.len());
    for (cond, range) in t.conds.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Conds, cond, what);
        bad(claims.take(*range), "a block out of range, or another condition's")?;
        let block = t.block(row_number(cond));
        let depth = block_depth(t, block, cond, range.start.get() as usize, &depths)?;
        bad(depth <= MODULE_DEPTH, "nested too deep")?;
        depths.push(depth);
    }
    ensure(claims.all(), SectionKind::Code, t.code.len(), "a row belongs to no condition")
}

/// Checks the rows of a block and returns one more than the greatest depth of the conditions that
/// it tests.
fn block_depth(t: &Tables<'_>, block: &[Row], cond: usize, first: usize, depths: &[usize]) -> Checked<usize> {
    let mut depth = 0;
    for (row, code) in block.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Code, first.saturating_add(row), what);
        let op = operation(code, Group::Code);
        bad(op.is_some(), "not an instruction")?;
        let Some(op) = op else { continue };
        let at = Some(At { cond, row, rows: block.len() });
        let (a, b) = op.operands();
        bad(operand(t, a, code.a.get(), at), "operand a is out of range")?;
        bad(operand(t, b, code.b.get(), at), "operand b is not a later row of the block")?;
        if a == Operand::Pred {
            bad(
                !t.preds.get(code.a.get() as usize).is_some_and(tests_node),
                "a test of a node outside a filter",
            )?;
        }
        if a == Operand::Cond {
            depth = depth.max(depths.get(code.a.get() as usize).copied().unwrap_or_default());
        }
    }
    Ok(depth.saturating_add(1))
}
