//! Visits the contents of the filters of a query.

use super::path::{Comparable, Filter, Function, Query, Segment, Selector, Step};
use crate::value::Number;

/// A part of a filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part<'q> {
    /// A query; `true`: from `$`, `false`: from `@`.
    Query(bool, &'q Query),
    /// A number.
    Number(&'q Number),
    /// A literal pattern; `true`: of `match`, `false`: of `search`.
    Pattern(bool, &'q str),
}

impl Query {
    /// The longest prefix of steps that selects at most one value, and the remaining segments.
    #[must_use]
    pub fn prefix(&self) -> (Vec<Step>, &[Segment]) {
        let steps: Vec<Step> = self.segments.iter().map_while(Segment::step).collect();
        let rest = self.segments.get(steps.len()..).unwrap_or_default();
        (steps, rest)
    }

    /// Calls `each` for everything inside its filters, at any depth, in source order. The recursion
    /// depth is the nesting depth of the filters.
    pub fn parts<'q>(&'q self, each: &mut dyn FnMut(Part<'q>)) {
        for segment in &self.segments {
            let (Segment::Child(selectors) | Segment::Descendant(selectors)) = segment;
            for selector in selectors {
                if let Selector::Filter(filter) = selector {
                    filter.node.parts(each);
                }
            }
        }
    }
}

impl Filter {
    fn parts<'q>(&'q self, each: &mut dyn FnMut(Part<'q>)) {
        match self {
            Self::Or(parts) | Self::And(parts) => parts.iter().for_each(|part| part.parts(each)),
            Self::Not(part) => part.parts(each),
            Self::Exists(root, query) => nested(*root, query, each),
            Self::Call(function) => function.parts(each),
            Self::Compare(left, _, right) => {
                left.parts(each);
                right.parts(each);
            }
        }
    }
}

impl Comparable {
    fn parts<'q>(&'q self, each: &mut dyn FnMut(Part<'q>)) {
        match self {
            Self::Null | Self::Bool(_) | Self::Str(_) => {}
            Self::Num(number) => each(Part::Number(number)),
            Self::Query(root, query) => nested(*root, query, each),
            Self::Call(function) => function.parts(each),
        }
    }
}

impl Function {
    fn parts<'q>(&'q self, each: &mut dyn FnMut(Part<'q>)) {
        match self {
            Self::Length(one) => one.parts(each),
            Self::Count(root, query) | Self::Value(root, query) => nested(*root, query, each),
            Self::Match(text, pattern) | Self::Search(text, pattern) => {
                text.parts(each);
                match pattern {
                    Comparable::Str(pattern) => each(Part::Pattern(matches!(self, Self::Match(..)), pattern)),
                    pattern => pattern.parts(each),
                }
            }
        }
    }
}

fn nested<'q>(root: bool, query: &'q Query, each: &mut dyn FnMut(Part<'q>)) {
    each(Part::Query(root, query));
    query.parts(each);
}
