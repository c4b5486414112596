//! Exact decimals as big integers.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

/// `mantissa * 10^exponent`
#[derive(Clone, Debug)]
pub(crate) struct Decimal {
    mantissa: BigInt,
    exponent: i64,
}

/// The largest written exponent.
const EXPONENT: i64 = 10_000;

impl Decimal {
    /// Reads a JSON number; `None` if its exponent is beyond the limit.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => {
                (digits, exponent.parse::<i64>().ok().filter(|e| e.abs() <= EXPONENT)?)
            }
            None => (text, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mantissa: BigInt = format!("{whole}{fraction}").parse().ok()?;
        let places = i64::try_from(fraction.len()).ok()?;
        Some(Self { mantissa, exponent: exponent - places }.normal())
    }

    /// No trailing zero in the mantissa; zero has exponent 0.
    fn normal(self) -> Self {
        let digits = self.mantissa.magnitude().to_string();
        if digits == "0" {
            return Self { mantissa: BigInt::from(0), exponent: 0 };
        }
        let bare = digits.trim_end_matches('0');
        let zeros = i64::try_from(digits.len() - bare.len()).unwrap_or(0);
        let sign = if self.mantissa.sign() == Sign::Minus { "-" } else { "" };
        let mantissa = format!("{sign}{bare}").parse().unwrap_or_default();
        Self { mantissa, exponent: self.exponent + zeros }
    }

    /// ECMAScript's format (Number::toString) with all digits.
    pub(crate) fn text(&self) -> String {
        let digits = self.mantissa.magnitude().to_string();
        let sign = if self.mantissa.sign() == Sign::Minus { "-" } else { "" };
        let count = i64::try_from(digits.len()).unwrap_or(0);
        let point = count + self.exponent;
        let repeat = |n: i64| "0".repeat(usize::try_from(n).unwrap_or(0));
        let body = if digits == "0" {
            digits
        } else if count <= point && point <= 21 {
            format!("{digits}{}", repeat(point - count))
        } else if 0 < point && point <= 21 {
            let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or(0));
            format!("{whole}.{fraction}")
        } else if -6 < point && point <= 0 {
            format!("0.{}{digits}", repeat(-point))
        } else {
            let (first, rest) = digits.split_at(1);
            let dot = if rest.is_empty() { "" } else { "." };
            format!("{first}{dot}{rest}e{:+}", point - 1)
        };
        format!("{sign}{body}")
    }

    /// Whether it is a whole multiple of a positive number.
    pub(crate) fn is_multiple_of(&self, divisor: &Self) -> bool {
        let least = self.exponent.min(divisor.exponent);
        let scaled = |d: &Self| {
            let power = u32::try_from(d.exponent - least).unwrap_or(u32::MAX);
            &d.mantissa * BigInt::from(10).pow(power)
        };
        scaled(self) % scaled(divisor) == BigInt::from(0)
    }

    /// The exact sum.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        let least = self.exponent.min(other.exponent);
        let scaled = |d: &Self| {
            let power = u32::try_from(d.exponent - least).unwrap_or(u32::MAX);
            &d.mantissa * BigInt::from(10).pow(power)
        };
        Self { mantissa: scaled(self) + scaled(other), exponent: least }.normal()
    }

    /// How many significant digits it has.
    pub(crate) fn digits(&self) -> usize {
        self.mantissa.magnitude().to_string().len()
    }

    pub(crate) fn is_integer(&self) -> bool {
        self.exponent >= 0
    }
}

impl From<usize> for Decimal {
    fn from(count: usize) -> Self {
        Self { mantissa: BigInt::from(count), exponent: 0 }.normal()
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal {}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let least = self.exponent.min(other.exponent);
        let scaled = |d: &Self| {
            let power = u32::try_from(d.exponent - least).unwrap_or(u32::MAX);
            &d.mantissa * BigInt::from(10).pow(power)
        };
        scaled(self).cmp(&scaled(other))
    }
}
