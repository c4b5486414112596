//! `run`: a handler, and what its end means.

use std::time::Duration;

use hookc_vm::Family;
use hookc_vm::module::OnFailure;
use serde_json::Value;

use super::{ActionContext, Attempt, Fault, answers, flat, place};
use crate::action::{Action, word};
use crate::agent;
use crate::effect::Outcome;
use crate::host::Call;
use crate::json;
use crate::limits;
use crate::process::{Command, Ended, Program, Status};
use crate::verdict::Verdict;

/// How long agents wait for a handler while the user waits for the prompt.
const PROMPT: Duration = Duration::from_secs(30);

/// Events at which the user waits.
const PROMPTS: [&str; 3] = ["UserPromptSubmit", "PreModelSwitch", "PostModelSwitch"];

pub(super) fn run(call: &Call<'_>, context: &ActionContext<'_>) -> Result<Attempt, Fault> {
    let action = call.action;
    let command = command(call, context).map_err(Fault::closed)?;
    let rewake = action.flag("rewake", false);
    if rewake || action.flag("async", false) || !action.flag("blocking", true) {
        let begun = context.host.background(command);
        begun.map_err(|error| Fault { falls: OnFailure::Open, ..Fault::of_host(&error) })?;
        let remark = rewake.then(|| "nobody is woken by what it says".to_owned());
        return Ok(Attempt { remarks: remark.into_iter().collect(), ..Attempt::from(Outcome::Started) });
    }
    let form = action.text("result").unwrap_or("status");
    if is_foreign(form, context) {
        let why = format!("its result is of the form `{form}`, which is not read at this event");
        return Err(Fault::closed(why).quoting("its result is of a form that is not read at this event"));
    }
    let ended = command.run().map_err(|error| Fault::closed(error.to_string()).quoting(error.bare()))?;
    if ended.status == Status::Stopped {
        // What it says then is about its end, not about the event.
        return Err(Fault::closed(ended.status.to_string()).of(ended.status));
    }
    let outcome = outcome(&ended, form, context).map_err(|fault| fault.of(ended.status))?;
    Ok(Attempt { outcome, status: Some(ended.status.to_string()), remarks: remarks(&ended) })
}

/// The handler with all that it gets.
fn command(call: &Call<'_>, context: &ActionContext<'_>) -> Result<Command, String> {
    let action = call.action;
    let places = place::Handler::of(call, context);
    let mut command = Command::new(places.resolve(program(action)?)?);
    command.env = context.host.environment();
    command.env.extend(places.environment());
    if action.text("result") == Some("flat") {
        command.env.extend(flat::environment(call.event, context.name));
    }
    for (name, value) in action.object("env").into_iter().flatten() {
        command.env.push((name.clone(), (!value.is_null()).then(|| word(value))));
    }
    command.cwd = places.folder(action.text("cwd"));
    command.stdin = call.event.shared();
    let prompt = PROMPTS.contains(&context.name) && answers(context).is_some();
    command.timeout = action.timeout(if prompt { PROMPT } else { limits::TIMEOUT });
    Ok(command)
}

/// A line for a shell, or, with arguments beside it, a program.
fn program(action: &Action) -> Result<Program, String> {
    if let Some(mut words) = action.words("argv") {
        if words.is_empty() {
            return Err("`argv` names no program".to_owned());
        }
        return Ok(Program::Argv { program: words.remove(0), args: words });
    }
    let line = action.text("command").ok_or("it has neither `command` nor `argv`")?.to_owned();
    if let Some(args) = action.words("args") {
        return Ok(Program::Argv { program: line, args });
    }
    Ok(match action.text("shell") {
        Some("powershell") => {
            let args = ["-NoProfile", "-NonInteractive", "-Command"].map(str::to_owned);
            Program::Argv { program: "pwsh".to_owned(), args: args.into_iter().chain([line]).collect() }
        }
        shell => Program::Shell { shell: shell.unwrap_or("sh").to_owned(), line },
    })
}

