//! Exact decimal numbers: parsed from JSON text, compared and formatted without rounding.
//!
//! There is no arithmetic: a number is its sign, its significant digits in the text, and the
//! position of the decimal point. A comparison therefore costs one pass over both texts, however
//! large the numbers are.

mod multiple;

use std::cmp::Ordering;
use std::fmt::{self, Write};

pub use multiple::{DIVISOR_DIGITS, Divisor};

/// Magnitude of a written exponent: beyond it a number's text would be out of
/// proportion to its spelling (`docs/language.md`, "Events").
pub const EXPONENT: u32 = 10_000;

/// Why a text is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumberError {
    /// Not a number of RFC 8259 §6.
    Syntax,
    /// The written exponent is beyond [`EXPONENT`].
    Exponent,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax => f.write_str("not a JSON number"),
            Self::Exponent => write!(f, "an exponent beyond {EXPONENT}"),
        }
    }
}

impl std::error::Error for NumberError {}

/// The canonical text of a JSON number: equal values have equal texts. The format is that of
/// ECMAScript (ECMA-262 §6.1.6.1.20) with exact digits.
///
/// # Errors
/// See [`NumberError`].
#[inline]
pub fn canonical(text: &str) -> Result<String, NumberError> {
    Decimal::parse(text).map(|number| number.to_string())
}

/// Whether the text of a valid number is certainly canonical, as for most numbers in events.
/// `false` may also mean that a full check is not worth it.
#[inline]
pub fn is_plain(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    match digits.iter().position(|byte| *byte == b'.') {
        None => text != b"-0" && digits.len() <= POINT_MAX && digits.iter().all(u8::is_ascii_digit),
        Some(point) => {
            let (whole, fraction) = digits.split_at_checked(point).unwrap_or_default();
            let fraction = fraction.get(1..).unwrap_or_default();
            whole.len() <= POINT_MAX
                && fraction.iter().all(u8::is_ascii_digit)
                && !fraction.ends_with(b"0")
                && !(whole == b"0" && fraction.starts_with(b"00000"))
        }
    }
}

/// Compares two JSON numbers by exact value. A text that is not a number sorts after all numbers,
/// by its bytes.
#[inline]
#[must_use]
pub fn compare(a: &str, b: &str) -> Ordering {
    if let (Some(a), Some(b)) = (small(a), small(b)) {
        return a.cmp(&b);
    }
    match (Decimal::parse(a), Decimal::parse(b)) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    }
}

/// Whether two JSON numbers have the same value.
#[inline]
#[must_use]
pub fn equal(a: &str, b: &str) -> bool {
    compare(a, b).is_eq()
}

/// Whether the value of a JSON number is an integer, such as `1.0`.
#[inline]
#[must_use]
pub fn is_integer(text: &str) -> bool {
    Decimal::parse(text).is_ok_and(Decimal::is_integer)
}

/// Compares a JSON number's bytes with a canonical one's.
#[inline]
pub fn compare_canonical(a: &[u8], canonical: &[u8]) -> Ordering {
    let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
    match (ShortDecimal::parse(a), ShortDecimal::parse(canonical)) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => compare(text(a), text(canonical)),
    }
}

/// A number of at most eighteen digits, without an exponent: `digits / 10^places`. Most numbers of events
/// are such, and it is compared without a look at the text.
#[derive(Clone, Copy, Debug)]
pub struct ShortDecimal {
    digits: i64,
    places: u8,
}

/// Digits of a [`ShortDecimal`].
const SHORT_DIGITS: usize = 18;

/// The powers of ten up to the digits of a [`ShortDecimal`].
const POWERS: [i64; SHORT_DIGITS + 1] = {
    let mut powers = [1; SHORT_DIGITS + 1];
    let mut at = 1;
    while at < powers.len() {
        #[allow(clippy::indexing_slicing, reason = "a constant: it fails while the crate is compiled")]
        {
            powers[at] = powers[at - 1] * 10;
        }
        at += 1;
    }
    powers
};

