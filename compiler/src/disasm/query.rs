//! Queries of a module as they would be written.

use hookc_schema::Span;
use hookc_schema::Spanned;
use hookc_schema::tree::{Comparable, CompareOp, Filter, Function, Query, Segment, Selector, Step};
use hookc_schema::value::Number;
use hookc_vm::format::Tables;
use hookc_vm::format::event::Item;
use hookc_vm::format::iregexp::DOT;
use hookc_vm::format::op::Op;
use hookc_vm::format::{self, NONE, Row, SegmentTag, SelectorForm};

/// Parts of a query that are printed: rows can share others, so that a printed query could be far
/// larger than its module.
const PARTS: usize = 4096;

/// A query from its rows, and the steps from the event's root to its start; `begin` is the path of a
/// slot.
pub(super) fn query(
    tables: &Tables<'_>,
    row: &format::Query,
    begin: impl Fn(u32) -> Vec<Step>,
) -> (Option<Vec<Step>>, Query) {
    let slot = row.slot.get();
    let start = (slot != NONE).then(|| begin(slot));
    let mut segments = Vec::new();
    Reader { tables, begin, left: PARTS }.segments(row, &mut segments);
    (start, Query { segments })
}

struct Reader<'t, 'm, B> {
    tables: &'t Tables<'m>,
    begin: B,
    left: usize,
}

impl<B: Fn(u32) -> Vec<Step>> Reader<'_, '_, B> {
    /// Whether another part fits.
    fn room(&mut self) -> bool {
        let room = self.left > 0;
        self.left = self.left.saturating_sub(1);
        room
    }

    fn query(&mut self, row: &format::Query) -> (bool, Query) {
        let root = row.slot.get() != NONE;
        let steps = if root { (self.begin)(row.slot.get()) } else { Vec::new() };
        let mut segments: Vec<Segment> = steps.iter().filter_map(Step::segment).collect();
        self.segments(row, &mut segments);
        (root, Query { segments })
    }

    fn segments(&mut self, row: &format::Query, segments: &mut Vec<Segment>) {
        for segment in self.tables.segments_of(row) {
            if self.room() {
                let selectors =
                    self.tables.selectors_of(segment).iter().map(|one| self.selector(one)).collect();
                let kind = match segment.kind() {
                    Some(SegmentTag::Descendant) => Segment::Descendant,
                    Some(SegmentTag::Child) | None => Segment::Child,
                };
                segments.push(kind(selectors));
            }
        }
    }

    fn nested(&mut self, number: u32) -> (bool, Query) {
        match self.tables.queries.get(number as usize) {
            Some(row) if self.room() => self.query(row),
            _ => (false, Query::default()),
        }
    }

    fn selector(&mut self, selector: &format::Selector) -> Selector {
        match selector.form() {
            Some(SelectorForm::Name(name)) => Selector::Name(self.tables.str(name).to_owned()),
            Some(SelectorForm::Index(index)) => Selector::Index(index),
            Some(SelectorForm::Slice { start, end, step }) => {
                Selector::Slice { start, end, step: (step != 1).then_some(step) }
            }
            Some(SelectorForm::Filter(filter)) => {
                Selector::Filter(Spanned::new(self.filter(filter), Span::default()))
            }
            // A verified module has no other selectors.
            Some(SelectorForm::Wildcard) | None => Selector::Wildcard,
        }
    }

    fn filter(&mut self, number: u32) -> Filter {
        let row = self.tables.filters.get(number as usize).copied();
        let (Some(Row { op, a, b, .. }), true) = (row, self.room()) else {
            return Filter::Exists(false, Query::default());
        };
        let (a, b) = (a.get(), b.get());
        match Op::from_number(op) {
            Some(Op::All) => Filter::And(self.range(a, b)),
            Some(Op::OneOf) => Filter::Or(self.range(a, b)),
            Some(Op::Not) => match self.filter(a) {
                Filter::Compare(left, CompareOp::Eq, right) => Filter::Compare(left, CompareOp::Ne, right),
                inner => Filter::Not(Box::new(inner)),
            },
            Some(Op::Same) => Filter::Compare(self.value(a), CompareOp::Eq, self.value(b)),
            Some(Op::Less) => self.ordered(CompareOp::Lt, CompareOp::Gt, a, b),
            Some(Op::AtMost) => self.ordered(CompareOp::Lte, CompareOp::Gte, a, b),
            Some(Op::MatchValue) => Filter::Call(Function::Match(self.value(a), self.value(b))),
            Some(Op::SearchValue) => Filter::Call(Function::Search(self.value(a), self.value(b))),
            Some(Op::Match) => self.pattern(a, b),
            _ => {
                let (root, query) = self.nested(a);
                Filter::Exists(root, query)
            }
        }
    }

    fn range(&mut self, first: u32, last: u32) -> Vec<Filter> {
        let rows: Vec<u32> = (first..=last).take(self.left).collect();
        rows.into_iter().map(|row| self.filter(row)).collect()
    }

    /// `a > b` is stored as `b < a`.
    fn ordered(&mut self, op: CompareOp, turned: CompareOp, a: u32, b: u32) -> Filter {
        let (left, right) = (self.value(a), self.value(b));
        match &left {
            Comparable::Query(..) | Comparable::Call(_) => Filter::Compare(left, op, right),
            _ => Filter::Compare(right, turned, left),
        }
    }

    /// A pattern of the module, as the I-Regexp that it was.
    fn pattern(&mut self, text: u32, pattern: u32) -> Filter {
        let row = self.tables.patterns.get(pattern as usize);
        let written = row.map_or("", |row| self.tables.str(row.text.get())).replace(DOT, ".");
        let whole = written.strip_prefix("\\A(?:").and_then(|rest| rest.strip_suffix(")\\z"));
        let text = self.value(text);
        Filter::Call(match whole {
            Some(whole) => Function::Match(text, Comparable::Str(whole.to_owned())),
            None => Function::Search(text, Comparable::Str(written)),
        })
    }

    fn value(&mut self, number: u32) -> Comparable {
        let row = self.tables.values.get(number as usize).copied();
        let (Some(Row { op, a, .. }), true) = (row, self.room()) else { return Comparable::Null };
        let a = a.get();
        match Op::from_number(op) {
            Some(Op::Literal) => self.literal(a),
            Some(Op::Length) => Comparable::Call(Box::new(Function::Length(self.value(a)))),
            Some(Op::Count) => {
                let (root, query) = self.nested(a);
                Comparable::Call(Box::new(Function::Count(root, query)))
            }
            _ => {
                let (root, query) = self.nested(a);
                match query.singular() {
                    Some(_) => Comparable::Query(root, query),
                    None => Comparable::Call(Box::new(Function::Value(root, query))),
                }
            }
        }
    }

    fn literal(&self, constant: u32) -> Comparable {
        match self.tables.constant(constant) {
            Item::Bool(value) => Comparable::Bool(value),
            Item::Num(text) | Item::Array(text) | Item::Object(text) => {
                Comparable::Num(Number(text.to_owned()))
            }
            Item::Str(text) => Comparable::Str(text.to_owned()),
            Item::Absent | Item::Null => Comparable::Null,
        }
    }
}
