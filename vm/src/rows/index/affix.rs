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
    let chunk = part.end.checked_sub(8).and_then(|start| text.get(start..)).and_then(<[u8]>::first_chunk);
    let last = chunk.map_or_else(|| short(text, part.end), |chunk| u64::from_le_bytes(*chunk));
    let length = part.end.saturating_sub(part.start);
    // The bytes before the part are the lowest.
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
