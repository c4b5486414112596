//! Exact decimal numbers (semantics §1). (stub)

use std::cmp::Ordering;

/// Why a text is no number of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// Not a number of RFC 8259 §6.
    Syntax,
    /// The written exponent is beyond [`crate::limits::EXPONENT`].
    Exponent,
}

/// The canonical text of a JSON number: equal values, equal texts.
///
/// # Errors
/// See [`NumberError`].
pub fn canonical(text: &str) -> Result<String, NumberError> {
    Ok(text.to_owned())
}

/// Compares two JSON numbers by exact value.
#[must_use]
pub fn compare(a: &str, b: &str) -> Ordering {
    a.cmp(b)
}

/// Whether a JSON number's value is an integer (`1.0` is).
#[must_use]
pub fn is_integer(text: &str) -> bool {
    !text.contains('.')
}