impl ShortDecimal {
    /// Reads a JSON number; `None` if it has more digits, or an exponent.
    #[inline]
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let unsigned = text.strip_prefix(b"-").unwrap_or(text);
        // One more for the point.
        if unsigned.is_empty() || unsigned.len() > SHORT_DIGITS.saturating_add(1) {
            return None;
        }
        // Places grow by this with each digit: by one after the point.
        let (mut digits, mut places, mut by) = (0_i64, 0_u8, 0_u8);
        for byte in unsigned {
            let digit = byte.wrapping_sub(b'0');
            if digit <= 9 {
                // Nineteen digits can overflow, but they are rejected below: there is no point among them.
                digits = digits.wrapping_mul(10).wrapping_add(i64::from(digit));
                places = places.wrapping_add(by);
            } else if *byte == b'.' && by == 0 {
                by = 1;
            } else {
                return None;
            }
        }
        if by == 0 && unsigned.len() > SHORT_DIGITS {
            return None;
        }
        let digits = if unsigned.len() < text.len() { digits.wrapping_neg() } else { digits };
        Some(Self { digits, places })
    }

    /// The nearest binary64, if it is found without looking at single digits: digits of up to 53 bits and
    /// the power of ten are exact, and a division rounds once.
    #[inline]
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "none up to 53 bits")]
    pub fn to_f64(self) -> Option<f64> {
        let is_exact = self.digits.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS;
        let digits = is_exact.then_some(self.digits as f64)?;
        Some(if self.places == 0 { digits } else { digits / power(self.places) as f64 })
    }

    /// Its digits with so many places more. Neither has more than eighteen, so the product fits.
    #[inline]
    fn scaled(self, places: u8) -> i128 {
        i128::from(self.digits).wrapping_mul(i128::from(power(places)))
    }
}

fn power(places: u8) -> i64 {
    POWERS.get(usize::from(places)).copied().unwrap_or(1)
}

impl Ord for ShortDecimal {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        if self.places == other.places {
            return self.digits.cmp(&other.digits);
        }
        self.scaled(other.places).cmp(&other.scaled(self.places))
    }
}

impl PartialOrd for ShortDecimal {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ShortDecimal {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for ShortDecimal {}

/// The value of a short integer: the common case of a comparison.
#[inline]
fn small(text: &str) -> Option<i64> {
    short_integer(text.as_bytes())
}

/// The value of a JSON number that is written as an integer of at most 18 digits.
#[inline]
#[must_use]
pub fn short_integer(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let mut value = 0_i64;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        // Eighteen digits fit.
        value = value.wrapping_mul(10).wrapping_add(i64::from(digit));
    }
    Some(if digits.len() < text.len() { value.wrapping_neg() } else { value })
}

/// Whether a text of at most eighteen digits is a number in canonical form, without an exponent: enough for
/// most, and faster than to write it. `false` if that is not certain.
#[must_use]
pub fn is_short_canonical(text: &[u8]) -> bool {
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let point = unsigned.iter().position(|byte| *byte == b'.').unwrap_or(unsigned.len());
    let (whole, fraction) = unsigned.split_at_checked(point).unwrap_or_default();
    let fraction = fraction.strip_prefix(b".");
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let zero = whole == b"0";
    unsigned.len() <= 18
        && digits(whole)
        && (zero || !whole.starts_with(b"0"))
        // Zero has no sign, and a small number may have an exponent.
        && match fraction {
            None => !zero || unsigned.len() == text.len(),
            Some(fraction) => {
                digits(fraction) && !fraction.ends_with(b"0") && !(zero && fraction.starts_with(b"0"))
            }
        }
}

/// Digits before the point, up to which a number is written without exponent.
const POINT_MAX: usize = 21;

/// A number read once, to be compared with many. It borrows its digits.
///
/// Its value is `0.d1d2d3… × 10^point`, where the digits are those of `head`
/// and then `tail`, without zeros at either end; zero has no digits.
#[derive(Clone, Copy, Debug)]
pub struct Decimal<'a> {
    negative: bool,
    /// Significant digits before the written point.
    head: &'a str,
    /// Significant digits after the point.
    tail: &'a str,
    point: i64,
}

impl<'a> Decimal<'a> {
    /// Reads a number of RFC 8259 §6.
    ///
    /// # Errors
    /// See [`NumberError`].
    pub fn parse(text: &'a str) -> Result<Self, NumberError> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, rest) = digits(rest)?;
        if whole.len() > 1 && whole.starts_with('0') {
            return Err(NumberError::Syntax);
        }
        let (fraction, rest) = match rest.strip_prefix('.') {
            Some(rest) => digits(rest)?,
            None => ("", rest),
        };
        let exponent = match rest.strip_prefix(['e', 'E']) {
            Some(rest) => exponent(rest)?,
            None if rest.is_empty() => 0,
            None => return Err(NumberError::Syntax),
        };
        Ok(Self::new(negative, whole, fraction, exponent))
    }

