//! Exact sums of JSON numbers.

use std::cmp::Ordering;
use std::fmt;

use hookc_base::number;

/// Significant digits of a sum; beyond them it is unknown.
const DIGITS: u32 = 37;
/// The first magnitude with more digits.
const BEYOND: u128 = 10_u128.pow(DIGITS);

/// An exact decimal of at most 37 significant digits.
///
/// ```
/// use hookc_history::Decimal;
/// let sum = ["0.1", "0.2"].iter().filter_map(|text| Decimal::parse(text)).reduce(|a, b| a.plus(b).unwrap_or(a));
/// assert_eq!(sum.unwrap().to_string(), "0.3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct Decimal {
    /// Without zeros at its end.
    pub(crate) digits: i128,
    /// The power of ten; 0 for zero.
    pub(crate) exponent: i32,
}

impl Decimal {
    /// The start of a sum.
    pub const ZERO: Self = Self { digits: 0, exponent: 0 };

    /// A whole number.
    #[must_use]
    pub fn from_count(number: u64) -> Self {
        Self::new(i128::from(number), 0).unwrap_or(Self::ZERO)
    }

    /// Reads a JSON number; `None` for another text, and for more than 37 significant digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(short) = Self::short(text) {
            return Some(short);
        }
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        number::Decimal::parse(text).ok()?;
        let (mut digits, mut exponent) = (0_u128, exponent.parse::<i32>().ok()?);
        // Zeros that matter only if a digit follows.
        let mut zeros = 0_u32;
        let mut point = false;
        for byte in mantissa.bytes() {
            match byte {
                b'.' => point = true,
                b'0'..=b'9' => {
                    // Before the point, the next digit raises the power of all so far; after it, its own falls.
                    if point {
                        exponent = exponent.checked_sub(1)?;
                    }
                    if byte == b'0' {
                        zeros = zeros.checked_add(u32::from(digits != 0))?;
                        continue;
                    }
                    let shift = 10_u128.checked_pow(zeros.checked_add(1)?)?;
                    digits = digits.checked_mul(shift)?.checked_add(u128::from(byte.wrapping_sub(b'0')))?;
                    zeros = 0;
                    if digits >= BEYOND {
                        return None;
                    }
                }
                _ => {}
            }
        }
        let exponent = exponent.checked_add(i32::try_from(zeros).ok()?)?;
        let digits = i128::try_from(digits).ok()?;
        Self::new(if text.starts_with('-') { digits.checked_neg()? } else { digits }, exponent)
    }

    /// Reads what most events have: a count or an amount without a sign and an exponent, in a machine word.
    fn short(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let is_valid =
            !fraction.is_empty() && !whole.is_empty() && !whole.starts_with('0') && text.len() <= 18;
        if !is_valid {
            return None;
        }
        let fraction = fraction.trim_end_matches('0');
        let mut digits = 0_u64;
        for byte in whole.bytes().chain(fraction.bytes()) {
            let digit = Some(byte.wrapping_sub(b'0')).filter(|digit| *digit <= 9)?;
            digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
        }
        if !fraction.is_empty() {
            let exponent = i32::try_from(fraction.len()).ok()?.checked_neg()?;
            return Some(Self { digits: i128::from(digits), exponent });
        }
        let mut exponent = 0_i32;
        while digits.is_multiple_of(10) {
            (digits, exponent) = (digits.checked_div(10)?, exponent.checked_add(1)?);
        }
        Some(Self { digits: i128::from(digits), exponent })
    }

    /// `digits * 10^exponent` in its only form; `None` beyond 37 significant digits, or with an exponent that no text
    /// of a number has.
    pub(crate) fn new(mut digits: i128, mut exponent: i32) -> Option<Self> {
        if digits == 0 {
            return Some(Self::ZERO);
        }
        while digits.checked_rem(10) == Some(0) {
            (digits, exponent) = (digits.checked_div(10)?, exponent.checked_add(1)?);
        }
        let limit = i32::try_from(number::EXPONENT).ok()?.checked_mul(2)?;
        let is_valid = digits.unsigned_abs() < BEYOND && exponent.checked_abs()? <= limit;
        is_valid.then_some(Self { digits, exponent })
    }

    /// The exact sum; `None` beyond 37 significant digits.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        if self.digits == 0 {
            return Some(other);
        }
        if other.digits == 0 {
            return Some(self);
        }
        let (high, low) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let places = u32::try_from(high.exponent.checked_sub(low.exponent)?).ok()?;
        let digits = high.digits.checked_mul(10_i128.checked_pow(places)?)?.checked_add(low.digits)?;
        Self::new(digits, low.exponent)
    }

    /// Minus this number.
    pub(crate) fn negated(self) -> Option<Self> {
        Some(Self { digits: self.digits.checked_neg()?, ..self })
    }

    /// Compares with another number by exact value.
    #[must_use]
    pub fn order(self, other: Self) -> Ordering {
        if self.exponent == other.exponent {
            return self.digits.cmp(&other.digits);
        }
        let (high, low, is_swapped) =
            if self.exponent > other.exponent { (self, other, false) } else { (other, self, true) };
        let places = high.exponent.abs_diff(low.exponent);
        let power = if high.digits == 0 { Some(0) } else { 10_i128.checked_pow(places) };
        let digits = power.and_then(|power| high.digits.checked_mul(power));
        // If it does not fit, the number with the higher exponent has the greater magnitude.
        let order = digits.map_or_else(|| high.digits.cmp(&0), |digits| digits.cmp(&low.digits));
        if is_swapped { order.reverse() } else { order }
    }

    /// Compares with a JSON number by exact value.
    #[must_use]
    pub fn compare(self, text: &str) -> Ordering {
        number::compare(&format!("{}e{}", self.digits, self.exponent), text)
    }
}

