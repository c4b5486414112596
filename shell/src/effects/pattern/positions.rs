//! Sets of positions in a glob.

/// Positions in a glob.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Positions {
    first: u64,
    more: Vec<u64>,
}

impl Positions {
    pub(super) fn has(&self, at: usize) -> bool {
        let word = if at < 64 { Some(&self.first) } else { self.more.get(at / 64 - 1) };
        word.is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    pub(super) fn set(&mut self, at: usize) {
        let bit = 1 << (at % 64);
        if at < 64 {
            self.first |= bit;
            return;
        }
        if self.more.len() < at / 64 {
            self.more.resize(at / 64, 0);
        }
        if let Some(word) = self.more.get_mut(at / 64 - 1) {
            *word |= bit;
        }
    }

    pub(super) fn clear(&mut self) {
        self.first = 0;
        self.more.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first == 0 && self.more.is_empty()
    }

    /// How much more work a step is than one of a short glob.
    pub(super) fn extra_words(&self) -> usize {
        self.more.len()
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.first |= other.first;
        if self.more.len() < other.more.len() {
            self.more.resize(other.more.len(), 0);
        }
        self.more.iter_mut().zip(&other.more).for_each(|(word, other)| *word |= other);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        let words = std::iter::once(&self.first).chain(&self.more).enumerate();
        words.flat_map(|(number, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros();
                left &= left.checked_sub(1)?;
                Some(number * 64 + usize::try_from(bit).unwrap_or_default())
            })
        })
    }
}
