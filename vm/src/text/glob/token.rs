//! The tokens of a glob, read in place one at a time.

use hookc_base::text::Case;

use super::GlobError;
use crate::text::fold;

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) enum Token<'p> {
    /// This character.
    Char(char),
    /// `?`
    One,
    /// `*`
    Star,
    /// `**`
    Deep,
    /// `**/`
    Folders,
    /// `[...]`
    Class(Class<'p>),
    /// `{`
    Open,
    /// `,`, an ordinary character outside braces
    Comma,
    /// `}`, an ordinary character outside braces
    Close,
}

/// The token at `at`, and where it ends; `None` at the pattern's end.
pub(super) fn token(pattern: &str, at: usize) -> Result<Option<(Token<'_>, usize)>, GlobError> {
    let rest = pattern.get(at..).unwrap_or_default();
    let mut chars = rest.chars();
    let Some(first) = chars.next() else { return Ok(None) };
    let after = chars.as_str();
    let (token, after) = match first {
        '\\' => {
            let escaped = chars.next().ok_or(GlobError::new(at, "a `\\` at the end"))?;
            (Token::Char(escaped), chars.as_str())
        }
        '?' => (Token::One, after),
        '*' => stars(after),
        '[' => {
            let (class, after) = Class::read(pattern, after)?;
            (Token::Class(class), after)
        }
        '{' => (Token::Open, after),
        ',' => (Token::Comma, after),
        '}' => (Token::Close, after),
        c => (Token::Char(c), after),
    };
    Ok(Some((token, offset(pattern, after))))
}

fn stars(after: &str) -> (Token<'_>, &str) {
    let rest = after.trim_start_matches('*');
    match rest.strip_prefix('/') {
        _ if rest.len() == after.len() => (Token::Star, after),
        Some(rest) => (Token::Folders, rest),
        None => (Token::Deep, rest),
    }
}

/// The start of `rest`, a suffix of `pattern`.
fn offset(pattern: &str, rest: &str) -> usize {
    pattern.len().saturating_sub(rest.len())
}

/// A class of characters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class<'p> {
    negated: bool,
    /// From the first member on; the closing bracket is in here.
    members: &'p str,
}

impl<'p> Class<'p> {
    /// Reads the text after the `[` and returns the text after the `]`.
    fn read(pattern: &'p str, text: &'p str) -> Result<(Self, &'p str), GlobError> {
        let members = text.strip_prefix('!').unwrap_or(text);
        let open = offset(pattern, text).saturating_sub(1);
        if members.starts_with(']') {
            return Err(GlobError::new(open, "an empty class; in a class, write `\\]` for a `]`"));
        }
        let mut rest = members;
        while !rest.starts_with(']') {
            let (low, high, after) = member(rest).ok_or(GlobError::new(open, "a `[` that is not closed"))?;
            if low > high {
                return Err(GlobError::new(offset(pattern, rest), "a descending range"));
            }
            rest = after;
        }
        let class = Self { negated: members.len() < text.len(), members };
        Ok((class, rest.strip_prefix(']').unwrap_or(rest)))
    }

    /// Whether a character is in the class; `/` never is.
    pub(super) fn has(self, c: char, case: Case) -> bool {
        let found = if case.is_ignored() { fold::variants(c).any(|c| self.lists(c)) } else { self.lists(c) };
        c != '/' && found != self.negated
    }

    fn lists(self, c: char) -> bool {
        let mut rest = self.members;
        while !rest.starts_with(']') {
            match member(rest) {
                Some((low, high, _)) if low <= c && c <= high => return true,
                Some((_, _, after)) => rest = after,
                None => return false,
            }
        }
        false
    }
}

/// The first member of the rest of a class: a range, and the text after it.
fn member(text: &str) -> Option<(char, char, &str)> {
    let (low, rest) = class_char(text)?;
    match rest.strip_prefix('-') {
        Some(after) if !after.starts_with(']') => {
            let (high, rest) = class_char(after)?;
            Some((low, high, rest))
        }
        _ => Some((low, low, rest)),
    }
}

fn class_char(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    let c = match chars.next()? {
        '\\' => chars.next()?,
        c => c,
    };
    Some((c, chars.as_str()))
}