/// The exact sum; `None` if it, or a number, has too many digits.
pub(crate) fn add_numbers(sum: Decimal, numbers: &[Option<Decimal>]) -> Option<Decimal> {
    numbers.iter().try_fold(sum, |sum, number| sum.plus((*number)?))
}

/// The canonical text.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}e{}", self.digits, self.exponent);
        match number::Decimal::parse(&text) {
            Ok(number) => number.fmt(f),
            Err(_) => f.write_str(&text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(texts: &[&str]) -> Option<String> {
        let parsed = texts.iter().map(|text| Decimal::parse(text)).collect::<Option<Vec<_>>>()?;
        let sum = parsed.into_iter().try_fold(Decimal::ZERO, Decimal::plus)?;
        Some(sum.to_string())
    }

    #[test]
    fn sums_are_exact() {
        for (texts, expected) in [
            (&["0.1", "0.2"][..], Some("0.3")),
            (&["1e3", "1"], Some("1001")),
            (
                &["1e36", "1"],
                Some("1000000000000000000000000000000000001")
                    .map(|_| "1.000000000000000000000000000000000001e+36"),
            ),
            (&["1e37", "1"], None),
            (&["1e37", "-1"], Some("9.999999999999999999999999999999999999e+36")),
            (&["-100.50", "100.5"], Some("0")),
            (&["1000", "0.001e3"], Some("1001")),
            (&["12345678901234567890123456789012345678"], None),
            (&["12345678901234567890123456789012345670"], Some("1.234567890123456789012345678901234567e+37")),
            (&["x"], None),
            (&["01"], None),
            (&["1e99999"], None),
        ] {
            assert_eq!(sum(texts).as_deref(), expected, "{texts:?}");
        }
    }

    #[test]
    fn short_numbers_are_read_as_others_are() {
        let wholes =
            ["", "0", "1", "7", "10", "90", "100", "12340", "99999999999999999", "999999999999999999"];
        let fractions = ["", ".", ".0", ".5", ".50", ".05", ".000", ".0100", ".x", ".1.2", "x", "-"];
        for text in wholes.iter().flat_map(|whole| fractions.iter().map(move |rest| format!("{whole}{rest}")))
        {
            assert_eq!(Decimal::parse(&text), Decimal::parse(&format!("{text}e0")), "{text}");
            if let Some(short) = Decimal::short(&text) {
                assert_eq!(Decimal::parse(&format!("{text}e0")), Some(short), "{text}");
            }
        }
    }

    #[test]
    fn numbers_have_an_order() {
        let texts = ["-1e60", "-1000", "-0.5", "0", "1e-40", "0.5", "7", "10", "1e3", "1000.5", "1e60"];
        for (one, a) in texts.iter().enumerate() {
            for (two, b) in texts.iter().enumerate() {
                let (left, right) = (Decimal::parse(a).unwrap(), Decimal::parse(b).unwrap());
                assert_eq!(left.order(right), one.cmp(&two), "{a} {b}");
            }
        }
        assert_eq!(Decimal::from_count(1_200).to_string(), "1200");
    }

    #[test]
    fn sums_compare_by_value() {
        let sum = Decimal::parse("1000.50").unwrap();
        assert_eq!(sum.compare("1000.5"), Ordering::Equal);
        assert_eq!(sum.compare("1e3"), Ordering::Greater);
        assert_eq!(sum.compare("1001"), Ordering::Less);
    }
}
