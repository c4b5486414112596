//! Why bytes are no event.

/// A typed error of the event; the caller's polarity applies (semantics §10).
/// Offsets are bytes of the event.
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
