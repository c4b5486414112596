//! Canonical JSON (RFC 8785), except that numbers keep their exact digits.
//!
//! A long value is measured before it is written: its canonical text is as long as that of an equal
//! value, so most comparisons need no copy.

use std::borrow::Cow;
use std::fmt::Write;

use hookc_base::json::{char_length, key_order, push_char, push_string};

use super::EventError;
use super::json::{Found, Kind};
use super::lex::Lexer;
use super::string::Raw;
use crate::limits::MODULE_DEPTH;
use crate::number;

/// Appends the canonical form of a JSON text. Text that is not JSON, or is nested deeper than any
/// value of an event or a module, is appended unchanged.
pub(super) fn push(text: &str, out: &mut String) {
    let start = out.len();
    let mut writer = Writer { lex: Lexer::new(text, MODULE_DEPTH), out };
    if writer.value(0).is_err() {
        out.truncate(start);
        out.push_str(text);
    }
}

/// The length of what [`push`] appends; `None` if it is more than `most`.
pub(super) fn length(text: &str, most: usize) -> Option<usize> {
    let mut measure = Measure { lex: Lexer::new(text, MODULE_DEPTH), most, length: 0, number: String::new() };
    match measure.value(0) {
        Ok(()) => Some(measure.length),
        Err(_) if measure.length > most => None,
        Err(_) => Some(text.len()),
    }
    .filter(|length| *length <= most)
}

/// Measures the canonical text of a value.
struct Measure<'e> {
    lex: Lexer<'e>,
    most: usize,
    length: usize,
    /// The canonical text of a number.
    number: String,
}

impl Measure<'_> {
    fn add(&mut self, length: usize) -> Found<()> {
        self.length = self.length.saturating_add(length);
        if self.length > self.most { Err(Box::new(EventError::TooLarge(self.most))) } else { Ok(()) }
    }

    fn value(&mut self, depth: usize) -> Found<()> {
        let start = self.lex.at();
        match self.lex.kind()? {
            kind @ (Kind::Object | Kind::Array) => self.children(kind == Kind::Object, depth),
            Kind::String => {
                let raw = self.lex.string()?;
                self.string(raw)
            }
            Kind::Number => {
                self.lex.scalar(Kind::Number)?;
                self.number.clear();
                push_number(self.lex.since(start), &mut self.number);
                self.add(self.number.len())
            }
            kind => {
                self.lex.scalar(kind)?;
                self.add(self.lex.since(start).len())
            }
        }
    }

    fn string(&mut self, raw: Raw<'_>) -> Found<()> {
        self.add(2)?;
        if !raw.escaped {
            return self.add(raw.text.len());
        }
        raw.chars().try_for_each(|c| self.add(char_length(c)))
    }

    fn children(&mut self, object: bool, depth: usize) -> Found<()> {
        let depth = self.lex.deeper(depth)?;
        let close = if object { b'}' } else { b']' };
        self.add(2)?;
        let mut more = self.lex.open(close);
        while more {
            if object {
                let key = self.lex.key()?;
                self.string(key)?;
                self.add(1)?;
            }
            self.value(depth)?;
            more = self.lex.more(close)?;
            self.add(usize::from(more))?;
        }
        Ok(())
    }
}

/// Appends the canonical text of a number.
pub(super) fn push_number(text: &str, out: &mut String) {
    match number::Decimal::parse(text) {
        Ok(number) if !number::is_plain(text.as_bytes()) => drop(write!(out, "{number}")),
        _ => out.push_str(text),
    }
}

struct Writer<'e, 'o> {
    lex: Lexer<'e>,
    out: &'o mut String,
}

/// A member that is already written.
struct Member<'e> {
    key: Cow<'e, str>,
    /// The range of its text, relative to the first member of the object.
    start: usize,
    end: usize,
}

impl<'e> Writer<'e, '_> {
    fn value(&mut self, depth: usize) -> Found<()> {
        let start = self.lex.at();
        match self.lex.kind()? {
            Kind::Object => self.object(depth)?,
            Kind::Array => self.array(depth)?,
            Kind::String => {
                let raw = self.lex.string()?;
                if raw.escaped {
                    self.out.push('"');
                    raw.chars().for_each(|c| push_char(c, self.out));
                    self.out.push('"');
                } else {
                    push_string(raw.text, self.out);
                }
            }
            Kind::Number => {
                self.lex.scalar(Kind::Number)?;
                push_number(self.lex.since(start), self.out);
            }
            kind => {
                self.lex.scalar(kind)?;
                self.out.push_str(self.lex.since(start));
            }
        }
        Ok(())
    }

    fn array(&mut self, depth: usize) -> Found<()> {
        let depth = self.lex.deeper(depth)?;
        let mut more = self.lex.open(b']');
        self.out.push('[');
        while more {
            self.value(depth)?;
            more = self.lex.more(b']')?;
            if more {
                self.out.push(',');
            }
        }
        self.out.push(']');
        Ok(())
    }

    fn object(&mut self, depth: usize) -> Found<()> {
        let depth = self.lex.deeper(depth)?;
        let mut more = self.lex.open(b'}');
        self.out.push('{');
        let base = self.out.len();
        let mut members = Vec::new();
        while more {
            members.push(self.member(base, depth)?);
            more = self.lex.more(b'}')?;
            if more {
                self.out.push(',');
            }
        }
        self.sort(&mut members, base);
        self.out.push('}');
        Ok(())
    }

    fn member(&mut self, base: usize, depth: usize) -> Found<Member<'e>> {
        let start = self.out.len().saturating_sub(base);
        let key = self.lex.key()?.decode();
        push_string(&key, self.out);
        self.out.push(':');
        self.value(depth)?;
        Ok(Member { key, start, end: self.out.len().saturating_sub(base) })
    }

    /// Brings the members, written from `base` on, into the order of keys.
    fn sort(&mut self, members: &mut [Member<'_>], base: usize) {
        if members.is_sorted_by(|a, b| key_order(&a.key, &b.key).is_le()) {
            return;
        }
        members.sort_by(|a, b| key_order(&a.key, &b.key));
        let written = self.out.get(base..).unwrap_or_default().to_owned();
        self.out.truncate(base);
        for (place, member) in members.iter().enumerate() {
            if place > 0 {
                self.out.push(',');
            }
            self.out.push_str(written.get(member.start..member.end).unwrap_or_default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{length, push};

    #[test]
    fn a_value_is_as_long_as_it_is_measured() {
        for text in [
            "{}",
            "[]",
            r#"{"b": [1.50, 1e3, -0, true, null], "a": "x\n\u0001\u00e9\/", "\u0061": {"": "\""}}"#,
            "[1, 2,",
            "[nul]",
        ] {
            let mut out = String::new();
            push(text, &mut out);
            assert_eq!(length(text, usize::MAX), Some(out.len()), "{text}");
            assert_eq!(length(text, out.len()), Some(out.len()), "{text}");
            assert_eq!(length(text, out.len() - 1), None, "{text}");
        }
    }
}
