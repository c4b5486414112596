//! State shared by the actions of one decision.

mod location;

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use hookc_base::action::Action;
use hookc_base::{Family, OnFailure};
use hookc_shell::programs::Programs;
use serde_json::Value;

pub(crate) use location::{Locations, file, variable};

use crate::agent::EventCapabilities;
use crate::event::{Event, RepositoryEvent};
use crate::host::{EventContext, Host};
use crate::limits;
use crate::once::OnceStore;
use crate::outcome::{ActionFailure, Effect, Hook, Outcome};

/// State shared by the actions of one decision.
#[derive(Clone, Copy)]
pub(crate) struct ActionContext<'a> {
    /// The event.
    pub(crate) event: &'a Event,
    /// Its type.
    pub(crate) name: &'a str,
    /// Its vocabulary.
    pub(crate) family: Option<Family>,
    /// The embedder.
    pub(crate) host: &'a dyn Host,
    /// What already ran in this session.
    pub(crate) once: &'a OnceStore,
    /// The content hash of the module that decided.
    pub(crate) module: [u8; 32],
    /// The programs that policies describe, and the shipped ones.
    pub(crate) programs: &'a Programs,
    /// The failure mode of hooks that have none, if the user chose one.
    pub(crate) default_failure_mode: Option<OnFailure>,
    /// Checks what an action returned, for a thread with state.
    pub(crate) check: Option<Check<'a>>,
}

/// Whether the result of a hook's action is valid, and the reason if not.
pub(crate) type Check<'a> = &'a (dyn Fn(&Hook, &Action, &Value) -> Result<(), String> + Sync);

impl fmt::Debug for ActionContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, family, .. } = self;
        f.debug_struct("ActionContext").field("name", name).field("family", family).finish_non_exhaustive()
    }
}

impl<'a> ActionContext<'a> {
    /// What a host receives with an action of a hook.
    pub(crate) fn for_host(&self, hook: &'a Hook) -> EventContext<'a> {
        let Self { event, name, family, .. } = *self;
        EventContext { hook, event, name, family, timeout: self.timeout() }
    }

    /// Whether a [`Thread`](crate::thread::Thread) takes the step that its hooks request.
    pub(crate) fn has_thread(&self) -> bool {
        self.check.is_some()
    }

    /// The event type, if it is a repository's.
    pub(crate) fn repository_event(&self) -> Option<RepositoryEvent> {
        (self.family == Some(Family::Repository)).then(|| RepositoryEvent::from_name(self.name))
    }

    /// The possible answers to the event, if it belongs to an agent.
    pub(crate) fn capabilities(&self) -> Option<EventCapabilities> {
        (self.family == Some(Family::Agent)).then(|| self.host.capabilities(self.name))
    }

    /// Whether the event can be denied, if it belongs to an agent.
    pub(crate) fn can_deny(&self) -> bool {
        self.capabilities().is_some_and(|capabilities| capabilities.can_deny())
    }

    /// How long an action that the answer waits for may take, if it has no timeout: it ends before the agent stops waiting,
    /// if the agent reads anything in an answer.
    pub(crate) fn timeout(&self) -> Duration {
        self.capabilities().map_or(limits::TIMEOUT, |capabilities| capabilities.action_timeout(self.name))
    }

    /// The session; empty without one.
    pub(crate) fn session(&self) -> Cow<'a, str> {
        self.event.text("session_id").unwrap_or_default()
    }

    /// The failure mode of a hook. An agent that was already prevented from stopping may stop,
    /// unless the hook declares otherwise: it cannot fix the failure.
    pub(crate) fn failure_mode(&self, hook: &Hook, otherwise: OnFailure) -> OnFailure {
        let again = self.family == Some(Family::Agent) && self.event.stops_again(self.name);
        let by_user = again.then_some(OnFailure::Open).or(self.default_failure_mode);
        failure_mode(hook, (self.family, self.name), by_user, otherwise)
    }
}

/// The failure mode of a hook at an event: the hook's own, then the user's, then `otherwise`. Only
/// this function decides it.
pub(crate) fn failure_mode(
    hook: &Hook,
    (family, event): (Option<Family>, &str),
    by_user: Option<OnFailure>,
    otherwise: OnFailure,
) -> OnFailure {
    // A task starts without the contribution of a failed hook.
    let open = family == Some(Family::Repository)
        && RepositoryEvent::from_name(event) == RepositoryEvent::PromptSubmit;
    let otherwise = if open { OnFailure::Open } else { otherwise };
    hook.failure_mode().or(by_user).unwrap_or(otherwise)
}

/// The failure of an event that cannot be recorded: later hooks would take it for one that never was. `again` is
/// whether the agent was already prevented from stopping.
pub(crate) fn unrecorded(
    why: &str,
    event: (Option<Family>, &str),
    again: bool,
    by_user: Option<OnFailure>,
) -> Effect {
    let hook = Hook::history();
    let by_user = again.then_some(OnFailure::Open).or(by_user);
    let mode = failure_mode(&hook, event, by_user, OnFailure::Closed);
    Effect::new(hook, Outcome::Failed(ActionFailure::unrecorded(why).in_mode(mode)))
}
