//! Globs with one pair of braces at most, decided by going back to the last
//! star, once for every alternative.
//!
//! If a star is followed by another of its kind, only the later one needs to be retried: the
//! earliest match of the part between them leaves most of the text for the rest. A `*` stops at a
//! `/`, so the last `**` is retried when the `*` after it fails.

use hookc_base::text::Case;

use super::token::{Token, token};
use crate::text::fold::fold_char;

/// A star, and the position in the text for its next attempt.
#[derive(Clone, Copy)]
struct Star {
    kind: Kind,
    /// The position after the star in the pattern.
    pattern: usize,
    /// The end of the text that the star has matched so far.
    text: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Star,
    Deep,
    Folders,
}

/// Whether the text matches; `None` if the pattern has more braces, or after more steps than the
/// lengths justify.
pub(super) fn matches(pattern: &str, text: &str, case: Case) -> Option<bool> {
    let steps = pattern.len().saturating_add(text.len()).saturating_mul(4).saturating_add(64);
    let decide = |choice| Walk { pattern, text, case, steps, choice, star: None, deep: None }.decide();
    let open = match decide(None) {
        End::Decided(matched) => return Some(matched),
        End::GaveUp => return None,
        End::Open(open) => open,
    };
    let close = closing(pattern, open)?;
    let mut comma = open;
    while comma < close {
        let (start, end) = alternative(pattern, comma)?;
        match decide(Some(Choice { open, start, close })) {
            End::Decided(true) => return Some(true),
            End::Decided(false) => comma = end,
            End::GaveUp | End::Open(_) => return None,
        }
    }
    Some(false)
}

/// The start of the alternative after a `{` or `,`, and the `,` or `}` that ends it; `None` if it
/// contains braces or has no end.
fn alternative(pattern: &str, opener: usize) -> Option<(usize, usize)> {
    let start = opener.saturating_add(1);
    let mut at = start;
    loop {
        match token(pattern, at).ok()?? {
            (Token::Comma | Token::Close, _) => return Some((start, at)),
            (Token::Open, _) => return None,
            (_, end) => at = end,
        }
    }
}

/// The `}` of braces that contain no others.
fn closing(pattern: &str, open: usize) -> Option<usize> {
    let mut end = open;
    while !pattern.get(end..)?.starts_with('}') {
        (_, end) = alternative(pattern, end)?;
    }
    Some(end)
}

/// The chosen alternative of the only braces.
#[derive(Clone, Copy)]
struct Choice {
    /// The `{`.
    open: usize,
    /// The start of the alternative.
    start: usize,
    /// The `}`.
    close: usize,
}

/// The result of a walk.
enum End {
    Decided(bool),
    /// At braces without a chosen alternative.
    Open(usize),
    GaveUp,
}

enum Step {
    Go(usize, usize),
    Failed,
    End(End),
}

struct Walk<'a> {
    pattern: &'a str,
    text: &'a str,
    case: Case,
    /// Steps that are left.
    steps: usize,
    choice: Option<Choice>,
    star: Option<Star>,
    deep: Option<Star>,
}

