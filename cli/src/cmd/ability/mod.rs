//! `hookc ability run`: runs an ability if its guards allow it, for callers other than a model: jobs,
//! pipelines, people.

mod command;

use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use hookc_runtime::bridge::NestedHost;
use hookc_runtime::log::Entry;
use hookc_runtime::turn::{self, Guard, Session, Turn};
use hookc_runtime::{Engine, Event};
use serde_json::{Map, Value, json};

use super::repository::{self, DENIED, HUMAN, UNDECIDED, say};
use super::run::{self, Background};
use crate::args::{Ability, AbilityRun, CallSource, Global};
use crate::exit::{Exit, Outcome};
use crate::{out, signals};
use command::{CommandResult, Running};

/// The host, in the decision log.
const HOST: &str = "ability";
/// The command cannot be run.
const NOT_RUN: u8 = 126;
/// The command does not exist.
const NOT_FOUND: u8 = 127;

pub(crate) fn run(global: &Global, args: &Ability) -> Outcome {
    let Ability::Run(args) = args;
    let running = Running::default();
    let call = Call { global, args, running: &running, off: crate::state::report_disabled() };
    let code = signals::watched(signals::ASKED, |signal, _| running.signal(signal), || call.run());
    Ok(Exit::Host(running.ended_by().map_or(code, signals::status)))
}

/// A call of an ability.
struct Call<'c> {
    global: &'c Global,
    args: &'c AbilityRun,
    running: &'c Running,
    off: bool,
}

impl Call<'_> {
    fn run(&self) -> u8 {
        if self.off {
            return self.call(None);
        }
        let start = Instant::now();
        let module = match repository::module(self.global, &self.args.hooks) {
            Ok(module) => module,
            Err(why) => return self.undecided(&why, start),
        };
        let context = before(self.args);
        let event = Value::Object(context.clone()).to_string();
        let background = Background::new(&self.args.logging, HOST);
        let host = match NestedHost::enter(&background, module.hash(), event.as_bytes()) {
            Ok(host) => host,
            Err(error) => return self.undecided(&error.to_string(), start),
        };
        let engine = Engine::new(module);
        let before = match repository::state(self.file(), self.session()) {
            Ok(state) => state.disabled,
            Err(why) => return self.undecided(&why, start),
        };
        let mut session = Session::new(&engine, self.session()).with_disabled(before.clone());
        let (guard, turn) = match session.pre_ability_call(context, &host) {
            Ok((_, guard, turn)) => (guard, turn),
            Err(error) => return self.undecided(&error.to_string(), start),
        };
        if let Some(file) = self.file().filter(|_| *session.disabled() != before) {
            repository::keep(file, self.session(), session.disabled()).unwrap_or_else(|why| say(&why));
        }
        self.log(&turn.event, Ok(&turn), start.elapsed());
        report(&turn);
        if let Some(signal) = self.running.ended_by() {
            return ends(
                signals::status(signal),
                &format!("{}: the command did not run", signals::describe(signal)),
            );
        }
        match guard {
            Guard::Allowed => self.call(Some((&session, &host))),
            Guard::Denied { reason, require_human: false } => ends(DENIED, &format!("denied: {reason}")),
            Guard::Denied { reason, .. } => ends(HUMAN, &format!("denied until a human decides: {reason}")),
            _ => ends(HUMAN, "denied until a human decides"),
        }
    }

    fn file(&self) -> Option<&Path> {
        self.args.hooks.session_file.as_deref()
    }

    fn session(&self) -> &str {
        self.args.session.as_deref().unwrap_or_default()
    }

    /// An event that no hook handles.
    fn event(&self, name: &str, context: Map<String, Value>) -> Event {
        turn::event(name, self.session(), context)
    }

    fn undecided(&self, why: &str, start: Instant) -> u8 {
        self.log(&self.event("PreAbilityCall", before(self.args)), Err(why), start.elapsed());
        ends(UNDECIDED, why)
    }

    fn log(&self, event: &Event, result: Result<&Turn, &str>, took: Duration) {
        let result = result.map(|turn| &turn.handled);
        run::record(self.global, &self.args.logging, |write| {
            write(&Entry::new(HOST, event, result, took));
        });
    }

    /// Runs the command, then the hooks after it, which can no longer change anything.
    fn call(&self, session: Option<(&Session<'_>, &NestedHost<'_>)>) -> u8 {
        let Some((program, rest)) = self.args.command.split_first() else { return UNDECIDED };
        let start = Instant::now();
        let log = self.args.stdout_log.as_ref().map(|path| std::path::absolute(path).unwrap_or(path.clone()));
        let done = self.running.run(program, rest, log.as_deref());
        let mut context = after(self.args, &done, start.elapsed());
        let code = match &done.status {
            Ok(status) => code(*status),
            Err(error) if error.kind() == io::ErrorKind::NotFound => NOT_FOUND,
            Err(_) => NOT_RUN,
        };
        match (&done.kept, log) {
            (Ok(true), Some(log)) => {
                context.insert("stdout_log_path".to_owned(), log.to_string_lossy().into());
            }
            (Err(error), Some(log)) => say(&format!("{}: {error}", log.display())),
            (..) => {}
        }
        if let (Err(error), None) = (&done.status, self.running.ended_by()) {
            say(&format!("{program}: {error}"));
        }
        if let Some((session, host)) = session {
            self.run_post_hooks(session, host, context);
        }
        code
    }

    fn run_post_hooks(&self, session: &Session<'_>, host: &NestedHost<'_>, context: Map<String, Value>) {
        let (start, name) = (Instant::now(), "PostAbilityCall");
        if let Some(signal) = self.running.ended_by() {
            let why = format!("{}: the hooks after the ability did not run", signals::describe(signal));
            self.log(&self.event(name, context), Err(&why), start.elapsed());
            return say(&why);
        }
        match session.post_ability_call(context.clone(), host) {
            Ok(turn) => {
                self.log(&turn.event, Ok(&turn), start.elapsed());
                report(&turn);
            }
            Err(error) => {
                self.log(&self.event(name, context), Err(&error.to_string()), start.elapsed());
                say(&error.to_string());
            }
        }
    }
}