    fn new(negative: bool, whole: &'a str, fraction: &'a str, exponent: i64) -> Self {
        let head = whole.trim_start_matches('0');
        let tail = if head.is_empty() { fraction.trim_start_matches('0') } else { fraction };
        let point = if head.is_empty() {
            exponent.saturating_sub(length(fraction).saturating_sub(length(tail)))
        } else {
            exponent.saturating_add(length(head))
        };
        let tail = tail.trim_end_matches('0');
        let head = if tail.is_empty() { head.trim_end_matches('0') } else { head };
        if head.is_empty() && tail.is_empty() {
            return Self { negative: false, head, tail, point: 0 };
        }
        Self { negative, head, tail, point }
    }

    /// Whether the value is an integer.
    #[must_use]
    pub fn is_integer(self) -> bool {
        self.count() <= self.point
    }

    /// The power of ten of the last significant digit.
    fn exponent(&self) -> i64 {
        self.point.saturating_sub(self.count())
    }

    /// Significant digits.
    fn count(&self) -> i64 {
        length(self.head).saturating_add(length(self.tail))
    }

    /// −1, 0 or 1.
    fn sign(&self) -> i8 {
        match (self.count(), self.negative) {
            (0, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        }
    }

    /// Writes the digits with a decimal point after the first `before` of them if more follow.
    fn write_digits(&self, f: &mut fmt::Formatter<'_>, mut before: usize) -> fmt::Result {
        let mut pointed = false;
        for part in [self.head, self.tail] {
            let (front, back) = part.split_at_checked(before).unwrap_or((part, ""));
            f.write_str(front)?;
            if !back.is_empty() && !pointed {
                f.write_char('.')?;
                pointed = true;
            }
            f.write_str(back)?;
            before = before.saturating_sub(part.len());
        }
        Ok(())
    }
}

/// The canonical text; see [`canonical`].
impl fmt::Display for Decimal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.sign() < 0 {
            f.write_char('-')?;
        }
        let before = usize::try_from(self.point).unwrap_or(0);
        match self.point {
            0 if self.sign() == 0 => f.write_char('0'),
            1..=21 => {
                self.write_digits(f, before)?;
                zeros(f, self.point.saturating_sub(self.count()))
            }
            -5..=0 => {
                f.write_str("0.")?;
                zeros(f, self.point.saturating_neg())?;
                self.write_digits(f, usize::MAX)
            }
            _ => {
                self.write_digits(f, 1)?;
                write!(f, "e{:+}", self.point.saturating_sub(1))
            }
        }
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let magnitudes = || {
            let digits = |number: &Self| number.head.bytes().chain(number.tail.bytes());
            self.point.cmp(&other.point).then_with(|| digits(self).cmp(digits(other)))
        };
        self.sign().cmp(&other.sign()).then_with(|| match self.sign() {
            -1 => magnitudes().reverse(),
            _ => magnitudes(),
        })
    }
}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Decimal<'_> {}

/// Splits off the leading digits, at least one.
fn digits(text: &str) -> Result<(&str, &str), NumberError> {
    let end = text.bytes().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).filter(|_| end > 0).ok_or(NumberError::Syntax)
}

/// Reads what follows the `e`, to the end.
fn exponent(text: &str) -> Result<i64, NumberError> {
    let negative = text.starts_with('-');
    let (digits, rest) = digits(text.strip_prefix(['+', '-']).unwrap_or(text))?;
    if !rest.is_empty() {
        return Err(NumberError::Syntax);
    }
    let magnitude = match digits.trim_start_matches('0') {
        "" => 0,
        digits => digits.parse::<u32>().ok().filter(|n| *n <= EXPONENT).ok_or(NumberError::Exponent)?,
    };
    let magnitude = i64::from(magnitude);
    Ok(if negative { magnitude.saturating_neg() } else { magnitude })
}

/// Digits of a text, fewer than 2^63.
fn length(digits: &str) -> i64 {
    i64::try_from(digits.len()).unwrap_or(i64::MAX)
}

fn zeros(f: &mut fmt::Formatter<'_>, count: i64) -> fmt::Result {
    (0..count).try_for_each(|_| f.write_char('0'))
}
