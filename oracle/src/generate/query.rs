//! Random paths that can select several values. Known differences of `jsonpath-rust` from RFC 9535
//! are excluded: see `tests/jsonpath.rs`.

use hookc_schema::tree::{Comparable, CompareOp, Filter, Function, Query, Segment, Selector};
use hookc_schema::value::Number;
use hookc_schema::{Span, Spanned};

use super::{Rng, pool};

const NAMES: &[&str] = &["x", "c", "code", "retry-after", "b", "type", "limit_code", "odd key.]'\"\\"];
const OPS: &[CompareOp] =
    &[CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Lte, CompareOp::Gt, CompareOp::Gte];

/// I-Regexps that the regex crate reads alike.
const PATTERNS: &[&str] = &[
    "a.*",
    "[a-c]+",
    ".",
    "",
    "a|b",
    "(ab)*c",
    "x{2}",
    "\\p{Lu}+",
    "[^a]",
    "rm -rf.*",
    "src/.*\\.rs",
    "é|É",
];

/// A query from the root that is not singular.
pub(super) fn query(rng: &mut Rng) -> Query {
    let mut segments = pool::steps(rng);
    let keep = rng.below(segments.len() + 1);
    segments.truncate(keep);
    for _ in 0..=rng.below(2) {
        segments.push(several(rng, 2));
    }
    if rng.chance(40) {
        segments.push(Segment::Child(vec![Selector::Name(rng.pick(NAMES).to_owned())]));
    }
    Query { segments }
}

/// A segment that can select several nodes.
pub(super) fn several(rng: &mut Rng, depth: usize) -> Segment {
    let selectors = match rng.below(10) {
        0 | 1 => vec![Selector::Wildcard],
        2 => vec![slice(rng)],
        3 => (0..2 + rng.below(2)).map(|_| selector(rng)).collect(),
        4 if depth > 0 => vec![selector(rng), Selector::Filter(at(filter(rng, depth - 1)))],
        5..=7 if depth > 0 => vec![Selector::Filter(at(filter(rng, depth - 1)))],
        _ => return Segment::Descendant(vec![selector(rng)]),
    };
    if rng.chance(25) { Segment::Descendant(selectors) } else { Segment::Child(selectors) }
}

fn at<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

fn selector(rng: &mut Rng) -> Selector {
    match rng.below(5) {
        0 => Selector::Wildcard,
        1 => Selector::Index(rng.pick(&[0, 1, -1, -2, 7])),
        2 => slice(rng),
        _ => Selector::Name(rng.pick(NAMES).to_owned()),
    }
}

fn slice(rng: &mut Rng) -> Selector {
    let bounds = [None, Some(0), Some(1), Some(-1), Some(2), Some(-3), Some(9)];
    let steps = [None, None, Some(1), Some(2), Some(-1), Some(-2), Some(0)];
    Selector::Slice { start: rng.pick(&bounds), end: rng.pick(&bounds), step: rng.pick(&steps) }
}

fn filter(rng: &mut Rng, depth: usize) -> Filter {
    match rng.below(12) {
        0 => and(filter(rng, depth), basic(rng, depth)),
        1 => Filter::Or(vec![basic(rng, depth), basic(rng, depth), basic(rng, depth)]),
        2 => Filter::Not(Box::new(Filter::And(vec![basic(rng, depth), basic(rng, depth)]))),
        3 => Filter::Not(Box::new(test(rng, depth))),
        _ => basic(rng, depth),
    }
}

/// As it is read: a group of the same operator is a part of the list around it.
fn and(first: Filter, second: Filter) -> Filter {
    let mut parts = match first {
        Filter::And(parts) => parts,
        first => vec![first],
    };
    parts.push(second);
    Filter::And(parts)
}

/// An expression that needs no parentheses next to a connective.
fn basic(rng: &mut Rng, depth: usize) -> Filter {
    if rng.chance(35) { test(rng, depth) } else { compare(rng) }
}

