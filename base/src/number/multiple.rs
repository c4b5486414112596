//! Whether a number is a whole multiple of another, exactly.

use super::Decimal;

/// Significant digits of a `multipleOf`: so many that the remainder of a
/// division stays within 128 bits.
pub const DIVISOR_DIGITS: usize = 37;

/// The divisors of `multipleOf`: parsed once, used often.
#[derive(Clone, Copy, Debug)]
pub struct Divisor {
    /// The significant digits as an integer.
    digits: u128,
    /// The power of ten of the last of them.
    exponent: i64,
}

impl Divisor {
    /// Parses a number (RFC 8259 §6). `None` if it is not a valid divisor: other texts, zero,
    /// negative numbers, and those with more significant digits than [`DIVISOR_DIGITS`].
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let number = Decimal::parse(text).ok().filter(|number| number.sign() > 0)?;
        let short = usize::try_from(number.count()).is_ok_and(|count| count <= DIVISOR_DIGITS);
        let digits = || format!("{}{}", number.head, number.tail).parse().ok();
        Some(Self { digits: short.then(digits)??, exponent: number.exponent() })
    }

    /// Whether a JSON number is a whole multiple. Costs one step per digit of the number in plain
    /// notation.
    #[must_use]
    pub fn divides(self, text: &str) -> bool {
        let Ok(number) = Decimal::parse(text) else { return false };
        if number.sign() == 0 {
            return true;
        }
        // The last digit is not zero, so the number is not a multiple of a power of ten larger than
        // its own.
        let Ok(zeros) = u64::try_from(number.exponent().saturating_sub(self.exponent)) else { return false };
        // Below 10^38 all along: within 128 bits.
        let shifted = |rest: u128, digit: u8| {
            let digit = u128::from(digit.saturating_sub(b'0'));
            rest.saturating_mul(10).saturating_add(digit).checked_rem(self.digits).unwrap_or(0)
        };
        let mut rest = number.head.bytes().chain(number.tail.bytes()).fold(0, shifted);
        for _ in 0..zeros {
            if rest == 0 {
                break;
            }
            rest = shifted(rest, b'0');
        }
        rest == 0
    }
}
