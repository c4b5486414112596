//! A value in a slot, borrowed from the event's text or the scratch.

use std::borrow::Cow;

use super::canonical;
use super::json::Kind;
use super::lex::Lexer;
use crate::limits::MODULE_DEPTH;
use crate::number;

/// A value of an event, validated. Containers are undecoded JSON text.
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// An absent value.
    Absent,
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number as written; see [`crate::number`].
    Num(&'a str),
    /// A string, decoded.
    Str(&'a str),
    /// An array as written, brackets included.
    Array(&'a str),
    /// An object as written, braces included.
    Object(&'a str),
}

/// Whether the canonical texts of two containers are equally long.
pub(crate) fn same_length(a: &str, b: &str) -> bool {
    let length = canonical::length(a, usize::MAX);
    length.is_some_and(|most| canonical::length(b, most) == length)
}

impl<'a> Item<'a> {
    /// The length of the canonical text of a container; `None` for another value, and if it is more
    /// than `most`.
    pub(crate) fn canonical_length(self, most: usize) -> Option<usize> {
        match self {
            Self::Array(text) | Self::Object(text) => canonical::length(text, most),
            _ => None,
        }
    }

    /// A value by its kind and text, a string decoded.
    pub(super) const fn new(kind: Kind, text: &'a str) -> Self {
        match kind {
            Kind::Null => Self::Null,
            Kind::False => Self::Bool(false),
            Kind::True => Self::Bool(true),
            Kind::Number => Self::Num(text),
            Kind::String => Self::Str(text),
            Kind::Array => Self::Array(text),
            Kind::Object => Self::Object(text),
        }
    }

    /// The kind and the text of a value, an absent one being null.
    #[inline]
    pub(crate) const fn scalar(self) -> (Kind, &'a [u8]) {
        match self {
            Self::Absent | Self::Null => (Kind::Null, b""),
            Self::Bool(false) => (Kind::False, b""),
            Self::Bool(true) => (Kind::True, b""),
            Self::Num(text) => (Kind::Number, text.as_bytes()),
            Self::Str(text) => (Kind::String, text.as_bytes()),
            Self::Array(text) => (Kind::Array, text.as_bytes()),
            Self::Object(text) => (Kind::Object, text.as_bytes()),
        }
    }

    /// The text that text operators see: of a string, number (canonical) or boolean; `None` for
    /// anything else.
    #[must_use]
    pub fn text(self) -> Option<Cow<'a, str>> {
        match self {
            Item::Str(text) => Some(text.into()),
            Item::Num(text) if number::is_plain(text.as_bytes()) => Some(text.into()),
            Item::Num(text) => Some(number::canonical(text).map_or(text.into(), Cow::from)),
            Item::Bool(value) => Some(if value { "true" } else { "false" }.into()),
            Item::Absent | Item::Null | Item::Array(_) | Item::Object(_) => None,
        }
    }

    /// Whether two values are deeply equal: numbers by exact value, objects in any key order.
    /// Absent equals `null`.
    #[must_use]
    pub fn equals(self, other: Item<'_>) -> bool {
        match (self, other) {
            (Item::Absent | Item::Null, Item::Absent | Item::Null) => true,
            (Item::Bool(a), Item::Bool(b)) => a == b,
            (Item::Num(a), Item::Num(b)) => a == b || number::equal(a, b),
            (Item::Str(a), Item::Str(b)) => a == b,
            (Item::Array(a), Item::Array(b)) | (Item::Object(a), Item::Object(b)) => {
                a == b
                    || (same_length(a, b) && {
                        let text = |item: Item<'_>| {
                            let mut out = String::new();
                            item.write_canonical(&mut out);
                            out
                        };
                        text(self) == text(other)
                    })
            }
            _ => false,
        }
    }

    /// Appends the value as canonical compact JSON: members in RFC 8785
    /// order, numbers canonical, strings escaped as RFC 8785 does. Absent
    /// writes `null`. Equal values, equal texts.
    pub fn write_canonical(self, out: &mut String) {
        match self {
            Item::Absent | Item::Null => out.push_str("null"),
            Item::Bool(value) => out.push_str(if value { "true" } else { "false" }),
            Item::Num(text) => canonical::push_number(text, out),
            Item::Str(text) => hookc_base::json::push_string(text, out),
            Item::Array(text) | Item::Object(text) => canonical::push(text, out),
        }
    }

    /// Calls `each` with every element of an array until it returns `false`; string elements are
    /// decoded. Other kinds have no elements.
    pub fn elements(self, each: &mut dyn FnMut(Item<'_>) -> bool) {
        if let Item::Array(text) = self {
            let _ = walk(text, b']', &mut |_, element| each(element));
        }
    }

    /// Calls `each` with every key and value of an object, in source order, until it returns
    /// `false`. Other kinds have no members.
    pub fn members(self, each: &mut dyn FnMut(&str, Item<'_>) -> bool) {
        if let Item::Object(text) = self {
            let _ = walk(text, b'}', each);
        }
    }
}

/// Walks a container that ends with `close`; an array's keys are empty.
/// `None`: the text is not valid, and the walk ended there.
fn walk(text: &str, close: u8, each: &mut dyn FnMut(&str, Item<'_>) -> bool) -> Option<()> {
    let mut lex = Lexer::new(text, MODULE_DEPTH);
    let mut more = lex.open(close);
    while more {
        let key = if close == b'}' { lex.key().ok()?.decode() } else { Cow::default() };
        let start = lex.at();
        let kind = lex.kind().ok()?;
        let go_on = if kind == Kind::String {
            each(&key, Item::Str(&lex.string().ok()?.decode()))
        } else {
            lex.value(1).ok()?;
            each(&key, Item::new(kind, lex.since(start)))
        };
        more = go_on && lex.more(close).ok()?;
    }
    Some(())
}
