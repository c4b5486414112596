//! Predicates about what an event does, as a policy writes them.

use std::ops::Range;

pub use crate::bytes::Malformed;
pub use hookc_base::Verb;

/// A question about the effects of one verb: `reads('./**' except @secrets by 'git')`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// What it asks about.
    pub verb: Verb,
    /// Whether it is true of what the event possibly does: `may_read`.
    pub is_possible: bool,
    /// Patterns of which one must match. Without any, everything that is a file, a host and so on matches.
    pub of: Vec<String>,
    /// Patterns of what does not count.
    pub except: Vec<String>,
    /// Patterns of the commands whose effects count. Without any, those of all commands and tools do.
    pub by: Vec<String>,
    /// Patterns of the commands whose effects do not count.
    pub not_by: Vec<String>,
}

impl Guard {
    /// A guard of a verb without patterns.
    #[must_use]
    pub const fn new(verb: Verb) -> Self {
        Self {
            verb,
            is_possible: false,
            of: Vec::new(),
            except: Vec::new(),
            by: Vec::new(),
            not_by: Vec::new(),
        }
    }

    /// Its patterns in one list.
    #[must_use]
    pub fn list(&self, list: List) -> &[String] {
        match list {
            List::Of => &self.of,
            List::Except => &self.except,
            List::By => &self.by,
            List::NotBy => &self.not_by,
        }
    }
}

/// A condition about what an event does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// `reads(...)`, `may_push(...)`.
    Guard(Guard),
    /// `only(...)`: the event does nothing that the guards do not list.
    Only(Vec<Guard>),
    /// `unknown()`: part of what the event does is unknown.
    Unknown,
    /// `mentions(...)`: a text of the event has a match.
    Mentions(Vec<String>),
    /// `passed(...)`: a command ran successfully.
    Passed(Vec<String>),
}

impl Predicate {
    /// Its guards.
    #[must_use]
    pub fn guards(&self) -> &[Guard] {
        match self {
            Self::Guard(guard) => std::slice::from_ref(guard),
            Self::Only(guards) => guards,
            Self::Unknown | Self::Mentions(_) | Self::Passed(_) => &[],
        }
    }

    /// Each of its lists of patterns, with the number of the guard.
    pub fn lists(&self) -> impl Iterator<Item = (usize, List, &[String])> {
        let of_guards = self.guards().iter().enumerate();
        let of_guards = of_guards
            .flat_map(|(number, guard)| List::ALL.iter().map(move |list| (number, *list, guard.list(*list))));
        let texts = match self {
            Self::Mentions(texts) | Self::Passed(texts) => Some((0, List::Of, texts.as_slice())),
            Self::Guard(_) | Self::Only(_) | Self::Unknown => None,
        };
        of_guards.chain(texts)
    }
}

/// Patterns with a name: `@NAME` stands for each of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Set {
    /// Its name, without `@`.
    pub name: String,
    /// Patterns of which one must match.
    pub of: Vec<String>,
    /// Patterns of what does not count.
    pub except: Vec<String>,
}

hookc_base::named_enums! {
    /// A list of patterns of a guard.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum List as_str {
        /// What must match; also the patterns of `mentions` and `passed`.
        Of "of";
        /// After `except`.
        Except "except";
        /// After `by`.
        By "by";
        /// After `not by`.
        NotBy "not_by";
    }
}

/// What the patterns of a list or set are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PatternKind {
    /// Files, and objects with a scheme.
    Path,
    /// Hosts.
    Host,
    /// Packages.
    Package,
    /// Branches of remotes.
    Branch,
    /// Texts, for `mentions`.
    Text,
    /// Commands.
    Command,
    /// Words of commands: sets that stand within a pattern of commands.
    Word,
}

