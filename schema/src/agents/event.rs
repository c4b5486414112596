//! The events of agents, and the supported answers to each.

use std::time::Duration;

use serde::Deserialize;

use super::{Agent, Id, load};
use crate::limits::ANSWER_TIME;

hookc_base::named_enums! {
    /// An effect that a hook can have on an event.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Capability name {
        /// Allow the event without asking.
        Allow "allow";
        /// Deny the event.
        Deny "deny";
        /// Ask the user.
        Ask "ask";
        /// Defer the event.
        Defer "defer";
        /// Change the tool's input.
        Modify "modify";
        /// Give the model additional context.
        Inject "inject";
        /// Replace the tool's output for the model.
        Output "output";
        /// Replace the user's message.
        Prompt "prompt";
        /// Stop the agent.
        Stop "stop";
    }
}

/// How the printed object of a handler denies an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DenialStyle {
    /// The object cannot deny it.
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

/// The exit statuses of a handler that deny.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DenyingExit {
    /// None.
    None,
    /// 2.
    Two,
    /// Every status except 0.
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

/// What denies an event in place of a program that cannot start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnstartedDenial {
    /// Exit status 2.
    ExitStatus,
    /// Only a printed answer: the agent ignores the exit status.
    Answer,
}

/// An event of an agent.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Its name at the agent.
    #[serde(skip)]
    pub name: String,
    /// Its type in the agent vocabulary; its own name if the vocabulary does not have it.
    #[serde(default, rename = "is")]
    pub event: String,
    /// The field that a matcher in the agent's file tests, if the agent reads matchers.
    pub matcher: Option<String>,
    /// The documented values of that field; the agent may add more.
    #[serde(default)]
    pub values: Vec<String>,
    /// The only tool that the event is for, if there is one.
    pub tool: Option<String>,
    /// Whether several events of the agent have its type, each for some of the cases.
    #[serde(default)]
    pub part: bool,
    /// Members of the event that are the input of its tool.
    #[serde(default)]
    pub input: Vec<String>,
    /// The member of the event that is the response of its tool.
    pub output: Option<String>,
    /// How an answer denies it, in terms of Claude Code's vocabulary.
    #[serde(default)]
    pub denial: DenialStyle,
    /// The timeout in seconds of a handler without one, if it differs from that of the handler's
    /// type.
    pub timeout: Option<u32>,
    /// The longest timeout in seconds: the agent cuts a longer one.
    pub longest: Option<u32>,
    /// The seconds that the agent waits for all handlers of the event together, unless its settings set a longer
    /// timeout for one of them.
    pub wait: Option<f64>,
    /// Whether a handler that takes longer than its timeout denies the event.
    #[serde(default)]
    pub timeout_denies: bool,
    /// Whether its entries are handlers although those of other events are groups.
    #[serde(default)]
    pub alone: bool,
    /// Whether the agent, or a part of it, wants to end its work: a denial makes it continue.
    #[serde(default)]
    pub ends: bool,
    /// The texts of a prompt. If all that the event has are empty, the agent is continuing its turn, and hookc runs no
    /// hook.
    #[serde(default)]
    pub prompt: Vec<String>,
    /// The value that a matcher is compared with, if it is always the same one.
    pub matches: Option<String>,
    /// The exit statuses of a handler that deny, if not those of [`Event::exit`].
    exit: Option<DenyingExit>,
    /// Whether plain text on standard output is context for the model.
    #[serde(default)]
    pub text: bool,
    /// Whether the agent discards messages for the user in an answer.
    #[serde(default)]
    pub discards_messages: bool,
    /// The effects that an answer can have.
    can: Vec<Capability>,
    /// Effects that an answer had in a tested version, although the agent's documentation excludes
    /// them. `hookc run` writes such answers, and no check relies on them.
    #[serde(default)]
    undocumented: Vec<Capability>,
    /// What an effect does not include although its name suggests it, by the effect.
    #[serde(default, deserialize_with = "load::pairs")]
    caveats: Vec<(String, String)>,
}

impl Event {
    /// Whether an answer can have this effect.
    #[must_use]
    pub fn can(&self, capability: Capability) -> bool {
        self.can.contains(&capability)
    }

    /// What this effect does not include, although its name suggests it.
    #[must_use]
    pub fn caveat(&self, capability: Capability) -> Option<&str> {
        self.caveats.iter().find(|(name, _)| name == capability.name()).map(|(_, text)| text.as_str())
    }

    /// Whether an answer had this effect in a tested version, although the agent's documentation
    /// excludes it.
    #[must_use]
    pub fn is_undocumented(&self, capability: Capability) -> bool {
        self.undocumented.contains(&capability)
    }

    /// Whether `hookc run` writes an answer for this effect.
    #[must_use]
    pub fn is_written(&self, capability: Capability) -> bool {
        self.can(capability) || self.is_undocumented(capability)
    }

    /// The exit statuses of a handler that deny: 2 unless the data has others.
    #[must_use]
    pub fn exit(&self) -> DenyingExit {
        let usual = if self.can(Capability::Deny) { DenyingExit::Two } else { DenyingExit::None };
        self.exit.unwrap_or(usual)
    }
}

