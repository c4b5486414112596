//! Host adapters: from what an agent sends to an event of the language, and
//! from verdicts to exactly what that agent reads.
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
mod fields;
mod flat;
mod gemini;
mod members;
mod names;
mod object;
mod patch;

use fields::Field;
#[cfg(feature = "compiler")]
pub(crate) use fields::NAMES;
use hookc_schema::agents::{Names, translated};
use members::Members;
pub use names::misnamed;
pub use object::Printed;
use object::{Json, Member, Object};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::agent::{self, Answers};
use crate::event::Event;
use crate::event::EventError;
use crate::verdict::{Change, Permission, Verdict};

/// Bytes of an event's name: a longer one is none, and is not passed around.
const NAME: usize = 1 << 10;

/// Characters of a text that agents read; the rest is cut off.
const TEXT: usize = 10_000;

/// What a host gets: what is printed, and the exit status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// On standard output.
    pub stdout: Printed,
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
    fn json(object: Object) -> Self {
        Self { stdout: Printed::object(object), ..Self::default() }
    }

    /// A reason on standard error and an exit status.
    fn status(code: u8, reason: &str) -> Self {
        Self { stderr: format!("{}\n", capped(reason)), code, ..Self::default() }
    }
}

/// The event that bytes become which `made` was put together of: if it would be larger
/// than an event may be, the bytes as they came, which nothing is decided about.
fn event_of(made: Option<Event>, sent: Vec<u8>) -> Event {
    made.unwrap_or_else(|| Event::oversized(sent))
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
    /// The same event about further things: the other files of a patch.
    pub others: Vec<Event>,
    /// Fields of the tool's input that are called otherwise there: by the
    /// vocabulary, and by the host, which may not have them at all.
    fields: Vec<Field>,
}

impl Incoming {
    fn new(event: Event, name: String, native: String) -> Self {
        let answers = agent::answers(&name);
        Self { event, name, native, answers, others: Vec::new(), fields: Vec::new() }
    }

    /// Whether it would be larger than an event may be under the vocabulary's names: it
    /// cannot be decided about, and its bytes are those that the host sent.
    #[must_use]
    pub fn is_oversized(&self) -> bool {
        self.event.is_oversized()
    }

