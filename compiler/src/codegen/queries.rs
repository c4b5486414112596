//! Queries as rows: each expression of a filter after its parts.

use hookc_base::row_number;
use hookc_vm::format::Image;
use hookc_vm::format::op::Op;
use hookc_vm::format::{NONE, Query, Row, Segment, SegmentTag, Selector, SelectorForm};

use crate::plan::Plan;
use crate::plan::query::{self, Filter, Side};
use crate::rows::range;

/// Fills the tables of queries. Queries in filters have lower numbers, so that filters refer to
/// lower rows.
pub(super) fn add(plan: &Plan, image: &mut Image) {
    plan.queries.iter().for_each(|query| add_query(query, image));
}

fn add_query(query: &query::Query, image: &mut Image) {
    let start = image.segments.len();
    for segment in &query.segments {
        let selectors: Vec<Selector> = segment.selectors.iter().map(|one| selector(one, image)).collect();
        let first = image.selectors.len();
        image.selectors.extend(selectors);
        let selectors = range(first, image.selectors.len());
        let kind = if segment.descendant { SegmentTag::Descendant } else { SegmentTag::Child };
        image.segments.push(Segment::new(kind, selectors));
    }
    let segments = range(start, image.segments.len());
    let slot = query.slot.map_or(NONE, |slot| slot.0);
    image.queries.push(Query { slot: slot.into(), segments });
}

fn selector(selector: &query::Selector, image: &mut Image) -> Selector {
    use query::Selector as S;
    Selector::new(match selector {
        S::Name(name) => SelectorForm::Name(name.0),
        S::Wildcard => SelectorForm::Wildcard,
        S::Index(index) => SelectorForm::Index(*index),
        S::Slice { start, end, step } => SelectorForm::Slice { start: *start, end: *end, step: *step },
        S::Filter(found) => {
            let found = filter(found, image);
            SelectorForm::Filter(push(&mut image.filters, found))
        }
    })
}

/// The row of a filter, after its parts. The nesting of the expression bounds the recursion.
fn filter(found: &Filter, image: &mut Image) -> Row {
    match found {
        Filter::All(parts) => block(Op::All, parts, image),
        Filter::OneOf(parts) => block(Op::OneOf, parts, image),
        Filter::Not(part) => {
            let inner = filter(part, image);
            row(Op::Not, push(&mut image.filters, inner), 0)
        }
        Filter::Has(query) => row(Op::Has, query.0, 0),
        Filter::Match(text, pattern) => row(Op::Match, side(text, image), pattern.0),
        Filter::Compare(op, left, right) => {
            let left = side(left, image);
            row(*op, left, side(right, image))
        }
    }
}

/// The rows of all parts are contiguous.
fn block(op: Op, parts: &[Filter], image: &mut Image) -> Row {
    let rows: Vec<Row> = parts.iter().map(|part| filter(part, image)).collect();
    let first = row_number(image.filters.len());
    image.filters.extend(rows);
    row(op, first, row_number(image.filters.len().saturating_sub(1)))
}

fn side(one: &Side, image: &mut Image) -> u32 {
    let found = match one {
        Side::Literal(id) => row(Op::Literal, id.0, 0),
        Side::Only(query) => row(Op::Only, query.0, 0),
        Side::Count(query) => row(Op::Count, query.0, 0),
        Side::Length(inner) => row(Op::Length, side(inner, image), 0),
    };
    push(&mut image.values, found)
}

fn row(op: Op, a: u32, b: u32) -> Row {
    Row { op: op as u8, a: a.into(), b: b.into() }
}

fn push(table: &mut Vec<Row>, row: Row) -> u32 {
    table.push(row);
    row_number(table.len() - 1)
}
