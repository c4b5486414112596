//! A thread under a policy: the outcomes of its events, and the state between them.
//!
//! The embedder runs the thread. At an error, a limit or a step it passes the event to
//! [`Thread::on`] and executes the [`Step`]; the number of retries, the open escalation and the
//! reason of a suspension are kept here, and can be saved and restored as JSON.

mod backoff;
mod deferred;
mod error;
mod history;
mod proposal;
mod returned;
mod state;
mod step;

use std::time::Duration;

use hookc_base::action::{Action, Retry, Suspend};
use hookc_base::{Family, OnFailure};
use hookc_vm::DecideOptions;
use serde_json::{Map, Value};

pub use error::ThreadError;
pub use returned::{Returns, ReturnsError};
pub use state::{Escalation, State, StateError, Suspension};
pub use step::{Reply, Step};

use deferred::DeferredHost;
use history::{Unrecorded, unrecorded};
use proposal::{Proposal, ThreadContext, compact, escalated, refused, strongest, suspended};

use crate::engine::{Decided, Engine, Nested};
use crate::event::Event;
use crate::history::SharedHistory;
use crate::host::Host;
use crate::interpret::is_return;
use crate::outcome::{ActionFailure, Effect, HistoryNote, Hook, Outcome, PendingAction};

/// The maximum depth of directives that call directives by their results.
pub const DEPTH: u32 = 5;

/// A thread.
///
/// ```
/// use hookc_runtime::host::NoopHost;
/// use hookc_runtime::thread::{Returns, Step, Thread};
/// use hookc_runtime::{Engine, Event};
/// use hookc_vm::Module;
/// use serde_json::json;
///
/// # #[cfg(feature = "compiler")] {
/// # use hookc_compiler::{Input, Options, compile};
/// # let mut sources = hookc_schema::Sources::new();
/// # let source = sources.add("hooks.yaml", "hooks: [{event: error, action: {type: retry, backoff_policy: fixed, delay: 2}}]");
/// # let input = Input::new(source);
/// # let bytes = compile(&mut sources, &[input], &Options::default()).module.unwrap();
/// let engine = Engine::new(Module::load(bytes).unwrap());
/// let returns = Returns::builtin().unwrap();
/// let mut thread = Thread::new(&engine, &returns);
/// let event = Event::from_value(json!({"event": {"type": "error"}}));
/// let reply = thread.on(&event, &NoopHost).unwrap();
/// assert!(matches!(reply.step, Step::Retry { attempt: 1, .. }));
/// # }
/// ```
#[derive(Debug)]
pub struct Thread<'e> {
    engine: &'e Engine,
    returns: &'e Returns,
    state: State,
    history: Option<SharedHistory>,
}

impl<'e> Thread<'e> {
    /// A thread in its initial state.
    #[must_use]
    pub fn new(engine: &'e Engine, returns: &'e Returns) -> Self {
        Self::restore(engine, returns, State::default())
    }

    /// A thread with the state that another process left.
    #[must_use]
    pub fn restore(engine: &'e Engine, returns: &'e Returns, state: State) -> Self {
        Self { engine, returns, state, history: None }
    }

    /// With the histories of threads, for conditions about earlier events; without them, such conditions are unknown. A
    /// thread is the session of events with its `event.thread_id`.
    #[must_use]
    pub fn with_history(self, history: SharedHistory) -> Self {
        Self { history: Some(history), ..self }
    }

    /// Its state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The retried operation succeeded: counters are reset.
    pub fn succeeded(&mut self) {
        self.state.retries.clear();
    }

    /// Resumes after a suspension; `false` if there is none.
    pub fn resume(&mut self) -> bool {
        self.state.suspended.take().is_some()
    }

    /// The open escalation was answered: continues, or fails.
    pub fn answered(&mut self, approved: bool) -> Step {
        match self.state.escalation.take() {
            Some(_) if approved => Step::Continue,
            Some(open) => refused(&open.hook),
            None => Step::NoOpinion,
        }
    }

    /// Expires the open escalation: `waited` is how long it is open. An unanswered escalation
    /// counts as rejected after its time.
    pub fn expire_escalation(&mut self, waited: Duration) -> Option<Step> {
        let open = self.state.escalation.as_ref()?;
        (waited >= Duration::from_secs(open.timeout_seconds)).then(|| self.answered(false))
    }

