//! What an agent does with a hooks file in which something is wrong.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Agent;

/// Something that is wrong in a hooks file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// A comment.
    Comment,
    /// A comma before a closing bracket.
    Comma,
    /// A byte order mark.
    Mark,
    /// A repeated key.
    Repeat,
    /// A key next to `hooks` that the agent does not know.
    Root,
    /// Another version than 1.
    Version,
    /// A key that turns hooks off, with a value that is neither `true` nor `false`.
    Switch,
    /// A key of `hooks` that is not an event.
    Event,
    /// `hooks` or an event of the wrong type.
    Hooks,
    /// An entry or a handler of the wrong type, or without a key that it needs.
    Entry,
    /// `null` as a matcher.
    Null,
    /// A timeout of 0.
    Timeout,
    /// A handler outside a group.
    Alone,
    /// Any of them, in a file in TOML.
    Toml,
}

/// What an agent does with a file with a [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reaction {
    /// It reads the file.
    Accept,
    /// It ignores the part with the fault.
    Drop,
    /// It ignores the whole file.
    Skip,
    /// It does not start.
    Stop,
}

/// The known reactions.
pub type Reactions = BTreeMap<Fault, Reaction>;

/// What an agent does with a timeout of 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ZeroTimeout {
    /// It ends the handler at once.
    End,
    /// It ignores the handler.
    Drop,
}

impl Fault {
    /// What a file has.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Comment => "a comment",
            Self::Comma => "a trailing comma",
            Self::Mark => "a byte order mark",
            Self::Repeat => "a repeated key",
            Self::Root => "an unknown key next to `hooks`",
            Self::Version => "another version",
            Self::Switch => "a key that turns hooks off and is not `true` or `false`",
            Self::Event => "an unknown event",
            Self::Hooks | Self::Entry | Self::Toml => "an error",
            Self::Null => "`null` as a matcher",
            Self::Timeout => "a timeout of 0",
            Self::Alone => "a handler outside a group",
        }
    }

    /// The fault, for the page about agents.
    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Hooks => "`hooks` or an event of the wrong type",
            Self::Entry => "an entry or a handler of the wrong type, or without a required key",
            Self::Toml => "any of them in a TOML file",
            other => other.name(),
        }
    }
}

impl Agent {
    /// What it does with a file that has a fault, as a sentence; `None` if the rest of the file is read, or if that is
    /// not known.
    #[must_use]
    pub fn rejects(&self, fault: Fault) -> Option<String> {
        let (label, what) = (&self.label, fault.name());
        match self.invalid.get(&fault)? {
            Reaction::Accept | Reaction::Drop => None,
            Reaction::Skip => Some(format!("{label} skips a whole file with {what}")),
            Reaction::Stop => Some(format!("{label} does not start with {what} in this file")),
        }
    }
}
