//! Globs (semantics §3): matched against a whole string, no build step.
//!
//! ```text
//! *        any characters but /
//! ?        one character but /
//! [a-z_]   one of these characters, never /; [!...] one of the others
//! **       any characters, / among them
//! **/      the same up to a /; nothing at the start of the text or behind a /
//! {a,b*}   one of the alternatives; they nest, and may be empty
//! \*       the character itself
//! ```
//!
//! Three stars and more are `**`. In a class, `]` and `\` are written with a
//! `\`, and so is `!` at its start and a `-` that would be a range; `^` means
//! itself. A `,` or `}` outside braces and a `]` outside a class mean
//! themselves. Nothing is normalised, and a leading dot is like any character.
//!
//! Most patterns have one pair of braces at most, and `quick` decides them
//! by looking at the pattern as it stands. What it leaves open, `states`
//! decides by walking a set of states along the text.

mod quick;
mod states;
mod token;

use crate::limits::{GLOB_BYTES, GLOB_DEPTH};
use token::{Token, token};

/// Why a pattern is no glob: the byte offset, what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobError {
    /// Byte offset in the pattern.
    pub at: usize,
    /// What is wrong.
    pub what: &'static str,
}

impl GlobError {
    const fn new(at: usize, what: &'static str) -> Self {
        Self { at, what }
    }
}

impl std::fmt::Display for GlobError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at byte {}", self.what, self.at)
    }
}

impl std::error::Error for GlobError {}

/// Checks a pattern.
///
/// # Errors
/// See [`GlobError`].
pub fn check(pattern: &str) -> Result<(), GlobError> {
    each_token(pattern, |_| {})
}

/// Whether `text` as a whole matches `pattern`; with `fold`, characters
/// compare folded. An invalid pattern matches nothing. Time is bounded by the
/// product of both lengths.
#[must_use]
pub fn matches(pattern: &str, text: &str, fold: bool) -> bool {
    if pattern.len() > GLOB_BYTES {
        return false;
    }
    quick::matches(pattern, text, fold).unwrap_or_else(|| states::matches(pattern, text, fold))
}

/// Hands every token of a pattern to `each`. Commas outside braces arrive as
/// the characters they are.
fn each_token<'p>(pattern: &'p str, mut each: impl FnMut(Token<'p>)) -> Result<(), GlobError> {
    if pattern.len() > GLOB_BYTES {
        return Err(GlobError::new(GLOB_BYTES, "a pattern longer than 64 KiB"));
    }
    let mut open = Vec::new();
    let mut at = 0;
    while let Some((token, end)) = token(pattern, at)? {
        let inside = !open.is_empty();
        match token {
            Token::Open if open.len() >= GLOB_DEPTH => {
                return Err(GlobError::new(at, "alternatives nested deeper than 16"));
            }
            Token::Open => open.push(at),
            Token::Close => drop(open.pop()),
            _ => {}
        }
        each(match token {
            Token::Close if !inside => Token::Char('}'),
            Token::Comma if !inside => Token::Char(','),
            token => token,
        });
        at = end;
    }
    match open.last() {
        Some(at) => Err(GlobError::new(*at, "a `{` that is not closed")),
        None => Ok(()),
    }
}
