//! The events of agents, and what each can be answered with.

use serde::Deserialize;

use super::{Agent, Id};

/// What a hook may want to happen at an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Capability {
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

impl Capability {
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
}

/// How an event is denied in the object that a handler prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DenialStyle {
    /// Not at all.
    #[default]
    None,
    /// `permissionDecision: deny`, which can also allow, ask and change the input.
    Permission,
    /// `decision: {behavior: deny}`, which can also allow and change the input.
    Request,
    /// `decision: block` and a reason.
    Decision,
    /// Exit status 2 and the reason on standard error.
    Status,
}

/// Which exit statuses of a handler deny.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DenyingExit {
    /// None.
    None,
    /// 2.
    Two,
    /// Every one but 0.
    Any,
}

impl DenyingExit {
    /// Whether this status denies.
    #[must_use]
    pub fn denies(self, code: i32) -> bool {
        match self {
            Self::None => false,
            Self::Two => code == 2,
            Self::Any => code != 0,
        }
    }
}

/// An event as an agent sends it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The agent's name of it.
    #[serde(skip)]
    pub name: String,
    /// Its type in the agent vocabulary; its own name if the vocabulary has none.
    #[serde(default, rename = "is")]
    pub event: String,
    /// The field that a matcher of the agent's file is compared with, if it reads one.
    pub matcher: Option<String>,
    /// The values of that field that are documented; the agent may add more.
    #[serde(default)]
    pub values: Vec<String>,
    /// The tool that it is about, if it is about one alone.
    pub tool: Option<String>,
    /// Whether it is one of several events of its type, each about a part of what the
    /// type is about.
    #[serde(default)]
    pub part: bool,
    /// Members of the event that are the input of its tool.
    #[serde(default)]
    pub input: Vec<String>,
    /// The member of the event that is the response of its tool.
    pub output: Option<String>,
    /// How it is denied, where Claude Code's vocabulary has it.
    #[serde(default)]
    pub denial: DenialStyle,
    /// Which exit statuses of a handler deny, if not those of [`Event::exit`].
    exit: Option<DenyingExit>,
    /// Whether plain text on standard output is context for the model.
    #[serde(default)]
    pub text: bool,
    /// What an answer can make happen.
    can: Vec<Capability>,
}

impl Event {
    /// Whether an answer can make this happen.
    #[must_use]
    pub fn can(&self, capability: Capability) -> bool {
        self.can.contains(&capability)
    }

    /// Which exit statuses of a handler deny: 2, unless the data says otherwise.
    #[must_use]
    pub fn exit(&self) -> DenyingExit {
        let usual = if self.can(Capability::Deny) { DenyingExit::Two } else { DenyingExit::None };
        self.exit.unwrap_or(usual)
    }
}

/// What an event can be answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventCapabilities {
    /// Its type in the vocabulary; empty for one that nobody knows.
    pub event: &'static str,
    /// How it is denied.
    pub denial: DenialStyle,
    /// Whether the model can be given a context.
    pub context: bool,
    /// Whether plain text on standard output is such a context.
    pub text: bool,
    /// Which exit statuses of a handler deny.
    pub exit: DenyingExit,
}

/// An event type that nobody knows: it is let through.
const UNKNOWN: EventCapabilities = EventCapabilities {
    event: "",
    denial: DenialStyle::None,
    context: false,
    text: false,
    exit: DenyingExit::None,
};

/// What an event type of the vocabulary can be answered with: what Claude Code takes.
#[must_use]
pub fn capabilities(event: &str) -> EventCapabilities {
    Id::Claude.agent().event(event).map_or(UNKNOWN, |own| EventCapabilities {
        event: own.name.as_str(),
        denial: own.denial,
        context: own.can(Capability::Inject),
        text: own.text,
        exit: own.exit(),
    })
}

impl EventCapabilities {
    /// Whether the event can be denied.
    #[must_use]
    pub fn can_deny(&self) -> bool {
        self.denial != DenialStyle::None
    }
}

impl Agent {
    /// What an event of this agent can be answered with. The names are its own.
    #[must_use]
    pub fn capabilities(&self, event: &str) -> EventCapabilities {
        let mut all = capabilities(self.translated(event));
        if self.name == Id::Claude.name() {
            return all;
        }
        all.context = self.can(event, Capability::Inject);
        // Unlisted events of an agent that follows another one are denied as there.
        let follows = self.protocol.extends.is_some() && self.event(event).is_none();
        let denied = self.can(event, Capability::Deny) || (follows && all.can_deny());
        all.denial = match all.denial {
            _ if !denied => DenialStyle::None,
            DenialStyle::None => DenialStyle::Decision,
            own => own,
        };
        if denied && (all.exit == DenyingExit::None || self.protocol.extends.is_some()) {
            // Of all agents only Claude Code ignores it at a request for a permission.
            all.exit = DenyingExit::Two;
        }
        all
    }
}
