//! Queries: segments, selectors, and the filters in them.

use hookc_base::SegmentTag;

use super::code::{operand, operation};
use super::{Checked, Work, ensure, spans};
use crate::limits::{MODULE_DEPTH, QUERY_DEPTH};
use crate::module::Tables;
use crate::op::{Group, Op, Operand};
use crate::rows::{NONE, SectionKind, Segment, Selector, SelectorForm};

/// Ranges and indices; filters refer to lower ones, through values and queries
/// too, to a bounded depth.
pub(super) fn queries(t: &Tables<'_>, work: &mut Work) -> Checked {
    for (row, query) in t.queries.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Queries, row, what);
        bad(query.slot.get() == NONE || query.slot.get() < t.slots, "the slot is out of range")?;
        bad(spans(query.segments, t.segments), "segments out of range")?;
    }
    for (row, segment) in t.segments.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Segments, row, what);
        bad(segment.kind().is_some(), "an unknown tag")?;
        bad(spans(segment.selectors, t.selectors), "selectors out of range")?;
    }
    for (row, selector) in t.selectors.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Selectors, row, what);
        bad(selector.zero == [0; 2], "a reserved field is not zero")?;
        bad(is_selector(t, selector), "not a selector, or an operand out of range")?;
    }
    bounds(t, work)?;
    values(t)?;
    Nesting { t, depths: Vec::with_capacity(t.filters.len()) }.filters(work)
}

/// Nodes that quantifiers bind start at a slot; those below a bound node are its children or one
/// value.
fn bounds(t: &Tables<'_>, work: &mut Work) -> Checked {
    for (row, bound) in t.bounds.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Bounds, row, what);
        let query = t.queries.get(bound.query.get() as usize);
        bad(query.is_some(), "the query is out of range")?;
        let Some(query) = query else { continue };
        if bound.up.get() == NONE {
            bad(query.slot.get() != NONE, "the query starts at no slot")?;
            continue;
        }
        bad((bound.up.get() as usize) < MODULE_DEPTH, "starts too far out")?;
        bad(query.slot.get() == NONE, "the query starts at a slot")?;
        for segment in t.segments_of(query) {
            let selectors = t.selectors_of(segment);
            work.charge(size_of_val(segment).saturating_add(size_of_val(selectors)))?;
            let step = |one: &Selector| {
                matches!(
                    one.form(),
                    Some(SelectorForm::Name(_) | SelectorForm::Index(_) | SelectorForm::Wildcard)
                )
            };
            let step = matches!(selectors, [one] if step(one));
            bad(segment.kind() == Some(SegmentTag::Child) && step, "a segment that is not one step")?;
        }
    }
    Ok(())
}

/// By row of the table of bounds, whether it is a value below a bound node.
pub(super) fn bound_values(t: &Tables<'_>, work: &mut Work) -> Checked<Vec<bool>> {
    let mut values = Vec::with_capacity(t.bounds.len());
    for bound in t.bounds {
        let query = t.queries.get(bound.query.get() as usize);
        let segments = query.map(|query| t.segments_of(query)).unwrap_or_default();
        work.charge(size_of_val(segments))?;
        let one = |one: &Selector| matches!(one.form(), Some(SelectorForm::Name(_) | SelectorForm::Index(_)));
        let is_step = |segment: &Segment| matches!(t.selectors_of(segment), [only] if one(only));
        values.push(bound.up.get() != NONE && segments.iter().all(is_step));
    }
    Ok(values)
}

/// A row has nothing but its form, so that equal selectors are equal rows.
fn is_selector(t: &Tables<'_>, selector: &Selector) -> bool {
    let Some(form) = selector.form().filter(|form| Selector::new(*form) == *selector) else { return false };
    match form {
        SelectorForm::Name(name) => (name as usize) < t.strings.len(),
        SelectorForm::Filter(filter) => (filter as usize) < t.filters.len(),
        SelectorForm::Wildcard | SelectorForm::Index(_) | SelectorForm::Slice { .. } => true,
    }
}

