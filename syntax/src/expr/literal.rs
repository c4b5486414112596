//! Readers that the languages share: quoted strings, numbers, integers.
//! Raw strings and `/.../` are in `raw`.

use std::ops::Range;

use hookc_schema::span::saturating_offset;
use hookc_schema::value::{Number, Run, Text, TextMap};
use hookc_schema::{Code, Diagnostic};

use super::reader::{Quotes, Read, Reader, shown};

/// The largest magnitude of an index (RFC 9535 §2.1): 2^53 - 1.
const MAX_INTEGER: i64 = (1 << 53) - 1;

/// A quoted string: its content, and the mapping of its bytes to the text.
#[derive(Debug)]
pub(super) struct Quoted {
    pub(super) value: String,
    /// `(decoded, written)` at the start of each run of plain characters; empty if there is no
    /// escape.
    pub(super) runs: Vec<(usize, usize)>,
    /// Between the quotes.
    pub(super) inner: Range<usize>,
}

impl Reader<'_> {
    /// Whether a string is next.
    pub(crate) fn at_string(&self) -> bool {
        match self.byte() {
            b'"' => true,
            b'\'' => self.quotes != Quotes::Json,
            _ => false,
        }
    }

    /// A quoted string; the cursor is at its quote.
    pub(crate) fn string(&mut self) -> Read<String> {
        Ok(self.quoted()?.value)
    }

    /// A quoted string with the spans of its parts.
    pub(crate) fn string_text(&mut self) -> Read<Text> {
        let quoted = self.quoted()?;
        let map = self.inner_map(&quoted);
        Ok(Text { value: quoted.value, map })
    }

    /// A part of the text as it is written.
    pub(super) fn verbatim(&self, range: Range<usize>) -> Text {
        let quoted = Quoted { value: self.slice(range.clone()).to_owned(), runs: Vec::new(), inner: range };
        let map = self.inner_map(&quoted);
        Text { value: quoted.value, map }
    }

    fn quoted(&mut self) -> Read<Quoted> {
        let (open, quote) = (self.at, self.byte());
        if quote == b'\'' && self.quotes == Quotes::Raw {
            return self.raw_quoted();
        }
        let (mut value, mut runs) = (String::new(), Vec::new());
        self.at += 1;
        loop {
            let plain = |c: char| c >= ' ' && c != '\\' && c != char::from(quote);
            value.push_str(self.take_while(plain));
            match self.byte() {
                b'\\' => {
                    if runs.is_empty() {
                        runs.push((0, open + 1));
                    }
                    value.push(self.escape(quote)?);
                    runs.push((value.len(), self.at));
                }
                byte if byte == quote => break,
                _ => return Err(self.cut_short(open, quote).into()),
            }
        }
        let inner = open + 1..self.at;
        self.at += 1;
        Ok(Quoted { value, runs, inner })
    }

    /// A string that ends at the end of the text or at a control character.
    pub(super) fn cut_short(&self, open: usize, quote: u8) -> Diagnostic {
        let quote = char::from(quote);
        match self.peek() {
            None => self
                .wrong(open..open + 1, "a string is not closed")
                .with_label("opened here")
                .help(format!("end it with `{quote}`")),
            Some(c) => self
                .wrong(self.next_range(), format!("a string contains {} without an escape", shown(c)))
                .with_label("must be escaped")
                .help(format!("write `{}`", escaped(c))),
        }
    }

    /// One escape; the cursor is at the backslash.
    fn escape(&mut self, quote: u8) -> Read<char> {
        let start = self.at;
        self.at += 1;
        let letter = self.byte();
        let meant = match letter {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'/' | b'\\' => char::from(letter),
            b'"' | b'\'' if letter == quote || self.quotes == Quotes::Either => char::from(letter),
            b'u' => return self.unicode_escape(start),
            _ => return Err(self.unknown_escape(start).into()),
        };
        self.at += 1;
        Ok(meant)
    }

    fn unknown_escape(&self, start: usize) -> Diagnostic {
        let Some(c) = self.peek() else {
            return self.wrong(start..self.at, "a string is not closed").with_label("ends in a backslash");
        };
        let wrong =
            self.wrong(start..self.next_range().end, format!("unknown escape: backslash, {}", shown(c)));
        let wrong = wrong.with_label("not an escape of JSON");
        match c {
            '"' | '\'' => wrong.help(format!("write `{c}` without a backslash")),
            c if c.is_control() => wrong,
            c if self.quotes == Quotes::Raw => wrong.help(format!(
                "write the text in single quotes, where a backslash is a backslash; in double quotes \
                 write `\\\\{c}`"
            )),
            c => wrong.help(format!("write the backslash twice: `\\\\{c}`")),
        }
    }

    /// `\uXXXX`, or a pair of them; the cursor is at the `u`.
    fn unicode_escape(&mut self, start: usize) -> Read<char> {
        let first = self.code_unit(start)?;
        if let Some(c) = char::from_u32(first) {
            return Ok(c);
        }
        if first < 0xdc00 && self.rest().starts_with("\\u") {
            let low_start = self.at;
            self.at += 1;
            let low = self.code_unit(low_start)?;
            if (0xdc00..0xe000).contains(&low) {
                let joined = 0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
        let wrong = self.wrong(start..start + 6, "half of a surrogate pair is not a character");
        Err(wrong
            .with_label("half of a pair")
            .help("write the character itself, or both halves of the pair")
            .into())
    }

    fn code_unit(&mut self, start: usize) -> Read<u32> {
        self.at += 1;
        let digits =
            self.rest().as_bytes().iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
        let end = self.at + digits;
        let unit = u32::from_str_radix(self.slice(self.at..end), 16);
        match unit {
            Ok(unit) if digits == 4 => {
                self.at = end;
                Ok(unit)
            }
            _ => {
                let wrong = self.wrong(start..end, "`\\u` needs four hexadecimal digits");
                Err(wrong.with_label("too few").help("write a character such as `\\u00e9`").into())
            }
        }
    }

    /// The map of a string inside the text from the map of the text.
    pub(super) fn inner_map(&self, quoted: &Quoted) -> TextMap {
        let (map, whole) = self.map();
        let (start, end) = (quoted.inner.start, quoted.inner.end);
        let outer: &[Run] = match map {
            TextMap::Whole => return TextMap::Whole,
            TextMap::Shift(by) if quoted.runs.is_empty() => {
                return TextMap::Shift(by.saturating_add(saturating_offset(start)));
            }
            TextMap::Shift(_) => &[],
            TextMap::Runs(runs) => runs,
        };
        let mut runs = quoted.runs.clone();
        if runs.is_empty() {
            runs.push((0, start));
        }
        let ends = runs.iter().skip(1).map(|run| run.0).chain([quoted.value.len()]).collect::<Vec<_>>();
        let from = outer.partition_point(|run| (run.decoded as usize) < start);
        let within = outer.get(from..).unwrap_or(&[]).iter().map(|run| run.decoded as usize);
        let mut breaks = within.take_while(|&at| at < end).peekable();
        let mut limits: Vec<(usize, usize)> = Vec::with_capacity(runs.len() + 1);
        for (&(decoded, written), &limit) in runs.iter().zip(&ends) {
            limits.push((decoded, written));
            while let Some(at) = breaks.next_if(|&at| at < written + (limit - decoded)) {
                if at > written {
                    limits.push((decoded + (at - written), at));
                }
            }
        }
        limits.push((quoted.value.len(), end));
        limits.dedup_by_key(|run| run.0);
        let run = |&(decoded, written): &(usize, usize)| Run {
            decoded: saturating_offset(decoded),
            source: map.span(whole, written..written).start,
        };
        TextMap::Runs(limits.iter().map(run).collect())
    }

    /// Whether a number is next.
    pub(crate) fn at_number(&self) -> bool {
        matches!(self.byte(), b'-' | b'0'..=b'9')
    }

    /// A number as RFC 8259 §6 writes it.
    pub(crate) fn number(&mut self) -> Read<Number> {
        let start = self.at;
        self.eat("-");
        match self.byte() {
            b'0' => self.at += 1,
            b'1'..=b'9' => self.digits(),
            _ => return Err(self.expected("a digit").into()),
        }
        if self.byte().is_ascii_digit() {
            let wrong = self.wrong(start..self.at + 1, "a number has a leading zero");
            return Err(wrong.with_label("leading zero").help("remove the zero").into());
        }
        if self.eat(".") {
            self.some_digits("a digit after the decimal point")?;
        }
        if matches!(self.byte(), b'e' | b'E') {
            self.at += 1;
            let _sign = self.eat("-") || self.eat("+");
            let digits = self.at;
            self.some_digits("the digits of an exponent")?;
            self.exponent_in_limit(start, self.slice(digits..self.at))?;
        }
        Ok(Number(self.slice(start..self.at).to_owned()))
    }

    fn digits(&mut self) {
        while self.byte().is_ascii_digit() {
            self.at += 1;
        }
    }

    fn some_digits(&mut self, what: &str) -> Read<()> {
        if !self.byte().is_ascii_digit() {
            return Err(self.expected(what).into());
        }
        self.digits();
        Ok(())
    }

    fn exponent_in_limit(&self, start: usize, digits: &str) -> Read<()> {
        let limit = hookc_vm::limits::EXPONENT;
        let significant = digits.trim_start_matches('0');
        let within =
            significant.is_empty() || significant.parse::<u32>().is_ok_and(|exponent| exponent <= limit);
        if within {
            return Ok(());
        }
        let message = format!("an exponent is beyond the limit of {limit}");
        let wrong = Diagnostic::new(Code::E0308, self.since(start), message);
        Err(wrong.with_label("events with such a number are rejected").into())
    }

    /// An index as RFC 9535 writes an integer: no leading zero, no `-0`, exact
    /// in every JSON implementation.
    pub(crate) fn integer(&mut self) -> Read<i64> {
        let start = self.at;
        let negative = self.eat("-");
        let digits = self.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.expected("a digit").into());
        }
        if digits.starts_with('0') && (negative || digits.len() > 1) {
            let wrong = self.wrong(start..self.at, "an index has no leading zero and no `-0`");
            return Err(wrong
                .with_label("not an index")
                .help("write a whole number such as `0`, `3` or `-1`")
                .into());
        }
        match digits.parse::<i64>() {
            Ok(index) if index <= MAX_INTEGER => Ok(if negative { -index } else { index }),
            _ => {
                let wrong = self.wrong(start..self.at, "an index is beyond 2^53 - 1");
                Err(wrong.with_label("too large").into())
            }
        }
    }
}

/// A control character as an escape.
fn escaped(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        c => format!("\\u{:04x}", u32::from(c)),
    }
}
