//! `$'...'`: text with the escapes of C.

use super::super::Cause;
use super::super::spare::Draft;
use super::reader::{Read, Reader};

/// What an escape is.
enum Escape {
    Char(char),
    /// Its text as written.
    Text,
    Unknown,
}

impl Reader<'_, '_> {
    /// After `$'`.
    pub(super) fn escaped(&mut self, draft: &mut Draft) -> Read<()> {
        loop {
            let start = self.at;
            match self.char() {
                None => return self.fail(Cause::OpenQuote),
                Some('\'') => return Ok(()),
                Some('\\') => {
                    if self.peek().is_none() {
                        return self.fail(Cause::OpenQuote);
                    }
                    let (escape, len) = escape(self.rest());
                    self.at += len;
                    match escape {
                        Escape::Char(char) => draft.char(char),
                        Escape::Text => draft.str(self.text.get(start..self.at).unwrap_or_default()),
                        Escape::Unknown => draft.unknown(self.text.get(start..self.at).unwrap_or_default()),
                    }
                }
                Some(char) => draft.char(char),
            }
        }
    }
}

/// The escape after a backslash, and its length.
fn escape(rest: &str) -> (Escape, usize) {
    let Some(char) = rest.chars().next() else { return (Escape::Text, 0) };
    let plain = match char {
        'a' => '\x07',
        'b' => '\x08',
        'e' | 'E' => '\x1b',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\x0b',
        '\\' | '\'' | '"' | '?' => char,
        'x' => return number(rest, 1, 2, 16, 0x7f),
        'u' => return number(rest, 1, 4, 16, u32::MAX),
        'U' => return number(rest, 1, 8, 16, u32::MAX),
        '0'..='7' => return number(rest, 0, 3, 8, 0x7f),
        // Shells differ in the escapes they support.
        'c' => {
            let next = rest.chars().nth(1).filter(|char| *char != '\'');
            return (Escape::Unknown, 1 + next.map_or(0, char::len_utf8));
        }
        other => return (Escape::Text, other.len_utf8()),
    };
    (Escape::Char(plain), char.len_utf8())
}

/// A character by its number. Bytes above `most` may be parts of one; a zero ends the text in
/// some shells.
fn number(rest: &str, skip: usize, digits: usize, radix: u32, most: u32) -> (Escape, usize) {
    let text: String = rest.chars().skip(skip).take(digits).take_while(|char| char.is_digit(radix)).collect();
    let number = u32::from_str_radix(&text, radix).ok().filter(|number| (1..=most).contains(number));
    let char = number.and_then(char::from_u32);
    (char.map_or(Escape::Unknown, Escape::Char), skip + text.len())
}

/// A text with its escapes, as `printf` and `echo -e` read it; `None` if one is unknown.
pub(in super::super) fn escaped_text(text: &str) -> Option<String> {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        // `echo -e '\0101'` has one digit more.
        let zero = after.strip_prefix('0').filter(|after| after.starts_with(|c: char| c.is_digit(8)));
        let after = zero.unwrap_or(after);
        let (escape, len) = escape(after);
        match escape {
            Escape::Char(char) => out.push(char),
            Escape::Text => {
                out.push('\\');
                out.push_str(after.get(..len).unwrap_or_default());
            }
            Escape::Unknown => return None,
        }
        rest = after.get(len..).unwrap_or_default();
    }
    out.push_str(rest);
    Some(out)
}
