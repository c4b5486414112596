//! Variants of a policy about what happened before: what its next version may look like, and variants that mean the same.

use std::sync::Arc;

use hookc_schema::Spanned;
use hookc_schema::tree::{
    Cond, CondKind, DurationUnit, EventPattern, Extent, Leaf, PartitionKey, Path, PathKind, Policy,
    Quantified, Right, Selection,
};

use super::Rng;
use super::history::{self, DURATIONS};

type Visit<'v> = dyn FnMut(&mut Selection) + 'v;

/// The next version of a policy: hooks are removed, windows of the others are changed, and hooks with ids are added whose
/// patterns no earlier version has.
pub fn changed(rng: &mut Rng, policy: &Policy) -> Policy {
    let mut next = policy.clone();
    next.hooks.retain(|_| !rng.chance(25));
    for hook in &mut next.hooks {
        if let Some(cond) = hook.condition.as_mut().filter(|_| rng.chance(30)) {
            each_selection(cond, false, &mut |selection| other_window(rng, selection));
        }
    }
    let added = usize::from(next.hooks.is_empty()) + rng.below(3);
    for number in 0..added {
        let mut hook = history::new_hook(rng);
        hook.id = Some(Spanned::new(format!("{NEW}{number}"), hookc_schema::Span::default()));
        next.hooks.insert(rng.below(next.hooks.len() + 1), hook);
    }
    next
}

/// What ids of hooks that [`changed`] adds start with.
pub const NEW: &str = "new-";

fn other_window(rng: &mut Rng, selection: &mut Selection) {
    if let Some(within) = &mut selection.within
        && matches!(within.node, Extent::Duration { .. })
    {
        let (count, unit) = rng.pick(DURATIONS);
        within.node = Extent::Duration { count, unit };
    }
}

/// The policy with windows that are longer than any sequence of events, and the policy without these windows where the
/// language does not require one.
#[must_use]
pub fn windows(policy: &Policy) -> [Policy; 2] {
    let with = |extent: Option<Extent>| {
        let mut policy = policy.clone();
        each_selection_of(&mut policy, &mut |selection| {
            let key = selection.per.as_ref().map_or(PartitionKey::Session, |key| key.node);
            let is_required = matches!(key, PartitionKey::Project | PartitionKey::User);
            let is_duration = selection
                .within
                .as_ref()
                .is_some_and(|within| matches!(within.node, Extent::Duration { .. }));
            if is_duration {
                let extent = extent.or(is_required.then_some(LONGEST));
                selection.within = extent.map(|extent| Spanned::new(extent, hookc_schema::Span::default()));
            }
        });
        policy
    };
    [with(Some(LONGEST)), with(None)]
}

/// The longest window of the language.
const LONGEST: Extent = Extent::Duration { count: 30, unit: DurationUnit::Day };

/// The policy with other names of facts, and ids for its hooks.
#[must_use]
pub fn renamed(policy: &Policy) -> Policy {
    let mut policy = policy.clone();
    let rename = |name: &mut Spanned<String>| {
        if name.node.ends_with("_fact") {
            name.node = format!("{}_of_another_name", name.node);
        }
    };
    let pattern = |pattern: &mut EventPattern| pattern.names.iter_mut().for_each(rename);
    each_selection_of(&mut policy, &mut |selection| {
        pattern(&mut selection.of);
        selection.since.iter_mut().for_each(pattern);
    });
    policy.facts.iter_mut().for_each(|fact| rename(&mut fact.name));
    for (number, hook) in policy.hooks.iter_mut().enumerate() {
        hook.id = Some(Spanned::new(format!("hook-{number}"), hookc_schema::Span::default()));
    }
    policy
}

/// Visits the selections of facts and hooks, the inner ones too.
fn each_selection_of(policy: &mut Policy, each: &mut Visit<'_>) {
    let facts =
        policy.facts.iter_mut().flat_map(|fact| &mut fact.patterns).map(|fact| &mut fact.pattern.condition);
    let hooks = policy.hooks.iter_mut().map(|hook| &mut hook.condition);
    facts.chain(hooks).flatten().for_each(|cond| each_selection(cond, true, each));
}

/// Visits the selections of a condition; with `deep` those in the patterns of others too.
fn each_selection(cond: &mut Cond, deep: bool, each: &mut Visit<'_>) {
    match &mut cond.kind {
        CondKind::Const(_) | CondKind::Predicate(_) => {}
        CondKind::All(conds) | CondKind::Any(conds) => {
            let mut parts = conds.to_vec();
            parts.iter_mut().for_each(|part| each_selection(part, deep, each));
            *conds = parts.into();
        }
        CondKind::Not(part) => each_selection(Arc::make_mut(part), deep, each),
        CondKind::Leaf(leaf) => {
            let Leaf { path, right, .. } = Arc::make_mut(leaf);
            of_path(path, deep, each);
            if let Right::Path(right) = right {
                of_path(right, deep, each);
            }
        }
        CondKind::Quantified(inner) => {
            let Quantified { path, cond, .. } = Arc::make_mut(inner);
            of_path(path, deep, each);
            each_selection(cond, deep, each);
        }
        CondKind::Formerly(selection) => visit(Arc::make_mut(selection), deep, each),
    }
}

fn of_path(path: &mut Path, deep: bool, each: &mut Visit<'_>) {
    if let PathKind::Recall(recall) = &mut path.kind {
        visit(&mut recall.selection, deep, each);
    }
}

fn visit(selection: &mut Selection, deep: bool, each: &mut Visit<'_>) {
    each(selection);
    if deep {
        let patterns = std::iter::once(&mut selection.of).chain(&mut selection.since);
        let conds = patterns.filter_map(|pattern| pattern.condition.as_mut());
        conds.for_each(|cond| each_selection(cond, deep, each));
    }
}
