//! Canonical JSON (RFC 8785), except that numbers keep their exact digits.

use std::borrow::Cow;
use std::fmt::Write;

use hookc_base::json::{key_order, push_string};

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
