//! The tokens of RFC 8259, checked byte by byte. Both the scan of an event and
//! the walks over values that are known to be valid read through here.

use super::EventError;
use super::string::{Raw, plain};
use crate::limits::EXPONENT;

/// Reads JSON text from a place onwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'e> {
    text: &'e str,
    at: usize,
    /// Containers that may stand in one another.
    depth: usize,
}

/// What a value is by its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    False,
    True,
    Number,
    String,
    Array,
    Object,
}

impl<'e> Lexer<'e> {
    pub(super) const fn new(text: &'e str, depth: usize) -> Self {
        Self { text, at: 0, depth }
    }

    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// Goes to a place where this lexer has been before.
    pub(super) const fn back(&mut self, at: usize) {
        self.at = at;
    }

    /// The text from a place to here.
    pub(super) fn since(&self, start: usize) -> &'e str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// A part of the text.
    pub(super) fn within(&self, place: std::ops::Range<usize>) -> Option<&'e str> {
        self.text.get(place)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    const fn skip(&mut self, bytes: usize) {
        self.at = self.at.wrapping_add(bytes);
    }

    #[cold]
    pub(super) const fn expected<T>(&self, what: &'static str) -> Result<T, EventError> {
        Err(EventError::Syntax(self.at, what))
    }

    pub(super) fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.skip(1);
        }
    }

    /// Takes a byte if it is the next one.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.skip(usize::from(found));
        found
    }

    /// The kind of the value that begins here.
    pub(super) fn kind(&self) -> Result<Kind, EventError> {
        Ok(match self.peek() {
            Some(b'"') => Kind::String,
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            Some(b'n') => Kind::Null,
            Some(b't') => Kind::True,
            Some(b'f') => Kind::False,
            _ => return self.expected("a value"),
        })
    }

    /// Reads a value that is no container; a container is left alone.
    pub(super) fn scalar(&mut self, kind: Kind) -> Result<(), EventError> {
        match kind {
            Kind::Null => self.word("null", "`null`"),
            Kind::True => self.word("true", "`true`"),
            Kind::False => self.word("false", "`false`"),
            Kind::Number => self.number(),
            Kind::String => self.quoted().map(drop),
            Kind::Array | Kind::Object => Ok(()),
        }
    }

    fn word(&mut self, word: &str, expected: &'static str) -> Result<(), EventError> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if !rest.starts_with(word.as_bytes()) {
            return self.expected(expected);
        }
        self.skip(word.len());
        Ok(())
    }

    /// Reads a number (RFC 8259 §6).
    fn number(&mut self) -> Result<(), EventError> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            let digits = self.digits()?.trim_start_matches('0');
            let small = digits.is_empty() || digits.parse::<u32>().is_ok_and(|n| n <= EXPONENT);
            if !small {
                return Err(EventError::Exponent(start));
            }
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<&'e str, EventError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.skip(1);
        }
        if self.at == start { self.expected("a digit") } else { Ok(self.since(start)) }
    }

    /// Reads a string, its opening quote being next.
    pub(super) fn string(&mut self) -> Result<Raw<'e>, EventError> {
        let start = self.at.wrapping_add(1);
        let escaped = self.quoted()?;
        let text = self.text.get(start..self.at.wrapping_sub(1)).unwrap_or_default();
        Ok(Raw { text, escaped })
    }

    /// Reads a string; says whether there are escapes.
    fn quoted(&mut self) -> Result<bool, EventError> {
        self.skip(1);
        let mut escaped = false;
        loop {
            self.skip(plain(self.text.as_bytes().get(self.at..).unwrap_or_default()));
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.escape()?,
                Some(_) => return self.expected("an escape: a control character stands in a string"),
                None => return self.expected("`\"` at the end of a string"),
            }
            escaped = true;
        }
        self.skip(1);
        Ok(escaped)
    }

    fn escape(&mut self) -> Result<(), EventError> {
        let start = self.at;
        self.skip(1);
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.skip(1);
                Ok(())
            }
            Some(b'u') => self.unicode(start),
            _ => self.expected("one of `\"\\/bfnrtu` behind `\\`"),
        }
    }

    /// Reads `uXXXX`, the backslash being at `start`, with the second half of
    /// its pair if it is the first.
    fn unicode(&mut self, start: usize) -> Result<(), EventError> {
        self.skip(1);
        match self.hex()? {
            0xd800..=0xdbff => {
                let pair = self.take(b'\\') && self.take(b'u');
                match self.hex() {
                    Ok(0xdc00..=0xdfff) if pair => Ok(()),
                    _ => Err(EventError::Surrogate(start)),
                }
            }
            0xdc00..=0xdfff => Err(EventError::Surrogate(start)),
            _ => Ok(()),
        }
    }

    fn hex(&mut self) -> Result<u16, EventError> {
        let end = self.at.saturating_add(4);
        let digits = self.text.get(self.at..end).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            Some(unit) => {
                self.at = end;
                Ok(unit)
            }
            None => self.expected("four hexadecimal digits behind `\\u`"),
        }
    }

    /// Opens a container; `false` if it ends at once.
    pub(super) fn open(&mut self, close: u8) -> bool {
        self.skip(1);
        self.space();
        !self.take(close)
    }

    /// Reads what follows a member or an element; `false` at the end.
    pub(super) fn more(&mut self, close: u8) -> Result<bool, EventError> {
        self.space();
        if self.take(b',') {
            self.space();
            return Ok(true);
        }
        if self.take(close) {
            return Ok(false);
        }
        self.expected(if close == b'}' { "`,` or `}`" } else { "`,` or `]`" })
    }

    /// Reads a key and its colon.
    pub(super) fn key(&mut self) -> Result<Raw<'e>, EventError> {
        let start = self.at.wrapping_add(1);
        let (escaped, end) = self.unread_key()?;
        Ok(Raw { text: self.text.get(start..end).unwrap_or_default(), escaped })
    }

    /// Reads a key and its colon; says whether there are escapes, and where
    /// its closing quote stands.
    fn unread_key(&mut self) -> Result<(bool, usize), EventError> {
        if self.peek() != Some(b'"') {
            return self.expected("a key in quotes");
        }
        let escaped = self.quoted()?;
        let end = self.at.wrapping_sub(1);
        self.colon()?;
        Ok((escaped, end))
    }

    /// Reads the colon behind a key.
    pub(super) fn colon(&mut self) -> Result<(), EventError> {
        self.space();
        if !self.take(b':') {
            return self.expected("`:` behind a key");
        }
        self.space();
        Ok(())
    }

    /// The depth inside a container that stands in `depth` others.
    pub(super) const fn deeper(&self, depth: usize) -> Result<usize, EventError> {
        if depth < self.depth { Ok(depth.saturating_add(1)) } else { Err(EventError::TooDeep(self.depth)) }
    }

    /// Reads a value of any kind that stands in `depth` containers.
    pub(super) fn value(&mut self, depth: usize) -> Result<Kind, EventError> {
        let kind = self.kind()?;
        let close = match kind {
            Kind::Object => b'}',
            Kind::Array => b']',
            _ => return self.scalar(kind).map(|()| kind),
        };
        let depth = self.deeper(depth)?;
        let mut more = self.open(close);
        while more {
            if kind == Kind::Object {
                self.unread_key()?;
            }
            self.value(depth)?;
            more = self.more(close)?;
        }
        Ok(kind)
    }

    /// Reads the end of the text.
    pub(super) fn end(&mut self) -> Result<(), EventError> {
        self.space();
        if self.peek().is_some() { self.expected("the end of the event") } else { Ok(()) }
    }
}
