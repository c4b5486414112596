//! Queries without duplicates: a slot for the singular prefix of a path, segments for the rest,
//! filters with their own queries.

use hookc_base::row_number;
use hookc_schema::Span;
use hookc_schema::tree::{self, Comparable, CompareOp, Function, Step};
use hookc_schema::value::{Kind, Value};
use hookc_syntax::expr::print;
use hookc_syntax::pattern;
use hookc_vm::format::op::Op;

use super::{Bound, BoundId, Builder, ConstId, Left, PatternId, QueryId, SlotId, StrId};
use crate::ir::{Nodes, Quantified, ReadPath};

/// A query: nodes, from a slot or from the current node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Query {
    /// Its start; `None`: the current node.
    pub slot: Option<SlotId>,
    /// The selectors.
    pub segments: Vec<Segment>,
    /// As written.
    pub text: String,
}

/// A segment of a query.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Segment {
    /// Whether it selects from all descendants too.
    pub descendant: bool,
    /// Its selectors.
    pub selectors: Vec<Selector>,
}

/// A selector.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the RFC's")]
pub enum Selector {
    Name(StrId),
    Wildcard,
    Index(i64),
    Slice { start: Option<i64>, end: Option<i64>, step: i64 },
    Filter(Filter),
}

/// A filter expression; queries in it have lower numbers than its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Filter {
    /// `a && b`
    All(Vec<Filter>),
    /// `a || b`
    OneOf(Vec<Filter>),
    /// `!a`
    Not(Box<Filter>),
    /// A query has a node.
    Has(QueryId),
    /// A comparison, or a pattern out of the event.
    Compare(Op, Side, Side),
    /// A pattern of the module.
    Match(Side, PatternId),
}

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// A constant.
    Literal(ConstId),
    /// The only node of a query.
    Only(QueryId),
    /// The number of nodes of a query.
    Count(QueryId),
    /// The length of a value.
    Length(Box<Side>),
}

impl Builder {
    /// The operand of a leaf.
    pub(super) fn left(&mut self, path: &ReadPath) -> Left {
        match path {
            ReadPath::Nodes(nodes) => Left::Query(self.nodes(nodes)),
            ReadPath::Plain(_) | ReadPath::Merged(_) | ReadPath::Declared(..) => Left::Slot(self.slot(path)),
            ReadPath::Bound(up, steps) => Left::Bound(self.bound(*up, steps, false)),
            ReadPath::Recall(recall) => Left::Recall(self.recall_value(recall)),
        }
    }

    /// A value below a bound node, or its children.
    pub(super) fn bound(&mut self, up: usize, steps: &[Step], children: bool) -> BoundId {
        let wildcard = children.then(|| tree::Segment::Child(vec![tree::Selector::Wildcard]));
        let segments = steps.iter().filter_map(Step::segment).chain(wildcard).collect();
        let query = self.query(false, &tree::Query { segments });
        self.add_bound(Bound { up: Some(row_number(up)), query })
    }

    /// The nodes of a quantifier.
    pub(super) fn nodes_of(&mut self, some: &Quantified) -> BoundId {
        let query = match &some.path {
            ReadPath::Bound(up, steps) => return self.bound(*up, steps, some.children),
            ReadPath::Nodes(nodes) => self.nodes(nodes),
            // The reader of conditions takes no quantifier over a value of the history.
            path @ (ReadPath::Plain(_)
            | ReadPath::Merged(_)
            | ReadPath::Declared(..)
            | ReadPath::Recall(_)) => {
                let slot = Some(self.slot(&some.path));
                let segments = vec![Segment { descendant: false, selectors: vec![Selector::Wildcard] }];
                let text = format!("{}[*]", print::steps(path.steps()));
                QueryId::new(self.queries.add(Query { slot, segments, text }))
            }
        };
        self.add_bound(Bound { up: None, query })
    }

    /// A path that can select several values.
    pub(super) fn nodes(&mut self, nodes: &Nodes) -> QueryId {
        let slot = Some(self.slot(nodes.start()));
        let segments = nodes.rest().segments.iter().map(|segment| self.segment(segment)).collect();
        QueryId::new(self.queries.add(Query { slot, segments, text: nodes.text().to_owned() }))
    }

    fn add_bound(&mut self, bound: Bound) -> BoundId {
        BoundId::new(self.bounds.add(bound))
    }

    /// A query from the event's root, or from the current node. The nesting of an expression bounds
    /// the recursion.
    pub(super) fn query(&mut self, root: bool, query: &tree::Query) -> QueryId {
        let (steps, rest) = query.prefix();
        let (slot, segments) = match root {
            true => (Some(self.slot(&ReadPath::Plain(steps.into()))), rest),
            false => (None, query.segments.as_slice()),
        };
        let segments = segments.iter().map(|segment| self.segment(segment)).collect();
        let text = print::query(root, query);
        QueryId::new(self.queries.add(Query { slot, segments, text }))
    }