    /// The event and those about further things.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        std::iter::once(&self.event).chain(&self.others)
    }

    fn stops_again(&self) -> bool {
        self.event.stops_again(&self.name)
    }

    /// The tool's input as the event has it.
    fn tool_input(&self) -> Members<'_> {
        self.event.raw("tool_input").map(Members::last).unwrap_or_default()
    }

    /// The whole new input that a change makes of the event's.
    fn changed(&self, change: &Change) -> Members<'_> {
        fields::changed(&self.fields, self.tool_input(), change)
    }

    /// The same as it is printed.
    fn changed_json(&self, change: &Change) -> Json {
        Json::Raw(self.changed(change).to_json())
    }

    /// Whether a change cannot be made: the tool's input cannot be taken apart, or has
    /// no place for it, as a patch for its file.
    fn cannot_take(&self, change: &Change) -> bool {
        self.event.is_dense_in("tool_input") || fields::is_lost(&self.fields, &self.tool_input(), change)
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
    /// It is no event of this host. Only a [`EventError::Quoting`] says anything that
    /// stands in the event.
    fn read(&self, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, EventError>;

    /// Says what the hooks said, in the host's way.
    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer;

    /// Refuses because nothing could be decided; `incoming` is what is known of
    /// the event, if it is one. An agent that was kept from stopping already may
    /// stop: it cannot mend what fails here, and would go on for ever.
    fn refuse(&self, incoming: Option<&Incoming>, reason: &str) -> Answer {
        match incoming {
            Some(incoming) if incoming.stops_again() => self.pass(Some(incoming), reason),
            Some(incoming) if !incoming.answers.can_refuse() => Answer::status(1, reason),
            Some(incoming) if incoming.answers.refusal == agent::Refusal::Request => {
                self.answer(incoming, &Verdict::deny(reason))
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
    crate::verdict::joined(texts).map(|text| Value::from(capped(&text)))
}

fn put(object: &mut Object, name: &str, value: impl Member) {
    object.put(name, value);
}

fn failed(why: impl Into<String>) -> EventError {
    EventError::Invalid(why.into())
}

/// The host's name of the event: as it stands in it, or as the caller says if it has
/// none. The two must not differ: no hook would look at what the event is.
fn native(members: &Members<'_>, event: Option<&str>, names: &Names) -> Result<String, EventError> {
    let stated = members.text("hook_event_name");
    named(stated, event, names)?.ok_or_else(|| failed("the event has no `hook_event_name`"))
}

fn named(stated: Option<String>, event: Option<&str>, names: &Names) -> Result<Option<String>, EventError> {
    if stated.as_ref().is_some_and(|stated| stated.len() > NAME) {
        return Err(failed(format!("the event's name is longer than {NAME} bytes")));
    }
    let Some(event) = event else { return Ok(stated) };
    match stated {
        Some(stated) if translated(names, &stated) != translated(names, event) => {
            Err(failed(format!("the event is not a `{event}`, as the caller states")))
        }
        _ => Ok(Some(event.to_owned())),
    }
}

/// Names an event anew; the host's own name stays in it.
fn rename(members: &mut Members<'_>, native: &str, name: &str) {
    members.put("hook_event_name", name);
    if native != name {
        members.put("host_event_name", native);
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
    /// Stop the agent altogether.
    stops: bool,
}

/// The verdict as far as a host can be told: what it cannot do is refused, or
/// told to the user where that cannot be. A refusal always has a reason: some
/// agents take none without.
fn within(verdict: &Verdict, incoming: &Incoming, can: Can) -> Verdict {
    let mut verdict = if can.stops { verdict.clone() } else { stopped(verdict.clone(), incoming) };
    if !incoming.answers.context {
        let texts = crate::verdict::joined(&std::mem::take(&mut verdict.contexts));
        verdict.messages.extend(texts.map(|texts| format!("{}: {texts}", no_way(CONTEXT, incoming))));
    }
    if !incoming.answers.can_refuse() {
        return told_only(verdict, incoming, can);
    }
    if verdict.permission == Some(Permission::Defer) && !can.defers {
        verdict.permission = Some(Permission::Ask);
    }
    if verdict.permission == Some(Permission::Deny) || incoming.name != "PostToolUse" {
        lost(&mut verdict.messages, verdict.output.take_if(|_| !can.outputs).is_some(), OUTPUT, incoming);
    }
    let undoable = match verdict.permission {
        Some(Permission::Deny) => None,
        Some(Permission::Ask | Permission::Defer) if !can.asks => Some("asking the user"),
        _ if verdict.change.as_ref().is_some_and(|new| !can.changes || incoming.cannot_take(new)) => {
            Some(INPUT)
        }
        _ if verdict.prompt.is_some() && !can.prompts => Some(PROMPT),
        _ if verdict.output.is_some() && !can.outputs => Some(OUTPUT),
        _ => None,
    };
    if let Some(what) = undoable {
        let reason = verdict.reason().map(|reason| format!("{reason} ")).unwrap_or_default();
        let reason = format!("{reason}({})", no_way(what, incoming));
        return Verdict { messages: verdict.messages, ..Verdict::deny(reason) };
    }
    if verdict.permission == Some(Permission::Deny) {
        (verdict.change, verdict.prompt) = (None, None);
        if verdict.reasons.iter().all(|reason| reason.trim().is_empty()) {
            verdict.reasons = vec!["denied by a hook".to_owned()];
        }
    }
    verdict
}

const INPUT: &str = "changing the input";
const PROMPT: &str = "replacing the user's message";
const OUTPUT: &str = "replacing the tool's output";
const STOP: &str = "stopping the agent";
const CONTEXT: &str = "sending text to the model";

fn no_way(what: &str, incoming: &Incoming) -> String {
    format!("this agent does not support {what} at {}", incoming.native)
}

/// The verdict about an event that cannot be refused.
fn told_only(mut verdict: Verdict, incoming: &Incoming, can: Can) -> Verdict {
    if verdict.permission >= Some(Permission::Ask) {
        let reason = verdict.reason().unwrap_or_default();
        let refused = format!("a hook denies, but {} cannot be denied: {reason}", incoming.native);
        verdict.messages.push(refused);
    }
    let messages = &mut verdict.messages;
    lost(messages, verdict.change.take().is_some(), INPUT, incoming);
    lost(messages, verdict.prompt.take_if(|_| !can.prompts).is_some(), PROMPT, incoming);
    lost(messages, verdict.output.take_if(|_| !can.outputs).is_some(), OUTPUT, incoming);
    verdict.permission = None;
    verdict.reasons.clear();
    verdict.decision.clear();
    verdict
}

/// Tells what a hook wants that cannot be had and cannot be refused either.
fn lost(messages: &mut Vec<String>, lost: bool, what: &str, incoming: &Incoming) {
    if lost {
        messages.push(no_way(what, incoming));
    }
}

/// Asking about a request for a permission is what the agent does anyway.
fn requested(verdict: &Verdict, incoming: &Incoming) -> Verdict {
    let mut verdict = verdict.clone();
    let asked = matches!(verdict.permission, Some(Permission::Ask | Permission::Defer));
    if incoming.answers.refusal == agent::Refusal::Request && asked {
        verdict.permission = None;
        verdict.reasons.clear();
        verdict.decision.clear();
    }
    verdict
}

/// For events at which an agent cannot be stopped: a refusal is what comes next to
/// it. To refuse a stop would be the opposite, and an agent that stops needs no more.
fn stopped(mut verdict: Verdict, incoming: &Incoming) -> Verdict {
    let Some(stop) = verdict.stop.take() else { return verdict };
    let reason = if stop.trim().is_empty() { "stopped by a hook".to_owned() } else { stop };
    let stops = agent::is_stop(&incoming.name);
    if incoming.answers.can_refuse() && !stops {
        return Verdict { messages: verdict.messages, ..Verdict::deny(reason) };
    }
    if incoming.name != "Stop" {
        verdict.messages.push(format!("{}: {reason}", no_way(STOP, incoming)));
    }
    if stops {
        verdict.permission = None;
        verdict.reasons.clear();
    }
    verdict
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
fn rename_tool(members: &mut Members<'_>, tools: &Names) {
    let Some(native) = members.text("tool_name") else { return };
    let name = translated(tools, &native);
    if name != native {
        members.put("tool_name", name);
        members.put("host_tool_name", native);
    }
}

/// A tool's input that the host sent as JSON in a string.
fn parse_input(members: &mut Members<'_>) -> Result<(), EventError> {
    if let Some(text) = members.text("tool_input") {
        members.set("tool_input", parsed(text)?);
    }
    Ok(())
}

/// What stands in a text that may be JSON. One that begins as an object or an
/// array and is none must not pass for a text: no hook would match it.
fn parsed(text: String) -> Result<Box<RawValue>, EventError> {
    match serde_json::from_str::<&RawValue>(&text) {
        // Not a copy: it may be as long as an event may be.
        Ok(_) => RawValue::from_string(text).map_err(|error| failed(error.to_string())),
        Err(error) if text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[']) => {
            Err(failed(format!("the tool's input is not JSON: {error}")))
        }
        Err(_) => to_raw_value(&text).map_err(|error| failed(error.to_string())),
    }
}

/// What the host itself says about its event: whether it can be refused, and
/// whether the model can be told something.
fn answered(mut incoming: Incoming, refusable: bool, context: bool) -> Incoming {
    incoming.answers.context = context;
    if refusable && incoming.answers.status == agent::Statuses::None {
        // Of all hosts only Claude Code passes it over.
        incoming.answers.status = agent::Statuses::Two;
    }
    incoming.answers.refusal = match incoming.answers.refusal {
        _ if !refusable => agent::Refusal::None,
        agent::Refusal::None => agent::Refusal::Decision,
        own => own,
    };
    incoming
}

/// What the user is told, for hosts that show standard error only.
fn with_messages(mut answer: Answer, verdict: &Verdict) -> Answer {
    if let Some(text) = crate::verdict::joined(&verdict.messages) {
        answer.stderr.push_str(capped(&text));
        answer.stderr.push('\n');
    }
    answer
}
