//! In order, or in parallel with the results in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use hookc_base::action::{Action, Kind, ResultForm};
use hookc_base::{Family, OnError, OnFailure, Strategy};

use super::pipeline::{Nested, run_action};
use crate::context::ActionContext;
use crate::event::Event;
use crate::execute::dedup_key;
use crate::outcome::{ActionFailure, Effect, Outcome, PendingAction};
use crate::verdict::Permission;

/// Whether the hooks run in parallel: an agent's event with several hooks whose handlers all have
/// the grouped format.
pub(super) fn is_parallel(pending: &[PendingAction], family: Option<Family>, strategy: Strategy) -> bool {
    let grouped = |pending: &PendingAction| match &pending.action {
        Ok(Action::Run(run)) => run.result == ResultForm::Agent,
        Ok(_) => true,
        Err(_) => Kind::parse(&pending.hook.kind) != Some(Kind::Run),
    };
    family == Some(Family::Agent)
        && strategy == Strategy::All
        && pending.len() > 1
        && pending.iter().all(grouped)
}

/// Receives each effect before the next hook is executed, and can make it a failure.
pub(crate) type Settle<'a> = &'a mut dyn FnMut(&PendingAction, &mut Effect);

fn is_flat(pending: &PendingAction) -> bool {
    matches!(&pending.action, Ok(Action::Run(run)) if run.result == ResultForm::Flat)
}

/// Sequential execution. `on_error: fail` ends the sequence at a failure, and so does a denial by a
/// handler of the flat format, whose later handlers receive the user's message as changed by the
/// earlier ones.
pub(super) fn in_order(
    actions: &[PendingAction],
    context: &ActionContext<'_>,
    settle: Settle<'_>,
) -> Vec<Effect> {
    let mut effects: Vec<Effect> = Vec::with_capacity(actions.len());
    let mut changed: Option<Event> = None;
    let mut ended: Option<SequenceEnd> = None;
    for pending in actions {
        if let Some(ended) = &ended {
            let mut effect = after_failure(pending, ended, context);
            settle(pending, &mut effect);
            effects.push(effect);
            continue;
        }
        let event = changed.as_ref().unwrap_or(context.event);
        let mut effect = run_action(pending, &ActionContext { event, ..*context });
        settle(pending, &mut effect);
        let label = &pending.hook.label;
        if let (Outcome::Failed(failure), Some(OnError::Fail)) = (&effect.outcome, pending.hook.on_error) {
            let denied = failure.failure_mode == OnFailure::Closed;
            ended = Some(SequenceEnd { reason: format!("hook {label} failed before it"), denied });
        }
        if let Outcome::Verdict(verdict) = &effect.outcome
            && is_flat(pending)
        {
            if verdict.permission == Some(Permission::Deny) {
                ended = Some(SequenceEnd { reason: format!("hook {label} denied before it"), denied: true });
            }
            if let Some(prompt) = &verdict.prompt {
                changed = Some(event.with("prompt", &prompt.as_str().into()));
                effects.iter_mut().for_each(forget_prompt);
            }
        }
        effects.push(effect);
    }
    effects
}

/// Why a row is over, and whether the event is denied already.
struct SequenceEnd {
    reason: String,
    denied: bool,
}

/// A hook after the end of a sequence. If hooks guard an event that is not denied by then, its
/// verdict still applies: an action that is a verdict is executed, and one that would need a reply
/// has failed.
fn after_failure(pending: &PendingAction, ended: &SequenceEnd, context: &ActionContext<'_>) -> Effect {
    let guards = context.family == Some(Family::Agent)
        || context.repository_event().is_some_and(|event| event.is_awaited());
    let unawaited = pending.action.as_ref().is_ok_and(Action::is_unawaited);
    if ended.denied || !guards || unawaited {
        return skipped(pending, ended.reason.clone());
    }
    // A hook without a rendered action starts nothing either: its failure has the reason.
    if pending.action.as_ref().map_or(true, Action::is_verdict) {
        return run_action(pending, context);
    }
    let mode = context.failure_mode(&pending.hook, OnFailure::Closed);
    let failure = ActionFailure::closed(format!("it did not run: {}", ended.reason)).in_mode(mode);
    Effect::new(pending.hook.clone(), Outcome::Failed(failure))
}

/// Another message replaced this one and was derived from it.
fn forget_prompt(effect: &mut Effect) {
    if let Outcome::Verdict(verdict) = &mut effect.outcome {
        verdict.prompt = None;
    }
}

fn skipped(pending: &PendingAction, reason: String) -> Effect {
    Effect::new(pending.hook.clone(), Outcome::Skipped(reason))
}

/// Up to `workers` concurrently; the effects are in the order of the hooks, whichever ended first.
/// Of textually equal handlers of one plugin with the same failure mode, only the first runs.
pub(super) fn in_parallel(
    actions: &[PendingAction],
    context: &ActionContext<'_>,
    workers: usize,
) -> Vec<Effect> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let mut effects: Vec<Option<Effect>> = Vec::with_capacity(actions.len());
    let mut queue = Vec::new();
    for (n, one) in actions.iter().enumerate() {
        let text = dedup_key(one, context);
        let twin = text.as_ref().and_then(|text| seen.get(text.as_str()));
        effects.push(twin.map(|label| skipped(one, format!("hook {label} is the same"))));
        if effects.last().is_some_and(Option::is_none) {
            queue.push(n);
            text.map(|text| seen.insert(text, &one.hook.label));
        }
    }
    for (n, effect) in pool(actions, context, &queue, workers) {
        if let Some(slot) = effects.get_mut(n) {
            *slot = Some(effect);
        }
    }
    // A hook without an effect would be a guard that is silently lost.
    let lost = |pending: &PendingAction| {
        let failure = ActionFailure::closed("it gave no result");
        Effect::new(pending.hook.clone(), Outcome::Failed(failure))
    };
    effects
        .into_iter()
        .zip(actions)
        .map(|(effect, pending)| effect.unwrap_or_else(|| lost(pending)))
        .collect()
}

fn pool(
    pending: &[PendingAction],
    context: &ActionContext<'_>,
    queue: &[usize],
    workers: usize,
) -> Vec<(usize, Effect)> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(queue.len())));
    let nesting = Nested::current();
    let work = || {
        let _nested = Nested::at(nesting.clone());
        while let Some(&n) = queue.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(one) = pending.get(n) {
                let effect = run_action(one, context);
                done.lock().unwrap_or_else(PoisonError::into_inner).push((n, effect));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..workers.min(queue.len()) {
            // A thread that cannot be had is one worker less; this one works too.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}
