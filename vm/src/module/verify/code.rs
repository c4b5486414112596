//! Predicates, conditions, and their code: operands by the instruction table.

use hookc_base::row_number;

use super::{Checked, Claims, Work, ensure, history, query, within};
use crate::limits::MODULE_DEPTH;
use crate::module::Tables;
use crate::op::{Group, Op, OpForm, Operand};
use crate::rows::{NODE, NONE, Row, SectionKind, U32, tag};
use crate::text::glob;

/// Every predicate is valid and its operands have the right types.
pub(super) fn preds(t: &Tables<'_>, work: &mut Work) -> Checked {
    let mut detailed = Detailed::new(t, work)?;
    for (row, pred) in t.preds.iter().enumerate() {
        if !is_common(t, pred) {
            detailed.pred(t, row, pred, work)?;
        }
    }
    Ok(())
}

/// The check of any predicate.
pub(super) struct Detailed {
    /// By row of the table of bounds, whether it is a value.
    bound: Vec<bool>,
    /// By list, whether its globs are known.
    globs: Vec<bool>,
}

impl Detailed {
    pub(super) fn new(t: &Tables<'_>, work: &mut Work) -> Checked<Self> {
        Ok(Self { bound: query::bound_values(t, work)?, globs: vec![false; t.lists.len()] })
    }

    /// Whether an operand is a slot, a value below a bound node, or one of a recall.
    fn slot(&self, t: &Tables<'_>, value: u32) -> bool {
        match value.checked_sub(t.slots) {
            None => true,
            Some(row) => match self.bound.get(row as usize) {
                Some(is_value) => *is_value,
                None => history::is_value(t, value),
            },
        }
    }

    pub(super) fn pred(&mut self, t: &Tables<'_>, row: usize, pred: &Row, work: &mut Work) -> Checked {
        let bad = |good, what| ensure(good, SectionKind::Preds, row, what);
        let op = operation(pred, Group::Pred);
        bad(op.is_some(), "not a predicate")?;
        let Some(op) = op else { return Ok(()) };
        let (a, b) = op.operands();
        let node = a == Operand::Slot && tests_node(pred);
        let (left, right) = (pred.a.get(), pred.b.get());
        let a_fits = if a == Operand::Slot { self.slot(t, left) } else { operand(t, a, left, None) };
        bad(node || a_fits, "operand a is out of range")?;
        let b_fits = match b {
            Operand::Slot if node => right < t.slots || history::is_value(t, right),
            Operand::Slot => self.slot(t, right),
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
        if op == Op::Recalled {
            let inner = t.preds.get(..row).and_then(|lower| lower.get(left as usize));
            let reads = inner.is_some_and(|inner| !tests_node(inner) && history::reads_recall(t, inner));
            bad(reads, "`recalled` of a predicate that reads no recall, or is not a lower one")?;
        }
        if b == Operand::Const {
            let kind = t.consts.get(pred.b.get() as usize).map(|constant| constant.tag.get());
            bad(kind.is_some_and(|kind| takes(op, kind)), "a constant that the operation does not take")?;
        }
        if matches!(op, Op::Glob | Op::GlobFold) {
            bad(is_globs(t, pred.b, &mut self.globs, work)?, "the list is not of globs")?;
        }
        Ok(())
    }
}

/// Whether a predicate is a correct one of those that most rows are: of a slot, and no glob, schema, query or
/// quantifier. What is not is checked in detail.
#[inline]
pub(super) fn is_common(t: &Tables<'_>, pred: &Row) -> bool {
    let Some(OpForm { op, group: Group::Pred, a: Operand::Slot, b }) = OpForm::from_number(pred.op) else {
        return false;
    };
    let fits = match b {
        Operand::None => pred.b.get() == 0,
        Operand::Const => {
            let constant = t.consts.get(pred.b.get() as usize);
            constant.is_some_and(|constant| takes(op, constant.tag.get()))
        }
        Operand::List => within(pred.b, t.lists) && !matches!(op, Op::Glob | Op::GlobFold),
        Operand::Pattern => within(pred.b, t.patterns),
        _ => false,
    };
    fits && pred.a.get() < t.slots
}

/// Whether a predicate tests the current node.
pub(super) fn tests_node(pred: &Row) -> bool {
    pred.op != Op::Any as u8
        && pred.op != Op::Some as u8
        && pred.op != Op::Past as u8
        && pred.op != Op::Recalled as u8
        && pred.a.get() == NODE
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
    pub(super) cond: usize,
    /// Row in its block, and rows of the block.
    pub(super) row: usize,
    pub(super) rows: usize,
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
        Operand::Effect => within(value, t.effects),
        Operand::Recall => within(value, t.recalls),
        Operand::Cond => at.is_some_and(|at| number < at.cond),
        // The two addresses after the rows are the verdicts.
        Operand::Addr => at.is_some_and(|at| at.row < number && number <= at.rows.saturating_add(1)),
    }
}

