//! Exact decimal numbers: order and text without rounding.

use std::cmp::Ordering;

use crate::value::Number;

/// `digits` times ten to the `exponent`. The digits have no zeros at either end; the number zero
/// has no digits.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Parses RFC 8259 number text. `None` for other text and for an exponent that does not fit
    /// into 64 bits.
    fn read(text: &str) -> Option<Self> {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, power) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        if whole.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let short = digits.trim_end_matches('0');
        let dropped = digits.len() - short.len();
        let shift = i64::try_from(dropped).ok()? - i64::try_from(fraction.len()).ok()?;
        let exponent = power.parse::<i64>().ok()?.checked_add(shift)?;
        let short = short.trim_start_matches('0').to_owned();
        let zero = short.is_empty();
        Some(Self { negative: negative && !zero, exponent: if zero { 0 } else { exponent }, digits: short })
    }

    /// The number of digits before the decimal point, if positive.
    fn point(&self) -> i64 {
        self.exponent.saturating_add(i64::try_from(self.digits.len()).unwrap_or(i64::MAX))
    }

    /// The order of the magnitudes.
    fn magnitude(&self, other: &Self) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.point().cmp(&other.point()).then_with(|| self.digits.cmp(&other.digits)),
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.magnitude(other),
            (true, true) => other.magnitude(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }

    /// The format of ECMAScript's `Number::toString` (ECMA-262 §6.1.6.1.20), with exact digits.
    fn text(&self) -> String {
        if self.digits.is_empty() {
            return "0".to_owned();
        }
        let sign = if self.negative { "-" } else { "" };
        let digits = &self.digits;
        let zeros = |n: i64| "0".repeat(usize::try_from(n).unwrap_or(0));
        let point = self.point();
        match point {
            1..=21 if self.exponent >= 0 => format!("{sign}{digits}{}", zeros(self.exponent)),
            1..=21 => {
                let at = usize::try_from(point).unwrap_or(0);
                let (whole, fraction) = digits.split_at_checked(at).unwrap_or((digits, ""));
                format!("{sign}{whole}.{fraction}")
            }
            -5..=0 => format!("{sign}0.{}{digits}", zeros(-point)),
            _ => {
                let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, ""));
                let dot = if rest.is_empty() { "" } else { "." };
                format!("{sign}{first}{dot}{rest}e{:+}", point.saturating_sub(1))
            }
        }
    }
}

impl Number {
    /// The text of the exact value of a number: `1e3` is `1000`, `1.50` is `1.5`. Returns the input
    /// if it is not a number within the limits.
    #[must_use]
    pub fn text(&self) -> String {
        Decimal::read(&self.0).map_or_else(|| self.0.clone(), |exact| exact.text())
    }

    /// The order of the exact values.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Ordering {
        match (Decimal::read(&self.0), Decimal::read(&other.0)) {
            (Some(a), Some(b)) => a.order(&b),
            _ => self.0.cmp(&other.0),
        }
    }

    /// Whether the exact value is a whole number, such as `1.0`.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        Decimal::read(&self.0).is_some_and(|exact| exact.exponent >= 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number(text.to_owned())
    }

    #[test]
    fn texts() {
        let cases = [
            ("1", "1"),
            ("1.0", "1"),
            ("1e3", "1000"),
            ("-0.0", "0"),
            ("1e21", "1e+21"),
            ("999999999999999999999", "999999999999999999999"),
            ("0.000001", "0.000001"),
            ("0.0000001", "1e-7"),
            ("12.50", "12.5"),
            ("-1234e-2", "-12.34"),
            ("9007199254740993", "9007199254740993"),
            ("123456789012345678901234", "1.23456789012345678901234e+23"),
        ];
        for (written, text) in cases {
            assert_eq!(number(written).text(), text, "{written}");
        }
    }

    #[test]
    fn order_is_exact() {
        assert_eq!(number("9007199254740993").compare(&number("9007199254740992.0")), Ordering::Greater);
        assert_eq!(number("1").compare(&number("1e0")), Ordering::Equal);
        assert_eq!(number("-2").compare(&number("-1")), Ordering::Less);
        assert_eq!(number("0.1").compare(&number("0")), Ordering::Greater);
        assert_eq!(number("12").compare(&number("9")), Ordering::Greater);
        assert!(number("1.0").is_integer() && !number("1.5").is_integer() && number("0").is_integer());
    }
}
