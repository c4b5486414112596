//! Why bytes are no event.

use std::fmt;

use crate::limits::EXPONENT;

/// A typed error of the event; the caller's polarity applies (semantics §10).
/// Offsets are bytes of the event. Where several apply, it is the first of:
/// size, UTF-8, then all else in order of its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventError {
    /// More bytes than the limit given here.
    TooLarge(usize),
    /// Deeper than the limit given here.
    TooDeep(usize),
    /// Not UTF-8 from this offset on.
    Utf8(usize),
    /// Not JSON at this offset: what was expected there.
    Syntax(usize, &'static str),
    /// JSON, but not an object.
    NotAnObject,
    /// An escaped lone surrogate at this offset.
    Surrogate(usize),
    /// A number whose written exponent is beyond the limit, at this offset.
    Exponent(usize),
    /// The same key twice on a read path: the path, in the shorthand.
    Duplicate(String),
    /// No event type was named, by the caller or in the event.
    NoType,
    /// Event types of this name belong to several vocabularies; the caller
    /// must say which.
    AmbiguousType(String),
}

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(limit) => write!(f, "the event is larger than {limit} bytes"),
            Self::TooDeep(limit) => write!(f, "the event is nested deeper than {limit}"),
            Self::Utf8(at) => write!(f, "the event is not UTF-8 at byte {at}"),
            Self::Syntax(at, expected) => {
                write!(f, "the event is not JSON at byte {at}: expected {expected}")
            }
            Self::NotAnObject => f.write_str("the event is not an object"),
            Self::Surrogate(at) => write!(f, "half a surrogate pair at byte {at} of the event"),
            Self::Exponent(at) => write!(f, "an exponent beyond {EXPONENT} at byte {at} of the event"),
            Self::Duplicate(path) => write!(f, "the event has the key `{path}` twice"),
            Self::NoType => f.write_str("the event does not say its type"),
            Self::AmbiguousType(name) => {
                write!(f, "`{name}` is an event type of several vocabularies: say which")
            }
        }
    }
}

impl std::error::Error for EventError {}