/// Conditions refer to lower ones, to a bounded depth; blocks do not overlap.
pub(super) fn conds(t: &Tables<'_>) -> Checked {
    blocks(t)?;
    let mut depths: Vec<usize> = Vec::with_capacity(t.conds.len());
    let no_nodes = t.recalls.is_empty() && !t.preds.iter().any(tests_node);
    for (cond, range) in t.conds.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Conds, cond, what);
        let block = t.block(row_number(cond));
        let common = if no_nodes { common_depth(t, block, &depths) } else { None };
        let depth = match common {
            Some(depth) => depth,
            None => block_depth(t, block, cond, range.start.get() as usize, &depths)?,
        };
        bad(depth <= MODULE_DEPTH, "nested too deep")?;
        depths.push(depth);
    }
    Ok(())
}

/// Conditions share all code among them.
pub(super) fn blocks(t: &Tables<'_>) -> Checked {
    let mut claims = Claims::new(t.code.len());
    for (cond, range) in t.conds.iter().enumerate() {
        let what = "a block out of range, or another condition's";
        ensure(claims.take(*range), SectionKind::Conds, cond, what)?;
    }
    ensure(claims.all(), SectionKind::Code, t.code.len(), "a row belongs to no condition")
}

/// As [`block_depth`], for a correct block of a module without predicates of the current node; `None` sends
/// any other one there. `depths` are those of the conditions with lower numbers.
fn common_depth(t: &Tables<'_>, block: &[Row], depths: &[usize]) -> Option<usize> {
    let last = block.len().saturating_add(1);
    let mut depth = 0;
    for (row, code) in block.iter().enumerate() {
        let OpForm { group: Group::Code, a, b, .. } = OpForm::from_number(code.op)? else { return None };
        let (tested, target) = (code.a.get() as usize, code.b.get() as usize);
        match a {
            Operand::Pred if tested < t.preds.len() => {}
            Operand::Cond => depth = depth.max(*depths.get(tested)?),
            Operand::None if tested == 0 => {}
            _ => return None,
        }
        match b {
            Operand::Addr if row < target && target <= last => {}
            Operand::None if target == 0 => {}
            _ => return None,
        }
    }
    Some(depth.saturating_add(1))
}

/// Checks the rows of a block and returns one more than the greatest depth of the conditions that
/// it tests.
fn block_depth(t: &Tables<'_>, block: &[Row], cond: usize, first: usize, depths: &[usize]) -> Checked<usize> {
    let mut depth = 0;
    for (row, code) in block.iter().enumerate() {
        let at = At { cond, row, rows: block.len() };
        if let Some(Tested::Cond(cond)) = instruction(t, code, first.saturating_add(row), at)? {
            depth = depth.max(depths.get(cond as usize).copied().unwrap_or_default());
        }
    }
    Ok(depth.saturating_add(1))
}

/// What an instruction tests.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tested {
    Pred(u32),
    Cond(u32),
}

