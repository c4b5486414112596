//! Adapters: from what an agent sends to an event of the language, and from verdicts to
//! exactly what that agent reads.
//!
//! What is known of an agent is data ([`hookc_schema::agents`]). Events of other agents
//! become those of the agent vocabulary (`BeforeTool` is `PreToolUse`), and the names of
//! the tools that all agents have become those that the vocabulary's policies use
//! (`run_shell_command` is `Bash`), so that one policy serves them all. The names that
//! the agent sent stay in the event as `host_event_name` and `host_tool_name`.
//!
//! `read.rs` reads events, `abilities.rs` limits a verdict to what the agent can do, and
//! a file for each agent writes its answers. Without a verdict nothing is printed. What
//! an agent cannot do that a hook demands (ask, change the input) is denied where it
//! matters, with the reason, and never passed for a yes.

mod abilities;
mod claude;
mod codex;
mod copilot;
mod cursor;
mod escaped;
mod fields;
mod flat;
mod gemini;
mod members;
mod names;
mod object;
mod patch;
mod read;

use std::ops::Deref;

use fields::Field;
use hookc_schema::agents::{Agent, DenialStyle, DenyingExit, EventCapabilities};
use members::Members;
pub use names::{MisnamedEvent, misnamed};
pub use object::Printed;
use object::{Json, Member, Object};
use patch::Files;
use serde_json::Value;

use crate::event::Event;
use crate::event::EventError;
use crate::verdict::{Change, Verdict};

/// Characters of a text that agents read; the rest is cut off.
pub(crate) const TEXT: usize = 10_000;

/// What an agent gets: what is printed, and the exit status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
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

    /// With messages for the user, for agents that show standard error only.
    fn with_messages(mut self, verdict: &Verdict) -> Self {
        if let Some(text) = crate::verdict::joined(&verdict.messages) {
            self.stderr.push_str(capped(&text));
            self.stderr.push('\n');
        }
        self
    }
}

/// The event that bytes become which `made` was put together of: if it would be larger
/// than an event may be, the bytes as they came, which nothing is decided about.
fn event_of(made: Option<Event>, sent: Vec<u8>) -> Event {
    made.unwrap_or_else(|| Event::oversized(sent))
}

/// An event that came from an agent.
#[derive(Debug)]
pub struct Incoming {
    /// The event as it is decided about. Of a patch over several files, what its
    /// [events](Self::events) have in common.
    pub event: Event,
    /// Its type in the agent vocabulary.
    pub name: String,
    /// Its type as the agent has it.
    pub native: String,
    /// What it can be answered with.
    pub capabilities: EventCapabilities,
    /// The files of a patch that is about several.
    files: Option<Files>,
    /// The agent that sent it.
    agent: &'static Agent,
    /// Fields of the tool's input that are called otherwise there: by the
    /// vocabulary, and by the agent, which may not have them at all.
    fields: Vec<Field>,
}

impl Incoming {
    fn new(agent: &'static Agent, event: Event, name: String, native: String) -> Self {
        let capabilities = agent.capabilities(&native);
        Self { event, name, native, capabilities, files: None, agent, fields: Vec::new() }
    }

    /// With the files of a patch; the event is what those about them have in common.
    fn with_files(mut self, files: Option<Files>) -> Self {
        match files {
            Some(files) if files.len() > 1 => self.files = Some(files),
            Some(one) => self.event = one.event(&self.event, 0).unwrap_or(self.event),
            None => {}
        }
        self
    }

    /// Whether it would be larger than an event may be under the vocabulary's names: it
    /// cannot be decided about, and its bytes are those that the agent sent.
    #[must_use]
    pub fn is_oversized(&self) -> bool {
        self.event.is_oversized()
    }

    /// Whether it is decided about several times: it is about several files.
    #[must_use]
    pub fn has_several(&self) -> bool {
        self.files.is_some()
    }

