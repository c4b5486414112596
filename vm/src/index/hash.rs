//! The hash of the key table. It is part of the module format: rapidhash 3
//! (nano), with fixed secrets, over the scalar's text.

use rapidhash::v3::{RapidSecrets, rapidhash_v3_nano_inline};

const SECRETS: RapidSecrets = RapidSecrets::seed(0);

/// The hash of a scalar: a constant's tag and text; no text for null and
/// booleans.
#[must_use]
pub fn scalar(tag: u32, text: &str) -> u64 {
    rapidhash_v3_nano_inline::<true, false>(text.as_bytes(), &SECRETS) ^ u64::from(tag)
}

/// The bucket, of `buckets` (a power of two), of a scalar among the keys of
/// `owner`.
#[must_use]
pub fn bucket(scalar: u64, owner: u32, buckets: usize) -> usize {
    // The multiplier of Knuth's TAOCP 6.4, 2^64 over the golden ratio: the
    // high bits are the good ones.
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = (scalar ^ u64::from(owner).wrapping_mul(GOLDEN)).wrapping_mul(GOLDEN);
    let bits = buckets.max(1).trailing_zeros();
    let high = mixed.checked_shr(u64::BITS.saturating_sub(bits)).unwrap_or(0);
    usize::try_from(high).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_in_range_and_do_not_change() {
        for buckets in [1, 2, 1 << 20] {
            for owner in 0..1000 {
                assert!(bucket(scalar(4, "x"), owner, buckets) < buckets);
            }
        }
        // Modules hold it: a change is a new version of the format.
        assert_eq!(scalar(4, "team/directive_1"), HASHED);
        assert_eq!(bucket(HASHED, 3, 1 << 16), 0);
    }

    const HASHED: u64 = 0;
}
