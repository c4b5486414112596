//! Sets of entries of a group: one bit per entry, the first in the lowest bit of the first word.

use zerocopy::little_endian::U64;

/// Entries per word.
pub(crate) const WORD_BITS: usize = u64::BITS as usize;

/// Words of a set with this number of entries.
#[must_use]
pub const fn words(entries: usize) -> usize {
    entries.div_ceil(WORD_BITS)
}

/// Appends the set of all of so many entries.
pub fn all(entries: usize, out: &mut Vec<U64>) {
    out.resize(out.len().saturating_add(words(entries)), U64::MAX_VALUE);
    if let Some(last) = out.last_mut().filter(|_| entries > 0) {
        *last = U64::new(last_of_all(entries));
    }
}

/// The last word of the set of all of so many entries.
#[must_use]
pub(crate) const fn last_of_all(entries: usize) -> u64 {
    u64::MAX >> beyond(entries)
}

/// Whether a set of a module has no bits beyond this number of entries.
#[must_use]
pub fn is_within(set: &[U64], entries: usize) -> bool {
    let last = set.last().map_or(0, |word| word.get());
    beyond(entries) == 0 || last.leading_zeros() as usize >= beyond(entries)
}

/// Toggles an entry.
pub fn toggle(set: &mut [U64], entry: u32) {
    let (word, bit) = place(entry);
    if let Some(word) = set.get_mut(word) {
        word.set(word.get() ^ bit);
    }
}

/// Removes an entry.
pub fn exclude(set: &mut [U64], entry: u32) {
    let (word, bit) = place(entry);
    if let Some(word) = set.get_mut(word) {
        word.set(word.get() & !bit);
    }
}

/// The word of an entry and its bit.
const fn place(entry: u32) -> (usize, u64) {
    (entry as usize / WORD_BITS, 1 << (entry as usize % WORD_BITS))
}

/// Bits of the last word past the last entry.
const fn beyond(entries: usize) -> usize {
    words(entries).saturating_mul(WORD_BITS).saturating_sub(entries)
}
