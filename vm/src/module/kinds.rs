//! The closed sets that module rows number: families, strategies, modes,
//! policies, layers.

use std::fmt;

macro_rules! kinds {
    ($($(#[$meta:meta])* $name:ident { $($number:literal $variant:ident $text:literal $meaning:literal;)* })*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            #[repr(u8)]
            pub enum $name { $(#[doc = $meaning] $variant = $number,)* }

            impl $name {
                /// All of them, by number.
                pub const ALL: &[Self] = &[$(Self::$variant,)*];

                /// The one of a number.
                #[must_use]
                pub const fn from_number(number: u8) -> Option<Self> {
                    match number { $($number => Some(Self::$variant),)* _ => None }
                }

                /// How it is written.
                #[must_use]
                pub const fn name(self) -> &'static str {
                    match self { $(Self::$variant => $text,)* }
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.pad(self.name())
                }
            }
        )*
    };
}

kinds! {
    /// The vocabulary that an event type belongs to.
    Family {
        0 Thread "thread" "Thread policy.";
        1 Agent "agent" "Coding agents.";
        2 Repository "repository" "Repository hooks.";
        3 Skill "skill" "Skills.";
        4 Workflow "workflow" "Workflows.";
    }

    /// How the hooks of an event type combine.
    Strategy {
        0 First "first" "The first hook that matches decides.";
        1 All "all" "Every hook that matches, in order.";
    }

    /// Whether a hook decides, tells, or only logs.
    Mode {
        0 Enforce "enforce" "Decides.";
        1 Warn "warn" "Told to the user.";
        2 Shadow "shadow" "Only logged.";
    }

    /// What happens when carrying an action out makes an error.
    OnError {
        1 Skip "skip" "Go on without it.";
        2 Fail "fail" "Fail.";
        3 Retry "retry" "Try again.";
    }

    /// Which way a hook falls that could not do its work.
    OnFailure {
        1 Open "open" "As if it had allowed.";
        2 Closed "closed" "As if it had refused.";
    }

    /// Where a hook comes from, the strongest first.
    Layer {
        0 Managed "managed" "Managed: nobody below can replace it.";
        1 Directive "directive" "A directive.";
        2 Project "project" "A project.";
        3 User "user" "A user.";
        4 Builtin "builtin" "Shipped.";
    }
}