/// The supported answers to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventCapabilities {
    /// Its type in the vocabulary; empty for an unknown event.
    pub event: &'static str,
    /// How an answer denies it.
    pub denial: DenialStyle,
    /// Whether an answer can give the model context.
    pub context: bool,
    /// Whether plain text on standard output is such a context.
    pub text: bool,
    /// The exit statuses of a handler that deny.
    pub exit: DenyingExit,
    /// Whether a handler that takes longer than its timeout denies it.
    pub timeout_denies: bool,
    /// How long an agent waits for an answer, unless its settings name another timeout. None if the event has no
    /// agent that waits.
    pub wait: Option<Duration>,
}

/// An unknown event type: it passes.
const UNKNOWN: EventCapabilities = EventCapabilities {
    event: "",
    denial: DenialStyle::None,
    context: false,
    text: false,
    exit: DenyingExit::None,
    timeout_denies: false,
    wait: None,
};

/// The supported answers to an event type of the vocabulary: those of Claude Code.
#[must_use]
pub fn capabilities(event: &str) -> EventCapabilities {
    Id::Claude.agent().event(event).map_or(UNKNOWN, |known| EventCapabilities {
        event: known.name.as_str(),
        denial: known.denial,
        context: known.can(Capability::Inject),
        text: known.text,
        exit: known.exit(),
        timeout_denies: known.timeout_denies,
        wait: None,
    })
}

/// The timeout of a command without one at an event type of the agent vocabulary: that of Claude Code, however long
/// an agent waits for its answer.
#[must_use]
pub fn command_timeout(event: &str) -> Duration {
    let seconds = Id::Claude.agent().command_handler().map(|handler| handler.seconds(event));
    Duration::from_secs(seconds.map_or(COMMAND, u64::from))
}

/// The seconds of a command without a timeout if the data has none.
const COMMAND: u64 = 600;

impl EventCapabilities {
    /// Whether the event can be denied.
    #[must_use]
    pub fn can_deny(&self) -> bool {
        self.denial != DenialStyle::None
    }

    /// How long an action that the answer waits for may take at an event type of the agent vocabulary, if it has no
    /// timeout: it ends before the agent stops waiting, if the agent reads anything in an answer.
    #[must_use]
    pub fn action_timeout(&self, event: &str) -> Duration {
        let timeout = command_timeout(event);
        let is_read = self.can_deny() || self.context;
        self.wait.filter(|_| is_read).map_or(timeout, |wait| timeout.min(before_answer(wait)))
    }
}

/// The part of an agent's `wait` for an answer after which the answer must be made.
#[must_use]
pub fn before_answer(wait: Duration) -> Duration {
    wait.saturating_sub(ANSWER_TIME).max(wait / 2)
}

impl Agent {
    /// What denies an event, by the agent's name, in place of a program that cannot start. None if nothing does, or if
    /// the agent could end up in a loop that nothing ends.
    #[must_use]
    pub fn denial_without_program(&self, event: &str) -> Option<UnstartedDenial> {
        let ends = |name: &str| Id::Claude.agent().event(name).is_some_and(|known| known.ends);
        let known = self.event(event).filter(|known| !known.ends && !ends(&known.event))?;
        let is_before = matches!(known.event.as_str(), "PreToolUse" | "UserPromptSubmit");
        match (known.exit().denies(2), self.ignores_exit.is_some()) {
            (true, false) => Some(UnstartedDenial::ExitStatus),
            (_, true) | (false, false) if known.can(Capability::Deny) && is_before => {
                Some(UnstartedDenial::Answer)
            }
            _ => None,
        }
    }

    /// The supported answers to an event of this agent, by the agent's name.
    #[must_use]
    pub fn capabilities(&self, event: &str) -> EventCapabilities {
        let wait = self.call_timeout(event).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let mut capabilities = EventCapabilities { wait, ..capabilities(self.translated(event)) };
        if self.vocabulary {
            return capabilities;
        }
        capabilities.context = self.writes(event, Capability::Inject);
        // An agent that extends another one denies unlisted events as that one does.
        let follows = self.protocol.extends.is_some() && self.event(event).is_none();
        let denied = self.writes(event, Capability::Deny) || (follows && capabilities.can_deny());
        capabilities.denial = match capabilities.denial {
            _ if !denied => DenialStyle::None,
            DenialStyle::None => DenialStyle::Decision,
            own => own,
        };
        if denied && (capabilities.exit == DenyingExit::None || self.protocol.extends.is_some()) {
            // Only Claude Code ignores the exit status of a `PermissionRequest` hook.
            capabilities.exit = DenyingExit::Two;
        }
        capabilities
    }
}

#[cfg(test)]
mod tests {
    use super::{Id, capabilities};

    #[test]
    fn handlers_end_before_the_agent_stops_waiting() {
        let seconds = |id: Id, native, event| id.agent().capabilities(native).action_timeout(event).as_secs();
        assert_eq!(seconds(Id::Claude, "PreToolUse", "PreToolUse"), 595);
        assert_eq!(seconds(Id::Claude, "UserPromptSubmit", "UserPromptSubmit"), 25);
        assert_eq!(seconds(Id::Gemini, "BeforeTool", "PreToolUse"), 55);
        assert_eq!(seconds(Id::Copilot, "preToolUse", "PreToolUse"), 25);
        // Nobody reads an answer to the end of a session, and settings can raise how long the agent waits.
        assert_eq!(seconds(Id::Claude, "SessionEnd", "SessionEnd"), 600);
        // No agent waits.
        let alone = |event| capabilities(event).action_timeout(event).as_secs();
        assert_eq!((alone("PreToolUse"), alone("UserPromptSubmit"), alone("PreModelSwitch")), (600, 30, 30));
    }
}
