//! Amounts of money: exact, in millionths.

use std::fmt;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Millionths in one unit.
const UNIT: u64 = 1_000_000;
/// Decimal places.
const PLACES: usize = 6;

/// An amount that is not negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Amount(u64);

impl Amount {
    /// From its decimal form: `12`, `0.5`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(rest) || rest.len() > PLACES {
            return None;
        }
        let millionths = format!("{rest:0<PLACES$}").parse::<u64>().ok()?;
        whole.parse::<u64>().ok()?.checked_mul(UNIT)?.checked_add(millionths).map(Self)
    }

    pub(crate) fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    pub(crate) fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// As a JSON number.
    pub(crate) fn to_value(self) -> Value {
        serde_json::from_str(&self.to_string()).unwrap_or_default()
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / UNIT, self.0 % UNIT);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        let rest = format!("{rest:0PLACES$}");
        write!(f, "{whole}.{}", rest.trim_end_matches('0'))
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Self::parse(&text).ok_or_else(|| {
            let form = "an amount such as 12 or 0.5, not negative, with at most six decimal places";
            serde::de::Error::custom(format!("`{text}` is not {form}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Amount;

    #[test]
    fn amounts() {
        for (text, shown) in [("0", "0"), ("12", "12"), ("0.50", "0.5"), ("3.000001", "3.000001")] {
            assert_eq!(Amount::parse(text).unwrap().to_string(), shown);
        }
        for text in ["", "-1", "1.", ".5", "1e3", "0.0000001", "99999999999999999999", "1,5", "+1"] {
            assert!(Amount::parse(text).is_none(), "{text}");
        }
        let tenths =
            (0..10).fold(Amount::default(), |sum, _| sum.saturating_add(Amount::parse("0.1").unwrap()));
        assert_eq!(tenths, Amount::parse("1").unwrap());
        assert_eq!(tenths.checked_sub(Amount::parse("1.1").unwrap()), None);
    }
}
