//! `hookc ability run`: an ability behind its guards, for callers that are no
//! model: jobs, pipelines, people.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::time::Instant;

use hookc_runtime::Engine;
use hookc_runtime::turn::{Guard, Session, Turn};
use hookc_schema::{Diagnostic, Severity};
use hookc_vm::Module;
use serde_json::{Map, Value, json};

use super::run::Process;
use crate::args::{Ability, AbilityRun, CallSource, Global};
use crate::exit::{Exit, Failure, Outcome};
use crate::{discover, load};

/// A guard denies.
const DENIED: u8 = 120;
/// A guard wants a human to look.
const HUMAN: u8 = 121;
/// Nothing could be decided.
const UNDECIDED: u8 = 122;
/// Where repository hooks lie.
const FOLDER: &str = ".system/hooks";

pub(crate) fn run(global: &Global, args: &Ability) -> Outcome {
    let Ability::Run(args) = args;
    if super::eval::off() {
        return Ok(Exit::Host(call(args, None)));
    }
    let module = match module(global, args) {
        Ok(module) => module,
        Err(why) => return Ok(ends(UNDECIDED, &why)),
    };
    let engine = Engine::new(module);
    let mut session = Session::new(&engine, args.session.clone().unwrap_or_default());
    let (guard, turn) = match session.pre_ability_call(context(args), &Process) {
        Ok((_, guard, turn)) => (guard, turn),
        Err(error) => return Ok(ends(UNDECIDED, &error.to_string())),
    };
    tell(&turn);
    match guard {
        Guard::Allowed => Ok(Exit::Host(call(args, Some(&session)))),
        Guard::Denied { reason, require_human: false } => Ok(ends(DENIED, &format!("denied: {reason}"))),
        Guard::Denied { reason, .. } => {
            Ok(ends(HUMAN, &format!("denied until a human has looked: {reason}")))
        }
    }
}

fn ends(code: u8, why: &str) -> Exit {
    let _ = writeln!(io::stderr(), "hookc: {why}");
    Exit::Host(code)
}

fn tell(turn: &Turn) {
    for report in &turn.reports {
        let _ = writeln!(io::stderr(), "hookc: {report}");
    }
}

fn module(global: &Global, args: &AbilityRun) -> Result<Module, String> {
    let said = |failure: Failure| failure.to_string();
    let mut sources = args.sources.clone();
    let files = if args.files.is_empty() {
        // A guard for an event that there is not would let everything pass.
        sources.strict = true;
        hooks()?
    } else {
        args.files.clone()
    };
    if let Some(module) = load::ready(&files, &sources).map_err(said)? {
        return Ok(module);
    }
    let built = load::build(&files, &sources, false).map_err(said)?;
    match built.compiled.module {
        Some(bytes) => {
            warned(&built.compiled.diagnostics);
            Module::load(bytes).map_err(|error| error.to_string())
        }
        None => {
            built.tell(global);
            Err("the hooks do not compile".to_owned())
        }
    }
}

/// A line only, since it comes with every call.
fn warned(diagnostics: &[Diagnostic]) {
    let of = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Warning;
    if let Some(first) = diagnostics.iter().find(of) {
        let all = diagnostics.iter().filter(of).count();
        let more = if all == 1 { String::new() } else { format!(" and {} more", all - 1) };
        let _ = writeln!(io::stderr(), "hookc: warning: {}{more} (`hookc check` tells more)", first.message);
    }
}

/// The hooks of this repository: of the nearest folder above that has some.
fn hooks() -> Result<Vec<PathBuf>, String> {
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let above = || here.ancestors().skip(1).map(|folder| folder.join(FOLDER));
    let own = [PathBuf::from(FOLDER)].into_iter().chain(above());
    let folder =
        own.into_iter().find(|folder| folder.is_dir()).ok_or(format!("there is no `{FOLDER}` here"))?;
    discover::layer(folder).map_err(|failure| failure.to_string())
}

fn source(source: CallSource) -> &'static str {
    match source {
        CallSource::AiSession => "ai_session",
        CallSource::BackgroundJob => "background_job",
        CallSource::CiPipeline => "ci_pipeline",
        CallSource::ManualCli => "manual_cli",
    }
}

fn context(args: &AbilityRun) -> Map<String, Value> {
    let mut caller = Map::new();
    caller.insert("source".to_owned(), source(args.source).into());
    let more = [("session_id", &args.session), ("job_id", &args.job), ("triggered_by", &args.triggered_by)];
    for (name, value) in more {
        if let Some(value) = value {
            caller.insert(name.to_owned(), value.as_str().into());
        }
    }
    let mut context = Map::new();
    context.insert("ability_id".to_owned(), args.ability.as_str().into());
    context.insert("args_summary".to_owned(), args.command.join(" ").into());
    context.insert("caller".to_owned(), Value::Object(caller));
    context
}

/// Runs the command with this terminal's streams, then the hooks behind it,
/// which change nothing any more.
fn call(args: &AbilityRun, session: Option<&Session<'_>>) -> u8 {
    let Some((program, rest)) = args.command.split_first() else { return UNDECIDED };
    let start = Instant::now();
    let done = Command::new(program).args(rest).status();
    let took = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let success = done.as_ref().is_ok_and(ExitStatus::success);
    let mut context = context(args);
    context.shift_remove("caller");
    let summary = context.shift_remove("args_summary").unwrap_or_default();
    context.insert("input_summary".to_owned(), summary);
    context.insert("status".to_owned(), if success { "success" } else { "failure" }.into());
    context.insert("duration_ms".to_owned(), json!(took));
    let (code, error) = match &done {
        Ok(status) => (code(*status), (!success).then(|| status.to_string())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (127, Some(error.to_string())),
        Err(error) => (126, Some(error.to_string())),
    };
    if let Err(error) = &done {
        let _ = writeln!(io::stderr(), "hookc: {program}: {error}");
    }
    if let Some(error) = error {
        context.insert("error_message".to_owned(), error.into());
    }
    match session.map(|session| session.post_ability_call(context, &Process)) {
        Some(Ok(turn)) => tell(&turn),
        Some(Err(error)) => drop(writeln!(io::stderr(), "hookc: {error}")),
        None => (),
    }
    code
}

/// As shells have it: 128 and the signal for what a signal ended.
fn code(status: ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    let code = status.code().or_else(|| status.signal().map(|signal| signal + 128));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}
