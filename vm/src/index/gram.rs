//! Grams: four bytes in a row. A text that has another anywhere has all of its
//! grams; one of them, the rarest, stands for it.
//!
//! A filter of bits is asked before the table: most grams of a text are of no
//! key at all.

use zerocopy::little_endian::U64;

use super::hash::GOLDEN;

/// Bytes of a gram.
pub const LENGTH: usize = 4;

/// The grams of a text, its first byte lowest.
pub fn of(text: &[u8]) -> impl Iterator<Item = u32> + '_ {
    text.windows(LENGTH).filter_map(|window| Some(u32::from_le_bytes(window.try_into().ok()?)))
}

/// The place of a gram's bit in a filter of so many words (a power of two):
/// word and bit.
#[must_use]
pub const fn place(gram: u32, words: usize) -> (usize, u32) {
    // Of Fibonacci hashing the high bits are the good ones.
    let mixed = (gram as u64).wrapping_mul(GOLDEN) >> 32;
    ((mixed as usize >> 6) & words.wrapping_sub(1), (mixed & 63) as u32)
}

/// Whether a filter has the bit of a gram.
#[must_use]
pub fn is_in(filter: &[U64], gram: u32) -> bool {
    let (word, bit) = place(gram, filter.len());
    filter.get(word).is_some_and(|word| word.get() >> bit & 1 != 0)
}
