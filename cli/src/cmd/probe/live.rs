//! `--live`: a session of the agent's own program. Its model is asked for one harmless call of a tool, every call of
//! `hookc run` in it answers as [`hookc_runtime::probe`] says, and what they noted shows which of them the agent starts.

use std::path::Path;
use std::time::{Duration, SystemTime};

use hookc_runtime::probe::{self, Note, Probe};
use hookc_runtime::process::{Command, Ended, Program, StartError, Status};
use hookc_schema::agents::{Event, Live};
use serde_json::Value;

use super::attempt::{folder, token};
use super::question;
use super::show::{Row, State};
use crate::args::Global;
use crate::exit::Failure;
use crate::installed::calls::Call;
use crate::installed::target::{self, Target};
use crate::out;

/// The tool of the session.
pub(super) const TOOL: &str = "Bash";

/// How long a session may take if nothing else is said.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);

/// Bytes of the output of an agent that are read.
const OUTPUT: usize = 8 << 20;

/// Most characters of what an agent wrote, and of its lines.
const QUOTE: usize = 300;
const LINES: usize = 3;

/// Members of an agent's output whose text is for people.
const TEXTS: [&str; 5] = ["error", "message", "result", "text", "content"];

/// What came of a session.
#[derive(Debug)]
pub(super) struct Observed {
    agent: Target,
    live: &'static Live,
    start: SystemTime,
    notes: Vec<Note>,
    /// Whether the output shows a call of a tool.
    is_called: bool,
    /// Whether the output has the answer of hookc.
    is_answered: bool,
    /// Why the session ended early, if it did.
    failure: Option<String>,
    /// What the agent wrote last.
    said: String,
}

/// The session of an agent.
///
/// # Errors
/// The agent has none that is known.
pub(super) fn of_agent(agent: Target) -> Result<&'static Live, Failure> {
    agent.agent().live.as_ref().ok_or_else(|| {
        let known = target::all().filter(|other| other.live.is_some());
        let known = known.map(|other| other.name.clone()).collect::<Vec<_>>().join(", ");
        let reason = agent.no_live.as_deref().unwrap_or("no session without a person is known");
        Failure::usage(format!(
            "`--live` cannot ask {}: {reason} (it can ask: {known}); `hookc probe {}` starts its calls without it",
            agent.label, agent.name
        ))
    })
}

