//! `run`: starts a handler and waits for its end.

use std::time::Duration;

use hookc_base::action::{ResultForm, Run};
use hookc_base::{Family, OnFailure};
use hookc_schema::agents;

use super::{Reply, flat};
use crate::context::{ActionContext, Locations};
use crate::host::BackgroundHandler;
use crate::limits;
use crate::outcome::{ActionFailure, Hook};
use crate::process::{Command, Program, Status};

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
    if vocabulary(run.result).is_some_and(|family| context.family != Some(family)) {
        let why = format!(
            "its result has the format `{}`, which is not supported at this event",
            run.result.as_str()
        );
        return Err(ActionFailure::closed(why)
            .with_bare("its result has a format that is not supported at this event"));
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
    let locations = Locations::for_hook(hook, context);
    let mut command = Command::new(locations.resolve(program(run)?)?);
    command.env = context.host.environment();
    command.env.extend(locations.environment());
    if run.result == ResultForm::Flat {
        command.env.extend(flat::environment(context.event, context.name));
    }
    command.env.extend(run.env.iter().flatten().cloned());
    command.cwd = locations.directory(run.cwd.as_deref());
    command.stdin = context.event.shared();
    command.timeout = limits::timeout(run.timeout, default_timeout(run, context));
    Ok(command)
}

/// The timeout of a handler without one.
fn default_timeout(run: &Run, context: &ActionContext<'_>) -> Duration {
    match context.capabilities() {
        Some(_) if !is_awaited(run) => agents::command_timeout(context.name),
        _ => context.timeout(),
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
