//! The inside of JSON strings: what may stand there, and what it means.

use std::borrow::Cow;

/// A string between its quotes, escapes as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw<'e> {
    pub(super) text: &'e str,
    pub(super) escaped: bool,
}

/// Bytes at the start that a string may hold as they are: up to a quote, a
/// backslash or a control character. Looks at eight bytes at a time; the bit
/// tricks are those of Hacker's Delight §6-1.
pub(super) fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES.wrapping_mul(limit)) & !word;
    let (chunks, tail) = bytes.as_chunks::<8>();
    let mut count = 0_usize;
    for chunk in chunks {
        let word = u64::from_le_bytes(*chunk);
        let quote = below(word ^ ONES.wrapping_mul(u64::from(b'"')), 1);
        let backslash = below(word ^ ONES.wrapping_mul(u64::from(b'\\')), 1);
        let found = (below(word, 0x20) | quote | backslash) & HIGHS;
        if found != 0 {
            // The lowest mark is exact: borrows only run upwards.
            return count.saturating_add((found.trailing_zeros() >> 3) as usize);
        }
        count = count.saturating_add(8);
    }
    let ends = |b: &u8| *b < 0x20 || *b == b'"' || *b == b'\\';
    count.saturating_add(tail.iter().position(ends).unwrap_or(tail.len()))
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
