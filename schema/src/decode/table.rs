//! The keys of objects and the types of their values, as data.

use std::fmt::Debug;

use crate::value::Value;

/// An object of a dialect.
#[derive(Debug)]
pub struct Object {
    /// Its definition in published schemas.
    pub name: &'static str,
    /// What it is, with its article: `a hook`.
    pub what: &'static str,
    /// Its keys, in the order in which they are best written.
    pub keys: &'static [Key],
    /// What other keys are.
    pub others: Others,
    /// What its keys require of each other.
    pub rules: &'static [Rule],
}

/// How keys that an [`Object`] does not list are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// An error.
    Unknown,
    /// An error that the dialect's code reports.
    Own,
    /// Not an error: the dialect's code warns, or they belong to somebody else.
    Open,
}

/// What to write instead of a key with this value.
pub type Meant = fn(&Value) -> String;

/// A key of an [`Object`].
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// The type of its value.
    pub is: Type,
    /// Its description in the published schema; empty for a key without one.
    pub about: &'static str,
    /// The help if it is missing; `None` for an optional key.
    pub needed: Option<&'static str>,
    /// Its default, as JSON.
    pub default: Option<&'static str>,
    /// Whether `null` means the same as a missing key.
    pub nullable: bool,
    /// The name of its value in messages, if not the key.
    pub called: Option<&'static str>,
    /// The expected type in messages, if not that of its type.
    pub expected: Option<&'static str>,
    /// The help for a value of another type.
    pub help: Option<&'static str>,
    /// The help, if it depends on the value.
    pub advice: Option<fn(&Value) -> String>,
    /// Other names that people use for it.
    pub synonyms: &'static [&'static str],
    /// Keys of other tools whose value belongs into it in another form.
    pub meant: &'static [(&'static [&'static str], Meant)],
    /// Legacy syntax: read, but not suggested.
    pub legacy: bool,
    /// The parameter of an action that it sets, if the name differs.
    pub becomes: Option<&'static str>,
    /// What its presence shows about a file whose dialect is unknown.
    pub evidence: Evidence,
}

/// What a key shows about the dialect of a file: a key at the root, or in the list of hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Nothing: many formats have such a key.
    None,
    /// A file with this key and that one is in the dialect.
    With(&'static str),
    /// Only this dialect has the key.
    Alone,
}

/// The type of a value.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// Any value.
    Any,
    /// A string.
    Text,
    /// A string that is not blank; the label for one that is, and what to write.
    Filled(&'static str, &'static str),
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A whole number from 0.
    Count,
    /// One of some words.
    Word(&'static dyn Words),
    /// A list, and what an item is called. Items that are objects are decoded
    /// by their own tables.
    List(&'static Type, &'static str),
    /// An object with any keys.
    Map(&'static Type),
    /// An object by its own table.
    Object(&'static Object),
    /// A value of one of these types.
    Either(&'static [Type]),
    /// A value that the dialect's code reads, and its JSON Schema.
    Own(&'static str),
}

/// The words of a closed list.
pub trait Words: Debug + Sync {
    /// All of them.
    fn names(&self) -> Vec<&'static str>;

    /// Whether a word is one of them.
    fn has(&self, word: &str) -> bool;
}

impl<T: Debug + Sync> Words for &'static [(&'static str, T)] {
    fn names(&self) -> Vec<&'static str> {
        self.iter().map(|(name, _)| *name).collect()
    }

    fn has(&self, word: &str) -> bool {
        self.iter().any(|(name, _)| *name == word)
    }
}

/// A rule about several keys.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// At least one of these is required; the help for the first one.
    AnyOf(&'static [&'static str], &'static str),
    /// At most one of these is allowed.
    OneOf(&'static [&'static str]),
    /// A rule that the dialect's code checks, as JSON Schema.
    Own(&'static str),
}

/// An optional key.
#[must_use]
pub const fn key(name: &'static str, kind: Type, about: &'static str) -> Key {
    Key {
        name,
        is: kind,
        about,
        needed: None,
        default: None,
        nullable: false,
        called: None,
        expected: None,
        help: None,
        advice: None,
        synonyms: &[],
        meant: &[],
        legacy: false,
        becomes: None,
        evidence: Evidence::None,
    }
}

impl Key {
    /// Makes the key required, with the help if it is missing.
    #[must_use]
    pub const fn needed(mut self, help: &'static str) -> Self {
        self.needed = Some(help);
        self
    }

    /// Its default, as JSON.
    #[must_use]
    pub const fn default(mut self, json: &'static str) -> Self {
        self.default = Some(json);
        self
    }

    /// Treats `null` as a missing key.
    #[must_use]
    pub const fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// Sets the name of its value in messages.
    #[must_use]
    pub const fn called(mut self, what: &'static str) -> Self {
        self.called = Some(what);
        self
    }

    /// Sets the expected type in messages.
    #[must_use]
    pub const fn expected(mut self, noun: &'static str) -> Self {
        self.expected = Some(noun);
        self
    }

    /// The help for a value of another type.
    #[must_use]
    pub const fn help(mut self, help: &'static str) -> Self {
        self.help = Some(help);
        self
    }

    /// Sets the help for a value of another type, computed from the value.
    #[must_use]
    pub const fn advice(mut self, advice: fn(&Value) -> String) -> Self {
        self.advice = Some(advice);
        self
    }

    /// Other names that people use for it.
    #[must_use]
    pub const fn synonyms(mut self, names: &'static [&'static str]) -> Self {
        self.synonyms = names;
        self
    }

    /// Keys of other tools, and what to write instead.
    #[must_use]
    pub const fn meant(mut self, keys: &'static [(&'static [&'static str], Meant)]) -> Self {
        self.meant = keys;
        self
    }

    /// Marks the key as legacy syntax.
    #[must_use]
    pub const fn legacy(mut self) -> Self {
        self.legacy = true;
        self
    }

    /// What its presence shows about a file whose dialect is unknown.
    #[must_use]
    pub const fn evidence(mut self, evidence: Evidence) -> Self {
        self.evidence = evidence;
        self
    }

    /// Sets the name that it becomes.
    #[must_use]
    pub const fn becomes(mut self, name: &'static str) -> Self {
        self.becomes = Some(name);
        self
    }

    /// Sets the name of its value in messages.
    #[must_use]
    pub fn what(&self) -> String {
        self.called.map_or_else(|| format!("`{}`", self.name), str::to_owned)
    }
}

impl Object {
    /// The key with a name.
    #[must_use]
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// The names of its keys, without legacy keys.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.keys.iter().filter(|key| !key.legacy).map(|key| key.name)
    }

    /// What a key of this object shows about this dialect.
    #[must_use]
    pub fn evidence(&self, name: &str) -> Evidence {
        let found = self.keys.iter().find(|key| key.name == name);
        found.map_or(Evidence::None, |key| key.evidence)
    }

    /// What to write instead of a key of another tool.
    #[must_use]
    pub fn instead(&self, wrong: &str, value: &Value) -> Option<String> {
        let mut meant = self.keys.iter().flat_map(|key| key.meant);
        meant.find(|(names, _)| names.contains(&wrong)).map(|(_, help)| help(value))
    }

    /// The key that a wrong name was probably intended for.
    #[must_use]
    pub fn near(&self, wrong: &str) -> Option<&'static str> {
        let named = self.keys.iter().find(|key| key.synonyms.contains(&wrong));
        named.map(|key| key.name).or_else(|| crate::suggest::nearest(wrong, self.names()))
    }
}
