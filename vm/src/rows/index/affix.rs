//! Prefixes and suffixes of texts. A probe's words are the set of the lengths of its keys, and a filter.

use std::ops::Range;

use super::hash::{GOLDEN, high_half};

/// The longest prefix or suffix that is a key, in bytes.
pub const LONGEST: usize = u64::BITS as usize;

/// The bit of a length in the set of lengths; `None` if no key has it.
#[must_use]
pub const fn bit(length: usize) -> Option<u64> {
    match length {
        1..=LONGEST => Some(1 << length.wrapping_sub(1)),
        _ => None,
    }
}

/// The lengths of a set up to `most`, ascending.
pub fn lengths(set: u64, most: usize) -> impl Iterator<Item = usize> {
    let mut left = if most < LONGEST { set & (1_u64 << most).wrapping_sub(1) } else { set };
    std::iter::from_fn(move || {
        let length = (left != 0).then(|| left.trailing_zeros() as usize)?.saturating_add(1);
        left &= left.wrapping_sub(1);
        Some(length)
    })
}

/// The hash of a part of a text in filters: it combines its length and its last eight bytes.
#[must_use]
#[inline]
pub fn hash(text: &[u8], part: Range<usize>) -> u32 {
    let last = window(text, part.end).unwrap_or_else(|| short(text, part.end));
    combined(last, part.end.saturating_sub(part.start))
}

/// The hashes of the prefixes of these lengths, none longer than the text, or of the suffixes.
#[inline]
pub fn hashes(text: &[u8], begins: bool, set: u64) -> impl Iterator<Item = (Range<usize>, u32)> {
    let end = text.len();
    // The first eight bytes, and the last ones.
    let (first, last) = (window(text, 8), window(text, end));
    lengths(set, end).map(move |length| match (first, last) {
        (Some(first), _) if begins && length <= 8 => {
            // The bytes before a part are the lowest.
            let own = first << (64_usize.saturating_sub(length.saturating_mul(8)) & 63);
            (0..length, combined(own, length))
        }
        (_, Some(last)) if !begins => (end.saturating_sub(length)..end, combined(last, length)),
        _ => {
            let part = if begins { 0..length } else { end.saturating_sub(length)..end };
            (part.clone(), hash(text, part))
        }
    })
}

/// The eight bytes before a position, the first one lowest; `None` if there are less.
#[inline]
fn window(text: &[u8], end: usize) -> Option<u64> {
    let chunk = end.checked_sub(8).and_then(|start| text.get(start..)).and_then(<[u8]>::first_chunk);
    chunk.map(|chunk| u64::from_le_bytes(*chunk))
}

/// The hash of a part with a length, the last of its bytes highest.
#[inline]
fn combined(last: u64, length: usize) -> u32 {
    let own =
        if length < 8 { last >> (64_usize.saturating_sub(length.saturating_mul(8)) & 63) } else { last };
    high_half((own ^ (length as u64).wrapping_mul(GOLDEN)).wrapping_mul(GOLDEN))
}

/// The bytes before `end`, the last one highest, where there are less than eight.
#[cold]
fn short(text: &[u8], end: usize) -> u64 {
    let before = text.get(..end).unwrap_or_default();
    before.iter().fold(0, |word, byte| word >> 8 | u64::from(*byte) << 56)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_equal_parts_are_equal() {
        for part in ["x", "rs", ".env", "1234567", "12345678", "team/directive_1", "ééé"] {
            let alone = hash(part.as_bytes(), 0..part.len());
            for (before, after) in [("", "x"), ("a", ""), ("0123456789", "0123456789")] {
                let text = format!("{before}{part}{after}");
                let place = before.len()..before.len() + part.len();
                assert_eq!(hash(text.as_bytes(), place), alone, "{text}");
            }
        }
        assert_ne!(hash(b"ab", 0..1), hash(b"ab", 0..2));
    }

    #[test]
    fn hashes_of_all_lengths() {
        for text in ["", "x", "ab.rs", "1234567", "12345678", "team/directive_1", "0123456789abcdefé"] {
            for begins in [true, false] {
                let all: Vec<_> = hashes(text.as_bytes(), begins, u64::MAX).collect();
                assert_eq!(all.len(), text.len());
                for (length, (part, own)) in (1..).zip(all) {
                    let expected = if begins { 0..length } else { text.len() - length..text.len() };
                    assert_eq!(part, expected, "{text}");
                    assert_eq!(own, hash(text.as_bytes(), part), "{text} {length}");
                }
            }
        }
    }

    #[test]
    fn lengths_of_a_set() {
        let set = bit(1).unwrap() | bit(3).unwrap() | bit(64).unwrap();
        let of = |most| lengths(set, most).collect::<Vec<_>>();
        assert_eq!(of(0), [0; 0]);
        assert_eq!(of(2), [1]);
        assert_eq!(of(3), [1, 3]);
        assert_eq!(of(63), [1, 3]);
        assert_eq!(of(64), [1, 3, 64]);
        assert_eq!(of(1000), [1, 3, 64]);
        assert_eq!((bit(0), bit(65)), (None, None));
    }
}
