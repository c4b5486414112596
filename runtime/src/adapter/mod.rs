//! Adapters convert what an agent sends to an event of the language, and verdicts to the exact
//! format that the agent reads.
//!
//! The facts about an agent are data ([`hookc_schema::agents`]). Events of other agents become
//! those of the agent vocabulary (`BeforeTool` becomes `PreToolUse`), and tools that all agents
//! have get the vocabulary's names (`run_shell_command` becomes `Bash`), so that one policy works
//! for all of them. The agent's own names stay in the event as `host_event_name` and
//! `host_tool_name`.
//!
//! `read.rs` reads events, `abilities.rs` limits a verdict to what the agent can do, and `written.rs` writes the
//! answers whose form is data, `rpc.rs` the messages around events and answers; other answers have a file each. Without a verdict nothing is printed. If a hook demands something
//! that the agent cannot do (ask, change the input), the event is denied with the reason where a
//! denial is possible; it is never treated as approval.

mod abilities;
mod claude;
mod codex;
mod copilot;
mod edit;
mod facts;
mod fields;
mod flat;
mod list;
mod members;
mod names;
mod object;
mod patch;
mod project;
mod read;
pub mod rpc;
mod sender;
mod server;
mod success;
mod vscode;
mod written;

use std::path::PathBuf;

use abilities::Abilities;
use fields::Field;
use hookc_schema::agents::{Agent, DenialStyle, DenyingExit, Event as Listed, EventCapabilities, Id};
use list::Several;
use members::Members;
pub use names::{MisnamedEvent, misnamed};
pub(crate) use names::{Unexpected, unexpected};
pub use object::Printed;
use object::{Json, Member, Object};
pub use project::repositories;
pub(crate) use project::{Context as ProjectContext, PROJECT};
pub(crate) use sender::Sender;
pub use sender::is_of_another;
use serde_json::Value;
pub(crate) use server::SERVER;
pub(crate) use success::SUCCESS;

use crate::event::Event;
use crate::event::EventError;
use crate::verdict::{Change, Verdict};

/// The maximum length of a text for agents, in characters; the rest is truncated.
pub(crate) const TEXT: usize = 10_000;

/// The answer to an agent: its outputs and the exit status.
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
    /// No output, and status 0.
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

    /// Adds messages for the user, for agents that show only standard error.
    pub(crate) fn with_messages(mut self, messages: &[String]) -> Self {
        if let Some(text) = crate::verdict::joined(messages) {
            self.stderr.push_str(capped(&text));
            self.stderr.push('\n');
        }
        self
    }
}

/// The event made of `made`; if it would exceed the limit of an event, the original bytes, which
/// cannot be decided.
fn event_of(made: Option<Event>, sent: Vec<u8>) -> Event {
    made.unwrap_or_else(|| Event::oversized(sent))
}

/// An event from an agent.
#[derive(Debug)]
pub struct Incoming {
    /// The event for the decision; of a patch or a list, that about the file or the element that was
    /// [selected](Self::select).
    pub event: Event,
    /// Its type in the agent vocabulary.
    pub name: String,
    /// Its type in the agent's names.
    pub native: String,
    /// The possible answers.
    pub capabilities: EventCapabilities,
    /// The files of a patch or the elements of a list, if there are several.
    several: Option<Several>,
    /// The agent that sent it.
    agent: &'static Agent,
    /// Fields of the tool's input with other names at the agent: the vocabulary's name, and the
    /// agent's, if it has such a field.
    fields: Vec<Field>,
    /// Whether the tool's input was no object: it cannot represent a change.
    is_bare: bool,
}

impl Incoming {
    fn new(agent: &'static Agent, event: Event, name: String, native: String) -> Self {
        let capabilities = agent.capabilities(&native);
        Self { event, name, native, capabilities, several: None, agent, fields: Vec::new(), is_bare: false }
    }

    /// Adds a member to the event, if `value` has one for it. A member of that name stays.
    fn add_member(&mut self, name: &str, value: impl FnOnce(&Self) -> Option<Value>) {
        if self.event.is_oversized() || self.event.raw(name).is_some() {
            return;
        }
        if let Some(value) = value(self) {
            let event = std::mem::replace(&mut self.event, Event::new(Vec::new()));
            self.event = event.with_member(name, &value);
        }
    }

