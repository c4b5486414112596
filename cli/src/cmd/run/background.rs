//! Background handlers. This process ends with its answer, so another process of this program
//! supervises them to their end, with their timeout, and logs their results.

use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command as Child, Stdio};
use std::sync::atomic::{AtomicI32, Ordering};

use hookc_runtime::ActionFailure;
use hookc_runtime::host::{BackgroundHandler, Host};
use hookc_runtime::log::{Entry, Log, Redaction};
use hookc_runtime::process::{self, StartError};
#[cfg(feature = "http")]
use hookc_runtime::{action::Action, host::EventContext};
use serde_json::{Value, json};

use super::record;
use crate::args::Logging;
use crate::exit::{Exit, Failure, Outcome};
use crate::signals;

/// The host that a short-lived process is.
#[derive(Clone, Debug)]
pub(crate) struct Background {
    /// The decision log, if there is one.
    log: Option<PathBuf>,
    /// Whether it has the events.
    payload: bool,
    /// The host, for the log.
    name: String,
}

impl Background {
    /// For a host of this name.
    pub(crate) fn new(logging: &Logging, name: &str) -> Self {
        let log = record::path(logging).map(|path| std::path::absolute(&path).unwrap_or(path));
        Self { log, payload: logging.log_payload, name: name.to_owned() }
    }

    fn start(&self, handler: &BackgroundHandler) -> io::Result<()> {
        let mut child = Child::new(std::env::current_exe()?);
        // In its own group, so that keys on the agent's terminal do not reach it.
        child.arg("run-handler").process_group(0);
        child.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let started = process::unless_ending(|| child.spawn());
        let mut child = started.ok_or_else(|| io::Error::other(StartError::Ending.to_string()))??;
        let Some(mut stdin) = child.stdin.take() else { return Ok(()) };
        let log = self.log.as_ref().map(|log| log.to_string_lossy());
        let given =
            json!({"handler": handler.to_json(), "log": log, "payload": self.payload, "host": self.name});
        stdin.write_all(given.to_string().as_bytes())
    }
}

impl Host for Background {
    #[cfg(feature = "http")]
    fn perform(
        &self,
        action: &Action,
        context: &EventContext<'_>,
    ) -> Result<hookc_runtime::Outcome, ActionFailure> {
        match action {
            Action::Http(own) => hookc_runtime::http::send(own, context).map(hookc_runtime::Outcome::Value),
            other => Err(ActionFailure::unsupported(other)),
        }
    }

    fn background(&self, handler: BackgroundHandler) -> Result<(), ActionFailure> {
        self.start(&handler).map_err(|error| {
            ActionFailure::failed(format!("a background handler: {error}")).with_source(error)
        })
    }
}

/// `hookc run-handler`: runs such a handler to its end, or to the end of this process.
pub(crate) fn handler() -> Outcome {
    let received = AtomicI32::new(0);
    let end = |signal, _: &_| {
        received.store(signal, Ordering::SeqCst);
        process::terminate_all();
    };
    let done = signals::watched(signals::ENDING, end, to_its_end)?;
    let signal = received.load(Ordering::SeqCst);
    Ok(if signal == 0 { done } else { Exit::Host(signals::status(signal)) })
}

fn to_its_end() -> Outcome {
    let mut text = String::new();
    io::stdin().lock().read_to_string(&mut text)?;
    let given: Value = serde_json::from_str(&text).map_err(|error| Failure::usage(error.to_string()))?;
    let handler = given.get("handler").and_then(BackgroundHandler::from_json);
    let handler = handler.ok_or_else(|| Failure::usage("only `hookc run` calls this"))?;
    let ended = handler.run();
    if let Some(path) = given.get("log").and_then(Value::as_str) {
        let host = given.get("host").and_then(Value::as_str).unwrap_or_default();
        let payload = given.get("payload") == Some(&Value::Bool(true));
        log(path.as_ref(), payload, &Entry::of_background(host, &ended))?;
    }
    let failed = ended.outcome.effects.iter().any(|effect| effect.outcome.as_str() == "failed");
    Ok(Exit::errors_if(failed))
}

fn log(path: &std::path::Path, payload: bool, entry: &Entry<'_>) -> Result<(), Failure> {
    let log = Log::open(path)?;
    // The payload is in the line about the start; here it is only what a failure may quote.
    let log = if payload { log.with_payload(Redaction::new([])) } else { log };
    Ok(log.write(entry)?)
}
