//! A thread under policy: what its events come to, and the state between them.
//!
//! The embedder runs the thread. At an error, a limit, a step it hands the event
//! to [`Thread::on`] and does what the [`Step`] says; how often was retried,
//! which escalation is open and why the thread is suspended is kept here, and
//! can be saved and restored as JSON.

mod backoff;
mod returned;
mod state;

use std::fmt;
use std::time::Duration;

use hookc_vm::module::OnFailure;
use hookc_vm::{Ask, DecideError, Family};
use serde_json::Value;

pub use returned::Returns;
pub use state::{Escalation, State, Suspension};

use crate::action::Action;
use crate::effect::{Due, Effect, Failure, Outcome};
use crate::engine::{Decided, Engine};
use crate::event::Event;
use crate::host::{Call, Host};

/// How deep directives may call directives by what they return.
pub const DEPTH: u32 = 5;

/// What the thread does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// No hook has an opinion: what the runtime does by itself.
    NoOpinion,
    /// It goes on.
    Continue,
    /// It tries again after this wait; the how-manieth try it is.
    Retry {
        /// The wait.
        after: Duration,
        /// From 1.
        attempt: u64,
    },
    /// It fails with this message.
    Fail(String),
    /// It stops at once.
    Abort,
    /// It waits until it is resumed.
    Suspend(Suspension),
    /// It waits until somebody has answered.
    Escalate(Escalation),
    /// Its context is replaced up to a turn by a summary.
    Compact {
        /// The summary.
        summary: String,
        /// The first turn that stays.
        prune_before_turn: Option<i64>,
    },
}

/// What an event came to.
#[derive(Debug)]
pub struct Reply {
    /// What the thread does next.
    pub step: Step,
    /// The hook that decided, with what its action came to.
    pub effect: Option<Effect>,
    /// Warn and shadow hooks that matched.
    pub reported: Vec<Due>,
}

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadError {
    /// Nothing could be decided.
    Decide(DecideError),
    /// The thread is suspended, or waits for an answer.
    Waiting,
}

impl fmt::Display for ThreadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decide(error) => error.fmt(f),
            Self::Waiting => f.write_str("the thread is suspended or waits for an answer"),
        }
    }
}

impl std::error::Error for ThreadError {}

/// A thread.
#[derive(Debug)]
pub struct Thread<'e> {
    engine: &'e Engine,
    returns: &'e Returns,
    state: State,
}

impl<'e> Thread<'e> {
    /// A thread that nothing has happened to.
    #[must_use]
    pub fn new(engine: &'e Engine, returns: &'e Returns) -> Self {
        Self { engine, returns, state: State::default() }
    }

    /// A thread with the state that another process left.
    #[must_use]
    pub fn restore(engine: &'e Engine, returns: &'e Returns, state: State) -> Self {
        Self { engine, returns, state }
    }

    /// Its state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The operation that was retried has succeeded: counting begins anew.
    pub fn succeeded(&mut self) {
        self.state.retries.clear();
    }

    /// Goes on after a suspension; `false` if there is none.
    pub fn resume(&mut self) -> bool {
        self.state.suspended.take().is_some()
    }

    /// Somebody has answered the open escalation: goes on, or fails.
    pub fn answered(&mut self, approved: bool) -> Step {
        match self.state.escalation.take() {
            Some(_) if approved => Step::Continue,
            Some(open) => Step::Fail(format!("hook {}: the escalation was refused", open.hook)),
            None => Step::NoOpinion,
        }
    }

    /// Lets the open escalation run out: `waited` is how long it is open. What
    /// nobody answered in its time counts as refused.
    pub fn waited(&mut self, waited: Duration) -> Option<Step> {
        let open = self.state.escalation.as_ref()?;
        (waited >= Duration::from_secs(open.timeout_seconds)).then(|| self.answered(false))
    }

