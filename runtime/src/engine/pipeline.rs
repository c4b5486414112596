//! One action: gate, execute, interpret.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use hookc_base::OnError;

use crate::context::ActionContext;
use crate::execute::execute;
use crate::gate::{self, Gate};
use crate::interpret::{Attempt, interpret, report_call};
use crate::outcome::{ActionFailure, Effect, Outcome, PendingAction};
use crate::process;

/// The default number of executions under `on_error: retry`.
const TRIES: u64 = 3;

/// Executes an action, as often as `on_error` requires. Never panics: a panicking host has failed.
pub(crate) fn run_action(pending: &PendingAction, context: &ActionContext<'_>) -> Effect {
    let start = Instant::now();
    let mut remarks = match gate::check(pending, context) {
        Gate::Pass(remarks) => remarks,
        Gate::Stop(outcome) => {
            return Effect { took: start.elapsed(), ..Effect::new(pending.hook.clone(), outcome) };
        }
    };
    let (mut tries, most) = (0, tries(pending));
    let last = loop {
        tries += 1;
        let mut attempt = attempt(pending, context);
        report_call(pending, &mut attempt, context);
        let failed = matches!(attempt.outcome, Outcome::Failed(_));
        if !failed || u64::from(tries) >= most || process::is_ending() {
            break attempt;
        }
    };
    gate::remember(pending, &last.outcome, context);
    remarks.extend(last.remarks);
    let effect = Effect::new(pending.hook.clone(), last.outcome);
    Effect { status: last.status, remarks, tries, took: start.elapsed(), ..effect }
}

/// The maximum number of executions of an action.
fn tries(pending: &PendingAction) -> u64 {
    match (&pending.action, pending.hook.on_error) {
        (Ok(action), Some(OnError::Retry)) => action.max_calls().unwrap_or(TRIES).max(1),
        _ => 1,
    }
}

fn attempt(pending: &PendingAction, context: &ActionContext<'_>) -> Attempt {
    let PendingAction { hook, action } = pending;
    let attempt = action.as_ref().map_err(Clone::clone).and_then(|action| {
        let stages = || interpret(execute(hook, action, context)?, hook, action, context);
        catch_unwind(AssertUnwindSafe(stages))
            .unwrap_or_else(|_| Err(ActionFailure::closed("executing it panicked")))
    });
    attempt.unwrap_or_else(|failure| {
        let mode = context.failure_mode(hook, failure.failure_mode);
        Attempt { status: failure.status.clone(), ..Outcome::Failed(failure.in_mode(mode)).into() }
    })
}
