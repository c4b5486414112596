//! Numbers of one and of three bytes, so that a row with both has four, and one with an operand more eight.

use std::fmt;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The absent value and the current node: all bits, at any width.
const ALL: u32 = u32::MAX;

/// A little-endian number of 24 bits. All bits mean 4294967295, so [`NONE`](super::NONE) and
/// [`NODE`](super::NODE) fit.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Default, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(transparent)]
pub struct U24([u8; 3]);

impl U24 {
    /// The numbers from here on do not fit.
    pub const END: u32 = (1 << 24) - 1;

    /// The number.
    #[inline]
    #[must_use]
    pub const fn get(self) -> u32 {
        let [a, b, c] = self.0;
        match u32::from_le_bytes([a, b, c, 0]) {
            Self::END => ALL,
            number => number,
        }
    }
}

impl From<u32> for U24 {
    /// A number that does not fit becomes 4294967295, which no table has as a row.
    fn from(number: u32) -> Self {
        let [a, b, c, _] = number.min(Self::END).to_le_bytes();
        Self([a, b, c])
    }
}

/// A number of one byte, read as wider ones are.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Default, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned,
)]
#[repr(transparent)]
pub struct U8(u8);

impl U8 {
    /// The number.
    #[inline]
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0 as u32
    }
}

impl From<u32> for U8 {
    /// A number that does not fit becomes 255.
    fn from(number: u32) -> Self {
        Self(u8::try_from(number).unwrap_or(u8::MAX))
    }
}

impl fmt::Debug for U8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Debug for U24 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.get(), f)
    }
}

impl fmt::Display for U24 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.get(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_bytes() {
        for number in [0, 1, 255, 256, 65_536, U24::END - 1] {
            assert_eq!(U24::from(number).get(), number);
        }
        for number in [U24::END, U24::END + 1, u32::MAX - 1, u32::MAX] {
            assert_eq!(U24::from(number).get(), u32::MAX);
        }
        assert_eq!(U24::from(0x01_0203).as_bytes(), [3, 2, 1]);
        assert_eq!(size_of::<super::super::Row>(), 8);
        assert_eq!(size_of::<super::super::Const>(), 4);
        assert_eq!([3, 255, 256, u32::MAX].map(|number| U8::from(number).get()), [3, 255, 255, 255]);
    }
}