/// Whether nobody could read what a handler says in this form: it is one of another
/// vocabulary's.
fn is_foreign(form: &str, context: &ActionContext<'_>) -> bool {
    let own = match form {
        "agent" | "flat" | "gemini" | "cursor" | "copilot" => Family::Agent,
        "signals" => Family::Repository,
        "return" => Family::Thread,
        _ => return false,
    };
    context.family != Some(own)
}

fn outcome(ended: &Ended, result: &str, context: &ActionContext<'_>) -> Result<Outcome, Fault> {
    match (result, answers(context)) {
        // Forms for agents' events; elsewhere nobody could read what they say.
        ("agent" | "flat" | "gemini" | "cursor" | "copilot", None) => status(ended, context),
        ("agent" | "gemini" | "cursor" | "copilot", Some(answers)) => {
            let said = agent::handler_of(result, ended, &answers).map(Box::new).map(Outcome::Verdict);
            // The one event at which the agent itself refuses what it stops waiting for.
            let hangs = context.name == "PreModelSwitch" && ended.status == Status::TimedOut;
            said.map_err(|none| {
                let closed = hangs || answers.can_refuse() && none.may_deny;
                if closed { Fault::closed(none.why) } else { Fault::open(none.why) }
            })
        }
        ("flat", Some(_)) => {
            unread(ended, context)?;
            flat::said(ended, context.name).map(Box::new).map(Outcome::Verdict)
        }
        ("signals" | "return", _) => returned(ended),
        _ => status(ended, context),
    }
}

/// By the exit status alone: 0 is no opinion, 1 to 125 refuse, and anything
/// else, the shell's "cannot be run" (126) and "not found" (127) among it, is a
/// failure. About events that are no agent's, every status but 0 is a failure.
fn status(ended: &Ended, context: &ActionContext<'_>) -> Result<Outcome, Fault> {
    let stderr = ended.stderr.text.trim();
    match (ended.status, answers(context)) {
        (Status::Exited(0), Some(_)) => unread(ended, context).map(|()| Outcome::Verdict(Box::default())),
        (Status::Exited(0), None) => Ok(Outcome::Value(Value::Null)),
        (Status::Exited(1..=125), Some(answers)) if answers.can_refuse() => {
            let reason = if stderr.is_empty() { ended.status.to_string() } else { stderr.to_owned() };
            Ok(Outcome::Verdict(Box::new(Verdict::deny(reason))))
        }
        (status, _) => Err(Fault::closed(flat::with(status, stderr))),
    }
}

/// A handler that ended well and printed a decision where its output is not read has
/// failed: nobody else would hear of it.
fn unread(ended: &Ended, context: &ActionContext<'_>) -> Result<(), Fault> {
    let why = ended.status.success().then(|| agent::unread_decision(&ended.stdout)).flatten();
    let Some(why) = why else { return Ok(()) };
    let closed = answers(context).is_some_and(|answers| answers.can_refuse());
    Err(if closed { Fault::closed(why) } else { Fault::open(why) })
}

/// A JSON value on standard output, whose shape is the caller's to check;
/// nothing printed is `null`. A key that stands twice could hide a refusal.
fn returned(ended: &Ended) -> Result<Outcome, Fault> {
    if !ended.status.success() {
        return Err(Fault::closed(flat::with(ended.status, ended.stderr.text.trim())));
    }
    if ended.stdout.dropped > 0 {
        return Err(Fault::closed("its output is larger than is kept of it"));
    }
    let text = ended.stdout.text.trim();
    if text.is_empty() {
        return Ok(Outcome::Value(Value::Null));
    }
    json::unique(text).map(Outcome::Value).map_err(Fault::closed)
}

/// What is to be said about a handler that answered.
fn remarks(ended: &Ended) -> Vec<String> {
    let mut all = Vec::new();
    for (name, output) in [("standard output", &ended.stdout), ("standard error", &ended.stderr)] {
        all.extend(output.remark().map(|remark| format!("{name}: {remark}")));
    }
    if ended.left_behind {
        all.push("it left processes behind that held its outputs open".to_owned());
    }
    all
}
