//! SplitMix64 (Steele, Lea, Flood 2014): small, seeded, good enough.

use std::sync::Arc;

/// A source of random choices: those of a tape first, if there is one, then those of a seed.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
    tape: Arc<[u8]>,
    at: usize,
}

impl Rng {
    /// The source of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed, tape: Arc::default(), at: 0 }
    }

    /// A source whose first choices are the bytes of a tape, so that a fuzzer can change one choice
    /// without the others.
    #[must_use]
    pub fn from_tape(tape: &[u8]) -> Self {
        Self { state: 0, tape: tape.into(), at: 0 }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        if let Some(byte) = self.tape.get(self.at) {
            self.at += 1;
            // Two bytes, where lists are longer than one byte can choose from.
            let second = self.tape.get(self.at).copied().unwrap_or_default();
            self.at += 1;
            return u64::from(u16::from_le_bytes([*byte, second]));
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 for 0.
    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.bits() % (n.max(1) as u64)).unwrap_or(0)
    }

    /// True `percent` times of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `all`.
    ///
    /// # Panics
    /// If it is empty.
    #[allow(
        clippy::indexing_slicing,
        reason = "`below` is below the length; an empty list is a mistake of a test"
    )]
    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}
