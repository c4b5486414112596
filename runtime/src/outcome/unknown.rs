//! Hooks whose conditions are unknown, because the history is: the cause is reported once, with all of its hooks.

use std::collections::HashMap;

use hookc_base::{Mode, OnFailure};

use super::{ActionFailure, Effect, Outcome, PendingAction};
use crate::verdict::Verdict;

/// How many hooks of a cause are named.
const NAMED: usize = 8;

/// Hooks by their cause, in their order.
type Causes<'a> = HashMap<(&'a str, bool), Vec<&'a str>>;

fn cause(failure: &ActionFailure) -> (&str, bool) {
    (&failure.why, failure.failure_mode == OnFailure::Closed)
}

/// The verdict of each effect: the first one of a cause speaks for the others.
pub(super) fn verdicts(effects: &[Effect]) -> Vec<Verdict> {
    let mut causes = Causes::new();
    for effect in effects {
        if let Some(failure) = unknown_effect(effect) {
            causes.entry(cause(failure)).or_default().push(&effect.hook.label);
        }
    }
    let verdicts = effects.iter().map(|effect| match unknown_effect(effect) {
        None => effect.verdict(),
        Some(failure) => {
            let labels = causes.remove(&cause(failure));
            labels.map(|labels| failure.verdict(&named(&labels))).unwrap_or_default()
        }
    });
    verdicts.collect()
}

/// The messages of hooks of `mode: warn`.
pub(super) fn warnings<'a>(reported: impl IntoIterator<Item = &'a PendingAction>) -> Vec<String> {
    let reported: Vec<&PendingAction> = reported.into_iter().collect();
    let mut causes = Causes::new();
    for pending in &reported {
        if let Some(failure) = unknown_warning(pending) {
            causes.entry(cause(failure)).or_default().push(&pending.hook.label);
        }
    }
    let warnings = reported.into_iter().filter_map(|pending| match unknown_warning(pending) {
        None => pending.warning(),
        Some(failure) => {
            let labels = causes.remove(&cause(failure))?;
            Some(format!("{} (warn): {failure}", named(&labels)))
        }
    });
    warnings.collect()
}

fn unknown_effect(effect: &Effect) -> Option<&ActionFailure> {
    match &effect.outcome {
        Outcome::Failed(failure) => Some(failure).filter(|failure| failure.is_unknown()),
        _ => None,
    }
}

fn unknown_warning(pending: &PendingAction) -> Option<&ActionFailure> {
    let failure = pending.action.as_ref().err()?;
    (pending.hook.mode == Mode::Warn && failure.is_unknown()).then_some(failure)
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
