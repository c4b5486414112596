//! A thread under policy: what its events come to, and the state between them.
//!
//! The embedder runs the thread. At an error, a limit, a step it hands the event
//! to [`Thread::on`] and does what the [`Step`] says; how often was retried,
//! which escalation is open and why the thread is suspended is kept here, and
//! can be saved and restored as JSON.

mod backoff;
mod deferred;
mod returned;
mod state;

use std::fmt;
use std::time::Duration;

use hookc_vm::module::OnFailure;
use hookc_vm::{DecideError, DecideOptions, Family};
use serde_json::Value;

pub use returned::Returns;
pub use state::{Escalation, State, Suspension};

use deferred::DeferredHost;

use crate::action::{Action, whole};
use crate::carry;
use crate::effect::{Effect, Failure, Hook, Outcome, PendingAction};
use crate::engine::Engine;
use crate::event::Event;
use crate::host::{self, Call, Host};

/// How deep directives may call directives by what they return.
pub const DEPTH: u32 = 5;

/// What the thread does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// No hook has a verdict: what the runtime does by itself.
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

impl Step {
    /// Of several hooks the strongest step counts: what ends a thread before what
    /// holds it up, and that before what lets it go on.
    fn strength(&self) -> u8 {
        match self {
            Self::NoOpinion => 0,
            Self::Continue => 1,
            Self::Compact { .. } => 2,
            Self::Retry { .. } => 3,
            Self::Escalate(_) => 4,
            Self::Suspend(_) => 5,
            Self::Fail(_) => 6,
            Self::Abort => 7,
        }
    }
}

/// What an event came to.
#[derive(Debug)]
pub struct Reply {
    /// What the thread does next: the strongest step that a hook has it do, and of
    /// two that are as strong the first one's.
    pub step: Step,
    /// The hooks, in order, with what their actions came to.
    pub effects: Vec<Effect>,
    /// Which of them the step is from.
    pub decided: Option<usize>,
    /// Warn and shadow hooks that matched.
    pub reported: Vec<PendingAction>,
}

impl Reply {
    /// The hook that the step is from, with what its action came to.
    #[must_use]
    pub fn by(&self) -> Option<&Effect> {
        self.effects.get(self.decided?)
    }
}

/// What a hook would have the thread do, and what changes if it does.
struct Proposal {
    step: Step,
    /// The action that the host is told of, if the step is a retry; it fails
    /// instead when all its retries were made.
    retry: Option<Action>,
    spent: bool,
}

impl From<Step> for Proposal {
    fn from(step: Step) -> Self {
        Self { step, retry: None, spent: false }
    }
}

/// What an event's hooks have in common.
struct Now<'n> {
    event: &'n Event,
    host: &'n dyn Host,
    falls: &'n dyn Fn(&Hook) -> OnFailure,
}

