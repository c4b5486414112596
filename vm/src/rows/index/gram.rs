//! Grams: sequences of four bytes. A text that contains another contains all of its grams.
//!
//! A probe looks at every `step`th gram of a value. Wherever a text is in the value, one of the text's
//! grams is looked at for each remainder of its position: so a key for each remainder finds the text.

use super::hash::{GOLDEN, high_half};

/// Bytes of a gram.
pub const LENGTH: usize = 4;

/// The most bytes of a text that a key has. Of a longer one, a part is searched for.
pub const LONGEST: usize = 64;

/// Ranges of bytes that are rare in texts, the rarest first: digits, and with them punctuation.
pub const RARE: [(u8, u8); 2] = [(b'0', b'9'), (b'!', b'?')];

/// The range of all bytes.
pub const ALL: (u8, u8) = (0, u8::MAX);

/// Whether a text has a byte of a range. Without a branch for each byte.
#[must_use]
#[inline(always)]
pub fn has_byte<const LENGTH: usize>(text: &[u8; LENGTH], (low, high): (u8, u8)) -> bool {
    let width = high.wrapping_sub(low);
    text.iter().fold(false, |any, byte| any | (byte.wrapping_sub(low) <= width))
}

/// The grams of a text, its first byte lowest.
pub fn grams(text: &[u8]) -> impl Iterator<Item = u32> + '_ {
    text.windows(LENGTH).filter_map(|window| Some(u32::from_le_bytes(window.try_into().ok()?)))
}

/// The hash of a gram in filters.
#[must_use]
#[inline]
pub const fn hash(gram: u32) -> u32 {
    // The high bits of Fibonacci hashing are the well distributed ones.
    high_half((gram as u64).wrapping_mul(GOLDEN))
}

/// Whether `part` is in a text where the text has one of its grams at a position. Costs at most
/// [`LONGEST`] comparisons.
#[must_use]
pub(crate) fn is_around(text: &[u8], at: usize, gram: u32, part: &[u8]) -> bool {
    let found = (0..).zip(grams(part)).filter(|(_, found)| *found == gram);
    found
        .map(|(offset, _)| at.checked_sub(offset).and_then(|start| text.get(start..)))
        .any(|rest| rest.is_some_and(|rest| rest.starts_with(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_around_a_gram() {
        let gram = grams(b"aaaa").next().unwrap();
        let is_at = |text: &str, at, part: &str| is_around(text.as_bytes(), at, gram, part.as_bytes());
        assert!(is_at("xaaaa", 1, "aaaa"));
        assert!(is_at("xaaaaab", 2, "aaaaab"), "the second of its grams");
        assert!(!is_at("aaaaa", 0, "aaaaab"));
        assert!(!is_at("aaaa", 0, "baaaa"));
    }
}
