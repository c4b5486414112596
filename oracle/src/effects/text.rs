//! Texts in which parts are unknown.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// What an unknown part can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hole {
    /// Any text, also none.
    Any,
    /// Any text without `/`.
    Name,
    /// One character that is no `/`.
    Char,
    /// Any number of names, each with the `/` after it: everything below a directory.
    Names,
}

/// How an unknown part is written. It says nothing about what the part can be, so all are equal.
#[derive(Clone, Copy)]
pub struct Source(&'static str);

impl Source {
    /// Nothing is written for it.
    pub const NONE: Self = Self("");

    /// The text that is written. Each one is kept for the rest of the process.
    #[must_use]
    pub fn new(text: &str) -> Self {
        static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = kept.get(text) {
            return Self(text);
        }
        let text: &'static str = Box::<str>::leak(text.into());
        kept.insert(text);
        Self(text)
    }
}

impl PartialEq for Source {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Source {}

impl PartialOrd for Source {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Source {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// A character of a text, or a part that is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Symbol {
    /// A character.
    Char(char),
    /// An unknown part.
    Hole(Hole, Source),
}

impl Symbol {
    /// Any text.
    pub const ANY: Self = Self::Hole(Hole::Any, Source::NONE);
    /// Everything below a directory.
    pub const NAMES: Self = Self::Hole(Hole::Names, Source::NONE);
}

/// A text with holes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Text(pub Vec<Symbol>);

impl Text {
    /// The text of a word, with the ranges of its holes in bytes.
    #[must_use]
    pub fn with_holes(text: &str, holes: &[(usize, usize, Hole)]) -> Self {
        let mut symbols = Vec::new();
        for (at, c) in text.char_indices() {
            match holes.iter().find(|(from, to, _)| (*from..*to).contains(&at)) {
                Some((from, to, hole)) if *from == at => {
                    let source = text.get(*from..*to).unwrap_or_default();
                    symbols.push(Symbol::Hole(*hole, Source::new(source)));
                }
                Some(_) => {}
                None => symbols.push(Symbol::Char(c)),
            }
        }
        // A hole without text, such as an empty default of a variable.
        for (from, to, hole) in holes {
            if from == to && *from == text.len() {
                symbols.push(Symbol::Hole(*hole, Source::NONE));
            }
        }
        Self(symbols)
    }

    /// A text about which nothing is known, and how it is written.
    #[must_use]
    pub fn unknown(source: &str) -> Self {
        Self(vec![Symbol::Hole(Hole::Any, Source::new(source))])
    }

    /// The text with unknown parts as they are written.
    #[must_use]
    pub fn written(&self) -> String {
        let text = |symbol: &Symbol| match symbol {
            Symbol::Char(c) => c.to_string(),
            Symbol::Hole(_, source) => source.0.to_owned(),
        };
        self.0.iter().map(text).collect()
    }

    /// The text, if all of it is known.
    #[must_use]
    pub fn literal(&self) -> Option<String> {
        self.0.iter().map(|symbol| if let Symbol::Char(c) = symbol { Some(*c) } else { None }).collect()
    }

    /// Whether a part is unknown.
    #[must_use]
    pub fn has_hole(&self) -> bool {
        self.0.iter().any(|symbol| matches!(symbol, Symbol::Hole(..)))
    }

    /// Whether the whole text is one hole.
    #[must_use]
    pub fn is_hole(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(|symbol| matches!(symbol, Symbol::Hole(..)))
    }

    /// Whether it can be another word, or several: an option, too.
    #[must_use]
    pub fn can_be_flag(&self) -> bool {
        self.0.contains(&Symbol::ANY) || matches!(self.0.first(), Some(Symbol::Hole(..)))
    }

    /// In lower case.
    #[must_use]
    pub fn folded(&self) -> Self {
        let fold = |symbol: &Symbol| match symbol {
            Symbol::Char(c) => c.to_lowercase().map(Symbol::Char).collect(),
            hole @ Symbol::Hole(..) => vec![*hole],
        };
        Self(self.0.iter().flat_map(fold).collect())
    }

    /// The literal characters before the first hole.
    #[must_use]
    pub fn prefix(&self) -> String {
        self.0.iter().map_while(|symbol| if let Symbol::Char(c) = symbol { Some(*c) } else { None }).collect()
    }

    /// The part from a position on.
    #[must_use]
    pub fn skip(&self, at: usize) -> Self {
        Self(self.0.iter().skip(at).copied().collect())
    }

    /// The parts before and after the first such character outside of holes.
    #[must_use]
    pub fn split_once(&self, c: char) -> Option<(Self, Self)> {
        let at = self.0.iter().position(|symbol| *symbol == Symbol::Char(c))?;
        Some((Self(self.0.iter().take(at).copied().collect()), self.skip(at + 1)))
    }

    /// The parts between such characters.
    #[must_use]
    pub fn split(&self, c: char) -> Vec<Self> {
        self.0.split(|symbol| *symbol == Symbol::Char(c)).map(|part| Self(part.to_vec())).collect()
    }

    /// The rest after a literal prefix.
    #[must_use]
    pub fn strip_prefix(&self, prefix: &str) -> Option<Self> {
        self.prefix().starts_with(prefix).then(|| self.skip(prefix.chars().count()))
    }

    /// Both texts, one after the other.
    #[must_use]
    pub fn followed_by(&self, other: &Self) -> Self {
        Self(self.0.iter().chain(&other.0).copied().collect())
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.chars().map(Symbol::Char).collect())
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use std::fmt::Write;
        self.0.iter().try_for_each(|symbol| {
            f.write_char(match symbol {
                Symbol::Char(c) => *c,
                Symbol::Hole(Hole::Any, _) => '\u{25a0}',
                Symbol::Hole(Hole::Name, _) => '\u{25a1}',
                Symbol::Hole(Hole::Char, _) => '\u{25ab}',
                Symbol::Hole(Hole::Names, _) => '\u{25a6}',
            })
        })
    }
}
