//! Globs: matched against a whole string, without a compile step.
//!
//! ```text
//! *        any characters but /
//! ?        one character but /
//! [a-z_]   one of these characters, never /; [!...] one of the others
//! **       any characters, / among them
//! **/      the same up to a /; nothing at the start of the text or after a /
//! {a,b*}   one of the alternatives; they nest, and may be empty
//! \*       the character itself
//! ```
//!
//! Three or more stars are `**`. In a class, `]` and `\` are written with a `\`, and so are `!` at
//! its start and a `-` that would be a range; `^` is literal. A `,` or `}` outside braces and a `]`
//! outside a class are literal. Nothing is normalised, and a leading dot is an ordinary character.
//!
//! Most patterns have at most one pair of braces, and `quick` matches them directly. In other cases
//! `states` walks a set of states along the text.

mod quick;
mod states;
mod token;

use hookc_base::text::Case;

use crate::limits::{GLOB_BYTES, GLOB_DEPTH};
use token::{Token, token};

/// Why a pattern is not a valid glob: the byte offset and the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GlobError {
    /// Byte offset in the pattern.
    pub at: usize,
    /// The problem.
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

/// Whether `pattern` matches the whole `text`; if `case` is ignored, characters compare folded. An invalid
/// pattern matches nothing. The product of both lengths bounds the time.
#[must_use]
pub fn matches(pattern: &str, text: &str, case: Case) -> bool {
    if pattern.len() > GLOB_BYTES {
        return false;
    }
    quick::matches(pattern, text, case).unwrap_or_else(|| states::matches(pattern, text, case))
}

/// The byte offsets of the stars that match no `/`: those that are alone. Up to the first error of an invalid pattern.
#[must_use]
pub fn stars(pattern: &str) -> Vec<usize> {
    let (mut at, mut stars) = (0, Vec::new());
    while let Ok(Some((found, end))) = token(pattern, at) {
        if matches!(found, Token::Star) {
            stars.push(at);
        }
        at = end;
    }
    stars
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
