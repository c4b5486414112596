//! The tree's queries as those of `jsonpath-rust`.

use hookc_schema::tree::{self, CompareOp, Step};
use jsonpath_rust::parser::model::{
    Comparable, Comparison, Filter, FilterAtom, FnArg, JpQuery, Literal, Segment, Selector, SingularQuery,
    SingularQuerySegment, Test, TestFunction,
};
use serde_json::Value;

use crate::decimal::Decimal;

type Numbers<'n> = &'n dyn Fn(&Decimal) -> Value;

/// A query of the tree, numbers replaced.
pub(crate) fn query(query: &tree::Query, numbers: Numbers<'_>) -> JpQuery {
    JpQuery::new(segments(query, numbers))
}

fn segments(query: &tree::Query, numbers: Numbers<'_>) -> Vec<Segment> {
    query.segments.iter().map(|one| segment(one, numbers)).collect()
}

fn segment(segment: &tree::Segment, numbers: Numbers<'_>) -> Segment {
    let (tree::Segment::Child(all) | tree::Segment::Descendant(all)) = segment;
    let mut selectors: Vec<Selector> = all.iter().map(|one| selector(one, numbers)).collect();
    let selected = match selectors.len() {
        1 => selectors.pop().map_or(Segment::Selectors(Vec::new()), Segment::Selector),
        _ => Segment::Selectors(selectors),
    };
    match segment {
        tree::Segment::Child(_) => selected,
        tree::Segment::Descendant(_) => Segment::Descendant(Box::new(selected)),
    }
}

fn selector(selector: &tree::Selector, numbers: Numbers<'_>) -> Selector {
    match selector {
        tree::Selector::Name(name) => Selector::Name(name.clone()),
        tree::Selector::Wildcard => Selector::Wildcard,
        tree::Selector::Index(index) => Selector::Index(*index),
        tree::Selector::Slice { start, end, step } => Selector::Slice(*start, *end, *step),
        tree::Selector::Filter(found) => Selector::Filter(filter(&found.node, numbers)),
    }
}

fn filter(found: &tree::Filter, numbers: Numbers<'_>) -> Filter {
    let filters = |parts: &Vec<tree::Filter>| parts.iter().map(|part| filter(part, numbers)).collect();
    match found {
        tree::Filter::Or(parts) => Filter::Or(filters(parts)),
        tree::Filter::And(parts) => Filter::And(filters(parts)),
        tree::Filter::Not(part) => Filter::Atom(FilterAtom::filter(filter(part, numbers), true)),
        tree::Filter::Exists(root, query) => {
            Filter::Atom(FilterAtom::test(nodes(*root, query, numbers), false))
        }
        tree::Filter::Call(found) => {
            let test = Test::Function(Box::new(function(found, numbers)));
            Filter::Atom(FilterAtom::test(test, false))
        }
        tree::Filter::Compare(left, op, right) => {
            let (left, right) = (comparable(left, numbers), comparable(right, numbers));
            let compare = match op {
                CompareOp::Eq => Comparison::Eq,
                CompareOp::Ne => Comparison::Ne,
                CompareOp::Lt => Comparison::Lt,
                CompareOp::Lte => Comparison::Lte,
                CompareOp::Gt => Comparison::Gt,
                CompareOp::Gte => Comparison::Gte,
            };
            Filter::Atom(FilterAtom::cmp(Box::new(compare(left, right))))
        }
    }
}

fn nodes(root: bool, found: &tree::Query, numbers: Numbers<'_>) -> Test {
    if root { Test::AbsQuery(query(found, numbers)) } else { Test::RelQuery(segments(found, numbers)) }
}

fn comparable(side: &tree::Comparable, numbers: Numbers<'_>) -> Comparable {
    match side {
        tree::Comparable::Query(root, query) => {
            let step = |step| match step {
                Step::Name(name) => Some(SingularQuerySegment::Name(name)),
                Step::Index(index) => Some(SingularQuerySegment::Index(index)),
                Step::View(_) => None,
            };
            let steps = query.singular().unwrap_or_default().into_iter().filter_map(step).collect();
            Comparable::SingularQuery(if *root {
                SingularQuery::Root(steps)
            } else {
                SingularQuery::Current(steps)
            })
        }
        tree::Comparable::Call(found) => Comparable::Function(function(found, numbers)),
        literal => Comparable::Literal(self::literal(literal, numbers)),
    }
}

fn literal(side: &tree::Comparable, numbers: Numbers<'_>) -> Literal {
    match side {
        tree::Comparable::Bool(truth) => Literal::Bool(*truth),
        tree::Comparable::Str(text) => Literal::String(text.clone()),
        tree::Comparable::Num(number) => {
            let value = Decimal::parse(&number.0).map_or(Value::Null, |number| numbers(&number));
            match (value.as_i64(), value.as_f64()) {
                (Some(whole), _) => Literal::Int(whole),
                (_, Some(value)) => Literal::Float(value),
                _ => Literal::Null,
            }
        }
        _ => Literal::Null,
    }
}

fn argument(side: &tree::Comparable, numbers: Numbers<'_>) -> FnArg {
    match side {
        tree::Comparable::Query(root, query) => FnArg::Test(Box::new(nodes(*root, query, numbers))),
        tree::Comparable::Call(found) => {
            FnArg::Test(Box::new(Test::Function(Box::new(function(found, numbers)))))
        }
        literal => FnArg::Literal(self::literal(literal, numbers)),
    }
}

fn function(found: &tree::Function, numbers: Numbers<'_>) -> TestFunction {
    let query = |root: bool, query: &tree::Query| FnArg::Test(Box::new(nodes(root, query, numbers)));
    match found {
        tree::Function::Length(one) => TestFunction::Length(Box::new(argument(one, numbers))),
        tree::Function::Count(root, found) => TestFunction::Count(query(*root, found)),
        tree::Function::Value(root, found) => TestFunction::Value(query(*root, found)),
        tree::Function::Match(text, pattern) => {
            TestFunction::Match(argument(text, numbers), argument(pattern, numbers))
        }
        tree::Function::Search(text, pattern) => {
            TestFunction::Search(argument(text, numbers), argument(pattern, numbers))
        }
    }
}
