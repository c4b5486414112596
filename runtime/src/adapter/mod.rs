//! Host adapters: from what an agent sends to an event of the language, and
//! from opinions to exactly what that agent reads.
//!
//! Events of other agents become those of the agent vocabulary (`BeforeTool` is
//! `PreToolUse`), and the names of the tools that all agents have become those
//! that the vocabulary's policies use (`run_shell_command` is `Bash`), so that
//! one policy serves them all. The names that the agent sent stay in the event
//! as `host_event_name` and `host_tool_name`.
//!
//! Rules that hold for all: no opinion prints nothing; what an agent cannot do
//! that a hook demands (ask, change the input) is refused where it matters,
//! with the reason said, and never passed for a yes.

mod claude;
mod codex;
mod copilot;
mod cursor;
mod flat;
mod gemini;
mod names;

use serde_json::{Map, Value};

use crate::agent::{self, Answers};
use crate::event::Event;
use crate::host::HostError;
use crate::opinion::{Change, Opinion, Permission};

/// Characters of a text that agents read; the rest is cut off.
const TEXT: usize = 10_000;

/// What a host gets: what is printed, and the exit status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// On standard output.
    pub stdout: String,
    /// On standard error.
    pub stderr: String,
    /// Exit status.
    pub code: u8,
}

impl Answer {
    /// Nothing, and 0.
    #[must_use]
    pub fn silent() -> Self {
        Self::default()
    }

    /// A JSON object, or nothing for an empty one.
    fn json(object: Map<String, Value>) -> Self {
        if object.is_empty() {
            return Self::silent();
        }
        Self { stdout: format!("{}\n", Value::Object(object)), ..Self::default() }
    }

    /// A reason on standard error and an exit status.
    fn status(code: u8, reason: &str) -> Self {
        Self { stderr: format!("{}\n", capped(reason)), code, ..Self::default() }
    }
}

/// An event that came from a host.
#[derive(Debug)]
pub struct Incoming {
    /// The event as it is decided about.
    pub event: Event,
    /// Its type in the agent vocabulary.
    pub name: String,
    /// Its type as the host has it.
    pub native: String,
    /// What it can be answered with.
    pub answers: Answers,
}

impl Incoming {
    fn new(event: Event, name: String, native: String) -> Self {
        let answers = agent::answers(&name);
        Self { event, name, native, answers }
    }

    /// The tool's input as the event has it.
    fn tool_input(&self) -> Map<String, Value> {
        self.event.value().get("tool_input").and_then(Value::as_object).cloned().unwrap_or_default()
    }

    /// The whole new input that a change makes of the event's.
    fn changed(&self, change: &Change) -> Map<String, Value> {
        if change.whole {
            return change.fields.clone();
        }
        let mut input = self.tool_input();
        input.extend(change.fields.clone());
        input
    }
}

/// A host.
pub trait Adapter: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Events that it names in its own way: its name, and the vocabulary's. Of
    /// several for one event the first is the one that covers them all.
    fn renamed(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Reads what the host sent; `event` is the host's name of the event, for
    /// hosts that do not send it.
    ///
    /// # Errors
    /// It is no event of this host.
    fn read(&self, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, HostError>;

    /// Says what the hooks said, in the host's way.
    fn answer(&self, incoming: &Incoming, opinion: &Opinion) -> Answer;

    /// Refuses because nothing could be decided; `incoming` is what is known of
    /// the event, if it is one.
    fn refuse(&self, incoming: Option<&Incoming>, reason: &str) -> Answer {
        match incoming {
            Some(incoming) if !incoming.answers.can_refuse() => Answer::status(1, reason),
            Some(incoming) if incoming.answers.refusal == agent::Refusal::Request => {
                self.answer(incoming, &Opinion::deny(reason))
            }
            _ => Answer::status(2, reason),
        }
    }

    /// Lets it pass although nothing could be decided, and says so: with exit
    /// status 1, or 0 where any other refuses.
    fn pass(&self, incoming: Option<&Incoming>, reason: &str) -> Answer {
        let all = incoming.is_some_and(|incoming| incoming.answers.status == agent::Statuses::All);
        Answer::status(if all { 0 } else { 1 }, reason)
    }
}

/// All hosts.
pub const ALL: &[&dyn Adapter] =
    &[&claude::Claude, &flat::Flat, &gemini::Gemini, &codex::Codex, &cursor::Cursor, &copilot::Copilot];

/// The host of a name.
#[must_use]
pub fn of(name: &str) -> Option<&'static dyn Adapter> {
    ALL.iter().copied().find(|adapter| adapter.name() == name)
}