fn ends(code: u8, why: &str) -> u8 {
    say(why);
    code
}

fn report(turn: &Turn) {
    turn.reports.iter().for_each(|report| say(report));
}

fn source(source: CallSource) -> &'static str {
    match source {
        CallSource::AiSession => "ai_session",
        CallSource::BackgroundJob => "background_job",
        CallSource::CiPipeline => "ci_pipeline",
        CallSource::ManualCli => "manual_cli",
    }
}

/// The event for the guards.
fn before(args: &AbilityRun) -> Map<String, Value> {
    let mut caller = Map::new();
    caller.insert("source".to_owned(), source(args.source).into());
    let more = [("session_id", &args.session), ("job_id", &args.job), ("triggered_by", &args.triggered_by)];
    for (name, value) in more {
        if let Some(value) = value {
            caller.insert(name.to_owned(), value.as_str().into());
        }
    }
    let mut context = called(args);
    context.insert("args_summary".to_owned(), args.command.join(" ").into());
    context.insert("caller".to_owned(), Value::Object(caller));
    context
}

fn called(args: &AbilityRun) -> Map<String, Value> {
    let mut context = Map::new();
    if let Some(session) = &args.session {
        context.insert("session_id".to_owned(), session.as_str().into());
    }
    context.insert("ability_id".to_owned(), args.ability.as_str().into());
    context
}

/// The event for the hooks after the ability.
fn after(args: &AbilityRun, done: &CommandResult, took: Duration) -> Map<String, Value> {
    let success = done.status.as_ref().is_ok_and(ExitStatus::success);
    let mut context = called(args);
    let mut add = |name: &str, value: Value| context.insert(name.to_owned(), value);
    add("input_summary", args.command.join(" ").into());
    add("status", if success { "success" } else { "failure" }.into());
    add("duration_ms", json!(out::saturating_millis(took)));
    match &done.status {
        Ok(status) => {
            add("exit_code", code(*status).into());
            if !success {
                add("error_message", status.to_string().into());
            }
        }
        Err(error) => drop(add("error_message", error.to_string().into())),
    }
    context
}

/// As in shells: 128 plus the signal if a signal ended the command.
fn code(status: ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.or_else(|| status.signal().map(signals::status)).unwrap_or(1)
}
