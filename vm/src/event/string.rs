//! The inside of JSON strings: what may stand there, and what it means.

use std::borrow::Cow;

/// A string between its quotes, escapes as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw<'e> {
    pub(super) text: &'e str,
    pub(super) escaped: bool,
}

/// The place from `at` on of the first byte that a string does not hold as it
/// is: a quote, a backslash or a control character; or the text's end.
#[inline]
pub(super) fn plain(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let marks = special(*chunk);
        if marks != 0 {
            return at.wrapping_add((marks.trailing_zeros() >> 3) as usize);
        }
        at = at.wrapping_add(8);
    }
    last(bytes, at)
}

/// The same in the last bytes of a text.
#[inline(never)]
fn last(bytes: &[u8], at: usize) -> usize {
    let ends = |byte: &u8| matches!(byte, 0..0x20 | b'"' | b'\\');
    let rest = bytes.get(at..).unwrap_or_default();
    at.wrapping_add(rest.iter().position(ends).unwrap_or(rest.len()))
}

/// The high bit of each byte that ends a plain run. Only the lowest is exact:
/// borrows run upwards. The bit tricks are those of Hacker's Delight §6-1.
#[inline]
fn special(chunk: [u8; 8]) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let word = u64::from_le_bytes(chunk);
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES.wrapping_mul(limit)) & !word;
    let quote = below(word ^ ONES.wrapping_mul(0x22), 1);
    let backslash = below(word ^ ONES.wrapping_mul(0x5c), 1);
    (below(word, 0x20) | quote | backslash) & HIGHS
}

impl<'e> Raw<'e> {
    /// The string itself.
    pub(super) fn decode(self) -> Cow<'e, str> {
        if !self.escaped {
            return self.text.into();
        }
        let mut out = String::with_capacity(self.text.len());
        self.decode_into(&mut out);
        out.into()
    }

    /// Appends the string itself.
    pub(super) fn decode_into(self, out: &mut String) {
        let mut rest = self.text;
        while let Some((before, after)) = rest.split_once('\\') {
            out.push_str(before);
            let mut chars = after.chars();
            out.push(match chars.next() {
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('u') => {
                    let (c, after) = unit_pair(chars.as_str());
                    chars = after.chars();
                    c
                }
                Some(c) => c,
                None => char::REPLACEMENT_CHARACTER,
            });
            rest = chars.as_str();
        }
        out.push_str(rest);
    }
}

/// Decodes what follows `\u`, with a second escape if it takes one.
fn unit_pair(text: &str) -> (char, &str) {
    let Some((first, mut rest)) = unit(text) else { return (char::REPLACEMENT_CHARACTER, text) };
    let mut second = None;
    if (0xd800..0xdc00).contains(&first)
        && let Some((low, after)) = rest.strip_prefix("\\u").and_then(unit)
    {
        (second, rest) = (Some(low), after);
    }
    let units = std::iter::once(first).chain(second);
    let c = char::decode_utf16(units).next().and_then(Result::ok);
    (c.unwrap_or(char::REPLACEMENT_CHARACTER), rest)
}

fn unit(text: &str) -> Option<(u16, &str)> {
    let (digits, after) = text.split_at_checked(4)?;
    Some((u16::from_str_radix(digits, 16).ok()?, after))
}
