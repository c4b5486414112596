//! Predicates: conditions about what an event does.

use hookc_base::Verb;

use super::UncomparedSpan;
use crate::span::Spanned;
use crate::value::Text;

/// A pattern of a path, a host, a package, a branch, a text or a command, or `@` and the name of a set.
pub type Pattern = Spanned<Text>;

/// A condition about what an event does.
#[derive(Clone, Debug, PartialEq)]
pub enum Predicate {
    /// `reads(...)`, `may_run(...)`: the event has such an effect.
    Guard(Guard),
    /// `only(...)`: the guards list everything that the event does.
    Only(Vec<Guard>),
    /// `unknown()`: part of what the event does is unknown.
    Unknown,
    /// `mentions(...)`: a text of the event has a match.
    Mentions(Vec<Pattern>),
    /// `passed(...)`: such a command has succeeded.
    Passed(Vec<Pattern>),
}

/// A kind of effect, with patterns of what it is about and of the commands that cause it.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// The whole guard.
    pub span: UncomparedSpan,
    /// The kind of effect.
    pub verb: Verb,
    /// Whether a possible effect suffices: `may_read`.
    pub is_possible: bool,
    /// One of these patterns has to match; an empty list matches everything.
    pub of: Vec<Pattern>,
    /// `except`
    pub except: Vec<Pattern>,
    /// `by`
    pub by: Vec<Pattern>,
    /// `not by`
    pub not_by: Vec<Pattern>,
}

/// The name of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PredicateName {
    /// `reads`, and `may_read` if a possible effect suffices.
    Guard {
        /// The kind of effect.
        verb: Verb,
        /// Whether a possible effect suffices.
        is_possible: bool,
    },
    /// `only`
    Only,
    /// `unknown`
    Unknown,
    /// `mentions`
    Mentions,
    /// `passed`
    Passed,
}

impl PredicateName {
    /// All names: those of guards, the certain ones first.
    pub fn all() -> impl Iterator<Item = Self> {
        let others = [Self::Only, Self::Unknown, Self::Mentions, Self::Passed];
        Self::guards().chain(others)
    }

    /// The names of guards, the certain ones first.
    pub fn guards() -> impl Iterator<Item = Self> {
        let guard = |is_possible| move |verb: &Verb| Self::Guard { verb: *verb, is_possible };
        Verb::ALL.iter().map(guard(false)).chain(Verb::ALL.iter().map(guard(true)))
    }

    /// The names of the guards whose effect is certain.
    #[must_use]
    pub fn certain() -> Vec<&'static str> {
        Verb::ALL.iter().map(|verb| verb.plural()).collect()
    }

    /// As it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Guard { verb, is_possible: false } => verb.plural(),
            Self::Guard { verb, is_possible: true } => verb.possible(),
            Self::Only => "only",
            Self::Unknown => "unknown",
            Self::Mentions => "mentions",
            Self::Passed => "passed",
        }
    }

    /// The predicate of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|one| one.as_str() == name)
    }
}

impl Predicate {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Guard(guard) => guard.name(),
            Self::Only(_) => PredicateName::Only,
            Self::Unknown => PredicateName::Unknown,
            Self::Mentions(_) => PredicateName::Mentions,
            Self::Passed(_) => PredicateName::Passed,
        }
        .as_str()
    }

    /// Its guards.
    #[must_use]
    pub fn guards(&self) -> &[Guard] {
        match self {
            Self::Guard(guard) => std::slice::from_ref(guard),
            Self::Only(guards) => guards,
            Self::Unknown | Self::Mentions(_) | Self::Passed(_) => &[],
        }
    }

    /// Its patterns, in the order of writing.
    pub fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        let direct: &[Pattern] = match self {
            Self::Mentions(of) | Self::Passed(of) => of,
            Self::Guard(_) | Self::Only(_) | Self::Unknown => &[],
        };
        let lists = self.guards().iter().flat_map(Guard::lists);
        direct.iter().chain(lists.flat_map(|(_, list)| list))
    }
}

impl Guard {
    /// A guard without patterns.
    #[must_use]
    pub fn new(span: UncomparedSpan, verb: Verb, is_possible: bool) -> Self {
        let [of, except, by, not_by] = [const { Vec::new() }; 4];
        Self { span, verb, is_possible, of, except, by, not_by }
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> PredicateName {
        PredicateName::Guard { verb: self.verb, is_possible: self.is_possible }
    }

    /// Its lists, each with the words before it.
    #[must_use]
    pub fn lists(&self) -> [(&'static str, &[Pattern]); 4] {
        [("", &self.of), ("except", &self.except), ("by", &self.by), ("not by", &self.not_by)]
    }
}