impl Now<'_> {
    fn failure(&self, due: &PendingAction, why: impl Into<String>) -> Failure {
        let bare = Some("it cannot be carried out as it says".to_owned());
        Failure { why: why.into(), bare, falls: (self.falls)(&due.hook) }
    }
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
            Some(open) => refused(&open.hook),
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
        let ask = DecideOptions { family, ..DecideOptions::default() };
        let mut decided = self.engine.decide(event, &ask).map_err(ThreadError::Decide)?;
        let (reported, due) = (std::mem::take(&mut decided.reported), decided.due.clone());
        let returns = self.returns;
        let check = |hook: &Hook, action: &Action, value: &Value| match is_return(action, value) {
            true => returns.check_of(hook.source.as_deref(), value),
            false => Ok(()),
        };
        // What the state decides about is not the host's to do.
        let handled = self.engine.carry_out_if(decided, event, &DeferredHost(host), Some(&check));
        let falls = |hook: &Hook| {
            carry::falls(hook, (handled.family, &handled.event), self.engine.polarity(), OnFailure::Closed)
        };
        let now = Now { event, host, falls: &falls };
        let (mut effects, mut best) = (handled.effects, None::<(usize, Proposal)>);
        for (n, (due, effect)) in due.iter().zip(&mut effects).enumerate() {
            let proposal = self.proposal(due, effect, &now);
            if best.as_ref().is_none_or(|(_, best)| proposal.step.strength() > best.step.strength()) {
                best = Some((n, proposal));
            }
        }
        let decided = best.as_ref().map(|(n, _)| *n);
        let chosen = best.and_then(|(n, proposal)| Some((due.get(n)?, proposal)));
        let step = chosen.map_or(Step::NoOpinion, |(due, proposal)| self.take(due, proposal, &now));
        Ok(Reply { step, effects, decided, reported })
    }

    /// What a hook would have the thread do. The state stays as it is: another hook
    /// may be stronger.
    fn proposal(&self, due: &PendingAction, effect: &mut Effect, now: &Now<'_>) -> Proposal {
        let proposal = match (&effect.outcome, &due.action) {
            (Outcome::Failed(failure), _) => Err(failure.clone()),
            (Outcome::Value(value), Ok(action)) => self.step(due, action, value, now),
            _ => Ok(effect.verdict().refusal(&due.hook.label).map_or(Step::Continue, Step::Fail).into()),
        };
        proposal.unwrap_or_else(|failure| {
            let step = match failure.falls {
                OnFailure::Open => Step::Continue,
                OnFailure::Closed => Step::Fail(format!("hook {} failed: {}", due.hook.label, failure.why)),
            };
            effect.outcome = Outcome::Failed(failure);
            step.into()
        })
    }

    /// Takes a step: the state changes, and the host hears of it.
    fn take(&mut self, due: &PendingAction, proposal: Proposal, now: &Now<'_>) -> Step {
        let (label, hook, event) = (&due.hook.label, &due.hook, now.event);
        match &proposal.step {
            Step::Suspend(suspension) => {
                self.state.suspended = Some(suspension.clone());
                if let Ok(action) = &due.action {
                    let _ = now.host.suspend(&Call { hook, action, event });
                }
            }
            Step::Escalate(open) => self.state.escalation = Some(open.clone()),
            Step::Retry { attempt, .. } => {
                self.state.retries.insert(label.clone(), *attempt);
            }
            _ if proposal.spent => {
                self.state.retries.remove(label);
            }
            _ => {}
        }
        if let Some(action) = &proposal.retry {
            // The step says it all: a host that wants to know has heard of it.
            let _ = now.host.retry(&Call { hook, action, event });
        }
        proposal.step
    }

    fn step(
        &self,
        due: &PendingAction,
        action: &Action,
        value: &Value,
        now: &Now<'_>,
    ) -> Result<Proposal, Failure> {
        Ok(match action.kind.as_str() {
            "retry" => return self.retry(due, action, now),
            "fail" => Step::Fail(action.text("error_message").unwrap_or("the policy says so").to_owned()),
            "abort" => Step::Abort,
            "suspend" => suspend(due, action.text("suspend_reason").unwrap_or("error"), None),
            "escalate" => escalated(due, action, value, None),
            _ if is_return(action, value) => return self.returned(due, value, now, 0),
            _ => Step::Continue,
        }
        .into())
    }

    fn retry(&self, due: &PendingAction, action: &Action, now: &Now<'_>) -> Result<Proposal, Failure> {
        // The call that failed first is not counted: `max_attempts: 1` retries once.
        let most = action.count("max_attempts").unwrap_or(3);
        let label = &due.hook.label;
        let made = self.state.retries.get(label).copied().unwrap_or_default();
        if made >= most {
            let step = Step::Fail(format!(
                "hook {label}: {most} {} made",
                if most == 1 { "retry was" } else { "retries were" }
            ));
            return Ok(Proposal { spent: true, ..step.into() });
        }
        let attempt = made + 1;
        let after = backoff::wait(action, now.event, attempt).map_err(|why| now.failure(due, why))?;
        let Some(after) = after else {
            let step = Step::Fail(format!("hook {label}: the event's retry policy is `none`"));
            return Ok(Proposal { spent: true, ..step.into() });
        };
        let mut call = action.clone();
        call.params.insert("attempt".to_owned(), attempt.into());
        call.params.insert("wait_seconds".to_owned(), after.as_secs_f64().into());
        Ok(Proposal { retry: Some(call), ..Step::Retry { after, attempt }.into() })
    }

    /// What a directive, a handler or a tool returned: nothing, or a return
    /// object, which is held against the schema before anything in it counts.
    fn returned(
        &self,
        due: &PendingAction,
        value: &Value,
        now: &Now<'_>,
        depth: u32,
    ) -> Result<Proposal, Failure> {
        let failure = |why: String| now.failure(due, why);
        if value.is_null() {
            return Ok(Step::Continue.into());
        }
        if depth > 0 {
            // The first one was looked at when it was carried out.
            self.returns.check_of(due.hook.source.as_deref(), value).map_err(failure)?;
        }
        if let Some(compaction) = value.get("compaction") {
            return compact(compaction).map(Proposal::from).map_err(failure);
        }
        let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let action = |kind: &str, params: Value| match params {
            Value::Object(params) => Action { kind: kind.to_owned(), params },
            _ => Action { kind: kind.to_owned(), params: serde_json::Map::new() },
        };
        let ask = |action: &Action, call: fn(&dyn Host, &Call<'_>) -> host::Reply| {
            let answer = call(now.host, &Call { hook: &due.hook, action, event: now.event });
            answer.map_err(|error| failure(error.to_string()))
        };
        Ok(match value.get("action").and_then(Value::as_str).unwrap_or_default() {
            "RETRY" => return self.retry(due, &action("retry", value.clone()), now),
            "FAIL" => Step::Fail(
                text("/error_message")
                    .or_else(|| text("/error"))
                    .unwrap_or_else(|| "a directive says so".to_owned()),
            ),
            "ABORT" => Step::Abort,
            "ESCALATE" => {
                let action = action("escalate", value.get("escalation").cloned().unwrap_or_default());
                let answer = ask(&action, |host, call| host.escalate(call))?;
                escalated(due, &action, &answer, text("/escalation/message"))
            }
            "SUSPEND" => {
                let reason = text("/suspend/reason").unwrap_or_else(|| "error".to_owned());
                suspend(due, &reason, text("/suspend/resume_hint"))
            }
            "CALL" if depth >= DEPTH => {
                return Err(failure(format!("directives call one another more than {DEPTH} deep")));
            }
            "CALL" => {
                let action = action("call_directive", value.get("call").cloned().unwrap_or_default());
                let value = ask(&action, |host, call| host.call_directive(call))?;
                return self.returned(due, &value, now, depth + 1);
            }
            _ => Step::Continue,
        }
        .into())
    }
}

