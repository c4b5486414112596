//! What only the embedder can do.

mod background;
mod recorder;

use std::path::PathBuf;
use std::time::Duration;

use hookc_base::Family;
use hookc_base::action::{Action, LogLevel};
use serde_json::{Map, Value};

pub use background::{BackgroundHandler, BackgroundResult};
pub use recorder::{Recorded, Recorder};

use crate::agent::{self, EventCapabilities};
use crate::event::Event;
use crate::outcome::{ActionFailure, Hook, Outcome};

/// The event that an action is executed for.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EventContext<'a> {
    /// The hook.
    pub hook: &'a Hook,
    /// The event.
    pub event: &'a Event,
    /// Its type.
    pub name: &'a str,
    /// Its vocabulary, if the policy has hooks for it.
    pub family: Option<Family>,
    /// How long an action without a timeout may take.
    pub timeout: Duration,
}

/// The embedder. Hooks can be executed in parallel, so a host is shared between threads.
///
/// ```
/// use hookc_runtime::action::Action;
/// use hookc_runtime::host::EventContext;
/// use hookc_runtime::{ActionFailure, Host, Outcome};
/// use serde_json::json;
///
/// struct Desk;
///
/// impl Host for Desk {
///     fn perform(&self, action: &Action, _: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
///         match action {
///             // A real host asks a model here.
///             Action::Prompt(prompt) => Ok(Outcome::Value(json!({"ok": !prompt.prompt.is_empty()}))),
///             other => Err(ActionFailure::unsupported(other)),
///         }
///     }
/// }
/// ```
pub trait Host: Sync {
    /// Executes an action that the runtime cannot execute itself.
    ///
    /// Most outcomes are a [`Outcome::Value`], which the runtime interprets by the event's
    /// vocabulary; a host can return a [`Outcome::Verdict`] instead:
    ///
    /// | action | the value |
    /// |---|---|
    /// | [`Prompt`](Action::Prompt), [`Agent`](Action::Agent) | the answer: `{"ok": true}`, or an object as handlers of agents print it |
    /// | [`Http`](Action::Http), [`McpTool`](Action::McpTool) | the body of the answer, the tool's result |
    /// | [`Script`](Action::Script), [`Invoke`](Action::Invoke), [`Action::Declared`] | the result |
    /// | [`CallDirective`](Action::CallDirective) | its return object |
    /// | [`Escalate`](Action::Escalate) | `true`, `false`, or an object with `approved`; `null` until somebody has answered |
    /// | [`Retry`](Action::Retry), [`Suspend`](Action::Suspend), [`EmitEvent`](Action::EmitEvent) | `null` |
    /// | [`Fail`](Action::Fail), [`Abort`](Action::Abort), [`Continue`](Action::Continue) | `null`; the engine's reply says it all, so a host need not support them |
    ///
    /// # Errors
    /// It failed, or this host cannot do it. A failure follows the hook's failure mode.
    fn perform(&self, action: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        let _ = context;
        Err(ActionFailure::unsupported(action))
    }

    /// The possible answers to an event of a coding agent, as this agent reads them.
    fn capabilities(&self, event: &str) -> EventCapabilities {
        agent::capabilities(event)
    }

    /// The root of the project of an event that does not have it as `project_dir`; without one, the files of actions are
    /// in the event's `cwd`.
    fn project(&self, event: &Event) -> Option<PathBuf> {
        let _ = event;
        None
    }

    /// Receives every call of an artifact for a workflow's hook, including failures and retries: to
    /// log it, and to charge its cost (from its reply) to the caller.
    fn invoked(
        &self,
        action: &Action,
        context: &EventContext<'_>,
        caller: &str,
        reply: Result<&Value, &str>,
    ) {
        let _ = (action, context, caller, reply);
    }

    /// Writes a line to the host's log.
    fn log(&self, level: LogLevel, message: &str, fields: Option<&Map<String, Value>>) {
        let _ = (level, message, fields);
    }

    /// Takes over a background handler. The default runs it in a thread of this process, with which
    /// it ends, and drops its result; a short-lived process, and one that has a log, must provide
    /// something better.
    ///
    /// # Errors
    /// It could not be started.
    fn background(&self, handler: BackgroundHandler) -> Result<(), ActionFailure> {
        let run = move || drop(handler.run());
        let started = std::thread::Builder::new().name("hookc-handler".to_owned()).spawn(run);
        started.map(drop).map_err(|error| ActionFailure::failed(error.to_string()).with_source(error))
    }

    /// Variables that every handler receives in addition to the inherited environment.
    fn environment(&self) -> Vec<(String, Option<String>)> {
        Vec::new()
    }
}

/// A host that supports only what a process can do.
///
/// ```
/// use hookc_runtime::Host;
/// use hookc_runtime::host::NoopHost;
///
/// assert!(NoopHost.environment().is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopHost;

impl Host for NoopHost {}