/// Starts the session and waits for its end.
///
/// # Errors
/// There is no directory for the user's state.
pub(super) fn observe(
    global: &Global,
    (agent, live): (Target, &'static Live),
    root: &Path,
    patience: Duration,
) -> Result<Observed, Failure> {
    let probe = Probe::create_live(&folder()?, &token()?)?;
    let (program, args) = words(live, &probe);
    out::say(
        global,
        &format!("{}: one request to its model, which your account pays for: {program}", agent.label),
    );
    let mut command = Command::new(Program::Argv { program: program.clone(), args });
    let variables = live.variables(&probe.command());
    let file = probe.file().to_string_lossy().into_owned();
    let variables = variables.into_iter().chain([(probe::VARIABLE.to_owned(), file)]);
    command.env = variables.map(|(name, value)| (name, Some(value))).collect();
    command.cwd = Some(root.to_owned());
    command.timeout = patience;
    command.keep = OUTPUT;
    let start = SystemTime::now();
    let ended = command.run();
    let notes = probe.notes();
    probe.remove();
    Ok(Observed { start, ..observed((agent, live), &probe, ended, notes, &program, patience) })
}

/// The program and its arguments.
fn words(live: &Live, probe: &Probe) -> (String, Vec<String>) {
    let command = probe.command();
    let prompt = format!(
        "This checks that the hooks of this project work. Run this shell command once, exactly as it is here: {command}\n\
         A hook denies it. Then stop: do not try again, and use no other tool."
    );
    let mut words = live.arguments(&prompt, &command).into_iter();
    (words.next().unwrap_or_default(), words.collect())
}

fn observed(
    (agent, live): (Target, &'static Live),
    probe: &Probe,
    ended: Result<Ended, StartError>,
    notes: Vec<Note>,
    program: &str,
    patience: Duration,
) -> Observed {
    let none = Observed {
        agent,
        live,
        start: SystemTime::now(),
        notes,
        is_called: false,
        is_answered: false,
        failure: None,
        said: String::new(),
    };
    let ended = match ended {
        Ok(ended) => ended,
        Err(StartError::Missing(_)) => {
            let failure =
                format!("{} is not installed here: there is no program `{program}` in PATH", agent.label);
            return Observed { failure: Some(failure), ..none };
        }
        Err(error) => {
            return Observed { failure: Some(format!("{} did not start: {error}", agent.label)), ..none };
        }
    };
    let (printed, errors) = (&ended.stdout.text, &ended.stderr.text);
    let said = said(printed, errors);
    let failure = match ended.status {
        Status::Exited(0) => None,
        Status::TimedOut => Some(format!("{} did not end within {} s", agent.label, patience.as_secs())),
        status @ Status::Exited(_) => Some(format!("{} ended with {status}", agent.label)),
        status => Some(format!("{} was {status}", agent.label)),
    };
    let values = printed.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let is_called = values.into_iter().any(|value| shows_call(&value, live, &probe.command()));
    let is_answered = [printed, errors].iter().any(|text| text.contains(&probe.reason()));
    Observed { is_called, is_answered, failure, said, ..none }
}

impl Observed {
    /// The row of a call.
    pub(super) fn row(&self, call: &Call, event: &Event, is_reached: bool, doubt: Option<String>) -> Row {
        let row = |state| Row::new(&call.event, state, &call.at, &call.policies);
        if let Some(note) = self.note(call) {
            let dead = self.dead(note, question::has_tool(event));
            let took = note.at.duration_since(self.start).unwrap_or_default();
            let state = if dead.is_some() { State::Dead } else { State::Alive };
            return Row { took: Some(took), ..row(state).with_reason(dead) };
        }
        let is_about_tool = question::has_tool(event);
        if !self.live.events.contains(&event.name) {
            return row(State::NotSent)
                .with_reason("a session with one denied call does not lead to it".to_owned());
        }
        if is_about_tool && !is_reached {
            return row(State::NotSent).with_reason(
                "the session calls `Bash`, and the matcher of this call is for other tools".to_owned(),
            );
        }
        if is_about_tool && self.is_called {
            return row(State::Dead).with_reason(self.not_started(call, "the model called the tool", doubt));
        }
        match &self.failure {
            Some(failure) => row(State::Unproved).with_reason(format!("{failure}{}", self.quoted())),
            None if is_about_tool => {
                row(State::Unproved).with_reason(format!("the model did not call the tool{}", self.quoted()))
            }
            None => row(State::Dead).with_reason(self.not_started(call, "the session is over", doubt)),
        }
    }

    /// Why a call that answered is dead, if it is.
    fn dead(&self, note: &Note, is_about_tool: bool) -> Option<String> {
        if let Some(why) = &note.failure {
            return Some(format!("the policy cannot decide: {why}"));
        }
        if !is_about_tool {
            return None;
        }
        // The agent's own name of a tool: the call is for an agent that has another one.
        let Some(read) = note.tool.as_deref() else {
            return Some("the call is for another agent: it reads no tool in the event".to_owned());
        };
        let meant = self.agent.tool(read);
        if meant != read {
            return Some(format!("the call is for another agent: it reads the tool `{meant}` as `{read}`"));
        }
        (!self.is_answered).then(|| {
            let label = &self.agent.label;
            format!("hookc denied the call, and what {label} wrote does not have its answer{}", self.quoted())
        })
    }

    /// What a call noted.
    fn note(&self, call: &Call) -> Option<&Note> {
        let of_call = |note: &&Note| {
            note.event.as_deref().is_none_or(|event| event == call.event) && note.policies == call.policies
        };
        let notes = || self.notes.iter().filter(of_call);
        notes().find(|note| note.failure.is_some()).or_else(|| notes().next())
    }

    fn not_started(&self, call: &Call, when: &str, doubt: Option<String>) -> String {
        let trust = &self.agent.settings.trust;
        let trust = if call.scope == "user" { &trust.user } else { &trust.project };
        let is_disabled = hookc_runtime::engine::disabled();
        let disabled = is_disabled.then(|| "`HOOKC_DISABLE=1` is set here".to_owned());
        let hint = disabled.or(doubt).or_else(|| trust.clone());
        let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        format!("{when}, and no call of hookc answered{hint}")
    }

    fn quoted(&self) -> String {
        if self.said.is_empty() { String::new() } else { format!(": {}", self.said) }
    }
}

/// Whether a value of the output shows that the model called the tool with a command.
fn shows_call(value: &Value, live: &Live, command: &str) -> bool {
    match value {
        Value::Object(members) => {
            let kind = members.get("type").and_then(Value::as_str);
            let is_call = kind.is_some_and(|kind| live.calls.iter().any(|call| call == kind));
            (is_call && value.to_string().contains(command))
                || members.values().any(|value| shows_call(value, live, command))
        }
        Value::Array(values) => values.iter().any(|value| shows_call(value, live, command)),
        _ => false,
    }
}

/// What an agent wrote for people: the last text in its JSON, or else its last lines.
fn said(printed: &str, errors: &str) -> String {
    let values = printed.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let text = values.into_iter().find_map(|value| last_text(&value));
    let text = text.unwrap_or_else(|| {
        let lines = |text: &str| {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('{'));
            let lines: Vec<&str> = lines.collect();
            lines.iter().skip(lines.len().saturating_sub(LINES)).copied().collect::<Vec<_>>().join("; ")
        };
        let said = lines(errors);
        if said.is_empty() { lines(printed) } else { said }
    });
    let mut short: String = text.chars().take(QUOTE).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// The last text for people in a value.
fn last_text(value: &Value) -> Option<String> {
    match value {
        Value::Object(members) => {
            let text = |name: &str| members.get(name).and_then(Value::as_str).map(str::trim);
            let direct = TEXTS.iter().filter_map(|name| text(name)).find(|text| !text.is_empty());
            direct.map(str::to_owned).or_else(|| members.values().rev().find_map(last_text))
        }
        Value::Array(values) => values.iter().rev().find_map(last_text),
        _ => None,
    }
}
