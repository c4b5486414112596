//! The hash of the key table. It is part of the module format: rapidhash 3
//! (nano), with fixed secrets, over a scalar's text.

use rapidhash::v3::{RapidSecrets, rapidhash_v3_nano_inline};

const SECRETS: RapidSecrets = RapidSecrets::seed(0);

/// The multiplier of Fibonacci hashing (Knuth, TAOCP 6.4): 2^64 over the golden
/// ratio.
pub(crate) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of a scalar among the keys of `owner`: a constant's tag and text; no
/// text for null and booleans. Strings have the tag of string constants.
#[must_use]
pub fn scalar(owner: u32, tag: u32, text: &[u8]) -> u64 {
    let text = rapidhash_v3_nano_inline::<true, false>(text, &SECRETS);
    mixed(owner, text ^ u64::from(tag))
}

/// The hash of a gram among the keys of `owner`.
#[must_use]
pub const fn gram(owner: u32, gram: u32) -> u64 {
    mixed(owner, (gram as u64).wrapping_mul(GOLDEN))
}

const fn mixed(owner: u32, value: u64) -> u64 {
    let mixed = (value ^ (owner as u64).wrapping_mul(GOLDEN)).wrapping_mul(GOLDEN);
    mixed ^ (mixed >> 32)
}

/// The bucket of a hash, of `buckets` (a power of two): its high bits.
#[must_use]
pub fn bucket(hash: u64, buckets: usize) -> usize {
    let bits = buckets.max(1).trailing_zeros();
    let high = hash.checked_shr(u64::BITS.saturating_sub(bits)).unwrap_or(0);
    usize::try_from(high).unwrap_or(0)
}

/// The half of a hash that keys store.
#[must_use]
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the low half is meant")]
pub const fn low_half(hash: u64) -> u32 {
    hash as u32
}

/// The high half of a hash.
#[must_use]
#[allow(clippy::cast_possible_truncation, reason = "a half has 32 bits")]
#[inline]
pub(crate) const fn high_half(hash: u64) -> u32 {
    (hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_in_range() {
        for buckets in [1, 2, 1 << 20] {
            for owner in 0..1000 {
                assert!(bucket(scalar(owner, 4, b"x"), buckets) < buckets);
            }
        }
    }

    /// Modules contain this hash: changing it requires a new format version.
    #[test]
    fn hashes_stay() {
        assert_eq!(scalar(3, 4, b"team/directive_1"), 6_207_332_447_917_282_838);
        assert_eq!(gram(3, 0x6d72_202d), 717_644_887_463_009_439);
    }
}
