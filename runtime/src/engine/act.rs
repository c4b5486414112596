//! In order, or in parallel with the results in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hookc_vm::module::{OnError, OnFailure};
use hookc_vm::{Family, Strategy};

use crate::carry::{self, ActionContext};
use crate::effect::{Effect, Failure, Outcome, PendingAction};
use crate::event::Event;
use crate::turn;
use crate::verdict::Permission;

/// Whether the hooks run in parallel: an agent's event with several of them,
/// whose handlers are all of the grouped form.
pub(super) fn together(due: &[PendingAction], family: Option<Family>, strategy: Strategy) -> bool {
    let grouped = |due: &PendingAction| due.hook.kind != "run" || result(due) == Some("agent");
    family == Some(Family::Agent) && strategy == Strategy::All && due.len() > 1 && due.iter().all(grouped)
}

fn result(due: &PendingAction) -> Option<&str> {
    due.action.as_ref().ok()?.text("result")
}

/// One after the other. `on_error: fail` ends the row at a failure, and so does
/// a refusal by a handler of the flat form, whose later handlers see the user's
/// message as the earlier ones left it.
pub(super) fn in_order(due: &[PendingAction], context: &ActionContext<'_>) -> Vec<Effect> {
    let mut effects: Vec<Effect> = Vec::with_capacity(due.len());
    let mut changed: Option<Event> = None;
    let mut over: Option<Over> = None;
    for due in due {
        if let Some(over) = &over {
            effects.push(behind(due, over, context));
            continue;
        }
        let event = changed.as_ref().unwrap_or(context.event);
        let effect = carry::carry_out(due, &ActionContext { event, ..*context });
        if let (Outcome::Failed(failure), Some(OnError::Fail)) = (&effect.outcome, due.hook.on_error) {
            let why = format!("hook {} failed before it", due.hook.label);
            over = Some(Over { why, refused: failure.falls == OnFailure::Closed });
        }
        if let Outcome::Verdict(verdict) = &effect.outcome
            && result(due) == Some("flat")
        {
            if verdict.permission == Some(Permission::Deny) {
                let why = format!("hook {} refused before it", due.hook.label);
                over = Some(Over { why, refused: true });
            }
            if let Some(prompt) = &verdict.prompt {
                changed = Some(carry::with_prompt(event, prompt));
                effects.iter_mut().for_each(forget_prompt);
            }
        }
        effects.push(effect);
    }
    effects
}

/// Why a row is over, and whether that refuses already.
struct Over {
    why: String,
    refused: bool,
}

/// Whether a hook has no word about what may happen: nobody waits for it.
fn is_mute(due: &PendingAction) -> bool {
    let Ok(action) = &due.action else { return false };
    let unwaited =
        action.flag("async", false) || action.flag("rewake", false) || !action.flag("blocking", true);
    action.kind == "log" || action.kind == "run" && unwaited
}

/// A hook behind the end of a row. Where hooks guard something that is not
/// refused by then, its word still counts: a decision that starts nothing is
/// made, and one that was not asked for is a failure.
fn behind(due: &PendingAction, over: &Over, context: &ActionContext<'_>) -> Effect {
    let guards = context.family == Some(Family::Agent)
        || context.family == Some(Family::Repository) && turn::is_awaited(context.name);
    if over.refused || !guards || is_mute(due) {
        return skipped(due, over.why.clone());
    }
    if ["allow", "deny", "ask", "modify", "inject"].contains(&due.hook.kind.as_str()) {
        return carry::carry_out(due, context);
    }
    let falls = context.falls(&due.hook, OnFailure::Closed);
    let failure = Failure { why: format!("it did not run: {}", over.why), bare: None, falls };
    Effect { outcome: Outcome::Failed(failure), ..skipped(due, String::new()) }
}

/// Another message took the place of this one, and was made from it.
fn forget_prompt(effect: &mut Effect) {
    if let Outcome::Verdict(verdict) = &mut effect.outcome {
        verdict.prompt = None;
    }
}

fn skipped(due: &PendingAction, why: String) -> Effect {
    Effect {
        hook: due.hook.clone(),
        outcome: Outcome::Skipped(why),
        status: None,
        remarks: Vec::new(),
        tries: 0,
        took: Duration::ZERO,
    }
}

/// Up to `workers` at once; the effects are in the order of the hooks, whatever
/// ended first. Of handlers that are the same to the letter, of one plugin, and whose
/// failures come to the same, the first runs.
pub(super) fn in_parallel(due: &[PendingAction], context: &ActionContext<'_>, workers: usize) -> Vec<Effect> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let mut effects: Vec<Option<Effect>> = Vec::with_capacity(due.len());
    let mut queue = Vec::new();
    for (n, one) in due.iter().enumerate() {
        let text = carry::likeness(one, context);
        let twin = text.as_ref().and_then(|text| seen.get(text.as_str()));
        effects.push(twin.map(|label| skipped(one, format!("hook {label} is the same"))));
        if effects.last().is_some_and(Option::is_none) {
            queue.push(n);
            text.map(|text| seen.insert(text, &one.hook.label));
        }
    }
    for (n, effect) in pool(due, context, &queue, workers) {
        if let Some(place) = effects.get_mut(n) {
            *place = Some(effect);
        }
    }
    effects.into_iter().flatten().collect()
}

fn pool(
    due: &[PendingAction],
    context: &ActionContext<'_>,
    queue: &[usize],
    workers: usize,
) -> Vec<(usize, Effect)> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(queue.len())));
    let work = || {
        while let Some(&n) = queue.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(one) = due.get(n) {
                let effect = carry::carry_out(one, context);
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
