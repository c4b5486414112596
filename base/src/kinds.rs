//! The closed enums of the language. Sources write their names, modules store
//! their numbers.

/// Declares enums whose variants have a name. Each enum has `ALL`, and the function that is named after it.
#[macro_export]
macro_rules! named_enums {
    ($($(#[$meta:meta])* pub enum $name:ident $function:ident { $($(#[$variant_meta:meta])* $variant:ident $text:literal;)* })*) => {
        $(
            $(#[$meta])*
            pub enum $name { $($(#[$variant_meta])* $variant,)* }

            impl $name {
                /// All of them.
                pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

                /// Its name.
                #[must_use]
                pub const fn $function(self) -> &'static str {
                    match self { $(Self::$variant => $text,)* }
                }
            }
        )*
    };
}

/// Declares closed enums whose variants have a number, a name and a meaning.
///
/// Each enum has `ALL`, `CHOICES`, `from_number`, `number`, `name`, `from_name` and
/// `Display`. Numbers are part of the module format: they never change.
#[macro_export]
macro_rules! numbered_enums {
    ($($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $number:literal $variant:ident $text:literal $meaning:literal;)* })*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            #[repr(u8)]
            pub enum $name { $(#[doc = $meaning] $(#[$variant_meta])* $variant = $number,)* }

            impl $name {
                /// All of them, by number.
                pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

                /// All of them, each after its name.
                pub const CHOICES: &'static [(&'static str, Self)] = &[$(($text, Self::$variant),)*];

                /// The one of a number.
                #[must_use]
                pub const fn from_number(number: u8) -> Option<Self> {
                    match number { $($number => Some(Self::$variant),)* _ => None }
                }

                /// Its number.
                #[must_use]
                pub const fn number(self) -> u8 {
                    self as u8
                }

                /// How it is written.
                #[must_use]
                pub const fn name(self) -> &'static str {
                    match self { $(Self::$variant => $text,)* }
                }

                /// What it means.
                #[must_use]
                pub const fn meaning(self) -> &'static str {
                    match self { $(Self::$variant => $meaning,)* }
                }

                /// The one of a name.
                #[must_use]
                pub fn from_name(name: &str) -> Option<Self> {
                    Self::CHOICES.iter().find(|(text, _)| *text == name).map(|(_, one)| *one)
                }
            }

            impl ::std::fmt::Display for $name {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    f.pad(self.name())
                }
            }
        )*
    };
}

numbered_enums! {
    /// The vocabulary that an event type belongs to. Event names are looked up
    /// in this order.
    Family {
        0 Thread "thread" "Thread policy.";
        1 Agent "agent" "Coding agents.";
        2 Repository "repository" "Repository hooks.";
        3 Skill "skill" "Skills.";
        4 Workflow "workflow" "Workflows.";
    }

    /// How the hooks of an event type combine.
    #[derive(Default)]
    Strategy {
        #[default] 0 First "first" "The first hook that matches decides.";
        1 All "all" "Every hook that matches, in order.";
    }

    /// Whether a hook decides, warns, or only logs.
    #[derive(Default)]
    Mode {
        #[default] 0 Enforce "enforce" "Decides.";
        1 Warn "warn" "Reported to the user.";
        2 Shadow "shadow" "Only logged.";
    }

    /// What happens when executing an action fails. In a module, 0 is "not set".
    OnError {
        1 Skip "skip" "Continue without it.";
        2 Fail "fail" "Fail the step.";
        3 Retry "retry" "Try again.";
    }

    /// The failure mode of a hook. In a module, 0 is "not set".
    OnFailure {
        1 Open "open" "As if the hook had allowed.";
        2 Closed "closed" "As if the hook had denied.";
    }

    /// Where a hook comes from, the strongest first.
    Layer {
        0 Managed "managed" "Before every other hook; cannot be replaced.";
        1 Directive "directive" "The current directive.";
        2 Project "project" "The project.";
        3 User "user" "The user.";
        4 Builtin "builtin" "Shipped, or from `builtin_hooks:`.";
    }
}

impl Strategy {
    /// The strategy of a family's events that declare none.
    #[must_use]
    pub const fn for_family(family: Family) -> Self {
        match family {
            Family::Thread => Self::First,
            Family::Agent | Family::Repository | Family::Skill | Family::Workflow => Self::All,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_lead_back() {
        for family in Family::ALL {
            assert_eq!(Family::from_number(family.number()), Some(*family));
            assert_eq!(Family::from_name(family.name()), Some(*family));
        }
        assert_eq!(OnError::from_number(0), None);
        assert_eq!(Layer::from_name("shipped"), None);
        assert_eq!(format!("{:>8}", Mode::Shadow), "  shadow");
    }
}
