//! The content of JSON strings: which bytes are allowed, and what they mean.

use std::borrow::Cow;

/// A string between its quotes, escapes as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw<'e> {
    pub(super) text: &'e str,
    pub(super) escaped: bool,
}

/// The first position from `start` on of a byte that is not plain (a quote, a backslash or a
/// control character), or the end of the text.
///
/// Most strings are short: the first bytes are checked eight at a time, the following ones 32 at a
/// time.
#[inline]
pub(super) fn plain(text: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(word) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let marks = special(*word);
        if marks != 0 {
            return at.wrapping_add(lowest(marks));
        }
        at = at.wrapping_add(8);
        if at.wrapping_sub(start) == NEAR {
            break;
        }
    }
    far(text, at)
}

/// The number of bytes after which a string is treated as long.
const NEAR: usize = 64;

/// Searches a long run of plain bytes, or the last bytes of the text.
#[inline(never)]
fn far(text: &[u8], mut at: usize) -> usize {
    let (blocks, _) = text.get(at..).unwrap_or_default().as_chunks::<32>();
    let clean = |block: &&[u8; 32]| !block.iter().fold(false, |found, byte| found | ends(*byte));
    at = at.wrapping_add(blocks.iter().take_while(clean).count().wrapping_mul(32));
    let (words, last) = text.get(at..).unwrap_or_default().as_chunks();
    for word in words {
        let marks = special(*word);
        if marks != 0 {
            return at.wrapping_add(lowest(marks));
        }
        at = at.wrapping_add(8);
    }
    at.wrapping_add(last.iter().position(|byte| ends(*byte)).unwrap_or(last.len()))
}

/// Whether a byte ends a plain run. A quote with its second bit flipped is directly above the
/// control characters, which keep their order.
#[inline]
const fn ends(byte: u8) -> bool {
    (byte ^ 0x02 < 0x21) | (byte == b'\\')
}

/// The high bit of each byte that ends a plain run. Only the lowest is exact:
/// borrows run upwards. The bit tricks are [`ends`] and Hacker's Delight §6-1.
#[inline]
fn special(word: [u8; 8]) -> u64 {
    const fn all(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    let word = u64::from_le_bytes(word);
    let quote_or_control = (word ^ all(0x02)).wrapping_sub(all(0x21));
    let backslash = (word ^ all(b'\\')).wrapping_sub(all(1));
    (quote_or_control | backslash) & !word & all(0x80)
}

/// The byte of the lowest mark.
#[inline]
const fn lowest(marks: u64) -> usize {
    (marks.trailing_zeros() >> 3) as usize
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
            let (c, after) = unescaped(after);
            out.push(c);
            rest = after;
        }
        out.push_str(rest);
    }

    /// The characters of the string itself.
    pub(super) fn chars(self) -> impl Iterator<Item = char> + Clone + use<'e> {
        let mut rest = self.text;
        std::iter::from_fn(move || {
            let mut chars = rest.chars();
            let c = match chars.next()? {
                '\\' => {
                    let (c, after) = unescaped(chars.as_str());
                    chars = after.chars();
                    c
                }
                plain => plain,
            };
            rest = chars.as_str();
            Some(c)
        })
    }
}

/// Decodes the part after a backslash; the rest of the text follows.
fn unescaped(text: &str) -> (char, &str) {
    let mut chars = text.chars();
    let c = match chars.next() {
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('u') => return unit_pair(chars.as_str()),
        Some(c) => c,
        None => char::REPLACEMENT_CHARACTER,
    };
    (c, chars.as_str())
}

/// Decodes the part after `\u`, with a second escape if it needs one.
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

#[cfg(test)]
mod tests {
    use hookc_corpus::amount;

    use super::plain;

    #[test]
    fn every_byte_at_every_position() {
        let plainly = |byte: u8| byte >= 0x20 && byte != b'"' && byte != b'\\';
        for byte in (0..=u8::MAX).step_by(amount(1, 17)) {
            for length in [1, 7, 8, 9, 16, 31, 64, 72, 103, 140] {
                for place in [0, 1, 6, 7, 8, 30, 63, 64, 65, 71, 95, 102, 139] {
                    let mut text = vec![b'a'; length];
                    text.extend_from_slice(b"\"\\");
                    if place < length {
                        text[place] = byte;
                    }
                    let stops = place < length && !plainly(byte);
                    let end = if stops { place } else { length };
                    assert_eq!(plain(&text, 0), end, "{byte} at {place} of {length}");
                    assert_eq!(plain(&text, end), end);
                    assert_eq!(plain(&text[..length], 0), end);
                }
            }
        }
        assert_eq!((plain(b"", 0), plain(b"a", 1), plain(b"a", 7)), (0, 1, 7));
    }
}
