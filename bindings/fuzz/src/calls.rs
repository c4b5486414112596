//! Bytes as a list of calls: what the bodies read their numbers and texts from.

/// What is left of the bytes.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next byte; 0 after the end.
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number, often a small one.
    pub(crate) fn number(&mut self) -> usize {
        match self.byte() {
            small @ 0..200 => usize::from(small),
            200..230 => usize::from(self.byte()) << 8 | usize::from(self.byte()),
            230..240 => usize::MAX - usize::from(self.byte()),
            240..248 => isize::MAX.unsigned_abs() + usize::from(self.byte()),
            _ => 1 << (self.byte() % 64),
        }
    }

    /// The next bytes, at most `length`.
    pub(crate) fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        taken
    }
}