/// Checks a row of a block and returns what it tests.
pub(super) fn instruction(t: &Tables<'_>, code: &Row, row: usize, at: At) -> Checked<Option<Tested>> {
    let bad = |good, what| ensure(good, SectionKind::Code, row, what);
    let op = operation(code, Group::Code);
    bad(op.is_some(), "not an instruction")?;
    let (a, b) = op.map_or((Operand::None, Operand::None), Op::operands);
    bad(operand(t, a, code.a.get(), Some(at)), "operand a is out of range")?;
    bad(operand(t, b, code.b.get(), Some(at)), "operand b is not a later row of the block")?;
    let number = code.a.get();
    Ok(match a {
        Operand::Pred => {
            let pred = t.preds.get(number as usize);
            bad(!pred.is_some_and(tests_node), "a test of a node outside a filter")?;
            let reads = pred.is_some_and(|pred| history::reads_recall(t, pred));
            bad(!reads, "a test of a recall outside `recalled`")?;
            Some(Tested::Pred(number))
        }
        Operand::Cond => Some(Tested::Cond(number)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use hookc_corpus::amount;

    use super::*;
    use crate::module::{Image, Module};
    use crate::rows::{Const, Pattern, Range};

    /// A module with constants of several kinds, a list, a pattern, and a predicate.
    fn image() -> Image {
        let mut image = Image::minimal();
        let [number, text] = ["1", "x*"].map(|text| image.add_string(text));
        let constant = |tag: u32, text: u32| Const { tag: tag.into(), text: text.into() };
        image.consts = vec![
            constant(tag::NULL, NONE),
            constant(tag::TRUE, NONE),
            constant(tag::NUMBER, number),
            constant(tag::STRING, text),
        ];
        image.indices = vec![2.into(), 3.into()];
        image.lists = vec![Range { start: 0.into(), length: 2.into() }];
        image.patterns = vec![Pattern { text: text.into() }];
        image.preds = vec![Row { op: Op::Exists as u8, a: 0.into(), b: 0.into() }];
        image
    }

    fn operands() -> impl Iterator<Item = (u8, u32, u32)> {
        let values = [0, 1, 2, 3, 4, 5, u32::MAX];
        let pairs = move || values.into_iter().flat_map(move |a| values.into_iter().map(move |b| (a, b)));
        (0..=u8::MAX).step_by(amount(1, 3)).flat_map(move |op| pairs().map(move |(a, b)| (op, a, b)))
    }

    /// Only correct rows skip the detailed check, and many do.
    #[test]
    fn common_predicates_are_correct() {
        let module = Module::load(image().encode()).unwrap();
        let t = *module.tables_in_place();
        let mut work = Work { left: 1 << 20 };
        let mut common = 0;
        for (op, a, b) in operands() {
            let pred = Row { op, a: a.into(), b: b.into() };
            let mut detailed = Detailed { bound: Vec::new(), globs: vec![false; t.lists.len()] };
            if is_common(&t, &pred) {
                common += 1;
                assert_eq!(detailed.pred(&t, 1, &pred, &mut work), Ok(()), "{pred:?}");
            }
        }
        assert!(common > amount(80, 10), "{common}");
    }

    #[test]
    fn common_blocks_are_correct() {
        let module = Module::load(image().encode()).unwrap();
        let t = *module.tables_in_place();
        let depths = [1, 3];
        let mut common = 0;
        for (op, a, b) in operands() {
            let row = Row { op, a: a.into(), b: b.into() };
            let yes = Row { op: Op::Yes as u8, a: 0.into(), b: 0.into() };
            for block in [&[row][..], &[row, yes], &[yes, row]] {
                if let Some(depth) = common_depth(&t, block, &depths) {
                    common += 1;
                    assert_eq!(block_depth(&t, block, depths.len(), 0, &depths), Ok(depth), "{block:?}");
                }
            }
        }
        assert!(common > amount(30, 3), "{common}");
    }
}
