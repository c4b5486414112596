//! What only the embedder can do.

mod record;

use std::fmt;

use serde_json::{Map, Value};

pub use record::{Recorded, Recorder};

use crate::action::Action;
use crate::agent::{self, Answers};
use crate::effect::Hook;
use crate::event::{Event, EventError};
use crate::process::Command;

/// What a host is asked to do: the hook, its action and the event.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The hook.
    pub hook: &'a Hook,
    /// Its action, with all parameters.
    pub action: &'a Action,
    /// The event.
    pub event: &'a Event,
}

/// What a host gives back: a value, `null` for nothing.
pub type Reply = Result<Value, HostError>;

/// Why a host did not do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostError {
    /// This host cannot do that at all.
    Unsupported(String),
    /// It tried.
    Failed(String),
}

impl HostError {
    /// Why, without what events, handlers and hosts say: for a log.
    #[must_use]
    pub fn bare(&self) -> String {
        match self {
            Self::Unsupported(_) => self.to_string(),
            Self::Failed(_) => "the host failed".to_owned(),
        }
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(what) => write!(f, "this host cannot carry out `{what}`"),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for HostError {}

impl From<EventError> for HostError {
    fn from(error: EventError) -> Self {
        Self::Failed(error.to_string())
    }
}

fn unsupported(call: &Call<'_>) -> Reply {
    Err(HostError::Unsupported(call.action.kind.clone()))
}

/// The embedder: one method per action that needs it. A method that is not
/// written answers that this host cannot do it, which is a failure of the
/// action and follows its `on_failure`.
///
/// Hooks may be carried out in parallel, so a host is shared between threads.
pub trait Host: Sync {
    /// What an event of a coding agent can be answered with, as this agent reads
    /// answers.
    fn answers(&self, event: &str) -> Answers {
        agent::answers(event)
    }

    /// Asks a model; gives its answer as a string, or an object in the form
    /// that handlers of agents print.
    fn prompt(&self, call: &Call<'_>) -> Reply {
        unsupported(call)
    }

    /// Lets a sub-agent look at it; gives back what [`Host::prompt`] does.
    fn agent(&self, call: &Call<'_>) -> Reply {
        unsupported(call)
    }

    /// Sends an HTTP request; gives the body of the answer.
    fn http(&self, call: &Call<'_>) -> Reply {
        unsupported(call)
    }

    /// Calls a tool of an MCP server; gives its result.
    fn mcp_tool(&self, call: &Call<'_>) -> Reply {
        unsupported(call)
    }

    /// Calls `execute(context)` of a script; gives its result.
    fn script(&self, call: &Call<'_>) -> Reply {
        unsupported(call)
    }

    /// Calls a method of an artifact; gives its result.
    fn invoke(&self, call: &Call<'_>) -> Reply {
        unsupported(call)
    }

    /// Runs a directive to its end; gives its return object.
    fn call_directive(&self, call: &Call<'_>) -> Reply {
        unsupported(call)
    }

    /// Writes an event to the transcript.
    fn emit_event(&self, call: &Call<'_>) -> Reply {
        unsupported(call)
    }

    /// Asks the user or tells the parent; gives `true`, `false`, or an object
    /// with `approved`.
    fn escalate(&self, call: &Call<'_>) -> Reply {
        unsupported(call)
    }

    /// Pauses the thread.
    fn suspend(&self, call: &Call<'_>) -> Reply {
        unsupported(call)
    }

    /// Tries the failed operation again, after the wait that the action has as
    /// `wait_seconds`.
    fn retry(&self, call: &Call<'_>) -> Reply {
        unsupported(call)
    }

    /// Ends the thread: `fail`, `abort`; or goes on: `continue`. What these need
    /// is in the reply of the engine, so doing nothing here is right.
    fn conclude(&self, call: &Call<'_>) -> Reply {
        let _ = call;
        Ok(Value::Null)
    }

    /// An action of a kind that a policy declared.
    fn other(&self, call: &Call<'_>) -> Reply {
        unsupported(call)
    }

    /// Hears of an artifact that was called for a workflow's hook, failures and
    /// calls that are made again too: to log it, and to charge what it cost (its
    /// reply says) to the caller.
    fn invoked(&self, call: &Call<'_>, caller: &str, reply: Result<&Value, &str>) {
        let _ = (call, caller, reply);
    }

    /// Writes a line to the host's log.
    fn log(&self, level: &str, message: &str, fields: Option<&Map<String, Value>>) {
        let _ = (level, message, fields);
    }

    /// Takes a handler that is not waited for. Here it runs in a thread of this
    /// process and ends with it; a short-lived process has to do better.
    ///
    /// # Errors
    /// It could not be begun.
    fn background(&self, command: Command) -> Result<(), HostError> {
        let run = move || drop(command.run());
        let begun = std::thread::Builder::new().name("hookc-handler".to_owned()).spawn(run);
        begun.map(drop).map_err(|error| HostError::Failed(error.to_string()))
    }

    /// Variables that every handler gets beside this process' own.
    fn environment(&self) -> Vec<(String, Option<String>)> {
        Vec::new()
    }
}

/// A host that can do nothing but what a process can.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopHost;

impl Host for NoopHost {}