    /// What an event comes to.
    ///
    /// # Errors
    /// Nothing could be decided, or the thread waits.
    pub fn on(&mut self, event: &Event, host: &dyn Host) -> Result<Reply, ThreadError> {
        if self.state.suspended.is_some() || self.state.escalation.is_some() {
            return Err(ThreadError::Waiting);
        }
        let known = self.engine.module();
        let name = event.value().pointer("/event/type").and_then(Value::as_str);
        let own = |name: &str| known.events().any(|e| e.family == Family::Thread && e.name == name);
        let family = name.filter(|name| own(name)).map(|_| Family::Thread);
        let ask = Ask { family, ..Ask::default() };
        let mut decided = self.engine.decide(event, &ask).map_err(ThreadError::Decide)?;
        let reported = std::mem::take(&mut decided.reported);
        let due = decided.due.first().cloned();
        let Some(due) = due else { return Ok(Reply { step: Step::NoOpinion, effect: None, reported }) };
        let (step, effect) = self.carry_out(decided, &due, event, host);
        Ok(Reply { step, effect: Some(effect), reported })
    }

    fn carry_out(&mut self, decided: Decided, due: &Due, event: &Event, host: &dyn Host) -> (Step, Effect) {
        // What the state decides about is not the host's to do.
        let own = ["retry", "suspend", "fail", "abort", "continue"].contains(&due.hook.kind.as_str());
        let handled = self.engine.carry_out(decided, event, if own { &Silent } else { host });
        let mut effects = handled.effects;
        let mut effect = effects.swap_remove(0);
        let step = match (&effect.outcome, &due.action) {
            (Outcome::Failed(failure), _) => Err(failure.clone()),
            (Outcome::Value(value), Ok(action)) => self.step(due, action, value, event, host),
            (Outcome::Opinion(opinion), _) => {
                Ok(opinion.refusal(&due.hook.label).map_or(Step::Continue, Step::Fail))
            }
            _ => Ok(Step::Continue),
        };
        let step = step.unwrap_or_else(|failure| {
            effect.outcome = Outcome::Failed(failure.clone());
            match failure.falls {
                OnFailure::Open => Step::Continue,
                OnFailure::Closed => Step::Fail(format!("hook {} failed: {}", due.hook.label, failure.why)),
            }
        });
        (step, effect)
    }

    fn step(
        &mut self,
        due: &Due,
        action: &Action,
        value: &Value,
        event: &Event,
        host: &dyn Host,
    ) -> Result<Step, Failure> {
        Ok(match action.kind.as_str() {
            "retry" => self.retry(due, action, event, host),
            "fail" => Step::Fail(action.text("error_message").unwrap_or("the policy says so").to_owned()),
            "abort" => Step::Abort,
            "continue" | "emit_event" | "log" => Step::Continue,
            "suspend" => {
                let reason = action.text("suspend_reason").unwrap_or("error");
                self.suspend(due, reason, None, host)
            }
            "escalate" => self.escalated(due, action, value, None),
            "call_directive" => return self.returned(due, value, event, host, 0),
            "run" if action.text("result") == Some("return") => {
                return self.returned(due, value, event, host, 0);
            }
            _ if value.get("action").is_some() || value.get("compaction").is_some() => {
                return self.returned(due, value, event, host, 0);
            }
            _ => Step::Continue,
        })
    }

    fn retry(&mut self, due: &Due, action: &Action, event: &Event, host: &dyn Host) -> Step {
        let most = action.count("max_attempts").unwrap_or(3);
        let count = self.state.retries.entry(due.hook.label.clone()).or_insert(0);
        if *count >= most {
            let label = &due.hook.label;
            self.state.retries.remove(label);
            return Step::Fail(format!("hook {label}: {most} attempts were made"));
        }
        *count += 1;
        let attempt = *count;
        let after = backoff::wait(action, event, attempt);
        let mut call = action.clone();
        call.params.insert("attempt".to_owned(), attempt.into());
        call.params.insert("wait_seconds".to_owned(), after.as_secs_f64().into());
        // The step says it all: a host that wants to know has heard of it.
        let _ = host.retry(&Call { hook: &due.hook, action: &call, event });
        Step::Retry { after, attempt }
    }