/// At most so many characters of a text as agents read.
fn capped(text: &str) -> &str {
    text.char_indices().nth(TEXT).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

/// Several texts as one, capped.
fn told(texts: &[String]) -> Option<Value> {
    crate::opinion::joined(texts).map(|text| Value::from(capped(&text)))
}

fn put(object: &mut Map<String, Value>, name: &str, value: impl Into<Option<Value>>) {
    if let Some(value) = value.into() {
        object.insert(name.to_owned(), value);
    }
}

fn failed(why: impl Into<String>) -> HostError {
    HostError::Failed(why.into())
}

/// The object that the host sent.
fn object(bytes: &[u8]) -> Result<Map<String, Value>, HostError> {
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(failed("the event is no object")),
        Err(error) => Err(failed(format!("the event is not JSON: {error}"))),
    }
}

/// The host's name of the event: as the caller says, or as it stands in it.
fn native(object: &Map<String, Value>, event: Option<&str>) -> Result<String, HostError> {
    let stated = || object.get("hook_event_name").and_then(Value::as_str);
    event.or_else(stated).map(str::to_owned).ok_or_else(|| failed("the event has no `hook_event_name`"))
}

/// Names an event anew; the host's own name stays in it.
fn rename(object: &mut Map<String, Value>, native: &str, name: &str) {
    object.insert("hook_event_name".to_owned(), name.into());
    if native != name {
        object.insert("host_event_name".to_owned(), native.into());
    }
}

/// What an answer to an event can do beside refusing it.
#[derive(Clone, Copy, Debug, Default)]
struct Can {
    /// Have the user asked.
    asks: bool,
    /// Put the call off.
    defers: bool,
    /// Change the tool's input.
    changes: bool,
    /// Replace the user's message.
    prompts: bool,
    /// Replace the tool's output.
    outputs: bool,
}

/// The opinion as far as a host can be told: what it cannot do is refused, or
/// told to the user where that cannot be. A refusal always has a reason: some
/// agents take none without.
fn within(opinion: &Opinion, incoming: &Incoming, can: Can) -> Opinion {
    let mut opinion = opinion.clone();
    if !incoming.answers.can_refuse() {
        return told_only(opinion, incoming, can);
    }
    if opinion.permission == Some(Permission::Defer) && !can.defers {
        opinion.permission = Some(Permission::Ask);
    }
    if opinion.permission == Some(Permission::Deny) || incoming.name != "PostToolUse" {
        lost(&mut opinion.messages, opinion.output.take_if(|_| !can.outputs).is_some(), OUTPUT, incoming);
    }
    let undoable = match opinion.permission {
        Some(Permission::Deny) => None,
        Some(Permission::Ask | Permission::Defer) if !can.asks => Some("the user would have to be asked"),
        _ if opinion.change.is_some() && !can.changes => Some(INPUT),
        _ if opinion.prompt.is_some() && !can.prompts => Some(PROMPT),
        _ if opinion.output.is_some() && !can.outputs => Some(OUTPUT),
        _ => None,
    };
    if let Some(what) = undoable {
        let reason = opinion.reason().map(|reason| format!("{reason} ")).unwrap_or_default();
        let reason = format!("{reason}({what}, which this agent has no way to do at {})", incoming.native);
        return Opinion { messages: opinion.messages, ..Opinion::deny(reason) };
    }
    if opinion.permission == Some(Permission::Deny) {
        (opinion.change, opinion.prompt) = (None, None);
        if opinion.reasons.iter().all(|reason| reason.trim().is_empty()) {
            opinion.reasons = vec!["refused by a hook".to_owned()];
        }
    }
    opinion
}

const INPUT: &str = "the input would have to be changed";
const PROMPT: &str = "the user's message would have to be replaced";
const OUTPUT: &str = "the tool's output would have to be replaced";