    /// With the files of a patch or the elements of a list; the event is about the first.
    fn with_several(mut self, several: Option<Several>) -> Self {
        self.several = several;
        self.select(0);
        self.several = self.several.filter(|several| several.len() > 1);
        self
    }

    /// Whether it would exceed the limit of an event under the vocabulary's names: it then cannot
    /// be decided, and its bytes are those that the agent sent.
    #[must_use]
    pub fn is_oversized(&self) -> bool {
        self.event.is_oversized()
    }

    /// Whether it is decided about several times: it is about several files, or a list of commands.
    #[must_use]
    pub fn has_several(&self) -> bool {
        self.several.is_some()
    }

    /// How many events are decided about: one, or one for each file of a patch or element of a list.
    #[must_use]
    pub fn count(&self) -> usize {
        self.several.as_ref().map_or(1, Several::len)
    }

    /// Makes [`event`](Self::event) the one about another file of a patch or element of a list, which
    /// is made in place: each has the whole input. The first is there from the start.
    pub fn select(&mut self, at: usize) {
        if let Some(several) = &mut self.several {
            let event = std::mem::replace(&mut self.event, Event::new(Vec::new()));
            self.event = several.about(event, at);
        }
    }

    /// Whether the agent discards messages for the user at this event.
    fn discards_messages(&self) -> bool {
        self.agent.event(&self.native).is_some_and(|event| event.discards_messages)
    }

    /// Whether the agent sends it as a prompt, although it continues its turn: each prompt that it has is an empty text.
    /// hookc runs no hook for it and does not record it.
    #[must_use]
    pub fn continues_turn(&self) -> bool {
        let members = self.agent.event(&self.native).map_or(&[][..], |event| &event.prompt);
        let mut prompts = members.iter().filter_map(|member| self.event.raw(member)).peekable();
        prompts.peek().is_some() && prompts.all(|prompt| prompt == "\"\"")
    }

    /// The exit statuses of hookc by which the agent denies it. Those of handlers are in
    /// [`capabilities`](Self::capabilities): a policy's handlers deny alike at all agents.
    fn denying_exit(&self) -> DenyingExit {
        self.agent.event(&self.native).map_or(self.capabilities.exit, Listed::exit)
    }

    fn stops_again(&self) -> bool {
        self.event.stops_again(&self.name)
    }

    /// The verdict limited to what the agent can do at this event.
    fn limited(&self, verdict: &Verdict) -> Verdict {
        let verdict = abilities::without_question(verdict.clone(), self);
        abilities::limited(verdict, self, Abilities::for_event(self))
    }

    /// What the agent can make of a verdict; without a change for an event that cannot be denied.
    pub(crate) fn possible(&self, verdict: &Verdict) -> Verdict {
        match self.capabilities.can_deny() {
            true => self.limited(verdict),
            false => verdict.clone(),
        }
    }

    /// The member with the session that started this one.
    pub(crate) fn parent(&self) -> Option<&'static str> {
        self.agent.protocol.parent.as_deref()
    }

    /// The root of the project.
    pub(crate) fn project(&self, context: &ProjectContext<'_>) -> Option<PathBuf> {
        let text = self.event.text(PROJECT).map(|text| PathBuf::from(text.into_owned()));
        text.or_else(|| context.root(self.agent, &self.event))
    }

    /// The verdict if nobody can be asked: a denial in place of a question, and of a postponement that this agent would
    /// turn into a question.
    pub(crate) fn without_asking(&self, verdict: Verdict) -> Verdict {
        abilities::without_asking(verdict, self)
    }

    /// The complete new input that a change produces.
    fn changed(&self, change: &Change) -> Members<'_> {
        fields::changed(&self.fields, tool_input(&self.event), change)
    }

    /// The complete new input as printed for the agent.
    fn changed_json(&self, change: &Change) -> Json {
        Json::Raw(self.changed(change).to_json())
    }

    /// Whether a change is impossible: the tool's input is not an object, or cannot represent the
    /// change, as a patch cannot represent another file path.
    fn cannot_take(&self, change: &Change) -> bool {
        let event = &self.event;
        self.is_bare
            || event.is_dense_in("tool_input")
            || (self.agent.protocol.merges_input && !self.keeps_all_members(change))
            || fields::is_lost(&self.fields, &tool_input(event), change)
    }

    /// Whether a change keeps every member of the tool's input.
    fn keeps_all_members(&self, change: &Change) -> bool {
        let is_native = |key: &&String| !fields::is_ours(&self.fields, key);
        let names = self.event.names_in("tool_input");
        let new = self.changed(change);
        let new = new.names();
        names.iter().filter(is_native).all(|key| new.contains(key.as_str()))
    }
}

