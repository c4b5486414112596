//! One action: gate, execute, interpret.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hookc_base::OnError;
use hookc_base::action::Action;

use crate::context::ActionContext;
use crate::execute::{Reply, execute, without_host};
use crate::gate::{self, Gate};
use crate::interpret::{Attempt, interpret, report_call};
use crate::limits::{self, NESTED_ACTIONS, NESTED_TOTAL};
use crate::outcome::{ActionFailure, Effect, Hook, Outcome, PendingAction};
use crate::process;

thread_local! {
    /// The actions that this thread executes within one another.
    static NESTING: RefCell<Nesting> = RefCell::default();
}

/// How deep actions are nested, and how many nested ones the event has whose action is the outermost one.
#[derive(Clone, Default)]
pub(super) struct Nesting {
    depth: usize,
    /// The threads of the event share it.
    total: Option<Arc<AtomicUsize>>,
}

/// Sets the nesting of this thread until it is dropped.
pub(crate) struct Nested {
    before: Nesting,
}

impl Nested {
    pub(super) fn current() -> Nesting {
        NESTING.with_borrow(Clone::clone)
    }

    pub(super) fn at(nesting: Nesting) -> Self {
        Self { before: NESTING.replace(nesting) }
    }

    /// The nested actions of all hooks of an event are counted together; those of an event within an action, with those
    /// of the event around it.
    pub(crate) fn event() -> Self {
        let Nesting { depth, total } = Self::current();
        Self::at(Nesting { depth, total: Some(total.unwrap_or_default()) })
    }

    /// One level deeper. Whatever calls the host for an action enters first.
    ///
    /// # Errors
    /// [`NESTED_ACTIONS`] or [`NESTED_TOTAL`] is reached.
    fn enter() -> Result<Self, ActionFailure> {
        let Nesting { depth, total } = Self::current();
        if depth >= NESTED_ACTIONS {
            let why = format!(
                "actions are nested deeper than {NESTED_ACTIONS}: the host handles an event in each of them"
            );
            return Err(ActionFailure::closed(why).with_bare("actions are nested too deep"));
        }
        let total = total.unwrap_or_default();
        if depth > 0 && total.fetch_add(1, Ordering::Relaxed) >= NESTED_TOTAL {
            let why = format!(
                "the actions of one event have more than {NESTED_TOTAL} nested actions: the host handles events in them"
            );
            return Err(ActionFailure::closed(why).with_bare("too many actions are nested"));
        }
        Ok(Self::at(Nesting { depth: depth + 1, total: Some(total) }))
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        NESTING.set(std::mem::take(&mut self.before));
    }
}

/// Calls the host for an action outside [`run_action`].
///
/// # Errors
/// The call failed or panicked, or too many actions are nested.
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
    Effect { status: last.status, remarks, logs: last.logs, tries, took: start.elapsed(), ..effect }
}

/// How long an action can take at most, with all its executions.
pub(super) fn longest(pending: &PendingAction) -> Duration {
    let seconds = match &pending.action {
        _ if pending.is_immediate() => return Duration::ZERO,
        Ok(Action::Run(run)) => run.timeout,
        _ => None,
    };
    let once = limits::timeout(seconds, limits::TIMEOUT).saturating_add(limits::KILL_GRACE);
    once.saturating_mul(u32::try_from(tries(pending)).unwrap_or(u32::MAX))
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