fn test(rng: &mut Rng, depth: usize) -> Filter {
    match rng.below(6) {
        0 => Filter::Call(Function::Match(value(rng), pattern(rng))),
        1 => Filter::Call(Function::Search(value(rng), pattern(rng))),
        2 => Filter::Exists(true, root(rng)),
        _ => Filter::Exists(false, relative(rng, depth)),
    }
}

/// Nodes from the root within a filter.
fn root(rng: &mut Rng) -> Query {
    let mut segments = pool::steps(rng);
    if rng.chance(30) {
        segments.push(Segment::Child(vec![Selector::Wildcard]));
    }
    Query { segments }
}

/// Nodes from the current node; no filter comes first.
fn relative(rng: &mut Rng, depth: usize) -> Query {
    let name = Segment::Child(vec![Selector::Name(rng.pick(NAMES).to_owned())]);
    let mut segments = match rng.below(5) {
        0 => vec![],
        1 => vec![Segment::Child(vec![Selector::Wildcard])],
        2 => vec![Segment::Descendant(vec![Selector::Name(rng.pick(NAMES).to_owned())])],
        _ => vec![name],
    };
    if depth > 0 && !segments.is_empty() && rng.chance(50) {
        segments.push(several(rng, depth - 1));
    }
    Query { segments }
}

fn compare(rng: &mut Rng) -> Filter {
    let op = rng.pick(OPS);
    if rng.chance(12) {
        return count(rng);
    }
    match rng.below(8) {
        0 => Filter::Compare(literal(rng), op, value(rng)),
        1 => Filter::Compare(value(rng), op, value(rng)),
        _ => Filter::Compare(value(rng), op, literal(rng)),
    }
}

/// A count of zero is nothing to the crate: only comparisons that are false for both.
fn count(rng: &mut Rng) -> Filter {
    let count = Comparable::Call(Box::new(Function::Count(false, relative(rng, 0))));
    let (op, number) = rng.pick(&[
        (CompareOp::Gt, "0"),
        (CompareOp::Gte, "2.0"),
        (CompareOp::Eq, "1"),
        (CompareOp::Ne, "1e0"),
    ]);
    Filter::Compare(count, op, Comparable::Num(Number(number.to_owned())))
}

/// A value of the event or of a function.
fn value(rng: &mut Rng) -> Comparable {
    let name = |rng: &mut Rng| Segment::Child(vec![Selector::Name(rng.pick(NAMES).to_owned())]);
    match rng.below(10) {
        0..=2 => Comparable::Query(false, Query::default()),
        3..=5 => {
            let first = name(rng);
            Comparable::Query(false, Query { segments: vec![first] })
        }
        6 => {
            let index = Segment::Child(vec![Selector::Index(rng.pick(&[0, -1]))]);
            Comparable::Query(false, Query { segments: vec![index] })
        }
        7 => Comparable::Query(true, Query { segments: pool::steps(rng) }),
        8 => {
            let of = if rng.chance(50) { vec![name(rng)] } else { vec![] };
            Comparable::Call(Box::new(Function::Length(Comparable::Query(false, Query { segments: of }))))
        }
        _ => {
            let names = Segment::Descendant(vec![Selector::Name(rng.pick(NAMES).to_owned())]);
            Comparable::Call(Box::new(Function::Value(false, Query { segments: vec![names] })))
        }
    }
}

fn literal(rng: &mut Rng) -> Comparable {
    match rng.below(8) {
        0 => Comparable::Null,
        1 => Comparable::Bool(rng.chance(50)),
        2..=5 => Comparable::Num(Number(rng.pick(pool::NUMBERS).to_owned())),
        _ => Comparable::Str(rng.pick(pool::STRINGS).to_owned()),
    }
}

/// A literal, or now and then one out of the event.
fn pattern(rng: &mut Rng) -> Comparable {
    if rng.chance(85) {
        return Comparable::Str(rng.pick(PATTERNS).to_owned());
    }
    Comparable::Query(true, Query { segments: pool::steps(rng) })
}
