//! Denials of all but some commands: `some(c in ...: c.name != 'git')`. A line that cannot be read has no commands and
//! evades them, unless some hook asks whether it can be read.

use std::collections::HashSet;

use hookc_schema::tree::{
    Cond, CondKind, Hook, Op, Path, Predicate, Quantifier, Segment, Selector, SharedId, View, ViewKind,
};

use super::paths::{commands_of, is_absence};

/// The path of the commands of which a denial excepts some. The recursion depth is the nesting of the condition.
pub(super) fn find(cond: &Cond, negated: bool) -> Option<&Path> {
    match &cond.kind {
        CondKind::Const(_) | CondKind::Leaf(_) | CondKind::Predicate(_) => None,
        CondKind::All(parts) | CondKind::Any(parts) => parts.iter().find_map(|part| find(part, negated)),
        CondKind::Not(part) => find(part, !negated),
        CondKind::Quantified(inner) => {
            let some = (inner.quantifier == Quantifier::Some) != negated;
            let found = some && commands_of(&inner.path).is_some() && is_exception(&inner.cond, negated);
            found.then_some(&inner.path)
        }
    }
}

/// Whether a condition is true of a command for which no comparison is. The recursion depth is the nesting.
fn is_exception(cond: &Cond, negated: bool) -> bool {
    match &cond.kind {
        CondKind::Const(_) | CondKind::Quantified(_) | CondKind::Predicate(_) => false,
        CondKind::Not(part) => is_exception(part, !negated),
        CondKind::Leaf(leaf) => negated != (leaf.op.node == Op::Ne || is_absence(leaf)),
        CondKind::All(parts) if !negated => parts.iter().all(|part| is_exception(part, negated)),
        CondKind::Any(parts) if negated => parts.iter().all(|part| is_exception(part, negated)),
        CondKind::All(parts) | CondKind::Any(parts) => parts.iter().any(|part| is_exception(part, negated)),
    }
}

/// Whether some hook asks whether a line can be read.
pub(in crate::lint) fn asks_ok<'h>(hooks: impl Iterator<Item = &'h Hook>) -> bool {
    let mut seen = HashSet::new();
    hooks.filter_map(|hook| hook.condition.as_ref()).any(|cond| reads_ok(cond, &mut seen))
}

/// Linear in the conditions: shared ones are read once. The recursion depth is the nesting.
fn reads_ok(cond: &Cond, seen: &mut HashSet<SharedId>) -> bool {
    if cond.shared().is_some_and(|id| !seen.insert(id)) {
        return false;
    }
    match &cond.kind {
        CondKind::Const(_) => false,
        CondKind::All(parts) | CondKind::Any(parts) => parts.iter().any(|part| reads_ok(part, seen)),
        CondKind::Not(part) => reads_ok(part, seen),
        CondKind::Leaf(leaf) => leaf.path.view(ViewKind::Shell).is_some_and(is_about_line),
        CondKind::Quantified(inner) => reads_ok(&inner.cond, seen),
        CondKind::Predicate(predicate) => sees_unread(predicate),
    }
}

/// Whether a predicate has a result of its own for a line that cannot be read.
fn sees_unread(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::Unknown | Predicate::Only(_) => true,
        Predicate::Guard(guard) => guard.is_possible,
        Predicate::Mentions(_) | Predicate::Passed(_) => false,
    }
}

/// Whether it leads to `ok`, or to the reason.
fn is_about_line(view: &View) -> bool {
    let first = |name: &str| {
        matches!(view.rest.segments.first(), Some(Segment::Child(names))
            if matches!(names.as_slice(), [Selector::Name(own)] if own == name))
    };
    first("ok") || first("reason")
}