    fn segment(&mut self, segment: &tree::Segment) -> Segment {
        let (descendant, selectors) = match segment {
            tree::Segment::Child(selectors) => (false, selectors),
            tree::Segment::Descendant(selectors) => (true, selectors),
        };
        Segment { descendant, selectors: selectors.iter().map(|selector| self.selector(selector)).collect() }
    }

    fn selector(&mut self, selector: &tree::Selector) -> Selector {
        match selector {
            tree::Selector::Name(name) => Selector::Name(self.pool.string(name)),
            tree::Selector::Wildcard => Selector::Wildcard,
            tree::Selector::Index(index) => Selector::Index(*index),
            tree::Selector::Slice { start, end, step } => {
                Selector::Slice { start: *start, end: *end, step: step.unwrap_or(1) }
            }
            tree::Selector::Filter(filter) => Selector::Filter(self.filter(&filter.node)),
        }
    }

    fn filter(&mut self, filter: &tree::Filter) -> Filter {
        match filter {
            tree::Filter::And(parts) => Filter::All(parts.iter().map(|part| self.filter(part)).collect()),
            tree::Filter::Or(parts) => Filter::OneOf(parts.iter().map(|part| self.filter(part)).collect()),
            tree::Filter::Not(part) => Filter::Not(Box::new(self.filter(part))),
            tree::Filter::Exists(root, query) => Filter::Has(self.query(*root, query)),
            tree::Filter::Call(function) => self.test(function),
            tree::Filter::Compare(left, op, right) => {
                let (left, right) = (self.side(left), self.side(right));
                match op {
                    CompareOp::Eq => Filter::Compare(Op::Same, left, right),
                    CompareOp::Ne => Filter::Not(Box::new(Filter::Compare(Op::Same, left, right))),
                    CompareOp::Lt => Filter::Compare(Op::Less, left, right),
                    CompareOp::Lte => Filter::Compare(Op::AtMost, left, right),
                    CompareOp::Gt => Filter::Compare(Op::Less, right, left),
                    CompareOp::Gte => Filter::Compare(Op::AtMost, right, left),
                }
            }
        }
    }

    fn test(&mut self, function: &Function) -> Filter {
        let (whole, text, pattern) = match function {
            Function::Match(text, pattern) => (true, text, pattern),
            Function::Search(text, pattern) => (false, text, pattern),
            Function::Length(_) | Function::Count(..) | Function::Value(..) => {
                self.faults.note("a path tests a function that has a value");
                return Filter::All(Vec::new());
            }
        };
        let text = self.side(text);
        if let Comparable::Str(literal) = pattern
            && let Some(pattern) = pattern::iregexp(literal, whole)
        {
            return Filter::Match(text, self.pool.pattern(&pattern));
        }
        let op = if whole { Op::MatchValue } else { Op::SearchValue };
        Filter::Compare(op, text, self.side(pattern))
    }

    fn side(&mut self, side: &Comparable) -> Side {
        let kind = match side {
            Comparable::Null => Kind::Null,
            Comparable::Bool(value) => Kind::Bool(*value),
            Comparable::Num(number) => Kind::Num(number.clone()),
            Comparable::Str(text) => return self.literal(&Value::string(text.as_str(), Span::default())),
            Comparable::Query(root, query) => return Side::Only(self.query(*root, query)),
            Comparable::Call(function) => return self.call(function),
        };
        self.literal(&Value::new(kind, Span::default()))
    }

    fn literal(&mut self, value: &Value) -> Side {
        Side::Literal(self.pool.constant(value))
    }

    fn call(&mut self, function: &Function) -> Side {
        match function {
            Function::Length(one) => Side::Length(Box::new(self.side(one))),
            Function::Count(root, query) => Side::Count(self.query(*root, query)),
            Function::Value(root, query) => Side::Only(self.query(*root, query)),
            Function::Match(one, _) | Function::Search(one, _) => {
                self.faults.note("a path compares a function that is a test");
                self.side(one)
            }
        }
    }
}

impl Query {
    /// Renumbers its slots and constants.
    pub(super) fn renumbered(
        mut self,
        slot: &dyn Fn(SlotId) -> SlotId,
        number: &dyn Fn(ConstId) -> ConstId,
    ) -> Self {
        self.slot = self.slot.map(slot);
        for selector in self.segments.iter_mut().flat_map(|segment| &mut segment.selectors) {
            if let Selector::Filter(filter) = selector {
                filter.renumber(number);
            }
        }
        self
    }
}

impl Filter {
    fn renumber(&mut self, number: &dyn Fn(ConstId) -> ConstId) {
        match self {
            Self::All(parts) | Self::OneOf(parts) => parts.iter_mut().for_each(|part| part.renumber(number)),
            Self::Not(part) => part.renumber(number),
            Self::Has(_) => {}
            Self::Match(side, _) => side.renumber(number),
            Self::Compare(_, left, right) => {
                left.renumber(number);
                right.renumber(number);
            }
        }
    }
}

impl Side {
    fn renumber(&mut self, number: &dyn Fn(ConstId) -> ConstId) {
        match self {
            Self::Literal(id) => *id = number(*id),
            Self::Length(side) => side.renumber(number),
            Self::Only(_) | Self::Count(_) => {}
        }
    }
}
