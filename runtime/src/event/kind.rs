//! The event types that the runtime treats specially.

use hookc_schema::agents::{Capability, Id};

macro_rules! kinds {
    ($($(#[$about:meta])* $name:ident { $($variant:ident $text:literal,)* })*) => {
        $($(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $variant,)*
            /// Another one.
            Other,
        }

        impl $name {
            /// The names of the event types above.
            pub const NAMES: &'static [&'static str] = &[$($text),*];

            /// The event type of this name.
            #[must_use]
            pub fn from_name(name: &str) -> Self {
                match name {
                    $($text => Self::$variant,)*
                    _ => Self::Other,
                }
            }

            /// Its name; empty for another one.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                    Self::Other => "",
                }
            }
        })*
    };
}

kinds! {
    /// Events of coding agents.
    AgentEvent {
        PermissionRequest "PermissionRequest",
        PostToolUseFailure "PostToolUseFailure",
        PreToolUse "PreToolUse",
        Stop "Stop",
        SubagentStop "SubagentStop",
        UserPromptSubmit "UserPromptSubmit",
    }
    /// Events of repositories.
    RepositoryEvent {
        ModelOutput "ModelOutput",
        PostAbilityCall "PostAbilityCall",
        PreAbilityCall "PreAbilityCall",
        PreAbilityCreate "PreAbilityCreate",
        PromptSubmit "PromptSubmit",
        SessionStart "SessionStart",
        SessionStop "SessionStop",
    }
}

impl AgentEvent {
    /// Whether an agent, or a sub-agent, wants to stop.
    #[must_use]
    pub fn is_stop(self) -> bool {
        matches!(self, Self::Stop | Self::SubagentStop)
    }

    /// Whether a handler of the flat format can deny it.
    #[must_use]
    pub fn flat_denies(self) -> bool {
        Id::Flat.agent().can(self.as_str(), Capability::Deny)
    }
}

impl RepositoryEvent {
    /// Whether something waits for the signals of its hooks.
    #[must_use]
    pub fn is_awaited(self) -> bool {
        matches!(self, Self::PromptSubmit | Self::PreAbilityCreate | Self::PreAbilityCall)
    }
}
