//! Canonical JSON (RFC 8785), except that numbers keep their exact digits.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Write;

use super::json::{Found, Kind};
use super::lex::Lexer;
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

/// Appends the canonical text of a number.
pub(super) fn push_number(text: &str, out: &mut String) {
    match number::Decimal::parse(text) {
        Ok(number) if !number::is_plain(text) => drop(write!(out, "{number}")),
        _ => out.push_str(text),
    }
}

/// Appends a string in quotes, escaped as RFC 8785 §3.2.2.2 does.
pub(super) fn push_string(text: &str, out: &mut String) {
    let special = |c: char| c < ' ' || c == '"' || c == '\\';
    out.push('"');
    let mut rest = text;
    while let Some((before, after)) = rest.find(special).and_then(|at| rest.split_at_checked(at)) {
        out.push_str(before);
        let mut chars = after.chars();
        match chars.next() {
            Some('\u{8}') => out.push_str("\\b"),
            Some('\t') => out.push_str("\\t"),
            Some('\n') => out.push_str("\\n"),
            Some('\u{c}') => out.push_str("\\f"),
            Some('\r') => out.push_str("\\r"),
            Some(c @ ('"' | '\\')) => out.extend(['\\', c]),
            Some(c) => drop(write!(out, "\\u{:04x}", u32::from(c))),
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// The key order of RFC 8785 §3.2.3, by UTF-16 code units. It differs from the byte order only in
/// that surrogates sort before U+E000 to U+FFFF.
pub(super) fn key_order(a: &str, b: &str) -> Ordering {
    let differing = a.bytes().zip(b.bytes()).find(|(a, b)| a != b);
    match differing {
        Some((a @ 0xee.., b @ 0xee..)) if (a >= 0xf0) != (b >= 0xf0) => b.cmp(&a),
        _ => a.cmp(b),
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
                push_string(&raw.decode(), self.out);
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
