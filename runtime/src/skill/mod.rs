//! Scripts of skills: Python files with `execute(context)`, called one at a time
//! by one worker process.
//!
//! Scripts of one skill share their globals and the modules from its directories, scripts of
//! different skills do not; both live as long as the worker. A script that raises has failed, with
//! its traceback, without affecting others. One that exceeds its timeout is killed together with
//! the worker and the state of all skills: the failure reports this, and the next call starts a new
//! worker.

mod queue;
#[cfg(feature = "compiler")]
mod registry;
mod worker;

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hookc_base::action::{Action, LogLevel, Script};
use serde_json::{Map, Value, json};

#[cfg(feature = "compiler")]
pub use registry::{Skill, SkillRegistry};

use crate::host::{EventContext, Host};
use crate::limits;
use crate::outcome::{ActionFailure, Outcome};
use queue::Queue;
use worker::Worker;

/// The default timeout of a script.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// A Python interpreter for scripts. Calls are queued in the order of their arrival.
///
/// ```no_run
/// use std::time::Duration;
///
/// use hookc_runtime::skill::Scripts;
/// use serde_json::json;
///
/// let event = json!({"message": "/review"});
/// let (value, printed) =
///     Scripts::default().execute("hooks/review.py", "review", &event, Duration::from_secs(10))?;
/// println!("{value} {printed}");
/// # Ok::<(), hookc_runtime::skill::ScriptError>(())
/// ```
#[derive(Debug)]
pub struct Scripts {
    interpreter: String,
    queue: Queue,
    worker: Mutex<Option<Worker>>,
}

/// The result of a call.
struct CallResult {
    value: Result<Value, String>,
    printed: String,
}

impl CallResult {
    /// A failure without any output of the script.
    fn failed(why: String) -> Self {
        Self { value: Err(why), printed: String::new() }
    }
}

/// Why the call of a script failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScriptError {
    /// Why.
    pub why: String,
    /// What it had printed until then.
    pub printed: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.printed.trim_end() {
            "" => f.write_str(&self.why),
            printed => write!(f, "{}\nits output:\n{printed}", self.why),
        }
    }
}

impl std::error::Error for ScriptError {}

impl Default for Scripts {
    fn default() -> Self {
        Self::new("python3")
    }
}

impl Scripts {
    /// With this interpreter: a name that is looked up in `PATH`, or a path. It is
    /// started when the first script is called.
    #[must_use]
    pub fn new(interpreter: impl Into<String>) -> Self {
        Self { interpreter: interpreter.into(), queue: Queue::default(), worker: Mutex::new(None) }
    }

    /// Calls a script with an event as its context; returns its result and its output.
    ///
    /// # Errors
    /// It raised, exceeded its timeout, returned a value that JSON cannot represent, or the worker
    /// died or cannot be started. Its output until then follows the reason.
    pub fn execute(
        &self,
        file: &str,
        namespace: &str,
        event: &Value,
        timeout: Duration,
    ) -> Result<(Value, String), ScriptError> {
        match self.run(file, namespace, event, timeout) {
            CallResult { value: Ok(value), printed } => Ok((value, printed)),
            CallResult { value: Err(why), printed } => Err(ScriptError { why, printed }),
        }
    }

    fn run(&self, file: &str, namespace: &str, event: &Value, timeout: Duration) -> CallResult {
        let _head = self.queue.wait();
        let mut place = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        let before = place.take();
        let ended = before.as_ref().and_then(Worker::ended);
        let worker = match before {
            Some(worker) if ended.is_none() => Ok(worker),
            _ => Worker::start(&self.interpreter),
        };
        let mut worker = match worker {
            Ok(worker) => worker,
            Err(why) => return CallResult::failed(why),
        };
        let question = json!({"file": file, "namespace": namespace, "event": event});
        let mut done = match worker.ask(&question, timeout) {
            Ok(answer) => {
                *place = Some(worker);
                read(file, answer)
            }
            Err(lost) => CallResult::failed(lost.describe(file, timeout)),
        };
        if let Some(how) = ended {
            let lost = format!("the worker had ended ({how}), and the state of all skills was lost\n");
            done.printed.insert_str(0, &lost);
        }
        done
    }

    /// Executes a `script` action. The log of `host` gets what the script printed,
    /// and why it failed, if it did.
    ///
    /// # Errors
    /// As [`Scripts::execute`].
    pub fn call(
        &self,
        script: &Script,
        context: &EventContext<'_>,
        host: &dyn Host,
    ) -> Result<Outcome, ActionFailure> {
        let file = script.file.as_str();
        let namespace = script.namespace.as_deref().unwrap_or(file);
        let timeout = limits::timeout(script.timeout, TIMEOUT);
        let CallResult { value, printed } = self.run(file, namespace, context.event.whole()?, timeout);
        let whose = [("hook", context.hook.label.as_str()), ("file", file)];
        let whose: Map<String, Value> =
            whose.into_iter().map(|(name, text)| (name.to_owned(), text.into())).collect();
        if !printed.is_empty() {
            host.log(LogLevel::Info, printed.trim_end(), Some(&whose));
        }
        value.map(Outcome::Value).map_err(|why| {
            host.log(LogLevel::Error, &why, Some(&whose));
            ActionFailure::failed(why)
        })
    }
}

/// The answer of the worker.
fn read(file: &str, answer: Result<Value, String>) -> CallResult {
    let mut answer = match answer {
        Ok(answer) => answer,
        Err(why) => return CallResult::failed(format!("the result of {file} cannot be read: {why}")),
    };
    let text = |name: &str| answer.get(name).and_then(Value::as_str).map(str::to_owned);
    let (failed, printed) = (text("failed"), text("printed").unwrap_or_default());
    let value = match failed {
        Some(failed) => Err(format!("{file} {failed}")),
        None => Ok(answer.get_mut("value").map(Value::take).unwrap_or_default()),
    };
    CallResult { value, printed }
}

impl Host for Scripts {
    fn perform(&self, action: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        match action {
            Action::Script(script) => self.call(script, context, self),
            other => Err(ActionFailure::unsupported(other)),
        }
    }
}
