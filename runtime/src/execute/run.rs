//! `run`: starts a handler and waits for its end.

use std::time::Duration;

use hookc_base::action::{ResultForm, Run};
use hookc_base::{Family, OnFailure};

use super::{Reply, flat};
use crate::context::{ActionContext, Locations};
use crate::event::AgentEvent;
use crate::host::BackgroundHandler;
use crate::limits;
use crate::outcome::{ActionFailure, Hook};
use crate::process::{Command, Program, Status};

/// How long agents wait for a handler while the user waits for the prompt.
const PROMPT: Duration = Duration::from_secs(30);

pub(super) fn run(run: &Run, hook: &Hook, context: &ActionContext<'_>) -> Result<Reply, ActionFailure> {
    let command = command(run, hook, context).map_err(ActionFailure::closed)?;
    let rewake = run.rewake == Some(true);
    if !is_awaited(run) {
        let signals = run.result == ResultForm::Signals && context.family == Some(Family::Repository);
        let handler =
            BackgroundHandler::new(command, hook, signals, (context.name, context.family, context.module));
        context.host.background(handler).map_err(|failure| failure.in_mode(OnFailure::Open))?;
        return Ok(Reply::Started(
            rewake.then(|| "its output wakes no agent".to_owned()).into_iter().collect(),
        ));
    }
    if vocabulary(run.result).is_some_and(|own| context.family != Some(own)) {
        let why = format!(
            "its result has the format `{}`, which is not supported at this event",
            run.result.as_str()
        );
        return Err(ActionFailure::closed(why).with_bare(
            "its result has a format that is not supported at this \
                                                  event",
        ));
    }
    let ended = command.run().map_err(|error| {
        ActionFailure::closed(error.to_string()).with_bare(error.bare()).with_source(error)
    })?;
    if ended.status == Status::Stopped {
        // Its output then is about its end, not about the event.
        return Err(ActionFailure::closed(ended.status.to_string()).of_handler(ended.status));
    }
    Ok(Reply::Ended(ended, run.result))
}

/// The only vocabulary whose events have results of this format; `None` for any.
fn vocabulary(form: ResultForm) -> Option<Family> {
    match form {
        ResultForm::Agent
        | ResultForm::Flat
        | ResultForm::Gemini
        | ResultForm::Cursor
        | ResultForm::Copilot => Some(Family::Agent),
        ResultForm::Signals => Some(Family::Repository),
        ResultForm::Return => Some(Family::Thread),
        ResultForm::Status => None,
    }
}

/// Whether the answer waits for the handler.
fn is_awaited(run: &Run) -> bool {
    run.blocking && !run.background && run.rewake != Some(true)
}

/// The handler with all that it gets.
fn command(run: &Run, hook: &Hook, context: &ActionContext<'_>) -> Result<Command, String> {
    let locations = Locations::of(hook, context);
    let mut command = Command::new(locations.resolve(program(run)?)?);
    command.env = context.host.environment();
    command.env.extend(locations.environment());
    if run.result == ResultForm::Flat {
        command.env.extend(flat::environment(context.event, context.name));
    }
    command.env.extend(run.env.iter().flatten().cloned());
    command.cwd = locations.directory(run.cwd.as_deref());
    command.stdin = context.event.shared();
    let wait = context.capabilities().filter(|_| is_awaited(run)).and_then(|capabilities| capabilities.wait);
    let delays_prompt = context.agent_event().is_some_and(AgentEvent::delays_prompt);
    command.timeout = limits::timeout(run.timeout, default_timeout(delays_prompt, wait));
    Ok(command)
}

/// The timeout of a handler without one. It ends before the agent stops waiting: that would let the action pass.
fn default_timeout(delays_prompt: bool, wait: Option<u32>) -> Duration {
    let own = if delays_prompt { PROMPT } else { limits::TIMEOUT };
    match wait.map(|seconds| Duration::from_secs(seconds.into())) {
        Some(wait) => own.min(wait.saturating_sub(limits::ANSWER_TIME).max(wait / 2)),
        None => own,
    }
}

/// A command line for a shell, or, with separate arguments, a program.
fn program(run: &Run) -> Result<Program, String> {
    if let Some(argv) = &run.argv {
        let (program, args) = argv.split_first().ok_or("`argv` names no program")?;
        return Ok(Program::Argv { program: program.clone(), args: args.to_vec() });
    }
    let line = run.command.clone().ok_or("it has neither `command` nor `argv`")?;
    if let Some(args) = &run.args {
        return Ok(Program::Argv { program: line, args: args.clone() });
    }
    Ok(match run.shell.as_deref() {
        Some("powershell") => {
            let args = ["-NoProfile", "-NonInteractive", "-Command"].map(str::to_owned);
            Program::Argv { program: "pwsh".to_owned(), args: args.into_iter().chain([line]).collect() }
        }
        shell => Program::Shell { shell: shell.unwrap_or("sh").to_owned(), line },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handlers_end_before_the_agent_stops_waiting() {
        let seconds = |delays_prompt, wait| default_timeout(delays_prompt, wait).as_secs();
        assert_eq!((seconds(false, None), seconds(true, None)), (600, 30));
        assert_eq!((seconds(false, Some(600)), seconds(true, Some(30))), (595, 25));
        assert_eq!((seconds(false, Some(30)), seconds(false, Some(10)), seconds(false, Some(4))), (25, 5, 2));
        assert_eq!(seconds(true, Some(600)), 30);
    }
}
