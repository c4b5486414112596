//! Raw strings of the expression language: `'...'` with `''` for a quote, and
//! `/.../` with `\/` for a slash.

use std::ops::Range;

use hookc_schema::diag::Fix;
use hookc_schema::value::{Kind, Text, Value};
use hookc_schema::{Diagnostic, Span};

use super::literal::Quoted;
use super::reader::{Quotes, Read, Reader};

/// Flags of other languages at the start of a pattern: `(?m)`.
const INLINE: &str = "msux";

/// The first substring of a raw string that was probably intended as an escape of another language: `
/// ` before a non-letter, `\u00e9`, a doubled backslash between letters. A Windows path has none.
fn escape_like(text: &str) -> Option<Range<usize>> {
    if text.contains(":\\") {
        return None;
    }
    let word = |at: usize| text.get(at..).is_some_and(|rest| rest.starts_with(is_word));
    let mut from = 0;
    while let Some(found) = text.get(from..)?.find('\\') {
        let at = from + found;
        let before = text.get(..at).is_some_and(|before| before.ends_with(is_word));
        let length = match text.as_bytes().get(at + 1)? {
            b'n' | b't' | b'r' if !word(at + 2) => 2,
            b'u' if text
                .get(at + 2..at + 6)
                .is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit())) =>
            {
                6
            }
            b'\\' if before && word(at + 2) => 2,
            _ => 0,
        };
        if length > 0 {
            return Some(at..at + length);
        }
        let doubled = text.as_bytes().get(at + 1) == Some(&b'\\');
        from = at + 1 + usize::from(doubled);
    }
    None
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl Reader<'_> {
    /// `'...'`; the cursor is at the quote.
    pub(super) fn raw_quoted(&mut self) -> Read<Quoted> {
        let (open, any) = (self.at, self.any_control);
        let (mut value, mut runs) = (String::new(), Vec::new());
        self.at += 1;
        loop {
            let plain = |c: char| c != '\'' && (any || c >= ' ' || matches!(c, '\n' | '\r' | '\t'));
            value.push_str(self.take_while(plain));
            if self.eat("''") {
                if runs.is_empty() {
                    runs.push((0, open + 1));
                }
                value.push('\'');
                runs.push((value.len(), self.at));
            } else if self.byte() == b'\'' {
                break;
            } else {
                return Err(self.raw_cut_short(open).into());
            }
        }
        let inner = open + 1..self.at;
        let start = inner.start;
        let like = escape_like(self.slice(inner.clone()));
        self.escape_like.extend(like.map(|like| start + like.start..start + like.end));
        self.at += 1;
        Ok(Quoted { value, runs, inner })
    }

    /// A raw string without its end, or with a control character other than whitespace.
    fn raw_cut_short(&self, open: usize) -> Diagnostic {
        if !self.is_done() {
            let wrong = self.cut_short(open, b'\'');
            let c = self.peek().map_or(0, u32::from);
            return wrong
                .help(format!("write the string in double quotes, and the character as `\\u{c:04x}`"));
        }
        match self.slice(open..self.at).find("\\'") {
            Some(at) => self.escaped_quote(open + at),
            None => self
                .wrong(open..open + 1, "a string is not closed")
                .with_label("opened here")
                .help("end it with `'`; a quote inside `'...'` is written `''`, and a YAML text without quotes ends at ` #`"),
        }
    }

    /// `\'` at `at`, as languages with escapes write a quote.
    fn escaped_quote(&self, at: usize) -> Diagnostic {
        let wrong = self.wrong(at..at + 2, "a backslash does not escape a quote in `'...'`");
        let mut wrong = wrong
            .with_label("ends the string")
            .help("write the quote twice, `''`; in single quotes a backslash is a backslash");
        let span = self.span(at..at + 2);
        // If the surrounding notation changes neither character.
        if span.range().len() == 2 {
            wrong.fix = Some(Fix::new(span, "''"));
        }
        wrong
    }

    /// The error for a string that ended at `end` although its last quote was intended as a character.
    pub(crate) fn ended_early(&self, end: usize) -> Option<Diagnostic> {
        let before = self.slice(0..end);
        if self.quotes != Quotes::Raw || !before.ends_with(['\'', '"']) {
            return None;
        }
        if before.ends_with("\\'") {
            return Some(self.escaped_quote(end - 2));
        }
        let next =
            self.slice(end..end + self.slice(end..self.len()).chars().next().map_or(0, char::len_utf8));
        if !next.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '"' | '_')) {
            return None;
        }
        let wrong =
            self.wrong(end - 1..end, "a string ends in the middle of the text").with_label("ends the string");
        Some(match before.ends_with('\'') {
            true => wrong.help("a quote inside `'...'` is written twice: `''`"),
            false => wrong.help("a double quote inside `\"...\"` is written `\\\"`"),
        })
    }

    /// `/.../` with its flag; the cursor is at the slash. The span of the value is the text between
    /// the slashes, which identifies a pattern in slashes.
    pub(crate) fn slashed(&mut self) -> Read<(Value, Option<Span>)> {
        let open = self.at;
        let (mut value, mut runs) = (String::new(), Vec::new());
        self.at += 1;
        loop {
            value.push_str(self.take_while(|c| c != '/' && c != '\\'));
            if self.eat("\\/") {
                if runs.is_empty() {
                    runs.push((0, open + 1));
                }
                value.push('/');
                runs.push((value.len(), self.at));
            } else if self.eat("\\") {
                value.push('\\');
                value.extend(self.peek());
                self.at = self.next_range().end;
            } else if self.byte() == b'/' && !self.is_done() {
                break;
            } else {
                let wrong = self.wrong(open..open + 1, "a pattern is not closed").with_label("opened here");
                return Err(wrong
                    .help("end it with `/`; a slash inside is written `\\/`, and a YAML text without quotes ends at ` #`")
                    .into());
            }
        }
        let quoted = Quoted { value, runs, inner: open + 1..self.at };
        let (map, span) = (self.inner_map(&quoted), self.span(quoted.inner.clone()));
        self.at += 1;
        let flag = self.flag()?;
        Ok((Value::new(Kind::Str(Text { value: quoted.value, map }), span), flag))
    }

    /// The flag `i`, if present.
    fn flag(&mut self) -> Read<Option<Span>> {
        let start = self.at;
        let flags = self.take_while(|c| c.is_alphanumeric() || c == '_');
        if matches!(flags, "" | "i") {
            return Ok(Some(self.since(start)).filter(|_| !flags.is_empty()));
        }
        let wrong =
            self.wrong(start..self.at, "`i` is the only flag of a pattern").with_label("unknown flag");
        let inline: String = flags.chars().filter(|c| INLINE.contains(*c)).collect();
        Err(if !flags.chars().all(|c| "gimsuxy".contains(c)) {
            wrong.help("a slash inside `/.../` is written `\\/`")
        } else if inline.is_empty() {
            wrong.help("remove it: a pattern matches anywhere in the text, and one `i` is enough")
        } else {
            wrong.help(format!("write `(?{inline})` at the start of the pattern"))
        }
        .into())
    }
}