/// The opinion about an event that cannot be refused.
fn told_only(mut opinion: Opinion, incoming: &Incoming, can: Can) -> Opinion {
    if opinion.permission >= Some(Permission::Ask) {
        let reason = opinion.reason().unwrap_or_default();
        let refused = format!("a hook refuses, but {} cannot be refused: {reason}", incoming.native);
        opinion.messages.push(refused);
    }
    let messages = &mut opinion.messages;
    lost(messages, opinion.change.take().is_some(), INPUT, incoming);
    lost(messages, opinion.prompt.take_if(|_| !can.prompts).is_some(), PROMPT, incoming);
    lost(messages, opinion.output.take_if(|_| !can.outputs).is_some(), OUTPUT, incoming);
    opinion.permission = None;
    opinion.reasons.clear();
    opinion.decision.clear();
    opinion
}

/// Tells what a hook wants that cannot be had and cannot be refused either.
fn lost(messages: &mut Vec<String>, lost: bool, what: &str, incoming: &Incoming) {
    if lost {
        messages.push(format!("{what}, which this agent has no way to do at {}", incoming.native));
    }
}

/// Asking about a request for a permission is what the agent does anyway.
fn requested(opinion: &Opinion, incoming: &Incoming) -> Opinion {
    let mut opinion = opinion.clone();
    let asked = matches!(opinion.permission, Some(Permission::Ask | Permission::Defer));
    if incoming.answers.refusal == agent::Refusal::Request && asked {
        opinion.permission = None;
        opinion.reasons.clear();
        opinion.decision.clear();
    }
    opinion
}

/// For agents that cannot be stopped: a refusal is what comes next to it.
fn stopped(mut opinion: Opinion) -> Opinion {
    let Some(stop) = opinion.stop.take() else { return opinion };
    let reason = if stop.trim().is_empty() { "stopped by a hook".to_owned() } else { stop };
    Opinion { messages: opinion.messages, ..Opinion::deny(reason) }
}

/// Adds the fields that are not there yet, their texts capped.
fn fill(object: &mut Map<String, Value>, more: &Map<String, Value>) {
    for (name, value) in more {
        object.entry(name.as_str()).or_insert_with(|| cut(value));
    }
}

/// A value with all its texts capped.
fn cut(value: &Value) -> Value {
    match value {
        Value::String(text) => capped(text).into(),
        Value::Array(items) => items.iter().map(cut).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), cut(value))).collect())
        }
        other => other.clone(),
    }
}

/// Names the tool as the vocabulary does; the host's own name stays.
fn rename_tool(object: &mut Map<String, Value>, tools: &names::Names) {
    let Some(Value::String(native)) = object.get("tool_name").cloned() else { return };
    let name = names::of(tools, &native);
    if name != native {
        object.insert("tool_name".to_owned(), name.into());
        object.insert("host_tool_name".to_owned(), native.into());
    }
}

/// A tool's input that the host sent as JSON in a string.
fn parse_input(object: &mut Map<String, Value>) -> Result<(), HostError> {
    if let Some(Value::String(text)) = object.get_mut("tool_input") {
        let value = parsed(std::mem::take(text))?;
        object.insert("tool_input".to_owned(), value);
    }
    Ok(())
}

/// What stands in a text that may be JSON. One that begins as an object or an
/// array and is none must not pass for a text: no hook would match it.
fn parsed(text: String) -> Result<Value, HostError> {
    match serde_json::from_str(&text) {
        Ok(value) => Ok(value),
        Err(error) if text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[']) => {
            Err(failed(format!("the tool's input is not JSON: {error}")))
        }
        Err(_) => Ok(Value::String(text)),
    }
}

/// What the host itself says about which of its events can be refused.
fn refusable(mut incoming: Incoming, blocks: &[&str]) -> Incoming {
    let refused = blocks.contains(&incoming.native.as_str());
    incoming.answers.refusal = match incoming.answers.refusal {
        _ if !refused => agent::Refusal::None,
        agent::Refusal::None => agent::Refusal::Decision,
        own => own,
    };
    incoming
}

/// What the user is told, for hosts that show standard error only.
fn with_messages(mut answer: Answer, opinion: &Opinion) -> Answer {
    if let Some(text) = crate::opinion::joined(&opinion.messages) {
        answer.stderr.push_str(capped(&text));
        answer.stderr.push('\n');
    }
    answer
}
