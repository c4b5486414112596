//! What several writers need of facts and of conditions about earlier events.

use hookc_schema::tree::{Cond, CondKind, Fact, Hook, Path, Policy, Selection};

use super::{Loss, part};
use crate::Dialect;

/// The levels that a condition has as a `when` expression, at most; with those of its selections.
pub(super) fn levels(cond: &Cond) -> usize {
    match &cond.kind {
        CondKind::All(parts) | CondKind::Any(parts) => 1 + parts.iter().map(levels).max().unwrap_or(0),
        CondKind::Not(part) => 1 + levels(part),
        CondKind::Quantified(inner) => 1 + levels(&inner.cond),
        CondKind::Const(_) | CondKind::Predicate(_) => 2,
        CondKind::Leaf(_) | CondKind::Formerly(_) => 1 + selections(cond, selection_levels),
    }
}

/// The levels of a value of the history in a path; 0 for other paths.
pub(super) fn path_levels(path: &Path) -> usize {
    path.recall().map_or(0, |recall| selection_levels(&recall.selection))
}

/// The greatest value of the selections of a leaf or a `formerly`; 0 if it has none.
pub(super) fn selections(cond: &Cond, value: impl Fn(&Selection) -> usize) -> usize {
    cond.whole().selections().map(value).max().unwrap_or(0)
}

fn selection_levels(selection: &Selection) -> usize {
    let inner = selection.patterns().filter_map(|pattern| pattern.condition.as_ref());
    2 + inner.map(levels).max().unwrap_or(0)
}

/// The policy without facts and without the hooks that need earlier events, and the losses; `None` if it has none.
pub(super) fn without(policy: &Policy, target: Dialect) -> Option<(Policy, Vec<Loss>)> {
    let is_lost = |hook: &&Hook| hook.condition.as_ref().is_some_and(Cond::has_history);
    let hooks = policy.hooks.iter().filter(is_lost);
    let why = "its condition is about earlier events";
    let mut losses: Vec<Loss> = hooks.map(|hook| part::loss(hook, hook.span.0, why)).collect();
    let why = format!("{} has no facts", target.name());
    losses.extend(policy.facts.iter().map(|fact| loss(fact, &why)));
    if losses.is_empty() {
        return None;
    }
    let mut rest = policy.clone();
    rest.hooks.retain(|hook| !is_lost(&hook));
    rest.facts.clear();
    Some((rest, losses))
}

/// The loss of a fact.
pub(super) fn loss(fact: &Fact, why: &str) -> Loss {
    Loss { span: fact.name.span, what: format!("fact `{}`: {why}", fact.name.node.escape_debug()) }
}