/// The tool's input as an event has it.
fn tool_input(event: &Event) -> Members<'_> {
    event.raw("tool_input").map(Members::last).unwrap_or_default()
}

/// Reads the events of an agent and writes its answers.
pub trait Adapter: Sync {
    /// The agent.
    fn id(&self) -> Id;

    /// The data of the agent.
    fn agent(&self) -> &'static Agent {
        self.id().agent()
    }

    /// The agent's name on the command line, which is known without its data.
    fn name(&self) -> &'static str {
        self.id().name()
    }

    /// Reads an event. `event` is the agent's name of it, for agents that do not send the name.
    ///
    /// # Errors
    /// The input is not an event of this agent. Only an [`EventError::Quoting`] quotes parts of it.
    fn read(&self, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, EventError> {
        read::event(self.agent(), bytes, event)
    }

    /// Writes the verdict of the hooks in the agent's format.
    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer;

    /// Denies an event without a decision; `incoming` is the event, if it could be read. An agent
    /// that was already kept from stopping may stop: it cannot repair the failure and would
    /// continue forever.
    fn refuse(&self, incoming: Option<&Incoming>, reason: &str) -> Answer {
        refused(self, incoming, reason)
    }

    /// Denies an event that cannot be read. `sent` is its beginning, and `event` the agent's name of it, if the call
    /// has one.
    fn refuse_unread(&self, event: Option<&str>, sent: &[u8], reason: &str) -> Answer {
        let _ = (event, sent);
        self.refuse(None, reason)
    }

    /// The answer if hooks are switched off: nothing, for agents that take that as no opinion.
    fn without_opinion(&self, event: Option<&str>) -> Answer {
        let _ = event;
        Answer::silent()
    }

    /// Lets an event without a decision pass, and reports the reason: with exit status 1, or with 0
    /// if other statuses deny.
    fn pass(&self, incoming: Option<&Incoming>, reason: &str) -> Answer {
        passed(incoming, reason)
    }
}

/// Denies an event without a decision: by the exit status, or in an answer where no status denies.
fn refused(adapter: &(impl Adapter + ?Sized), incoming: Option<&Incoming>, reason: &str) -> Answer {
    match incoming {
        Some(incoming) if incoming.stops_again() => adapter.pass(Some(incoming), reason),
        Some(incoming) if !incoming.capabilities.can_deny() => Answer::status(1, reason),
        Some(incoming)
            if incoming.capabilities.denial == DenialStyle::Request || !incoming.denying_exit().denies(2) =>
        {
            adapter.answer(incoming, &Verdict::deny(reason))
        }
        _ => Answer::status(2, reason),
    }
}

/// The status of an event that passes without a decision, and the reason.
fn passed(incoming: Option<&Incoming>, reason: &str) -> Answer {
    let any = incoming.is_some_and(|incoming| incoming.denying_exit() == DenyingExit::Any);
    Answer::status(if any { 0 } else { 1 }, reason)
}

/// The adapters of all agents that `hookc run` answers.
pub fn all() -> impl Iterator<Item = &'static dyn Adapter> {
    Id::ANSWERED.iter().map(adapter)
}

/// The adapter of an agent: code for those whose answers depend on more than data can say.
fn adapter(id: &'static Id) -> &'static dyn Adapter {
    match id {
        Id::Claude => &claude::Claude,
        Id::Codex => &codex::Codex,
        Id::Copilot => &copilot::Copilot,
        Id::Flat => &flat::Flat,
        Id::Vscode => &vscode::Vscode,
        by_data => by_data,
    }
}

/// The adapter with an agent's name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Adapter> {
    Id::ANSWERED.iter().find(|id| id.name() == name).map(adapter)
}

/// A text truncated to a number of characters.
pub(crate) fn capped(text: &str) -> &str {
    text.char_indices().nth(TEXT).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

/// Several texts joined and truncated.
fn joined(texts: &[String]) -> Option<Value> {
    crate::verdict::joined(texts).map(|text| Value::from(capped(&text)))
}

fn put(object: &mut Object, name: &str, value: impl Member) {
    object.put(name, value);
}

fn failed(why: impl Into<String>) -> EventError {
    EventError::Invalid(why.into())
}

/// A value with all texts truncated.
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
