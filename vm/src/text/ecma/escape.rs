//! The text after a backslash.

use super::{Read, Reader};

/// A backslash and what belongs to it.
pub(super) enum Escape {
    /// A character.
    Char(char),
    /// The content of a class, and whether it is negated.
    Set(&'static str, bool),
    /// `\p{...}` as written.
    Property,
}

const DIGITS: &str = "0-9";
const WORD: &str = "0-9A-Za-z_";
/// `WhiteSpace` and `LineTerminator` (ECMA-262 §12.2, §12.3).
const SPACE: &str = r"\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}";

const UNKNOWN: &str = "an unknown escape";

impl Reader<'_> {
    /// An escape outside of classes, its backslash at `start`.
    pub(super) fn escape(&mut self, start: usize) -> Read {
        let edge = if self.take("b") {
            Some(r"(?-u:\b)")
        } else if self.take("B") {
            Some(r"(?-u:\B)")
        } else {
            None
        };
        if let Some(edge) = edge {
            self.out.push_str(edge);
            self.atom = false;
            return Ok(());
        }
        if self.peek().is_some_and(|c| matches!(c, '1'..='9' | 'k')) {
            return self.reference(start);
        }
        match self.escaped(start)? {
            Escape::Char(c) => self.literal(c),
            set => {
                self.set(start, &set);
                self.atom = true;
            }
        }
        Ok(())
    }

    fn reference(&mut self, start: usize) -> Read {
        if self.take("k") {
            let Some((name, _)) = self.rest().strip_prefix('<').and_then(|rest| rest.split_once('>')) else {
                return self.wrong_since(start, UNKNOWN);
            };
            self.at = self.at.saturating_add(name.len()).saturating_add(2);
        }
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.next();
        }
        self.refuse(start, "a back-reference");
        self.atom = true;
        Ok(())
    }

    /// Writes a set, whose backslash is at `start`, as a class.
    pub(super) fn set(&mut self, start: usize, set: &Escape) {
        match set {
            Escape::Char(c) => super::push_char(*c, &mut self.out),
            Escape::Set(inside, meant) => {
                self.out.push_str(if *meant { "[" } else { "[^" });
                self.out.push_str(inside);
                self.out.push(']');
            }
            Escape::Property => self.out.push_str(self.pattern.get(start..self.at).unwrap_or_default()),
        }
    }

    /// Reads escapes with the same meaning inside and outside classes; the backslash is at `start`.
    pub(super) fn escaped(&mut self, start: usize) -> Read<Escape> {
        let Some(c) = self.next() else {
            return self.wrong_since(start, "a backslash at the end");
        };
        Ok(Escape::Char(match c {
            'd' | 'D' => return Ok(Escape::Set(DIGITS, c == 'd')),
            'w' | 'W' => return Ok(Escape::Set(WORD, c == 'w')),
            's' | 'S' => return Ok(Escape::Set(SPACE, c == 's')),
            'p' | 'P' => return self.property(start),
            't' => '\t',
            'n' => '\n',
            'v' => '\u{b}',
            'f' => '\u{c}',
            'r' => '\r',
            '0' if !self.peek().is_some_and(|c| c.is_ascii_digit()) => '\0',
            'c' => self.control(start)?,
            'x' => self.code(start, 2)?,
            'u' => self.unicode(start)?,
            c if c.is_ascii_punctuation() => c,
            _ => return self.wrong_since(start, UNKNOWN),
        }))
    }

    fn control(&mut self, start: usize) -> Read<char> {
        match self.next() {
            Some(c) if c.is_ascii_alphabetic() => {
                Ok(char::from_u32(u32::from(c) & 0x1f).unwrap_or(char::REPLACEMENT_CHARACTER))
            }
            _ => self.wrong_since(start, UNKNOWN),
        }
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let text = self.rest().get(..digits).filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()))?;
        self.at = self.at.saturating_add(digits);
        u32::from_str_radix(text, 16).ok()
    }

    fn code(&mut self, start: usize, digits: usize) -> Read<char> {
        match self.hex(digits).and_then(char::from_u32) {
            Some(c) => Ok(c),
            None => self.wrong_since(start, UNKNOWN),
        }
    }

    /// `\uXXXX`, a pair of them, or `\u{X...}`.
    fn unicode(&mut self, start: usize) -> Read<char> {
        if self.take("{") {
            let digits = self.rest().find('}').filter(|digits| *digits > 0);
            let c = digits.and_then(|digits| self.hex(digits)).and_then(char::from_u32);
            return match c {
                Some(c) if self.take("}") => Ok(c),
                _ => self.wrong_since(start, UNKNOWN),
            };
        }
        let Some(first) = self.hex(4) else { return self.wrong_since(start, UNKNOWN) };
        let second = ((0xd800..0xdc00).contains(&first) && self.take("\\u")).then(|| self.hex(4)).flatten();
        let c = match second {
            Some(low @ 0xdc00..=0xdfff) => {
                let high = first.saturating_sub(0xd800).saturating_mul(0x400);
                char::from_u32(high.saturating_add(low.saturating_sub(0xdc00)).saturating_add(0x1_0000))
            }
            Some(_) => None,
            None => char::from_u32(first),
        };
        match c {
            Some(c) => Ok(c),
            None => self.wrong_since(start, "half a surrogate pair"),
        }
    }

    /// `\p{...}`: the `regex` crate checks whether the property exists.
    fn property(&mut self, start: usize) -> Read<Escape> {
        let name = self.rest().strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(name, _)| name);
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '=');
        match name.filter(|name| !name.is_empty() && name.chars().all(part)) {
            Some(name) => {
                self.at = self.at.saturating_add(name.len()).saturating_add(2);
                Ok(Escape::Property)
            }
            None => self.wrong_since(start, "a property without a name in braces"),
        }
    }
}
