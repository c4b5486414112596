//! Background handlers. This process ends with its answer, so another process of this program
//! supervises them to their end, with their timeout.

use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command as Child, Stdio};
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use hookc_runtime::ActionFailure;
use hookc_runtime::host::Host;
use hookc_runtime::process::{self, Command, Program, StartError};
use serde_json::{Value, json};

use crate::exit::{Exit, Failure, Outcome};
use crate::{out, signals};

/// The host that a short-lived process is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Background;

impl Host for Background {
    fn background(&self, command: Command) -> Result<(), ActionFailure> {
        start(&command).map_err(|error| {
            ActionFailure::failed(format!("a background handler: {error}")).with_source(error)
        })
    }
}

fn start(command: &Command) -> io::Result<()> {
    let mut child = Child::new(std::env::current_exe()?);
    // In its own group, so that keys on the agent's terminal do not reach it.
    child.arg("run-handler").process_group(0);
    child.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let started = process::unless_ending(|| child.spawn());
    let mut child = started.ok_or_else(|| io::Error::other(StartError::Ending.to_string()))??;
    let Some(mut stdin) = child.stdin.take() else { return Ok(()) };
    stdin.write_all(spelled(command).to_string().as_bytes())
}

fn spelled(command: &Command) -> Value {
    let program = match &command.program {
        Program::Shell { shell, line } => json!({"shell": shell, "line": line}),
        Program::Argv { program, args } => json!({"program": program, "args": args}),
    };
    json!({
        "program": program,
        "env": command.env,
        "cwd": command.cwd.as_ref().map(|cwd| cwd.to_string_lossy()),
        "stdin": String::from_utf8_lossy(&command.stdin),
        "timeout_ms": out::saturating_millis(command.timeout),
    })
}

/// `hookc run-handler`: runs such a handler to its end, or to the end of this process.
pub(crate) fn handler() -> Outcome {
    let told = AtomicI32::new(0);
    let end = |signal, _: &_| {
        told.store(signal, Ordering::SeqCst);
        process::terminate_all();
    };
    let done = signals::watched(signals::ENDING, end, to_its_end)?;
    let told = told.load(Ordering::SeqCst);
    Ok(if told == 0 { done } else { Exit::Host(signals::status(told)) })
}

fn to_its_end() -> Outcome {
    let mut text = String::new();
    io::stdin().lock().read_to_string(&mut text)?;
    let value: Value = serde_json::from_str(&text).map_err(|error| Failure::usage(error.to_string()))?;
    let command = read(&value).ok_or_else(|| Failure::usage("only `hookc run` calls this"))?;
    let ended = command.run().map_err(|error| Failure::usage(error.to_string()))?;
    Ok(if ended.status.success() { Exit::Done } else { Exit::Errors })
}

fn read(value: &Value) -> Option<Command> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let program = value.get("program")?;
    let mut command = Command::new(match program.get("shell") {
        Some(shell) => Program::Shell { shell: text(shell)?, line: text(program.get("line")?)? },
        None => Program::Argv {
            program: text(program.get("program")?)?,
            args: program.get("args")?.as_array()?.iter().filter_map(text).collect(),
        },
    });
    for pair in value.get("env")?.as_array()? {
        command.env.push((text(pair.get(0)?)?, pair.get(1).and_then(text)));
    }
    command.cwd = value.get("cwd").and_then(text).map(Into::into);
    command.stdin = text(value.get("stdin")?)?.into_bytes().into();
    command.timeout = Duration::from_millis(value.get("timeout_ms")?.as_u64()?);
    Some(command)
}
