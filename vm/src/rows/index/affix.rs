//! Prefixes and suffixes of texts. A probe's words are the set of the lengths of its keys, and a filter.

use std::ops::Range;

use zerocopy::little_endian::U64;

use super::filter;
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

/// The lengths of a set, ascending.
pub fn lengths(set: u64) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let length = (left != 0).then(|| left.trailing_zeros() as usize)?.saturating_add(1);
        left &= left.wrapping_sub(1);
        Some(length)
    })
}

/// The part of a text with a length, which is at most that of the text.
#[must_use]
#[inline]
pub const fn part(text: &[u8], begins: bool, length: usize) -> Range<usize> {
    let start = if begins { 0 } else { text.len().saturating_sub(length) };
    start..start.saturating_add(length)
}

/// The hash of a part of a text in filters: it combines its length and its last eight bytes.
#[must_use]
#[inline]
pub fn hash(text: &[u8], part: Range<usize>) -> u32 {
    let length = part.end.saturating_sub(part.start);
    combined(last_of(text, part.end, length), length)
}

/// Of a set of lengths, those whose prefix (or suffix) of the text has its bit in a filter.
#[must_use]
#[inline]
pub(crate) fn passing(text: &[u8], begins: bool, set: u64, filter: &[U64]) -> u64 {
    let set = if text.len() < LONGEST { set & below(text.len()) } else { set };
    let (short, long) = (set & below(8), set & !below(8));
    match (window(text, 8), window(text, text.len())) {
        (Some(first), _) if begins => {
            passed(filter, short, |length| first & prefix(length))
                | passed(filter, long, |length| window(text, length).unwrap_or(first))
        }
        (_, Some(last)) => passed(filter, short, |length| cut(last, length)) | passed(filter, long, |_| last),
        _ => passed(filter, set, |length| last_of(text, part(text, begins, length).end, length)),
    }
}

/// Of a set of lengths, those of parts whose bit is in a filter; `last` gives the last bytes of a part.
#[inline(always)]
fn passed(filter: &[U64], set: u64, last: impl Fn(usize) -> u64) -> u64 {
    lengths(set).fold(0, |mask, length| {
        let bit = filter::bit(filter, combined(last(length), length)) & 1;
        mask | bit << (length.wrapping_sub(1) & 63)
    })
}

/// The set of the lengths up to one that is below [`LONGEST`].
const fn below(most: usize) -> u64 {
    (1_u64 << (most & 63)).wrapping_sub(1)
}

/// The bits of the first bytes of a word, eight at most.
const fn prefix(bytes: usize) -> u64 {
    u64::MAX >> (64_usize.saturating_sub(bytes.saturating_mul(8)) & 63)
}

/// The last bytes of a part that ends at a position, eight at most.
fn last_of(text: &[u8], end: usize, length: usize) -> u64 {
    cut(window(text, end).unwrap_or_else(|| before(text, end)), length)
}

/// The last bytes of a word, as many as a part has.
const fn cut(last: u64, length: usize) -> u64 {
    if length < 8 { last >> (64_usize.saturating_sub(length.saturating_mul(8)) & 63) } else { last }
}

/// The eight bytes before a position, the first one lowest; `None` if there are less.
#[inline]
fn window(text: &[u8], end: usize) -> Option<u64> {
    let chunk = end.checked_sub(8).and_then(|start| text.get(start..)).and_then(<[u8]>::first_chunk);
    chunk.map(|chunk| u64::from_le_bytes(*chunk))
}

/// The hash of a part with a length and these last bytes.
#[inline]
const fn combined(last: u64, length: usize) -> u32 {
    high_half((last ^ (length as u64).wrapping_mul(GOLDEN)).wrapping_mul(GOLDEN))
}

/// The bytes before `end`, the last one highest, where there are less than eight.
#[cold]
fn before(text: &[u8], end: usize) -> u64 {
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
    fn lengths_that_pass_a_filter() {
        for text in ["", "x", "ab.rs", "1234567", "12345678", "team/directive_1", "0123456789abcdefé"] {
            let text = text.as_bytes();
            for begins in [true, false] {
                let parts = || (1..=text.len()).map(|length| part(text, begins, length));
                assert!(parts().all(|part| if begins { part.start == 0 } else { part.end == text.len() }));
                // Every part has a bit in a full filter, and each of them in a filter of its own.
                assert_eq!(passing(text, begins, u64::MAX, &[U64::MAX_VALUE]), below(text.len()));
                for affix in parts() {
                    let (mut filter, mut expected) = ([U64::ZERO; 4], 0);
                    let (word, bit) = filter::place(hash(text, affix), filter.len());
                    filter[word] = U64::new(1 << bit);
                    for other in parts().filter(|other| filter::is_in(&filter, hash(text, other.clone()))) {
                        expected |= super::bit(other.len()).unwrap();
                    }
                    assert_eq!(passing(text, begins, u64::MAX, &filter), expected);
                    assert_ne!(expected, 0);
                }
            }
        }
    }

    #[test]
    fn lengths_of_a_set() {
        let set = bit(1).unwrap() | bit(3).unwrap() | bit(64).unwrap();
        assert_eq!(lengths(set).collect::<Vec<_>>(), [1, 3, 64]);
        assert_eq!(lengths(0).count(), 0);
        assert_eq!((bit(0), bit(65)), (None, None));
    }
}
