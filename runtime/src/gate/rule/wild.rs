//! Patterns in which `*` matches anything, and texts with unknown parts.

use hookc_shell::units::Unit;

/// The characters of a text.
pub(super) fn units(text: &str) -> Vec<Unit> {
    text.chars().map(Unit::Char).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Char(char),
    Star,
}

/// A pattern: `*` is any text, `\*` a star, `\\` a backslash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern(Vec<Token>);

/// The maximum number of comparison steps.
const STEPS: usize = 1 << 24;

impl Pattern {
    pub(super) fn new(text: &str) -> Self {
        let (mut tokens, mut chars) = (Vec::new(), text.chars().peekable());
        while let Some(char) = chars.next() {
            tokens.push(match char {
                '*' => Token::Star,
                '\\' => Token::Char(chars.next_if(|next| matches!(next, '*' | '\\')).unwrap_or(char)),
                char => Token::Char(char),
            });
        }
        Self(tokens)
    }

    /// Exactly a text.
    pub(super) fn literal(text: &str) -> Self {
        Self(text.chars().map(Token::Char).collect())
    }

    /// Like `literal` followed by ` *`.
    pub(super) fn and_more(mut self) -> Self {
        self.0.extend([Token::Char(' '), Token::Star]);
        self
    }

    /// The text before a trailing ` *`.
    pub(super) fn before_more(&self) -> Option<Self> {
        let rest = self.0.strip_suffix(&[Token::Char(' '), Token::Star])?;
        (!rest.is_empty()).then(|| Self(rest.to_vec()))
    }

    /// Whether comparing this number of parts exceeds the limit.
    pub(super) fn is_too_much(&self, parts: usize) -> bool {
        self.0.len().saturating_mul(parts) > STEPS
    }

    /// Whether the whole text matches for every content of its unknown parts.
    pub(super) fn matches(&self, text: &[Unit]) -> bool {
        self.walk(text, false)
    }

    /// Whether it matches for some content of its unknown parts.
    pub(super) fn may_match(&self, text: &[Unit]) -> bool {
        self.walk(text, true)
    }

    /// Walks the set of positions in the pattern along the text.
    fn walk(&self, text: &[Unit], loose: bool) -> bool {
        let mut at = vec![false; self.0.len() + 1];
        if let Some(first) = at.first_mut() {
            *first = true;
        }
        self.skip_stars(&mut at);
        for unit in text {
            at = self.step(&at, *unit, loose);
            self.skip_stars(&mut at);
            if !at.contains(&true) {
                return false;
            }
        }
        at.last() == Some(&true)
    }

    fn step(&self, at: &[bool], unit: Unit, loose: bool) -> Vec<bool> {
        if loose && matches!(unit, Unit::Unknown | Unit::Glob('*')) {
            let first = at.iter().position(|here| *here).unwrap_or(at.len());
            return (0..at.len()).map(|n| n >= first).collect();
        }
        let mut next = vec![false; at.len()];
        for (n, (token, _)) in self.0.iter().zip(at).enumerate().filter(|(_, (_, here))| **here) {
            let place = match (token, unit) {
                (Token::Star, _) => n,
                (Token::Char(_), Unit::Glob('?')) if loose => n + 1,
                (Token::Char(own), Unit::Char(char) | Unit::Glob(char)) if *own == char => n + 1,
                _ => continue,
            };
            if let Some(place) = next.get_mut(place) {
                *place = true;
            }
        }
        next
    }

    /// A star can match nothing.
    fn skip_stars(&self, at: &mut [bool]) {
        let mut reached = false;
        for (token, here) in self.0.iter().map(Some).chain([None]).zip(at) {
            *here |= reached;
            reached = *here && token == Some(&Token::Star);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Pattern, Unit, units};

    #[test]
    fn stars_and_unknown_parts() {
        let table = [
            ("git *", "git push", true),
            ("git *", "git", false),
            ("git*", "gitk", true),
            ("*", "", true),
            ("* --version", "node --version", true),
            ("git * main", "git push origin main", true),
            ("git * main", "git main", false),
            (r"echo \*", "echo *", true),
            (r"echo \*", "echo x", false),
            (r"a\\b", r"a\b", true),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "aXcYb", false),
        ];
        for (pattern, text, expected) in table {
            assert_eq!(Pattern::new(pattern).matches(&units(text)), expected, "{pattern} {text}");
        }
        let mut text = units("rm ");
        text.push(Unit::Unknown);
        text.extend(units(" x"));
        let pattern = Pattern::new("rm -rf *");
        assert!(pattern.may_match(&text) && !pattern.matches(&text));
        assert!(Pattern::new("rm *").matches(&text) && !Pattern::new("git *").may_match(&text));
        assert_eq!(pattern.before_more(), Some(Pattern::new("rm -rf")));
        assert_eq!(Pattern::literal("rm -rf").and_more(), pattern);
    }
}
