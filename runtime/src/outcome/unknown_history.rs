//! Hooks whose conditions are unknown, because the history is: the cause is reported once, with all of its hooks.

use std::collections::HashMap;

use hookc_base::{Mode, OnFailure};

use super::{ActionFailure, Effect, Outcome, PendingAction};
use crate::verdict::Verdict;

/// How many hooks of a cause are named.
const NAMED: usize = 8;

/// An item among others, some of which are unknown.
enum Group<'a, T> {
    Known(&'a T),
    /// The first of a cause, with the names of all its hooks.
    First(&'a ActionFailure, String),
    /// A further one of a cause.
    Further,
}

/// Groups items by their causes, in their order. `unknown` gives the label and the failure of one that is unknown.
fn group<'a, T: 'a>(
    items: impl IntoIterator<Item = &'a T>,
    unknown: impl Fn(&'a T) -> Option<(&'a str, &'a ActionFailure)>,
) -> impl Iterator<Item = Group<'a, T>> {
    let items: Vec<_> = items.into_iter().map(|item| (item, unknown(item))).collect();
    let mut causes: HashMap<_, Vec<&str>> = HashMap::new();
    for (label, failure) in items.iter().filter_map(|(_, unknown)| *unknown) {
        causes.entry(cause(failure)).or_default().push(label);
    }
    items.into_iter().map(move |(item, unknown)| match unknown {
        None => Group::Known(item),
        Some((_, failure)) => match causes.remove(&cause(failure)) {
            Some(labels) => Group::First(failure, named(&labels)),
            None => Group::Further,
        },
    })
}

fn cause(failure: &ActionFailure) -> (&str, bool) {
    (&failure.why, failure.failure_mode == OnFailure::Closed)
}

/// The verdict of each effect: the first one of a cause speaks for the others.
pub(super) fn verdicts(effects: &[Effect]) -> Vec<Verdict> {
    let verdict = |group| match group {
        Group::Known(effect) => Effect::verdict(effect),
        Group::First(failure, hooks) => failure.verdict(&hooks),
        Group::Further => Verdict::default(),
    };
    group(effects, unknown_effect).map(verdict).collect()
}

/// The messages of hooks of `mode: warn`.
pub(super) fn warnings<'a>(reported: impl IntoIterator<Item = &'a PendingAction>) -> Vec<String> {
    let warning = |group| match group {
        Group::Known(pending) => PendingAction::warning(pending),
        Group::First(failure, hooks) => Some(format!("{hooks} (warn): {failure}")),
        Group::Further => None,
    };
    group(reported, unknown_warning).filter_map(warning).collect()
}

fn unknown_effect(effect: &Effect) -> Option<(&str, &ActionFailure)> {
    match &effect.outcome {
        Outcome::Failed(failure) if failure.is_unknown() => Some((&effect.hook.label, failure)),
        _ => None,
    }
}

fn unknown_warning(pending: &PendingAction) -> Option<(&str, &ActionFailure)> {
    let failure = pending.action.as_ref().err()?;
    let is_unknown = pending.hook.mode == Mode::Warn && failure.is_unknown();
    is_unknown.then_some((&pending.hook.label, failure))
}

/// `hook a`, or `hooks a, b`: the first ones if there are many.
fn named(labels: &[&str]) -> String {
    let first = labels.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match labels.len() {
        1 => format!("hook {first}"),
        count if count <= NAMED => format!("hooks {first}"),
        count => format!("hooks {first}, and {} more", count.saturating_sub(NAMED)),
    }
}
