//! A JSON value with spans. YAML, JSON and XML are read into this type before a dialect interprets
//! it.
//!
//! Equality of all types in this module ignores spans.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use crate::span::{Span, Spanned, saturating_offset};

/// A value and where it was written.
#[derive(Clone, Debug)]
pub struct Value {
    /// Where, brackets and quotes included.
    pub span: Span,
    /// What.
    pub kind: Kind,
}

/// The kinds of a [`Value`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number.
    Num(Number),
    /// A string.
    Str(Text),
    /// An array.
    Seq(Vec<Value>),
    /// An object in source order. The front end has rejected duplicate keys.
    Map(Vec<Member>),
}

/// One `key: value` of an object.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Member {
    /// The key.
    pub key: Spanned<String>,
    /// The value.
    pub value: Value,
}

/// A number as JSON text (RFC 8259 §6), exact. Front ends convert other spellings (`0x1F`, `+1`,
/// `.5`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number(pub String);

/// A string, with the mapping of its bytes to the source.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// The string itself.
    pub value: String,
    /// The source positions of its bytes.
    pub map: TextMap,
}

/// A map from offsets in a decoded string to offsets in its source.
#[derive(Clone, Debug, Default)]
pub enum TextMap {
    /// Unknown: every part is shown with the span of the whole value.
    #[default]
    Whole,
    /// Byte `i` of the string is byte `start + i` of the source.
    Shift(u32),
    /// Runs in ascending order of both offsets; the first one starts at decoded offset 0. Source text between two runs (an
    /// escape, an indentation) belongs to the last decoded byte before it. The last entry is the end of both.
    Runs(Vec<Run>),
}

/// Where a run starts, within which both offsets advance together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// In the decoded string.
    pub decoded: u32,
    /// In the source.
    pub source: u32,
}

impl Value {
    /// A value with its span.
    #[must_use]
    pub fn new(kind: Kind, span: Span) -> Self {
        Self { span, kind }
    }

    /// A string value with only the span of the whole.
    #[must_use]
    pub fn string(value: impl Into<String>, span: Span) -> Self {
        Self::new(Kind::Str(Text::plain(value)), span)
    }

    /// The string, if it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::Str(text) => Some(&text.value),
            _ => None,
        }
    }

    /// It, and the values in it for which `enter` is true, in the order of writing.
    pub fn walk(&self, mut enter: impl FnMut(&Self) -> bool) -> impl Iterator<Item = &Self> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            loop {
                let next = open.pop()?;
                if enter(next) {
                    open.extend(next.members().iter().rev().map(|member| &member.value));
                    open.extend(next.items().iter().rev());
                    return Some(next);
                }
            }
        })
    }

    /// The elements of a list; none for other values.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        match &self.kind {
            Kind::Seq(items) => items,
            _ => &[],
        }
    }

    /// The members of an object; none for other values.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        match &self.kind {
            Kind::Map(members) => members,
            _ => &[],
        }
    }

    /// The member of an object by name. Linear.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        let Kind::Map(members) = &self.kind else {
            return None;
        };
        members.iter().find(|m| m.key.node == key).map(|m| &m.value)
    }

    /// The value under a key in which `a.b` is the key `b` of the object `a`.
    #[must_use]
    pub fn at(&self, key: &str) -> Option<&Value> {
        key.split('.').try_fold(self, |value, key| value.get(key))
    }

    /// Whether both are the same value: numbers compare by exact value, members in any order.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Num(a), Kind::Num(b)) => a.compare(b).is_eq(),
            (Kind::Seq(a), Kind::Seq(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b)),
            (Kind::Map(a), Kind::Map(b)) => {
                let mine: BTreeMap<&str, &Self> = a.iter().map(|m| (m.key.node.as_str(), &m.value)).collect();
                let other = |m: &Member| mine.get(m.key.node.as_str()).is_some_and(|v| v.same(&m.value));
                a.len() == b.len() && b.iter().all(other)
            }
            (a, b) => a == b,
        }
    }

    /// The name of this kind for people: `a string`, `an object`, ...
    #[must_use]
    pub fn noun(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "a boolean",
            Kind::Num(_) => "a number",
            Kind::Str(_) => "a string",
            Kind::Seq(_) => "an array",
            Kind::Map(_) => "an object",
        }
    }

    /// The span of `range` of this value's string; the whole span for other
    /// kinds.
    #[must_use]
    pub fn span_within(&self, range: Range<usize>) -> Span {
        match &self.kind {
            Kind::Str(text) => text.map.span(self.span, range),
            _ => self.span,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

impl Text {
    /// A string whose parts have no spans of their own.
    #[must_use]
    pub fn plain(value: impl Into<String>) -> Self {
        Self { value: value.into(), map: TextMap::Whole }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

impl TextMap {
    /// The source of `range` of the decoded string, within `whole`.
    #[must_use]
    pub fn span(&self, whole: Span, range: Range<usize>) -> Span {
        let end = saturating_offset(range.end.max(range.start));
        let start = saturating_offset(range.start);
        let (start, end) = match self {
            Self::Whole => return whole,
            Self::Shift(by) => (start.saturating_add(*by), end.saturating_add(*by)),
            Self::Runs(runs) => {
                let from = offset(runs, start);
                let to = if end > start { offset(runs, end - 1).saturating_add(1) } else { from };
                (from, offset_end(runs, end).max(to).max(from))
            }
        };
        Span { source: whole.source, start, end }
    }
}

/// The source offset of decoded offset `at`.
fn offset(runs: &[Run], at: u32) -> u32 {
    let next = runs.partition_point(|run| run.decoded <= at);
    let run = runs.get(next.saturating_sub(1));
    run.map_or(at, |run| run.source.saturating_add(at.saturating_sub(run.decoded)))
}

/// The source offset after decoded offset `end - 1`, including an escape.
fn offset_end(runs: &[Run], end: u32) -> u32 {
    match runs.get(runs.partition_point(|run| run.decoded < end)) {
        Some(run) if run.decoded == end => run.source,
        _ => offset(runs, end),
    }
}
