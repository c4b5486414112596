//! Selections that contain one another: what is within ten minutes is within an hour too, and what has happened since an
//! event has happened in the session.

use hookc_history::Kind;
use hookc_schema::Spanned;
use hookc_schema::tree::Op;
use hookc_schema::value;
use hookc_vm::format::number;

use super::{Clash, clash};
use crate::ir::{PastRelation, PastRight, PastTest, RecallValue};

/// A test of earlier events, and its assumed result.
pub(super) type Past<'c> = (&'c Spanned<PastTest>, bool);

/// As many tests are compared with each other.
const TESTS: usize = 16;

/// Two of the tests that contradict each other.
pub(super) fn find(tests: &[Past<'_>]) -> Option<Clash> {
    let tests = tests.get(..TESTS).unwrap_or(tests);
    tests.iter().enumerate().find_map(|(at, second)| {
        let first = tests.iter().take(at).find(|first| excludes(first, second) || excludes(second, first))?;
        Some(clash(first.0.span, second.0.span, "one selection contains the other"))
    })
}

/// Whether more events are in a selection than in one that contains it.
fn excludes(&(inner, inner_want): &Past<'_>, &(outer, outer_want): &Past<'_>) -> bool {
    let (inner, outer) = (&inner.node, &outer.node);
    let least = bounds(inner, inner_want).and_then(|bounds| bounds.0);
    let most = bounds(outer, outer_want).and_then(|bounds| bounds.1);
    least.zip(most).is_some_and(|(least, most)| least > most) && is_within(&inner.recall, &outer.recall)
}

/// Whether each event of a selection is in another one.
fn is_within(inner: &RecallValue, outer: &RecallValue) -> bool {
    let window = |read: &RecallValue| read.within.unwrap_or(u64::MAX);
    inner.pattern == outer.pattern
        && window(inner) <= window(outer)
        && outer.since.iter().all(|anchor| inner.since.contains(anchor))
        && (inner.now.is_none() || inner.now == outer.now)
}

/// How many events, or different values, there are at least and at most.
fn bounds(test: &PastTest, want: bool) -> Option<(Option<u64>, Option<u64>)> {
    let is_distinct = matches!(test.recall.pattern.monitor.kind, Kind::Distinct { .. });
    let (op, right) = match &test.relation {
        PastRelation::Formerly if want => return Some((Some(1), None)),
        PastRelation::Formerly => return Some((None, Some(0))),
        PastRelation::Compare(op, PastRight::Value(right)) if test.recall.counts || is_distinct => {
            (op, right)
        }
        PastRelation::Compare(..) => return None,
    };
    let value::Kind::Num(number) = &right.kind else { return None };
    let number: u64 = number::canonical(&number.0).ok()?.parse().ok()?;
    let (more, less) = (number.checked_add(1), number.checked_sub(1));
    Some(match (op, want) {
        (Op::Eq, true) => (Some(number), Some(number)),
        (Op::Gte, true) | (Op::Lt, false) => (Some(number), None),
        (Op::Gt, true) | (Op::Lte, false) => (more, None),
        (Op::Lte, true) | (Op::Gt, false) => (None, Some(number)),
        (Op::Lt, true) | (Op::Gte, false) => (None, less),
        _ => return None,
    })
}
