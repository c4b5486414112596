//! Values as bytes, each with one encoding: numbers have seven bits a byte, the lowest first and without zero bytes at the
//! end; texts and lists have their length in front.

/// Bytes that are not those of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("these bytes are not a value of this kind")
    }
}

impl std::error::Error for Malformed {}

pub(crate) fn put_number(mut number: usize, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(low_bits(number) | 0x80);
        number >>= 7;
    }
    out.push(low_bits(number));
}

fn low_bits(number: usize) -> u8 {
    u8::try_from(number & 0x7f).unwrap_or_default()
}

pub(crate) fn put_text(text: &str, out: &mut Vec<u8>) {
    put_number(text.len(), out);
    out.extend_from_slice(text.as_bytes());
}

/// The bytes that are not read yet.
pub(crate) struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    pub(crate) const fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    /// A value after which no bytes follow.
    pub(crate) fn end<T>(&self, value: T) -> Result<T, Malformed> {
        if self.bytes.is_empty() { Ok(value) } else { Err(Malformed) }
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Malformed> {
        let (first, rest) = self.bytes.split_first().ok_or(Malformed)?;
        self.bytes = rest;
        Ok(*first)
    }

    pub(crate) fn number(&mut self) -> Result<usize, Malformed> {
        let mut number = 0_usize;
        for shift in (0..28).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return if byte == 0 && shift > 0 { Err(Malformed) } else { Ok(number) };
            }
        }
        Err(Malformed)
    }

    pub(crate) fn text(&mut self) -> Result<String, Malformed> {
        let length = self.number()?;
        let (text, rest) = self.bytes.split_at_checked(length).ok_or(Malformed)?;
        self.bytes = rest;
        std::str::from_utf8(text).map(str::to_owned).map_err(|_| Malformed)
    }

    /// A list, whose items have at least one byte each, so that no length is larger than what follows.
    pub(crate) fn list<T>(
        &mut self,
        item: impl Fn(&mut Self) -> Result<T, Malformed>,
    ) -> Result<Vec<T>, Malformed> {
        let length = self.number()?;
        if length > self.bytes.len() {
            return Err(Malformed);
        }
        (0..length).map(|_| item(self)).collect()
    }
}
