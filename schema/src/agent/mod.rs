//! The coding agents, as data: one file of `schema/data/agents` each.
//!
//! A file says which events an agent sends, under which names, what each of them can
//! be answered with, how the agent names its tools, and how its own hooks file looks.
//! The checker asks it what an action comes to, the front ends read by it, and a test
//! of the runtime runs every adapter against it.

mod form;
mod load;

use std::sync::OnceLock;

pub use form::{Form, Handler, Key, Kind};

/// What a hook may want to happen at an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// It may happen, without asking.
    Allow,
    /// It may not.
    Deny,
    /// The user decides.
    Ask,
    /// It is put off.
    Defer,
    /// It happens with another input.
    Modify,
    /// The model reads something beside.
    Inject,
    /// The model reads another output of the tool.
    Output,
    /// Another message takes the place of the user's.
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
    /// The field that a matcher of the agent's file is held against, if it reads one.
    pub matcher: Option<String>,
    /// The tool that it is about, if it is about one alone.
    pub tool: Option<String>,
    /// Whether it is one of several events of its type, each about a part of what the
    /// type is about.
    pub part: bool,
    /// What an answer can make happen.
    can: Vec<Verdict>,
}

impl Event {
    /// Whether an answer can make this happen.
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
    /// What people call it.
    pub label: String,
    /// Whether `hookc run` answers it.
    pub host: bool,
    /// Its events. Of several for one type of the vocabulary the first covers them all.
    pub events: Vec<Event>,
    /// Its names of tools, and those of the vocabulary.
    pub tools: Vec<(String, String)>,
    /// How its own hooks file looks, if there is one that is not Claude Code's.
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

/// All agents that are known.
#[must_use]
pub fn all() -> &'static [Agent] {
    static ALL: OnceLock<Vec<Agent>> = OnceLock::new();
    ALL.get_or_init(|| load::all(&mut Vec::new()))
}

/// Those that `hookc run` answers.
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
