//! The coding agents, as data: one file of `schema/data/agents` each.
//!
//! A file states which events an agent sends, their names, the possible answers to each, the
//! agent's names for tools, and the format of its own hooks file. The checker looks up what an
//! action does there, the front ends read hooks files by it, and a test of the runtime checks every
//! adapter against it.

mod form;
mod load;

use std::sync::OnceLock;

pub use form::{Form, Handler, Key, Kind};

/// An effect that a hook can request at an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Allow it without asking.
    Allow,
    /// Deny it.
    Deny,
    /// The user decides.
    Ask,
    /// Defer it.
    Defer,
    /// It happens with another input.
    Modify,
    /// Add context for the model.
    Inject,
    /// The model reads another output of the tool.
    Output,
    /// Replace the user's message.
    Prompt,
    /// The agent stops altogether.
    Stop,
}

impl Verdict {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::Allow,
        Self::Deny,
        Self::Ask,
        Self::Defer,
        Self::Modify,
        Self::Inject,
        Self::Output,
        Self::Prompt,
        Self::Stop,
    ];

    /// Its name in the data.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Defer => "defer",
            Self::Modify => "modify",
            Self::Inject => "inject",
            Self::Output => "output",
            Self::Prompt => "prompt",
            Self::Stop => "stop",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|verdict| verdict.name() == name)
    }
}

/// An event as an agent sends it.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The agent's name of it.
    pub name: String,
    /// Its type in the agent vocabulary; its own name if the vocabulary has none.
    pub event: String,
    /// The field that a matcher in the agent's file tests, if the agent reads one.
    pub matcher: Option<String>,
    /// The tool of the event, if it is about a single tool.
    pub tool: Option<String>,
    /// Whether it is one of several events of its type, each of which covers a part of the type.
    pub part: bool,
    /// The effects that an answer can have.
    can: Vec<Verdict>,
}

impl Event {
    /// Whether an answer can have this effect.
    #[must_use]
    pub fn can(&self, verdict: Verdict) -> bool {
        self.can.contains(&verdict)
    }
}

/// A coding agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Agent {
    /// Its name on the command line.
    pub name: String,
    /// Its name for people.
    pub label: String,
    /// Whether `hookc run` supports it.
    pub host: bool,
    /// Its events. Of several for one type of the vocabulary the first covers them all.
    pub events: Vec<Event>,
    /// Its names of tools, and those of the vocabulary.
    pub tools: Vec<(String, String)>,
    /// The format of its own hooks file, if it differs from Claude Code's.
    pub form: Option<Form>,
}

impl Agent {
    /// Its event of that name.
    #[must_use]
    pub fn event(&self, name: &str) -> Option<&Event> {
        self.events.iter().find(|event| event.name == name)
    }

    /// Its events of a type of the vocabulary.
    pub fn events_of<'a>(&'a self, event: &'a str) -> impl Iterator<Item = &'a Event> {
        self.events.iter().filter(move |own| own.event == event)
    }

    /// The vocabulary's name of a tool.
    #[must_use]
    pub fn tool<'t>(&'t self, name: &'t str) -> &'t str {
        self.tools.iter().find(|(own, _)| own == name).map_or(name, |(_, tool)| tool.as_str())
    }
}

/// All known agents.
#[must_use]
pub fn all() -> &'static [Agent] {
    static ALL: OnceLock<Vec<Agent>> = OnceLock::new();
    ALL.get_or_init(|| load::all(&mut Vec::new()))
}

/// The agents that `hookc run` supports.
pub fn hosts() -> impl Iterator<Item = &'static Agent> {
    all().iter().filter(|agent| agent.host)
}

/// The agent of a name.
#[must_use]
pub fn of(name: &str) -> Option<&'static Agent> {
    all().iter().find(|agent| agent.name == name)
}

/// The agents that have an event under this name which the vocabulary does not have.
pub fn owners(event: &str) -> impl Iterator<Item = &'static Agent> {
    let own = move |agent: &&Agent| agent.event(event).is_some_and(|own| own.event == event);
    all().iter().filter(own)
}
