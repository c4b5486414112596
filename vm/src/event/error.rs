//! Why bytes are not a valid event.

use std::fmt;

use crate::code::error_codes;
use crate::limits::EXPONENT;

/// A typed error of the event; the caller's failure mode applies. Offsets are bytes of the event after its byte order
/// mark.
/// If several errors apply, the order is: size, UTF-8, then all others by position.
///
/// ```
/// use hookc_vm::EventError;
///
/// let error = EventError::Syntax(7, "a value");
/// assert_eq!(error.to_string(), "the event is not JSON at byte 7: expected a value");
/// assert_eq!((error.code(), error.offset()), ("syntax", Some(7)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventError {
    /// More bytes than this limit.
    TooLarge(usize),
    /// Nested deeper than this limit.
    TooDeep(usize),
    /// Not UTF-8 from this offset on.
    Utf8(usize),
    /// Not JSON at this offset: what was expected there.
    Syntax(usize, &'static str),
    /// JSON, but not an object.
    NotAnObject,
    /// An escaped lone surrogate at this offset.
    Surrogate(usize),
    /// A number whose exponent exceeds the limit, at this offset.
    Exponent(usize),
    /// A duplicate key on a path that is read: the path in shorthand.
    Duplicate(String),
    /// No event type was named, by the caller or in the event.
    NoType,
    /// Several vocabularies declare an event type of this name; the caller must choose one.
    AmbiguousType(String),
}

impl EventError {
    /// Where the error is, as a byte of the event; `None` if it is about the event as a whole.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        match self {
            Self::Utf8(at) | Self::Syntax(at, _) | Self::Surrogate(at) | Self::Exponent(at) => Some(*at),
            Self::TooLarge(_)
            | Self::TooDeep(_)
            | Self::NotAnObject
            | Self::Duplicate(_)
            | Self::NoType
            | Self::AmbiguousType(_) => None,
        }
    }
}

error_codes! { EventError {
    TooLarge => "too_large" "the event has more bytes than the limit",
    TooDeep => "too_deep" "the event is nested deeper than the limit",
    Utf8 => "utf8" "the event is not UTF-8",
    Syntax => "syntax" "the event is not JSON",
    NotAnObject => "not_an_object" "the event is JSON, but not an object",
    Surrogate => "surrogate" "a string of the event has half a surrogate pair",
    Exponent => "exponent" "the exponent of a number exceeds the limit",
    Duplicate => "duplicate_key" "a key that the policy reads is in the event twice",
    NoType => "no_type" "neither the event nor the caller names the event's type",
    AmbiguousType => "ambiguous_type" "several vocabularies declare the event's type, and the caller names none",
} }

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(limit) => write!(f, "the event is larger than {limit} bytes"),
            Self::TooDeep(limit) => write!(f, "the event is nested deeper than {limit}"),
            Self::Utf8(0) => f.write_str("the event is not UTF-8 at byte 0 (UTF-16 is not supported)"),
            Self::Utf8(at) => write!(f, "the event is not UTF-8 at byte {at}"),
            Self::Syntax(at, expected) => {
                write!(f, "the event is not JSON at byte {at}: expected {expected}")
            }
            Self::NotAnObject => f.write_str("the event is not an object"),
            Self::Surrogate(at) => write!(f, "half a surrogate pair at byte {at} of the event"),
            Self::Exponent(at) => write!(f, "an exponent beyond {EXPONENT} at byte {at} of the event"),
            Self::Duplicate(path) => write!(f, "the event has a duplicate key `{path}`"),
            Self::NoType => {
                f.write_str("the event has no type: expected `event.type`, `hook_event_name` or `event_type`")
            }
            Self::AmbiguousType(name) => {
                write!(f, "several vocabularies declare the event type `{name}`: name the vocabulary")
            }
        }
    }
}

impl std::error::Error for EventError {}
