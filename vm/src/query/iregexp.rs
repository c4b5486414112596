//! I-Regexp (RFC 9485), the regular expressions of `match` and `search`, in
//! the syntax of the regex crate.
//!
//! Two characters have more meaning than in RFC 9485, following the compliance suite of JSONPath:
//! `^` and `$` outside a class match the start and the end of the text.

use std::iter::Peekable;
use std::str::Chars;

use crate::limits::MODULE_DEPTH;

/// The meaning of `.`: any character except line ends (RFC 9485 §5.3).
pub const DOT: &str = "[^\\n\\r]";

/// The pattern that matches a part of a text where the I-Regexp does, or all of it if `whole`.
/// `None`: not a valid I-Regexp.
#[must_use]
pub fn translate(text: &str, whole: bool) -> Option<String> {
    let mut reader =
        Reader { chars: text.chars().peekable(), out: String::with_capacity(text.len().saturating_add(12)) };
    reader.out.push_str(if whole { "\\A(?:" } else { "" });
    reader.alternatives(0)?;
    reader.out.push_str(if whole { ")\\z" } else { "" });
    reader.chars.peek().is_none().then_some(reader.out)
}

struct Reader<'t> {
    chars: Peekable<Chars<'t>>,
    out: String,
}

/// `None`: the text is not an I-Regexp.
type Read = Option<()>;

