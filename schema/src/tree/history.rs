//! Conditions about earlier events.

use super::{Cond, CondKind, CondPart, Path, Policy, Query, UncomparedSpan};
use crate::span::Spanned;

/// Which part of the history a condition looks at: the operand of `formerly` and of each [`Recall`].
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// The whole selection.
    pub span: UncomparedSpan,
    /// Which events are meant.
    pub of: EventPattern,
    /// `within`: how far back.
    pub within: Option<Spanned<Extent>>,
    /// `since`: from the last event that matches this on.
    pub since: Option<EventPattern>,
    /// `per`: whose history. A session's if absent.
    pub per: Option<Spanned<PartitionKey>>,
    /// `including now`: the current event is the last one.
    pub including_now: Option<Spanned<()>>,
}

/// Which events are meant.
#[derive(Clone, Debug, PartialEq)]
pub struct EventPattern {
    /// The whole pattern.
    pub span: UncomparedSpan,
    /// The word before the events; what was not prevented if absent.
    pub outcome: Option<Spanned<OutcomeWord>>,
    /// Event types, at least one, or the name of one fact. `*` is every event type.
    pub names: Vec<Spanned<String>>,
    /// `where`: paths in it belong to the past event, and those below `now` to the current one.
    pub condition: Option<Cond>,
}

/// A pattern with a name, for the hooks of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The name.
    pub name: Spanned<String>,
    /// The patterns: an event has to match one of them. There is at least one.
    pub patterns: Vec<FactPattern>,
}

/// A pattern of a [`Fact`].
#[derive(Clone, Debug, PartialEq)]
pub struct FactPattern {
    /// Which events are meant.
    pub pattern: EventPattern,
    /// `description`
    pub description: Option<Spanned<String>>,
    /// `keep`: paths whose text the state keeps.
    pub keep: Vec<Path>,
}

/// A value of the history, which can be used where a path can.
#[derive(Clone, Debug, PartialEq)]
pub struct Recall {
    /// Which value.
    pub operator: RecallOperator,
    /// Of which part of the history.
    pub selection: Selection,
}

/// Which value of a [`Selection`] a [`Recall`] is.
#[derive(Clone, Debug, PartialEq)]
pub enum RecallOperator {
    /// `count(S)`: how many events.
    Count,
    /// `sum(PATH of S)`: the sum of the numbers at the path.
    Sum(Path),
    /// `distinct(PATH, PATH of S)`: how many different values, or tuples of values.
    Distinct(Vec<Path>),
    /// `last(N, S)...`: what `rest` selects of the N-th last event.
    Last {
        /// `N`, 1 when absent.
        nth: Option<Spanned<u64>>,
        /// What follows the closing parenthesis.
        rest: Query,
    },
}

/// How far back a selection goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// `10m`
    Duration {
        /// How many units.
        count: u64,
        /// The unit.
        unit: DurationUnit,
    },
    /// `turn`: since the last prompt of the user.
    Turn,
    /// `session`: all of it.
    Session,
}

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$doc])* $variant),* }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Each word with its meaning.
            pub const CHOICES: &[(&str, Self)] = &[$(($word, Self::$variant)),*];

            /// The word, in every notation.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// What the word means.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == name)
            }
        }
    };
}

words! {
    /// The unit of a duration.
    DurationUnit {
        /// Seconds.
        Second = "s",
        /// Minutes.
        Minute = "m",
        /// Hours.
        Hour = "h",
        /// Days.
        Day = "d",
    }
}

words! {
    /// With which outcome an event is meant.
    OutcomeWord {
        /// What hookc denied.
        Denied = "denied",
        /// What hookc asked about.
        Asked = "asked",
        /// What hookc allowed.
        Allowed = "allowed",
        /// All of these, and what it had no verdict about.
        Any = "any",
    }
}

words! {
    /// What handlers or the host made of an event, as it is recorded.
    Recorded {
        /// It was denied.
        Denied = "denied",
        /// A person was asked.
        Asked = "asked",
        /// It was allowed.
        Allowed = "allowed",
        /// Nobody had a verdict.
        None = "none",
    }
}

words! {
    /// Whose history a selection is about.
    PartitionKey {
        /// That of the session.
        Session = "session",
        /// That of one agent of the session.
        Agent = "agent",
        /// That of the project.
        Project = "project",
        /// That of the user.
        User = "user",
    }
}

impl DurationUnit {
    /// How many milliseconds it has.
    #[must_use]
    pub const fn milliseconds(self) -> u64 {
        match self {
            Self::Second => 1_000,
            Self::Minute => 60_000,
            Self::Hour => 3_600_000,
            Self::Day => 86_400_000,
        }
    }
}

impl RecallOperator {
    /// Its word, in every notation.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Sum(_) => "sum",
            Self::Distinct(_) => "distinct",
            Self::Last { .. } => "last",
        }
    }
}

impl<'c> CondPart<'c> {
    /// The selections that it is about: that of `formerly`, and those of values of the history in its paths.
    pub fn selections(self) -> impl Iterator<Item = &'c Selection> {
        let formerly = match &self.cond.kind {
            CondKind::Formerly(selection) => Some(&**selection),
            _ => None,
        };
        formerly.into_iter().chain(self.paths().filter_map(Path::recall).map(|recall| &recall.selection))
    }
}

impl Cond {
    /// Whether it is about earlier events.
    #[must_use]
    pub fn has_history(&self) -> bool {
        self.walk().any(|part| part.selections().next().is_some())
    }

    /// Calls `each` for the patterns of all its selections, and of those inside of them. The recursion depth is its
    /// nesting.
    pub fn event_patterns<'c>(&'c self, each: &mut dyn FnMut(&'c EventPattern)) {
        for pattern in self.walk().flat_map(CondPart::selections).flat_map(Selection::patterns) {
            each(pattern);
            if let Some(cond) = &pattern.condition {
                cond.event_patterns(each);
            }
        }
    }
}

impl Policy {
    /// The conditions of the patterns of its facts.
    pub fn fact_conditions(&self) -> impl Iterator<Item = &Cond> {
        let patterns = self.facts.iter().flat_map(|fact| &fact.patterns);
        patterns.filter_map(|fact| fact.pattern.condition.as_ref())
    }
}

impl Selection {
    /// Its patterns: which events are meant, and the anchor of `since`.
    pub fn patterns(&self) -> impl Iterator<Item = &EventPattern> {
        std::iter::once(&self.of).chain(&self.since)
    }
}
