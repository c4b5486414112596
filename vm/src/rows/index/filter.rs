//! Filters: a bit for every key of a probe. Most texts of events belong to no key, and a bit that is
//! missing says so for a few instructions, where the table of keys costs a hash and a wait for memory.

use zerocopy::little_endian::U64;

/// The position of a hash's bit in a filter with this number of words (a power of two): word and bit.
#[must_use]
pub const fn place(hash: u32, words: usize) -> (usize, u32) {
    ((hash as usize >> 6) & words.wrapping_sub(1), hash & 63)
}

/// Whether a filter has the bit of a hash.
#[must_use]
#[inline]
pub fn is_in(filter: &[U64], hash: u32) -> bool {
    bit(filter, hash) & 1 != 0
}

/// A number whose lowest bit is the bit of a hash in a filter.
#[must_use]
#[inline]
pub fn bit(filter: &[U64], hash: u32) -> u64 {
    let (word, bit) = place(hash, filter.len());
    filter.get(word).map_or(0, |word| word.get() >> bit)
}
