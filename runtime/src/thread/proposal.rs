//! The step that a hook requests: what its action needs, and what the result means.

use hookc_base::action::{Action, Escalate, Suspend, whole_number};
use hookc_base::{Family, OnFailure};
use serde_json::Value;

use super::state::{Escalation, Suspension};
use super::step::Step;
use crate::context;
use crate::engine::call_host;
use crate::event::Event;
use crate::host::{EventContext, Host};
use crate::interpret::approved;
use crate::limits;
use crate::outcome::{ActionFailure, Hook, Outcome};

/// The step that a hook requests, and its effect on the state.
pub(super) struct Proposal {
    pub(super) step: Step,
    /// The action that the host receives if the thread takes the step.
    pub(super) action: Option<Action>,
    /// Whether all its retries were used.
    pub(super) spent: bool,
}

impl From<Step> for Proposal {
    fn from(step: Step) -> Self {
        Self { step, action: None, spent: false }
    }
}

/// The strongest one, with its index; of equal ones the first.
pub(super) fn strongest(proposals: Vec<Proposal>) -> Option<(usize, Proposal)> {
    let stronger = |best: (usize, Proposal), next: (usize, Proposal)| {
        if next.1.step.strength() > best.1.step.strength() { next } else { best }
    };
    proposals.into_iter().enumerate().reduce(stronger)
}

/// State shared by an event's hooks.
pub(super) struct ThreadContext<'n> {
    pub(super) event: &'n Event,
    pub(super) name: &'n str,
    pub(super) family: Option<Family>,
    pub(super) host: &'n dyn Host,
    pub(super) default_failure_mode: Option<OnFailure>,
}

impl<'n> ThreadContext<'n> {
    pub(super) fn failure_mode(&self, hook: &Hook) -> OnFailure {
        let by_user = self.default_failure_mode;
        context::failure_mode(hook, (self.family, self.name), by_user, OnFailure::Closed)
    }

    pub(super) fn failure(&self, hook: &Hook, why: impl Into<String>) -> ActionFailure {
        ActionFailure::closed(why).with_bare("it cannot be executed").in_mode(self.failure_mode(hook))
    }

    pub(super) fn perform(&self, hook: &'n Hook, action: &Action) -> Result<Outcome, ActionFailure> {
        let Self { event, name, family, host, .. } = *self;
        call_host(|| {
            host.perform(action, &EventContext { hook, event, name, family, timeout: limits::TIMEOUT })
        })
    }

    /// The result of the host.
    pub(super) fn value(&self, hook: &'n Hook, action: &Action) -> Result<Value, ActionFailure> {
        let failure = |why: String| self.failure(hook, why);
        match self.perform(hook, action).map_err(|error| failure(error.to_string()))? {
            Outcome::Value(value) => Ok(value),
            other => Err(failure(format!(
                "the host returned no value for `{}`: {}",
                action.kind(),
                other.as_str()
            ))),
        }
    }
}

pub(super) fn suspended(hook: &Hook, suspend: Suspend) -> Proposal {
    let Suspend { reason, resume_hint, .. } = suspend.clone();
    let step = Step::Suspend(Suspension { hook: hook.label.clone(), reason, resume_hint });
    Proposal { action: Some(suspend.into()), ..step.into() }
}

/// The host has answered immediately, or will.
pub(super) fn escalated(hook: &Hook, escalate: &Escalate, answer: &Value) -> Step {
    match approved(answer) {
        Some(true) => Step::Continue,
        Some(false) => refused(&hook.label),
        None => Step::Escalate(Escalation {
            hook: hook.label.clone(),
            target: escalate.target.clone().unwrap_or_else(|| "user_approval".to_owned()),
            message: escalate.message.clone(),
            timeout_seconds: escalate.timeout_seconds,
        }),
    }
}

pub(super) fn refused(hook: &str) -> Step {
    Step::Fail(format!("hook {hook}: the escalation was rejected"))
}

/// An unreadable bound must not be ignored.
pub(super) fn compact(compaction: &Value) -> Result<Step, String> {
    let summary = compaction.get("summary").and_then(Value::as_str).unwrap_or_default().to_owned();
    let prune_before_turn = match compaction.get("prune_before_turn") {
        None | Some(Value::Null) => None,
        Some(turn) => {
            Some(whole_number(turn).ok_or_else(|| format!("`prune_before_turn` is not a turn: {turn}"))?)
        }
    };
    Ok(Step::Compact { summary, prune_before_turn })
}