    /// The events that are decided about: one, or one for each file of a patch. Each has the
    /// whole patch, and is built when the iterator comes to it.
    pub fn events(&self) -> impl Iterator<Item = OneEvent<'_>> {
        let count = self.files.as_ref().map_or(1, Files::len);
        (0..count).filter_map(|at| match &self.files {
            Some(files) => files.event(&self.event, at).map(OneEvent::OfFile),
            None => Some(OneEvent::Only(&self.event)),
        })
    }

    fn stops_again(&self) -> bool {
        self.event.stops_again(&self.name)
    }

    /// The whole new input that a change makes of the event's.
    fn changed(&self, change: &Change) -> Members<'_> {
        fields::changed(&self.fields, tool_input(&self.event), change)
    }

    /// The same as it is printed.
    fn changed_json(&self, change: &Change) -> Json {
        Json::Raw(self.changed(change).to_json())
    }

    /// Whether a change cannot be made: the tool's input cannot be taken apart, or has
    /// no place for it, as a patch for its file.
    fn cannot_take(&self, change: &Change) -> bool {
        let first = self.events().next();
        let event = first.as_deref().unwrap_or(&self.event);
        event.is_dense_in("tool_input") || fields::is_lost(&self.fields, &tool_input(event), change)
    }
}

/// The tool's input as an event has it.
fn tool_input(event: &Event) -> Members<'_> {
    event.raw("tool_input").map(Members::last).unwrap_or_default()
}

/// One of the events that a call is about.
#[derive(Debug)]
pub enum OneEvent<'a> {
    /// The only one.
    Only(&'a Event),
    /// About one file of a patch, built from what all of them have in common.
    OfFile(Event),
}

impl Deref for OneEvent<'_> {
    type Target = Event;

    fn deref(&self) -> &Event {
        match self {
            Self::Only(event) => event,
            Self::OfFile(event) => event,
        }
    }
}

/// How an agent is answered.
pub trait Adapter: Sync {
    /// What is known of the agent.
    fn agent(&self) -> &'static Agent;

    /// Its name on the command line.
    fn name(&self) -> &'static str {
        &self.agent().name
    }

    /// Reads what the agent sent; `event` is the agent's name of the event, for
    /// agents that do not send it.
    ///
    /// # Errors
    /// It is not an event of this agent. Only an [`EventError::Quoting`] quotes anything of
    /// the event.
    fn read(&self, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, EventError> {
        read::event(self.agent(), bytes, event)
    }

    /// The verdict of the hooks, as the agent reads it.
    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer;

    /// Denies because nothing could be decided; `incoming` is what is known of
    /// the event, if it is one. An agent that was kept from stopping already may
    /// stop: it cannot mend what fails here, and would go on for ever.
    fn refuse(&self, incoming: Option<&Incoming>, reason: &str) -> Answer {
        match incoming {
            Some(incoming) if incoming.stops_again() => self.pass(Some(incoming), reason),
            Some(incoming) if !incoming.capabilities.can_deny() => Answer::status(1, reason),
            Some(incoming) if incoming.capabilities.denial == DenialStyle::Request => {
                self.answer(incoming, &Verdict::deny(reason))
            }
            _ => Answer::status(2, reason),
        }
    }

    /// Lets the event pass although nothing could be decided, with the reason: with exit
    /// status 1, or 0 where any other denies.
    fn pass(&self, incoming: Option<&Incoming>, reason: &str) -> Answer {
        let any = incoming.is_some_and(|incoming| incoming.capabilities.exit == DenyingExit::Any);
        Answer::status(if any { 0 } else { 1 }, reason)
    }
}

/// The adapters of all agents that are answered.
pub const ALL: &[&dyn Adapter] =
    &[&claude::Claude, &flat::Flat, &gemini::Gemini, &codex::Codex, &cursor::Cursor, &copilot::Copilot];

/// The adapter of an agent's name.
#[must_use]
pub fn of(name: &str) -> Option<&'static dyn Adapter> {
    ALL.iter().copied().find(|adapter| adapter.name() == name)
}

/// At most so many characters of a text as agents read.
fn capped(text: &str) -> &str {
    text.char_indices().nth(TEXT).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

/// Several texts as one, capped.
fn joined(texts: &[String]) -> Option<Value> {
    crate::verdict::joined(texts).map(|text| Value::from(capped(&text)))
}

fn put(object: &mut Object, name: &str, value: impl Member) {
    object.put(name, value);
}

fn failed(why: impl Into<String>) -> EventError {
    EventError::Invalid(why.into())
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