    /// The outcome of an event.
    ///
    /// # Errors
    /// No decision was possible, or the thread waits.
    pub fn on(&mut self, event: &Event, host: &dyn Host) -> Result<Reply, ThreadError> {
        if self.state.suspended.is_some() || self.state.escalation.is_some() {
            return Err(ThreadError::Waiting);
        }
        let _event = Nested::event();
        let known = self.engine.module();
        let name = event.type_name().unwrap_or_default();
        let is_own = |name: &str| known.events().any(|e| e.family == Family::Thread && e.name == name);
        let family = is_own(&name).then_some(Family::Thread);
        let options = DecideOptions::default().family(family);
        let (decided, record) = self.decide(event, &name, &options).map_err(ThreadError::Decide)?;
        let returns = self.returns;
        let check = |hook: &Hook, action: &Action, value: &Value| match is_return(action, value) {
            true => returns.check_of(hook.source.as_deref(), value),
            false => Ok(()),
        };
        let default_failure_mode = self.engine.failure_mode();
        let (name, family) = (decided.event.as_str(), decided.family);
        let context = ThreadContext { event, name, family, host, default_failure_mode };
        let mut proposals = Vec::with_capacity(decided.pending.len());
        // A failed proposal can end the sequence of hooks.
        let mut settle = |pending: &PendingAction, effect: &mut Effect| {
            proposals.push(self.proposal(pending, effect, &context));
        };
        // The host does not execute what depends on the state.
        let mut effects =
            self.engine.effects(&decided, event, &DeferredHost(host), Some(&check), &mut settle);
        let best = strongest(proposals);
        let by = best.as_ref().map(|(n, _)| *n);
        let chosen = best.and_then(|(n, proposal)| Some((decided.pending.get(n)?, proposal)));
        let step = chosen
            .map_or(Step::NoOpinion, |(pending, proposal)| self.take(&pending.hook, proposal, &context));
        let unrecorded = record.failure().map(|why| unrecorded(why, &context));
        let step = unrecorded.iter().fold(step, |step, failure| failure.step(step));
        effects.extend(unrecorded.map(Unrecorded::into_effect));
        let Decided { event, family, reported, .. } = decided;
        let mut reply =
            Reply { event, family, step, effects, decided: by, reported, history: HistoryNote::default() };
        reply.history = self.settle(record, &reply);
        Ok(reply)
    }

    /// The step that a hook requests, whose failure becomes that of its action. The state does not change: another hook may be stronger.
    fn proposal(
        &self,
        pending: &PendingAction,
        effect: &mut Effect,
        context: &ThreadContext<'_>,
    ) -> Proposal {
        let hook = &pending.hook;
        let proposal = match (&effect.outcome, &pending.action) {
            (Outcome::Failed(failure), _) => Err(failure.clone()),
            (Outcome::Value(value), Ok(action)) => self.step(hook, action, value, context),
            _ => Ok(effect.verdict().refusal(&hook.label).map_or(Step::Continue, Step::Fail).into()),
        };
        proposal.unwrap_or_else(|failure| {
            let step = match failure.failure_mode {
                OnFailure::Open => Step::Continue,
                OnFailure::Closed => Step::Fail(format!("hook {} failed: {}", hook.label, failure.why)),
            };
            effect.outcome = Outcome::Failed(failure);
            step.into()
        })
    }

