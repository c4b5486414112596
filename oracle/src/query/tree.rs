//! The queries that `jsonpath-rust` reads as those of the tree.

use hookc_schema::tree::{self, CompareOp};
use hookc_schema::value::Number;
use hookc_schema::{Span, Spanned};
use jsonpath_rust::parser::model::{
    Comparable, Comparison, Filter, FilterAtom, FnArg, JpQuery, Literal, Segment, Selector, SingularQuery,
    SingularQuerySegment, Test, TestFunction,
};

/// A query.
pub(crate) fn query(query: &JpQuery) -> tree::Query {
    segments(&query.segments)
}

fn segments(all: &[Segment]) -> tree::Query {
    tree::Query { segments: all.iter().map(|one| segment(one, false)).collect() }
}

fn segment(found: &Segment, descendant: bool) -> tree::Segment {
    let selectors = match found {
        Segment::Descendant(inner) => return segment(inner, true),
        Segment::Selector(one) => vec![selector(one)],
        Segment::Selectors(all) => all.iter().map(selector).collect(),
    };
    if descendant { tree::Segment::Descendant(selectors) } else { tree::Segment::Child(selectors) }
}

fn selector(found: &Selector) -> tree::Selector {
    match found {
        Selector::Name(name) => tree::Selector::Name(name.clone()),
        Selector::Wildcard => tree::Selector::Wildcard,
        Selector::Index(index) => tree::Selector::Index(*index),
        Selector::Slice(start, end, step) => tree::Selector::Slice { start: *start, end: *end, step: *step },
        Selector::Filter(found) => tree::Selector::Filter(Spanned::new(filter(found), Span::default())),
    }
}

fn filter(found: &Filter) -> tree::Filter {
    match found {
        Filter::Or(all) => tree::Filter::Or(all.iter().map(filter).collect()),
        Filter::And(all) => tree::Filter::And(all.iter().map(filter).collect()),
        Filter::Atom(FilterAtom::Filter { expr, not }) => negated(filter(expr), *not),
        Filter::Atom(FilterAtom::Test { expr, not }) => {
            let test = match &**expr {
                Test::Function(found) => tree::Filter::Call(function(found)),
                query => {
                    let (root, query) = nodes(query);
                    tree::Filter::Exists(root, query)
                }
            };
            negated(test, *not)
        }
        Filter::Atom(FilterAtom::Comparison(found)) => {
            let op = match &**found {
                Comparison::Eq(..) => CompareOp::Eq,
                Comparison::Ne(..) => CompareOp::Ne,
                Comparison::Gt(..) => CompareOp::Gt,
                Comparison::Gte(..) => CompareOp::Gte,
                Comparison::Lt(..) => CompareOp::Lt,
                Comparison::Lte(..) => CompareOp::Lte,
            };
            let (left, right) = found.vals();
            tree::Filter::Compare(comparable(left), op, comparable(right))
        }
    }
}

fn negated(filter: tree::Filter, not: bool) -> tree::Filter {
    if not { tree::Filter::Not(Box::new(filter)) } else { filter }
}

fn nodes(test: &Test) -> (bool, tree::Query) {
    match test {
        Test::RelQuery(all) => (false, segments(all)),
        Test::AbsQuery(found) => (true, query(found)),
        Test::Function(_) => (false, tree::Query::default()),
    }
}

fn comparable(side: &Comparable) -> tree::Comparable {
    match side {
        Comparable::Literal(found) => literal(found),
        Comparable::Function(found) => tree::Comparable::Call(Box::new(function(found))),
        Comparable::SingularQuery(found) => {
            let (root, steps) = match found {
                SingularQuery::Root(steps) => (true, steps),
                SingularQuery::Current(steps) => (false, steps),
            };
            let step = |step: &SingularQuerySegment| {
                tree::Segment::Child(vec![match step {
                    SingularQuerySegment::Index(index) => tree::Selector::Index(*index),
                    SingularQuerySegment::Name(name) => tree::Selector::Name(name.clone()),
                }])
            };
            tree::Comparable::Query(root, tree::Query { segments: steps.iter().map(step).collect() })
        }
    }
}

fn literal(found: &Literal) -> tree::Comparable {
    match found {
        Literal::Int(value) => tree::Comparable::Num(Number(value.to_string())),
        Literal::Float(value) => tree::Comparable::Num(Number(value.to_string())),
        Literal::String(text) => tree::Comparable::Str(text.clone()),
        Literal::Bool(truth) => tree::Comparable::Bool(*truth),
        Literal::Null => tree::Comparable::Null,
    }
}

fn function(found: &TestFunction) -> tree::Function {
    match found {
        TestFunction::Length(one) => tree::Function::Length(argument(one)),
        TestFunction::Value(one) => {
            let (root, query) = list(one);
            tree::Function::Value(root, query)
        }
        TestFunction::Count(one) => {
            let (root, query) = list(one);
            tree::Function::Count(root, query)
        }
        TestFunction::Match(text, pattern) => tree::Function::Match(argument(text), argument(pattern)),
        TestFunction::Search(text, pattern) => tree::Function::Search(argument(text), argument(pattern)),
        // RFC 9535 has no others.
        TestFunction::Custom(..) => tree::Function::Length(tree::Comparable::Null),
    }
}

fn list(one: &FnArg) -> (bool, tree::Query) {
    match one {
        FnArg::Test(test) => nodes(test),
        FnArg::Literal(_) | FnArg::Filter(_) => (false, tree::Query::default()),
    }
}

fn argument(one: &FnArg) -> tree::Comparable {
    match one {
        FnArg::Literal(found) => literal(found),
        FnArg::Test(test) => match &**test {
            Test::Function(found) => tree::Comparable::Call(Box::new(function(found))),
            query => {
                let (root, query) = nodes(query);
                tree::Comparable::Query(root, query)
            }
        },
        FnArg::Filter(_) => tree::Comparable::Null,
    }
}