impl Reader<'_> {
    fn eat(&mut self, c: char) -> bool {
        self.chars.next_if_eq(&c).is_some()
    }

    fn take(&mut self, c: char) -> Read {
        self.chars.next_if_eq(&c).map(|c| self.out.push(c))
    }

    /// `i-regexp`: stops at what cannot be part of one.
    fn alternatives(&mut self, depth: usize) -> Read {
        loop {
            while let Some(c) = self.chars.peek().copied().filter(|c| !matches!(c, '|' | ')')) {
                self.chars.next();
                self.atom(c, depth)?;
                self.quantifier()?;
            }
            if self.take('|').is_none() {
                return Some(());
            }
        }
    }

    fn atom(&mut self, c: char, depth: usize) -> Read {
        match c {
            '(' if depth >= MODULE_DEPTH => return None,
            '(' => {
                self.out.push_str("(?:");
                self.alternatives(depth.saturating_add(1))?;
                self.take(')')?;
            }
            '.' => self.out.push_str(DOT),
            '[' => self.class()?,
            '\\' => self.escape(false)?,
            '^' => self.out.push_str("\\A"),
            '$' => self.out.push_str("\\z"),
            '*' | '+' | '?' | ']' | '{' | '}' => return None,
            c => self.literal(c),
        }
        Some(())
    }

    fn literal(&mut self, c: char) {
        self.out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
    }

    fn quantifier(&mut self) -> Read {
        let Some(c) = self.chars.next_if(|c| matches!(c, '*' | '+' | '?' | '{')) else { return Some(()) };
        self.out.push(c);
        if c == '{' {
            self.digits()?;
            if self.take(',').is_some() && self.chars.peek() != Some(&'}') {
                self.digits()?;
            }
            self.take('}')?;
        }
        Some(())
    }

    fn digits(&mut self) -> Read {
        let mut any = None;
        while let Some(digit) = self.chars.next_if(char::is_ascii_digit) {
            self.out.push(digit);
            any = Some(());
        }
        any
    }

    /// After a backslash: a literal character, or a category.
    fn escape(&mut self, alone: bool) -> Read {
        match self.chars.next()? {
            c @ ('n' | 'r' | 't') => self.out.extend(['\\', c]),
            c @ ('(' | ')' | '*' | '+' | '-' | '.' | '?' | '[' | '\\' | ']' | '^' | '{' | '|' | '}') => {
                self.out.extend(['\\', c]);
            }
            // Not in RFC 9485: there it is an ordinary character.
            '$' => self.out.push_str("\\$"),
            c @ ('p' | 'P') if !alone => self.category(c)?,
            _ => return None,
        }
        Some(())
    }

    /// `\p{Lu}`
    fn category(&mut self, c: char) -> Read {
        self.out.extend(['\\', c]);
        self.take('{')?;
        let class = self.chars.next()?;
        let kinds = match class {
            'L' => "lmotu",
            'M' => "cen",
            'N' => "dlo",
            'P' => "cdefios",
            'Z' => "lps",
            'S' => "ckmo",
            'C' => "cfno",
            _ => return None,
        };
        self.out.push(class);
        if let Some(kind) = self.chars.next_if(|kind| kinds.contains(*kind)) {
            self.out.push(kind);
        }
        self.take('}')
    }

    /// After an opening bracket.
    fn class(&mut self) -> Read {
        self.out.push('[');
        let _ = self.take('^');
        let mut first = true;
        while !self.eat(']') {
            if self.eat('-') {
                // It is literal at either end.
                self.out.push_str("\\-");
                if !first && self.chars.peek() != Some(&']') {
                    return None;
                }
            } else {
                self.part()?;
            }
            first = false;
        }
        self.out.push(']');
        (!first).then_some(())
    }

    /// A category, a character, or a range of them.
    fn part(&mut self) -> Read {
        if self.eat('\\') {
            if matches!(self.chars.peek(), Some('p' | 'P')) {
                return self.escape(false);
            }
            self.escape(true)?;
        } else {
            self.member()?;
        }
        let mut ahead = self.chars.clone();
        let range = ahead.next() == Some('-') && ahead.next().is_some_and(|c| c != ']');
        if range {
            self.chars.next();
            self.out.push('-');
            if self.eat('\\') { self.escape(true)? } else { self.member()? }
        }
        Some(())
    }

    /// A character of a class that is not escaped.
    fn member(&mut self) -> Read {
        match self.chars.next()? {
            '[' | ']' | '\\' | '-' => return None,
            // Two of these in a row, or a `^`, would be operators.
            c @ ('&' | '~' | '^') => self.out.extend(['\\', c]),
            c => self.out.push(c),
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use hookc_corpus::amount;

    use super::*;

    fn fits(pattern: &str, text: &str) -> Option<bool> {
        let pattern = translate(pattern, true)?;
        let built = regex::Regex::new(&pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
        Some(built.is_match(text))
    }

    #[test]
    fn valid_globs_and_their_matches() {
        for (pattern, text) in [
            ("", ""),
            ("a|b", "b"),
            ("a.c", "a\u{2028}c"),
            ("(a|bc)*d", "abcad"),
            ("a{2}b{1,}c{0,1}", "aabb"),
            ("[a-cx]+", "abxc"),
            ("[^a]", "b"),
            ("[-a]+", "-a"),
            ("[a-]+", "a-"),
            ("[&&~~^]+", "&&~^"),
            ("[\\]\\-\\\\]+", "]-\\"),
            ("\\p{Lu}\\P{L}", "A1"),
            ("[\\p{Nd}x]+", "1x"),
            ("^ab$", "ab"),
            ("a#b /~", "a#b /~"),
            ("\\n\\t", "\n\t"),
            ("[!-\\]]", "]"),
            ("\\$", "$"),
        ]
        .into_iter()
        .step_by(amount(1, 3))
        {
            assert_eq!(fits(pattern, text), Some(true), "{pattern}");
        }
        for (pattern, text) in
            [("a.c", "a\nc"), ("a.c", "a\rc"), ("a|b", "ab"), ("ab$", "ab\n"), ("(?:a)", "a")]
        {
            assert_ne!(fits(pattern, text), Some(true), "{pattern}");
        }
    }

    #[test]
    fn invalid_texts_are_rejected() {
        for pattern in [
            "(", ")", "a)", "*", "a**", "[", "[]", "[a", "a{", "a{,2}", "a{1", "\\d", "\\w", "\\b", "(?i)a",
            "\\p{Xx}", "\\p{Lx}", "\\", "]", "}", "[a-b-c]", "[[a]]", "[\\d]", "a+?", "(?=a)", "\\1",
            "[z--]",
        ] {
            assert_eq!(translate(pattern, false), None, "{pattern}");
        }
        assert!(translate(&"(".repeat(amount(100_000, 1_000)), false).is_none());
    }
}
