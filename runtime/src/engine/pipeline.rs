//! One action: gate, execute, interpret.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use hookc_base::OnError;
use hookc_base::action::Action;

use crate::context::ActionContext;
use crate::execute::{Reply, execute, without_host};
use crate::gate::{self, Gate};
use crate::interpret::{Attempt, interpret, report_call};
use crate::limits::NESTED_ACTIONS;
use crate::outcome::{ActionFailure, Effect, Hook, Outcome, PendingAction};
use crate::process;

thread_local! {
    /// How many actions this thread executes within one another.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Sets the depth of this thread until it is dropped.
pub(crate) struct Nested {
    before: usize,
}

impl Nested {
    pub(super) fn depth() -> usize {
        DEPTH.get()
    }

    pub(super) fn at(depth: usize) -> Self {
        Self { before: DEPTH.replace(depth) }
    }

    /// One level deeper. Whatever calls the host for an action enters first.
    ///
    /// # Errors
    /// [`NESTED_ACTIONS`] is reached.
    fn enter() -> Result<Self, ActionFailure> {
        let depth = Self::depth();
        if depth < NESTED_ACTIONS {
            return Ok(Self::at(depth + 1));
        }
        let why = format!(
            "actions are nested deeper than {NESTED_ACTIONS}: the host handles an event in each of them"
        );
        Err(ActionFailure::closed(why).with_bare("actions are nested too deep"))
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        DEPTH.set(self.before);
    }
}

/// Calls the host for an action outside [`run_action`].
///
/// # Errors
/// The call failed or panicked, or actions are nested too deep.
pub(crate) fn call_host<R>(call: impl FnOnce() -> Result<R, ActionFailure>) -> Result<R, ActionFailure> {
    let _nested = Nested::enter()?;
    catch(call)
}

fn catch<R>(run: impl FnOnce() -> Result<R, ActionFailure>) -> Result<R, ActionFailure> {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|_| Err(ActionFailure::closed("executing it panicked")))
}

/// The default number of executions under `on_error: retry`.
const TRIES: u64 = 3;

/// Executes an action, as often as `on_error` requires. Never panics: a panicking host has failed.
pub(crate) fn run_action(pending: &PendingAction, context: &ActionContext<'_>) -> Effect {
    match Nested::enter() {
        Ok(_nested) => run(pending, context),
        Err(limit) => {
            let attempt = attempt(pending, context, |_, action| without_host(action, context).ok_or(limit));
            Effect::new(pending.hook.clone(), attempt.outcome)
        }
    }
}

fn run(pending: &PendingAction, context: &ActionContext<'_>) -> Effect {
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
        let mut attempt = attempt(pending, context, |hook, action| execute(hook, action, context));
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

fn attempt(
    pending: &PendingAction,
    context: &ActionContext<'_>,
    execute: impl FnOnce(&Hook, &Action) -> Result<Reply, ActionFailure>,
) -> Attempt {
    let PendingAction { hook, action } = pending;
    let attempt = action
        .as_ref()
        .map_err(Clone::clone)
        .and_then(|action| catch(|| interpret(execute(hook, action)?, hook, action, context)));
    attempt.unwrap_or_else(|failure| {
        let mode = context.failure_mode(hook, failure.failure_mode);
        Attempt { status: failure.status.clone(), ..Outcome::Failed(failure.in_mode(mode)).into() }
    })
}