/// Whether what an action gave back is a return object, or should be.
fn is_return(action: &Action, value: &Value) -> bool {
    match action.kind.as_str() {
        "retry" | "fail" | "abort" | "continue" | "suspend" | "escalate" | "emit_event" | "log" => false,
        _ if value.is_null() => false,
        "call_directive" => true,
        "run" if action.text("result") == Some("return") => true,
        _ => value.get("action").is_some() || value.get("compaction").is_some(),
    }
}

fn suspend(due: &PendingAction, reason: &str, resume_hint: Option<String>) -> Step {
    Step::Suspend(Suspension { hook: due.hook.label.clone(), reason: reason.to_owned(), resume_hint })
}

/// The host has answered at once, or will.
fn escalated(due: &PendingAction, action: &Action, answer: &Value, message: Option<String>) -> Step {
    match carry::approved(answer) {
        Some(true) => Step::Continue,
        Some(false) => refused(&due.hook.label),
        None => Step::Escalate(Escalation {
            hook: due.hook.label.clone(),
            target: action.text("target").unwrap_or("user_approval").to_owned(),
            message,
            timeout_seconds: action.count("timeout_seconds").unwrap_or(3600),
        }),
    }
}

fn refused(hook: &str) -> Step {
    Step::Fail(format!("hook {hook}: the escalation was refused"))
}

/// A bound that cannot be read is none that may be forgotten.
fn compact(compaction: &Value) -> Result<Step, String> {
    let summary = compaction.get("summary").and_then(Value::as_str).unwrap_or_default().to_owned();
    let prune_before_turn = match compaction.get("prune_before_turn") {
        None | Some(Value::Null) => None,
        Some(turn) => Some(whole(turn).ok_or_else(|| format!("`prune_before_turn` is no turn: {turn}"))?),
    };
    Ok(Step::Compact { summary, prune_before_turn })
}