impl PatternKind {
    /// Its name in the plural.
    #[must_use]
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Path => "paths",
            Self::Host => "hosts",
            Self::Package => "packages",
            Self::Branch => "branches",
            Self::Text => "texts",
            Self::Command => "commands",
            Self::Word => "words",
        }
    }

    /// A predicate with such patterns.
    const fn predicate(self) -> Option<&'static str> {
        match self {
            Self::Path => Some("reads"),
            Self::Host => Some("contacts"),
            Self::Package => Some("installs"),
            Self::Branch => Some("pushes"),
            Self::Text => Some("mentions"),
            Self::Command => Some("runs"),
            Self::Word => None,
        }
    }

    /// The kind of the patterns that a list of a guard has.
    #[must_use]
    pub const fn for_list(verb: Verb, list: List) -> Self {
        match (list, verb) {
            (List::By | List::NotBy, _) | (_, Verb::Run) => Self::Command,
            (_, Verb::Read | Verb::Write | Verb::Delete | Verb::Change | Verb::Send) => Self::Path,
            (_, Verb::Contact) => Self::Host,
            (_, Verb::Install) => Self::Package,
            (_, Verb::Push) => Self::Branch,
        }
    }
}

/// A pattern that cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The number of the guard in `only`, 0 elsewhere.
    pub guard: usize,
    /// The list of the guard that has the pattern.
    pub list: List,
    /// The number of the pattern in its list.
    pub at: usize,
    /// The bytes of the pattern that are wrong.
    pub range: Range<usize>,
    /// Where the fault is, if the pattern names a set of the policy that has it.
    pub in_set: Option<Box<InSet>>,
    /// What is wrong.
    pub kind: ProblemKind,
}

/// A pattern of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InSet {
    /// The name of the set.
    pub name: String,
    /// Whether the pattern is after `except`.
    pub is_except: bool,
    /// The number of the pattern in its list.
    pub at: usize,
    /// The bytes of the pattern that are wrong.
    pub range: Range<usize>,
}

/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// A set that neither the policy nor the program has.
    UnknownSet {
        /// The name.
        name: String,
        /// The set with the most similar name.
        closest: Option<String>,
    },
    /// A set of another kind: `contacts(@secrets)`.
    WrongSet {
        /// The name.
        name: String,
        /// The kind of its patterns.
        kind: PatternKind,
        /// The kind that is possible there.
        expected: PatternKind,
    },
    /// A set that is a part of itself.
    Recursive {
        /// The name.
        name: String,
    },
    /// More alternatives than [`ALTERNATIVES`](super::ALTERNATIVES).
    TooMany,
    /// A pattern that cannot be read, with the reason.
    Unreadable(String),
    /// A list that this guard cannot have: `by` of `runs`.
    NotHere,
}

impl Problem {
    /// The message for the author of the policy.
    #[must_use]
    pub fn message(&self) -> String {
        match &self.kind {
            ProblemKind::UnknownSet { name, .. } => format!("there is no set `@{name}`"),
            ProblemKind::WrongSet { name, kind, expected } => {
                format!(
                    "`@{name}` has patterns of {}, but this is a list of {}",
                    kind.plural(),
                    expected.plural()
                )
            }
            ProblemKind::Recursive { name } => format!("the set `@{name}` contains itself"),
            ProblemKind::TooMany => {
                format!("the pattern has more than {} alternatives", super::ALTERNATIVES)
            }
            ProblemKind::Unreadable(reason) => format!("the pattern cannot be read: {reason}"),
            ProblemKind::NotHere => {
                format!("`{}` is not possible in `runs`, which names commands itself", self.list.as_str())
            }
        }
    }

    /// What to write instead.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        match &self.kind {
            ProblemKind::UnknownSet { closest: Some(closest), .. } => {
                Some(format!("did you mean `@{closest}`?"))
            }
            ProblemKind::UnknownSet { name, .. } => {
                let declare = format!("declare it: `sets: {{{name}: [...]}}`, with its patterns");
                Some(format!("{declare}; for a name with `@`, write `\\@{name}`"))
            }
            ProblemKind::WrongSet { name, kind, .. } => {
                let predicate = kind.predicate()?;
                Some(format!("write `{predicate}(@{name})`, or patterns that fit here"))
            }
            ProblemKind::TooMany => Some("write several patterns with fewer braces".to_owned()),
            ProblemKind::NotHere => Some("write two guards with `and`".to_owned()),
            ProblemKind::Recursive { .. } | ProblemKind::Unreadable(_) => None,
        }
    }
}