    fn suspend(&mut self, due: &Due, reason: &str, hint: Option<String>, host: &dyn Host) -> Step {
        let suspension =
            Suspension { hook: due.hook.label.clone(), reason: reason.to_owned(), resume_hint: hint };
        self.state.suspended = Some(suspension.clone());
        if let Ok(action) = &due.action {
            let event = Event::of(Value::Null);
            let _ = host.suspend(&Call { hook: &due.hook, action, event: &event });
        }
        Step::Suspend(suspension)
    }

    /// The host has answered at once, or will.
    fn escalated(&mut self, due: &Due, action: &Action, value: &Value, message: Option<String>) -> Step {
        self.state.escalation = Some(Escalation {
            hook: due.hook.label.clone(),
            target: action.text("target").unwrap_or("user_approval").to_owned(),
            message,
            timeout_seconds: action.count("timeout_seconds").unwrap_or(3600),
        });
        let approved = value.as_bool().or_else(|| value.get("approved").and_then(Value::as_bool));
        match (approved, &self.state.escalation) {
            (Some(approved), _) => self.answered(approved),
            (None, Some(open)) => Step::Escalate(open.clone()),
            (None, None) => Step::NoOpinion,
        }
    }

    /// What a directive, a handler or a tool returned: nothing, or a return
    /// object, which is held against the schema before anything in it counts.
    fn returned(
        &mut self,
        due: &Due,
        value: &Value,
        event: &Event,
        host: &dyn Host,
        depth: u32,
    ) -> Result<Step, Failure> {
        if value.is_null() {
            return Ok(Step::Continue);
        }
        let falls = due.hook.falls().or(self.engine.polarity()).unwrap_or(OnFailure::Closed);
        let bare = "what it returned does not count";
        let failure = |why: String| Failure { why, bare: Some(bare.to_owned()), falls };
        self.returns.check(value).map_err(&failure)?;
        if let Some(compaction) = value.get("compaction") {
            let summary = compaction.get("summary").and_then(Value::as_str).unwrap_or_default().to_owned();
            let prune_before_turn = compaction.get("prune_before_turn").and_then(Value::as_i64);
            return Ok(Step::Compact { summary, prune_before_turn });
        }
        let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let action = |kind: &str, params: Value| match params {
            Value::Object(params) => Action { kind: kind.to_owned(), params },
            _ => Action { kind: kind.to_owned(), params: serde_json::Map::new() },
        };
        let members = value.clone();
        Ok(match value.get("action").and_then(Value::as_str).unwrap_or_default() {
            "RETRY" => self.retry(due, &action("retry", members), event, host),
            "FAIL" => Step::Fail(
                text("/error_message")
                    .or_else(|| text("/error"))
                    .unwrap_or_else(|| "a directive says so".to_owned()),
            ),
            "ABORT" => Step::Abort,
            "ESCALATE" => {
                let action = action("escalate", value.get("escalation").cloned().unwrap_or_default());
                let call = Call { hook: &due.hook, action: &action, event };
                let answer = host.escalate(&call).map_err(|error| failure(error.to_string()))?;
                self.escalated(due, &action, &answer, text("/escalation/message"))
            }
            "SUSPEND" => {
                let reason = text("/suspend/reason").unwrap_or_else(|| "error".to_owned());
                self.suspend(due, &reason, text("/suspend/resume_hint"), host)
            }
            "CALL" if depth >= DEPTH => {
                return Err(failure(format!("directives call one another more than {DEPTH} deep")));
            }
            "CALL" => {
                let action = action("call_directive", value.get("call").cloned().unwrap_or_default());
                let call = Call { hook: &due.hook, action: &action, event };
                let value = host.call_directive(&call).map_err(|error| failure(error.to_string()))?;
                return self.returned(due, &value, event, host, depth + 1);
            }
            _ => Step::Continue,
        })
    }
}

/// A host that is only told, for actions that the state decides about.
struct Silent;

impl Host for Silent {
    fn retry(&self, _: &Call<'_>) -> crate::host::Reply {
        Ok(Value::Null)
    }

    fn suspend(&self, _: &Call<'_>) -> crate::host::Reply {
        Ok(Value::Null)
    }
}
