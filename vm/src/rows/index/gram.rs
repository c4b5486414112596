//! Grams: sequences of four bytes. A text that contains another contains all of its grams; the
//! rarest one represents it.
//!
//! A bit filter is checked before the table, because most grams of a text belong to no key.

use zerocopy::little_endian::U64;

use super::hash::GOLDEN;

/// Bytes of a gram.
pub const LENGTH: usize = 4;

/// The grams of a text, its first byte lowest.
pub fn of(text: &[u8]) -> impl Iterator<Item = u32> + '_ {
    text.windows(LENGTH).filter_map(|window| Some(u32::from_le_bytes(window.try_into().ok()?)))
}

/// The position of a gram's bit in a filter with this number of words (a power of two): word and
/// bit.
#[must_use]
pub const fn place(gram: u32, words: usize) -> (usize, u32) {
    // The high bits of Fibonacci hashing are the well distributed ones.
    let mixed = (gram as u64).wrapping_mul(GOLDEN) >> 32;
    ((mixed as usize >> 6) & words.wrapping_sub(1), (mixed & 63) as u32)
}

/// Whether a filter has the bit of a gram.
#[must_use]
pub fn is_in(filter: &[U64], gram: u32) -> bool {
    let (word, bit) = place(gram, filter.len());
    filter.get(word).is_some_and(|word| word.get() >> bit & 1 != 0)
}
