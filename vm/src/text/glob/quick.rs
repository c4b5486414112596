//! Globs without braces, decided by going back to the last star.
//!
//! Where a star is followed by another of its kind, only the later one need
//! ever be tried again: having found the part between them as early as it
//! comes leaves most of the text to the rest. A `*` stops at a `/`, so the
//! last `**` is tried again when the `*` behind it fails.

use super::token::{Token, token};
use crate::text::fold::fold_char;

/// A star passed on the way, and where the text goes on if it is tried again.
#[derive(Clone, Copy)]
struct Star {
    kind: Kind,
    /// Behind the star in the pattern.
    pattern: usize,
    /// What the star has swallowed so far ends here.
    text: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Star,
    Deep,
    Folders,
}

/// Whether the text matches; `None` if the pattern has braces, or after more
/// steps than the lengths warrant.
pub(super) fn matches(pattern: &str, text: &str, fold: bool) -> Option<bool> {
    let mut walk = Walk { pattern, text, fold, star: None, deep: None };
    let mut steps = pattern.len().saturating_add(text.len()).saturating_mul(4).saturating_add(64);
    let (mut p, mut t) = (0, 0);
    loop {
        steps = steps.checked_sub(1)?;
        let next = match walk.step(p, t) {
            Step::Go(p, t) => Some((p, t)),
            Step::Matched => return Some(true),
            Step::Open => return None,
            Step::Invalid => return Some(false),
            Step::Failed => walk.again(),
        };
        match next {
            Some(next) => (p, t) = next,
            None => return Some(false),
        }
    }
}

enum Step {
    Go(usize, usize),
    Failed,
    Matched,
    Open,
    Invalid,
}

struct Walk<'a> {
    pattern: &'a str,
    text: &'a str,
    fold: bool,
    star: Option<Star>,
    deep: Option<Star>,
}

impl Walk<'_> {
    fn step(&mut self, p: usize, t: usize) -> Step {
        if let Some(step) = self.plain(p, t) {
            return step;
        }
        let (token, after) = match token(self.pattern, p) {
            Ok(Some(found)) => found,
            Ok(None) if t == self.text.len() => return Step::Matched,
            Ok(None) => return Step::Failed,
            Err(_) => return Step::Invalid,
        };
        match token {
            Token::Open => Step::Open,
            Token::Star => self.enter(Kind::Star, after, t),
            Token::Deep => self.enter(Kind::Deep, after, t),
            Token::Folders => self.enter(Kind::Folders, after, t),
            Token::Comma => self.one(t, after, |c, _| c == ','),
            Token::Close => self.one(t, after, |c, _| c == '}'),
            Token::One => self.one(t, after, |c, _| c != '/'),
            Token::Class(class) => self.one(t, after, |c, fold| class.has(c, fold)),
            Token::Char(x) => self.one(t, after, |c, fold| c == x || fold && fold_char(c) == fold_char(x)),
        }
    }

    /// The common step: a letter, digit or `/` of the pattern that is the same in the text.
    fn plain(&self, p: usize, t: usize) -> Option<Step> {
        let x = *self.pattern.as_bytes().get(p)?;
        if !(x.is_ascii_alphanumeric() || matches!(x, b'/' | b'.' | b'-' | b'_' | b' ')) {
            return None;
        }
        let same = match self.text.as_bytes().get(t) {
            Some(c) if c.is_ascii() && self.fold => c.eq_ignore_ascii_case(&x),
            Some(_) if self.fold => return None,
            c => c == Some(&x),
        };
        Some(if same { Step::Go(p.saturating_add(1), t.saturating_add(1)) } else { Step::Failed })
    }

    /// Takes one character of the text if it fits.
    fn one(&self, t: usize, after: usize, fits: impl Fn(char, bool) -> bool) -> Step {
        match self.char_at(t) {
            Some(c) if fits(c, self.fold) => Step::Go(after, t.saturating_add(c.len_utf8())),
            _ => Step::Failed,
        }
    }

    fn char_at(&self, t: usize) -> Option<char> {
        self.text.get(t..)?.chars().next()
    }

    /// Passes a star, which swallows as little as it can.
    fn enter(&mut self, kind: Kind, pattern: usize, text: usize) -> Step {
        let star = Star { kind, pattern, text };
        let last = pattern == self.pattern.len();
        if last && kind == Kind::Deep {
            return Step::Matched;
        }
        if last && kind == Kind::Star {
            self.star = None;
            let rest = self.text.as_bytes().get(text..).unwrap_or_default();
            return if rest.contains(&b'/') { Step::Failed } else { Step::Matched };
        }
        if kind == Kind::Star {
            self.star = Some(star);
            return Step::Go(pattern, text);
        }
        self.star = None;
        self.deep = Some(star);
        let before = text.checked_sub(1).and_then(|t| self.text.as_bytes().get(t));
        if kind == Kind::Deep || before.is_none_or(|b| *b == b'/') {
            return Step::Go(pattern, text);
        }
        self.again().map_or(Step::Failed, |(p, t)| Step::Go(p, t))
    }

    /// Lets the last star that still can swallow more.
    fn again(&mut self) -> Option<(usize, usize)> {
        if let Some(star) = self.star.take()
            && let Some(c) = self.char_at(star.text).filter(|c| *c != '/')
        {
            let text = star.text.saturating_add(c.len_utf8());
            self.star = Some(Star { text, ..star });
            return Some((star.pattern, text));
        }
        let deep = self.deep.take()?;
        let rest = self.text.get(deep.text..)?;
        let swallowed = match deep.kind {
            Kind::Folders => rest.find('/')?.saturating_add(1),
            _ => rest.chars().next()?.len_utf8(),
        };
        let text = deep.text.saturating_add(swallowed);
        self.deep = Some(Star { text, ..deep });
        Some((deep.pattern, text))
    }
}