    /// Takes a step: changes the state and notifies the host.
    fn take<'n>(&mut self, hook: &'n Hook, proposal: Proposal, context: &ThreadContext<'n>) -> Step {
        match &proposal.step {
            Step::Suspend(suspension) => self.state.suspended = Some(suspension.clone()),
            Step::Escalate(open) => self.state.escalation = Some(open.clone()),
            Step::Retry { attempt, .. } => {
                self.state.retries.insert(hook.label.clone(), *attempt);
            }
            _ if proposal.spent => {
                self.state.retries.remove(&hook.label);
            }
            _ => {}
        }
        if let Some(action) = &proposal.action {
            // The step contains everything: an interested host has been notified.
            let _ = context.perform(hook, action);
        }
        proposal.step
    }

    fn step<'n>(
        &self,
        hook: &'n Hook,
        action: &Action,
        value: &Value,
        context: &ThreadContext<'n>,
    ) -> Result<Proposal, ActionFailure> {
        Ok(match action {
            Action::Retry(retry) => return self.retry(hook, retry, context),
            Action::Fail(fail) => {
                Step::Fail(fail.error_message.clone().unwrap_or_else(|| "required by the policy".to_owned()))
            }
            Action::Abort(_) => Step::Abort,
            Action::Suspend(suspend) => return Ok(suspended(hook, suspend.clone())),
            Action::Escalate(escalate) => escalated(hook, escalate, value),
            _ if is_return(action, value) => return self.returned(hook, value, context, 0),
            _ => Step::Continue,
        }
        .into())
    }

    fn retry(
        &self,
        hook: &Hook,
        wanted: &Retry,
        context: &ThreadContext<'_>,
    ) -> Result<Proposal, ActionFailure> {
        // The first failed call is not counted: `max_attempts: 1` retries once.
        let (most, label) = (wanted.max_attempts, &hook.label);
        let made = self.state.retries.get(label).copied().unwrap_or_default();
        if made >= most {
            let made = if most == 1 { "retry was" } else { "retries were" };
            return Ok(Proposal {
                spent: true,
                ..Step::Fail(format!("hook {label}: {most} {made} made")).into()
            });
        }
        let attempt = made + 1;
        let after =
            backoff::wait(wanted, context.event, attempt).map_err(|why| context.failure(hook, why))?;
        let Some(after) = after else {
            let step = Step::Fail(format!("hook {label}: the event's retry policy is `none`"));
            return Ok(Proposal { spent: true, ..step.into() });
        };
        let mut retry = wanted.clone();
        (retry.attempt, retry.wait) = (Some(attempt), Some(after));
        Ok(Proposal { action: Some(retry.into()), ..Step::Retry { after, attempt }.into() })
    }

    /// The result of a directive, a handler or a tool: nothing, or a return object, which is
    /// validated against the schema before it is used.
    fn returned<'n>(
        &self,
        hook: &'n Hook,
        value: &Value,
        context: &ThreadContext<'n>,
        depth: u32,
    ) -> Result<Proposal, ActionFailure> {
        let failure = |why: String| context.failure(hook, why);
        if value.is_null() {
            return Ok(Step::Continue.into());
        }
        if depth > 0 {
            // The first one was checked when the action was executed.
            self.returns.check_of(hook.source.as_deref(), value).map_err(failure)?;
        }
        if let Some(compaction) = value.get("compaction") {
            return compact(compaction).map(Proposal::from).map_err(failure);
        }
        let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        // A parameter that cannot be read is a failure, as in an action of a policy.
        let action = |kind: &str, parameters: Option<&Value>| {
            let parameters = parameters.and_then(Value::as_object).cloned().unwrap_or_else(Map::new);
            Action::from_parameters(kind, parameters)
                .map_err(|error| failure(format!("it returned: {error}")))
        };
        Ok(match value.get("action").and_then(Value::as_str).unwrap_or_default() {
            "RETRY" => return self.step(hook, &action("retry", Some(value))?, value, context),
            "FAIL" => Step::Fail(
                text("/error_message")
                    .or_else(|| text("/error"))
                    .unwrap_or_else(|| "required by a directive".to_owned()),
            ),
            "ABORT" => Step::Abort,
            "ESCALATE" => {
                let action = action("escalate", value.get("escalation"))?;
                let answer = context.value(hook, &action)?;
                return self.step(hook, &action, &answer, context);
            }
            "SUSPEND" => {
                let mut suspension = Suspend::default();
                suspension.reason = text("/suspend/reason").unwrap_or_else(|| "error".to_owned());
                suspension.resume_hint = text("/suspend/resume_hint");
                return Ok(suspended(hook, suspension));
            }
            "CALL" if depth >= DEPTH => {
                return Err(failure(format!("directives are nested deeper than {DEPTH} calls")));
            }
            "CALL" => {
                let action = action("call_directive", value.get("call"))?;
                let value = context.value(hook, &action)?;
                return self.returned(hook, &value, context, depth + 1);
            }
            _ => Step::Continue,
        }
        .into())
    }
}