impl Walk<'_> {
    fn decide(mut self) -> End {
        let (mut p, mut t) = (0, 0);
        while let Some(steps) = self.steps.checked_sub(1) {
            self.steps = steps;
            let next = match self.step(p, t) {
                Step::Go(p, t) => Some((p, t)),
                Step::Failed => self.again(),
                Step::End(end) => return end,
            };
            match next {
                Some(next) => (p, t) = next,
                None => return End::Decided(false),
            }
        }
        End::GaveUp
    }

    fn step(&mut self, p: usize, t: usize) -> Step {
        if let Some(step) = self.plain(p, t) {
            return step;
        }
        let (token, after) = match token(self.pattern, p) {
            Ok(Some(found)) => found,
            Ok(None) if t == self.text.len() => return Step::End(End::Decided(true)),
            Ok(None) => return Step::Failed,
            Err(_) => return Step::End(End::Decided(false)),
        };
        let inside = self.choice.filter(|choice| (choice.open..=choice.close).contains(&p));
        match (token, inside) {
            (Token::Open, Some(choice)) => return Step::Go(choice.start, t),
            (Token::Comma | Token::Close, Some(choice)) => {
                return Step::Go(choice.close.saturating_add(1), t);
            }
            _ => {}
        }
        match token {
            Token::Open => Step::End(End::Open(p)),
            Token::Star => self.enter(Kind::Star, after, t),
            Token::Deep => self.enter(Kind::Deep, after, t),
            Token::Folders => self.enter(Kind::Folders, after, t),
            Token::Comma => self.one(t, after, |c, _| c == ','),
            Token::Close => self.one(t, after, |c, _| c == '}'),
            Token::One => self.one(t, after, |c, _| c != '/'),
            Token::Class(class) => self.one(t, after, |c, case| class.has(c, case)),
            Token::Char(x) => {
                self.one(t, after, |c, case| c == x || case.is_ignored() && fold_char(c) == fold_char(x))
            }
        }
    }

    /// The byte at a position of the pattern, if it is certainly a literal.
    fn literal(&self, p: usize) -> Option<u8> {
        let literal = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'.' | b'-' | b'_' | b' ');
        self.pattern.as_bytes().get(p).copied().filter(literal)
    }

    /// The common step: a literal of the pattern that equals the text.
    fn plain(&self, p: usize, t: usize) -> Option<Step> {
        let x = self.literal(p)?;
        let same = match self.text.as_bytes().get(t) {
            Some(c) if c.is_ascii() && self.case.is_ignored() => c.eq_ignore_ascii_case(&x),
            Some(_) if self.case.is_ignored() => return None,
            c => c == Some(&x),
        };
        Some(if same { Step::Go(p.saturating_add(1), t.saturating_add(1)) } else { Step::Failed })
    }

    /// Matches one character of the text.
    fn one(&self, t: usize, after: usize, fits: impl Fn(char, Case) -> bool) -> Step {
        match self.char_at(t) {
            Some(c) if fits(c, self.case) => Step::Go(after, t.saturating_add(c.len_utf8())),
            _ => Step::Failed,
        }
    }

    fn char_at(&self, t: usize) -> Option<char> {
        self.text.get(t..)?.chars().next()
    }

    /// Passes a star, which matches as little as possible.
    fn enter(&mut self, kind: Kind, pattern: usize, text: usize) -> Step {
        let star = Star { kind, pattern, text };
        let last = pattern == self.pattern.len();
        if last && kind == Kind::Deep {
            return Step::End(End::Decided(true));
        }
        if last && kind == Kind::Star {
            self.star = None;
            let slash = self.seek(text, |b| b == b'/').is_some();
            return if slash { Step::Failed } else { Step::End(End::Decided(true)) };
        }
        if kind == Kind::Star {
            return self.stretch(star).map_or(Step::Failed, |(p, t)| Step::Go(p, t));
        }
        self.star = None;
        self.deep = Some(star);
        let before = text.checked_sub(1).and_then(|t| self.text.as_bytes().get(t));
        if kind == Kind::Deep || before.is_none_or(|b| *b == b'/') {
            return Step::Go(pattern, text);
        }
        self.again().map_or(Step::Failed, |(p, t)| Step::Go(p, t))
    }

    /// Lets a `*` match up to the literal after it, if there is one; `None` if a `/` comes first.
    fn stretch(&mut self, star: Star) -> Option<(usize, usize)> {
        self.star = None;
        let mut text = star.text;
        if let Some(literal) = self.literal(star.pattern).filter(|_| !self.case.is_ignored()) {
            let (place, found) = self.seek(text, |b| b == literal || b == b'/')?;
            if found != literal {
                return None;
            }
            text = place;
        }
        self.star = Some(Star { text, ..star });
        Some((star.pattern, text))
    }

    /// The first matching byte from a position on. Costs one step per 16 bytes.
    fn seek(&mut self, text: usize, sought: impl Fn(u8) -> bool) -> Option<(usize, u8)> {
        let rest = self.text.as_bytes().get(text..)?;
        let found = rest.iter().zip(text..).find(|(b, _)| sought(**b)).map(|(b, place)| (place, *b));
        let ahead = found.map_or(rest.len(), |(place, _)| place.saturating_sub(text));
        self.steps = self.steps.saturating_sub(ahead >> 4);
        found
    }

    /// Retries the last star that can match more.
    fn again(&mut self) -> Option<(usize, usize)> {
        if let Some(star) = self.star.take()
            && let Some(c) = self.char_at(star.text).filter(|c| *c != '/')
            && let Some(next) = self.stretch(Star { text: star.text.saturating_add(c.len_utf8()), ..star })
        {
            return Some(next);
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
