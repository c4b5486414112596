//! One action: gate, execute, interpret.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use hookc_base::{OnError, OnFailure};

use crate::context::ActionContext;
use crate::execute::execute;
use crate::gate::{self, Gate};
use crate::interpret::{Attempt, interpret, report_call};
use crate::limits::NESTED_ACTIONS;
use crate::outcome::{ActionFailure, Effect, Outcome, PendingAction};
use crate::process;

thread_local! {
    /// How many actions this thread executes within one another.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Sets the depth of this thread until it is dropped.
pub(super) struct Nested {
    before: usize,
}

impl Nested {
    pub(super) fn depth() -> usize {
        DEPTH.get()
    }

    pub(super) fn at(depth: usize) -> Self {
        Self { before: DEPTH.replace(depth) }
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        DEPTH.set(self.before);
    }
}

/// The default number of executions under `on_error: retry`.
const TRIES: u64 = 3;

/// Executes an action, as often as `on_error` requires. Never panics: a panicking host has failed.
pub(crate) fn run_action(pending: &PendingAction, context: &ActionContext<'_>) -> Effect {
    let start = Instant::now();
    let depth = Nested::depth();
    if depth >= NESTED_ACTIONS {
        let why = format!(
            "actions are nested deeper than {NESTED_ACTIONS}: the host handles an event in each of them"
        );
        let failure = ActionFailure::closed(why).with_bare("actions are nested too deep");
        let failure = failure.in_mode(context.failure_mode(&pending.hook, OnFailure::Closed));
        return Effect::new(pending.hook.clone(), Outcome::Failed(failure));
    }
    let _nested = Nested::at(depth + 1);
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