/// Value rows, which can refer to each other.
fn values(t: &Tables<'_>) -> Checked {
    for (row, value) in t.values.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Values, row, what);
        let op = operation(value, Group::Value);
        bad(op.is_some(), "not a value")?;
        let (a, b) = op.map_or((Operand::None, Operand::None), Op::operands);
        let lower = a != Operand::Value || (value.a.get() as usize) < row;
        bad(lower && operand(t, a, value.a.get(), None), "operand a is out of range")?;
        bad(operand(t, b, value.b.get(), None), "operand b is out of range")?;
    }
    Ok(())
}

/// The nesting of filters.
struct Nesting<'t, 'm> {
    t: &'t Tables<'m>,
    /// By filter row, as far as known.
    depths: Vec<usize>,
}

impl Nesting<'_, '_> {
    fn filters(mut self, work: &mut Work) -> Checked {
        let t = self.t;
        for (row, filter) in t.filters.iter().enumerate() {
            let bad = |good, what| ensure(good, SectionKind::Filters, row, what);
            let op = operation(filter, Group::Filter);
            bad(op.is_some(), "not a filter")?;
            let Some(op) = op else { continue };
            let (a, b) = op.operands();
            bad(operand(t, a, filter.a.get(), None), "operand a is out of range")?;
            bad(operand(t, b, filter.b.get(), None), "operand b is out of range")?;
            let below = match op {
                Op::All | Op::OneOf => self.range(filter.a.get(), filter.b.get(), work)?,
                Op::Not => self.range(filter.a.get(), filter.a.get(), work)?,
                _ => {
                    let left = self.operand(a, filter.a.get(), work)?;
                    let right = self.operand(b, filter.b.get(), work)?;
                    left.zip(right).map(|(left, right)| left.max(right))
                }
            };
            bad(below.is_some(), "it refers to itself or to a later one")?;
            let depth = below.unwrap_or_default().saturating_add(1);
            bad(depth <= QUERY_DEPTH, "nested too deep")?;
            self.depths.push(depth);
        }
        Ok(())
    }

    /// The greatest depth of a range of rows; `None` if the range is empty or a depth is not known
    /// yet.
    fn range(&self, first: u32, last: u32, work: &mut Work) -> Checked<Option<usize>> {
        let depths = self.depths.get(first as usize..=last as usize).unwrap_or_default();
        work.charge(size_of_val(depths))?;
        Ok(depths.iter().copied().max())
    }

    fn operand(&self, kind: Operand, number: u32, work: &mut Work) -> Checked<Option<usize>> {
        match kind {
            Operand::Query => self.query(number, work),
            Operand::Value => self.value(number, work),
            _ => Ok(Some(0)),
        }
    }

    /// Nested `length` functions have the same depth limit as filters.
    fn value(&self, mut number: u32, work: &mut Work) -> Checked<Option<usize>> {
        for depth in 0..QUERY_DEPTH {
            work.charge(size_of::<u32>())?;
            let Some(value) = self.t.values.get(number as usize) else { break };
            number = value.a.get();
            match Op::from_number(value.op) {
                Some(Op::Length) => {}
                Some(Op::Only | Op::Count) => {
                    let below = self.query(number, work)?;
                    return Ok(below.map(|below| below.saturating_add(depth)));
                }
                _ => return Ok(Some(depth)),
            }
        }
        Ok(None)
    }

    fn query(&self, number: u32, work: &mut Work) -> Checked<Option<usize>> {
        let mut depth = Some(0);
        let segments = self.t.queries.get(number as usize).map(|query| self.t.segments_of(query));
        for segment in segments.unwrap_or_default() {
            let selectors = self.t.selectors_of(segment);
            work.charge(size_of_val(segment).saturating_add(size_of_val(selectors)))?;
            for selector in selectors {
                if let Some(SelectorForm::Filter(row)) = selector.form() {
                    let below = self.depths.get(row as usize).copied();
                    depth = depth.zip(below).map(|(depth, below)| depth.max(below));
                }
            }
        }
        Ok(depth)
    }
}
