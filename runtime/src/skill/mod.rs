//! Scripts of skills: Python files with `execute(context)`, called one at a time
//! by one worker process.
//!
//! Scripts of one skill share their globals, scripts of different skills do not;
//! both live as long as the worker. A script that raises has failed, with its
//! traceback, and changes nothing for others. One that takes longer than its
//! timeout is killed with the worker, and so is the state of all skills: the
//! failure says so, and the next call starts a new worker.

mod shelf;
mod worker;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

pub use shelf::{Known, Shelf};

use crate::host::{Call, Host, HostError, Reply};
use worker::{Lost, Worker};

/// How long a script may take that says nothing about it.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// A Python interpreter for scripts. Calls wait for one another, in the order in
/// which they come.
#[derive(Debug)]
pub struct Scripts {
    interpreter: String,
    worker: Mutex<Option<Worker>>,
}

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
        Self { interpreter: interpreter.into(), worker: Mutex::new(None) }
    }

    /// Calls a script with an event as its context; gives back what it returned
    /// and what it printed.
    ///
    /// # Errors
    /// It raised, took too long, or the worker died or cannot be started.
    pub fn execute(
        &self,
        file: &str,
        namespace: &str,
        event: &Value,
        timeout: Duration,
    ) -> Result<(Value, String), String> {
        let mut place = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        let mut worker = match place.take() {
            Some(worker) => worker,
            None => Worker::start(&self.interpreter)?,
        };
        let question = json!({"file": file, "namespace": namespace, "event": event});
        match worker.ask(question, timeout) {
            Ok(answer) => {
                *place = Some(worker);
                let text = |name: &str| answer.get(name).and_then(Value::as_str).map(str::to_owned);
                match text("error") {
                    Some(error) => Err(format!("{file} raised:\n{}", error.trim_end())),
                    None => {
                        let value = answer.get("value").cloned().unwrap_or_default();
                        Ok((value, text("printed").unwrap_or_default()))
                    }
                }
            }
            Err(Lost::Late) => Err(format!(
                "{file} took longer than {} s and was stopped; the state of all skills is lost",
                timeout.as_secs_f64()
            )),
            Err(Lost::Died) => {
                Err(format!("the worker died while it ran {file}; the state of all skills is lost"))
            }
        }
    }

    /// Carries out a `script` action; what the script printed goes to the log of
    /// `host`.
    ///
    /// # Errors
    /// As [`Scripts::execute`].
    pub fn call(&self, call: &Call<'_>, host: &dyn Host) -> Reply {
        let file = call.action.text("file").unwrap_or_default();
        let namespace = call.action.text("namespace").unwrap_or(file);
        let timeout = call.action.timeout(TIMEOUT);
        let done = self.execute(file, namespace, call.event.value(), timeout);
        let (value, printed) = done.map_err(HostError::Failed)?;
        if !printed.is_empty() {
            host.log("info", printed.trim_end(), None);
        }
        Ok(value)
    }
}

impl Host for Scripts {
    fn script(&self, call: &Call<'_>) -> Reply {
        self.call(call, self)
    }
}
