//! Exact decimal numbers: order and text without rounding.

use std::cmp::Ordering;

use hookc_base::number;

use crate::value::Number;

impl Number {
    /// The text of the exact value of a number: `1e3` is `1000`, `1.50` is `1.5`. Returns the input
    /// if it is not a number within the limits.
    #[must_use]
    pub fn text(&self) -> String {
        number::canonical(&self.0).unwrap_or_else(|_| self.0.clone())
    }

    /// The order of the exact values.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Ordering {
        number::compare(&self.0, &other.0)
    }

    /// Whether the exact value is a whole number, such as `1.0`.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        number::is_integer(&self.0)
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
