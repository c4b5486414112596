//! The text of a string literal that the parser accepted, with the source position of each byte.

use hookc_schema::value::{Text, TextMap};

use crate::front::text_map::Builder;

/// A character that a string cannot contain unescaped.
pub(super) struct Control {
    /// Its offset in the literal.
    pub(super) at: usize,
    /// The character.
    pub(super) is: char,
}

impl Control {
    /// Its escape.
    pub(super) fn escape(&self) -> String {
        match self.is {
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            other => format!("\\u{:04x}", u32::from(other)),
        }
    }
}

/// The text of a literal, including quotes, that starts at `start` of the source.
pub(super) fn text(raw: &str, start: usize) -> Result<Text, Control> {
    let end = raw.len().saturating_sub(1).max(1);
    let inner = raw.get(1..end).unwrap_or("");
    if let Some((at, found)) = inner.char_indices().find(|(_, c)| *c < ' ') {
        return Err(Control { at: at + 1, is: found });
    }
    let mut out = Builder::default();
    let mut rest = inner;
    let mut at = start + 1;
    while let Some((plain, escape)) = rest.split_once('\\') {
        out.copy(plain, at);
        at += plain.len();
        let (found, length) = unescape(escape);
        out.put(found, at);
        at += 1 + length;
        rest = escape.get(length..).unwrap_or("");
    }
    out.copy(rest, at);
    Ok(out.finish(at + rest.len(), &TextMap::Shift(0)))
}

/// The character of an escape, and its number of bytes after the `\`.
fn unescape(escape: &str) -> (char, usize) {
    match escape.chars().next() {
        Some('b') => ('\u{8}', 1),
        Some('f') => ('\u{c}', 1),
        Some('n') => ('\n', 1),
        Some('r') => ('\r', 1),
        Some('t') => ('\t', 1),
        Some('u') => unicode(escape),
        Some(other) => (other, other.len_utf8()),
        None => ('\\', 0),
    }
}

fn unicode(escape: &str) -> (char, usize) {
    let unit = |at: usize| u32::from_str_radix(escape.get(at..at + 4)?, 16).ok();
    let first = unit(1).unwrap_or(0xfffd);
    if let (0xd800..0xdc00, Some(second @ 0xdc00..0xe000)) = (first, unit(7)) {
        let joined = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        return (char::from_u32(joined).unwrap_or('\u{fffd}'), 11);
    }
    (char::from_u32(first).unwrap_or('\u{fffd}'), 5)
}
