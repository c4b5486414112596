//! Numbers and optional values as bytes.

use crate::key::Key;
use crate::shape::CellId;
use crate::stamp::Stamp;

/// What is written.
#[derive(Debug, Default)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Seven bits in each byte, the lowest first; the last has no high bit.
    pub(super) fn number(&mut self, number: u64) {
        self.wide(u128::from(number));
    }

    pub(super) fn wide(&mut self, mut number: u128) {
        loop {
            let low = u8::try_from(number & 0x7f).unwrap_or(0);
            number >>= 7;
            if number == 0 {
                return self.byte(low);
            }
            self.byte(low | 0x80);
        }
    }

    /// A number with a sign, small if its magnitude is.
    pub(super) fn signed(&mut self, number: i128) {
        self.wide(((number << 1) ^ (number >> 127)).cast_unsigned());
    }

    pub(super) fn length(&mut self, length: usize) {
        self.number(u64::try_from(length).unwrap_or(u64::MAX));
    }

    pub(super) fn fixed(&mut self, number: u64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    pub(super) fn key(&mut self, key: Key) {
        self.bytes.extend_from_slice(key.as_bytes());
    }

    pub(super) fn id(&mut self, id: CellId) {
        self.bytes.extend_from_slice(&id.0);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.length(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// A stamp, as the difference between it and a later one.
    pub(super) fn stamp(&mut self, stamp: Stamp, later: Stamp) {
        self.number(later.number.saturating_sub(stamp.number));
        self.number(later.time.saturating_sub(stamp.time));
    }

    pub(super) fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.byte(u8::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }

    pub(super) fn list<T>(&mut self, values: impl ExactSizeIterator<Item = T>, write: impl Fn(&mut Self, T)) {
        self.length(values.len());
        values.for_each(|value| write(self, value));
    }
}

/// What is still to be read. Each method returns `None` if the bytes are not such a value.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// `Some` at the end.
    pub(super) fn end(&self) -> Option<()> {
        self.rest.is_empty().then_some(())
    }

    /// Bytes that are still to be read.
    pub(super) fn len(&self) -> usize {
        self.rest.len()
    }

    pub(super) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let [byte] = self.array()?;
        Some(byte)
    }

    pub(super) fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        u64::try_from(self.wide()?).ok()
    }

    pub(super) fn wide(&mut self) -> Option<u128> {
        let mut number = 0_u128;
        for shift in (0..u128::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u128::from(byte & 0x7f);
            let shifted = bits.checked_shl(shift)?;
            // The last byte has fewer bits, and a shorter form of the number is the only one.
            if shifted >> shift != bits || (byte == 0 && shift > 0) {
                return None;
            }
            number |= shifted;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn signed(&mut self) -> Option<i128> {
        let number = self.wide()?;
        let magnitude = (number >> 1).cast_signed();
        Some(if number & 1 == 0 { magnitude } else { !magnitude })
    }

    /// A number of things that take a byte or more each.
    pub(super) fn length(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok().filter(|length| *length <= self.rest.len())
    }

    pub(super) fn fixed(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn key(&mut self) -> Option<Key> {
        self.array().map(Key)
    }

    pub(super) fn id(&mut self) -> Option<CellId> {
        self.array().map(CellId)
    }

    pub(super) fn text(&mut self, most: usize) -> Option<&'a str> {
        let length = self.length().filter(|length| *length <= most)?;
        std::str::from_utf8(self.take(length)?).ok()
    }

    pub(super) fn stamp(&mut self, later: Stamp) -> Option<Stamp> {
        let number = later.number.checked_sub(self.number()?)?;
        Some(Stamp { number, time: later.time.checked_sub(self.number()?)? })
    }

    /// The outer `None` is an error.
    #[allow(clippy::option_option, reason = "an absent value is not an error")]
    pub(super) fn option<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if self.flag()? { read(self).map(Some) } else { Some(None) }
    }

    pub(super) fn list<T>(
        &mut self,
        most: usize,
        mut read: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let length = self.length().filter(|length| *length <= most)?;
        let mut values = Vec::with_capacity(length);
        for _ in 0..length {
            values.push(read(self)?);
        }
        Some(values)
    }
}

/// Reads all of the bytes.
pub(super) fn whole<T>(content: &[u8], read: impl FnOnce(&mut Reader<'_>) -> Option<T>) -> Option<T> {
    let mut input = Reader::new(content);
    let value = read(&mut input)?;
    input.end().map(|()| value)
}
