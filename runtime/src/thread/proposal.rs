//! The step that a hook requests, and what its action needs.

use hookc_base::action::Action;
use hookc_base::{Family, OnFailure};
use serde_json::Value;

use super::step::Step;
use crate::context;
use crate::event::Event;
use crate::host::{EventContext, Host};
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

/// State shared by an event's hooks.
pub(super) struct ThreadContext<'n> {
    pub(super) event: &'n Event,
    pub(super) name: &'n str,
    pub(super) family: Option<Family>,
    pub(super) host: &'n dyn Host,
    pub(super) default_failure_mode: Option<OnFailure>,
}

impl<'n> ThreadContext<'n> {
    pub(super) fn failure(&self, hook: &Hook, why: impl Into<String>) -> ActionFailure {
        let by_user = self.default_failure_mode;
        let mode = context::failure_mode(hook, (self.family, self.name), by_user, OnFailure::Closed);
        ActionFailure::closed(why).with_bare("it cannot be executed").in_mode(mode)
    }

    pub(super) fn perform(&self, hook: &'n Hook, action: &Action) -> Result<Outcome, ActionFailure> {
        let Self { event, name, family, host, .. } = *self;
        host.perform(action, &EventContext { hook, event, name, family })
    }

    /// The result of the host.
    pub(super) fn value(&self, hook: &'n Hook, action: &Action) -> Result<Value, ActionFailure> {
        let failure = |why: String| self.failure(hook, why);
        match self.perform(hook, action).map_err(|error| failure(error.to_string()))? {
            Outcome::Value(value) => Ok(value),
            other => Err(failure(format!(
                "the host gave back no value for `{}`: {}",
                action.kind(),
                other.as_str()
            ))),
        }
    }
}
