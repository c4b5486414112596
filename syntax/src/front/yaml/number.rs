//! Numbers of the YAML core schema, as JSON text with the same exact value.

use crate::limits;

/// The kind of number of a plain scalar.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Parsed {
    /// A number, as JSON text.
    Json(String),
    /// `.inf`, `-.inf`, `.nan`: JSON cannot represent them.
    NotFinite,
    /// A number whose exponent is beyond the limit.
    Exponent,
}

/// Reads a plain scalar as a number of the core schema (YAML 1.2.2 §10.3.2).
pub(super) fn parse(text: &str) -> Option<Parsed> {
    let first = *text.as_bytes().first()?;
    if !matches!(first, b'0'..=b'9' | b'+' | b'-' | b'.') {
        return None;
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return based(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return based(digits, 8);
    }
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    match unsigned {
        ".inf" | ".Inf" | ".INF" => return Some(Parsed::NotFinite),
        ".nan" | ".NaN" | ".NAN" if unsigned.len() == text.len() => return Some(Parsed::NotFinite),
        _ => {}
    }
    decimal(sign, unsigned)
}

/// `digits [. digits] [e [sign] digits]` or `. digits [e ...]`
fn decimal(sign: &str, text: &str) -> Option<Parsed> {
    let (whole, rest) = digits(text);
    let (dot, fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => {
            let (fraction, rest) = digits(rest);
            (true, fraction, rest)
        }
        None => (false, "", rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let exponent = if rest.is_empty() { "" } else { exponent(rest)? };
    if beyond(exponent) {
        return Some(Parsed::Exponent);
    }
    let trimmed = whole.trim_start_matches('0');
    let whole = if trimmed.is_empty() { "0" } else { trimmed };
    let (dot, fraction) = match (dot, fraction) {
        (false, _) => ("", ""),
        (true, "") => (".", "0"),
        (true, some) => (".", some),
    };
    Some(Parsed::Json([sign, whole, dot, fraction, exponent].concat()))
}

/// The digits that `text` starts with, and the rest.
fn digits(text: &str) -> (&str, &str) {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// `text` if all of it is an exponent with its `e`.
fn exponent(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['e', 'E'])?;
    let (digits, rest) = digits(rest.strip_prefix(['+', '-']).unwrap_or(rest));
    (!digits.is_empty() && rest.is_empty()).then_some(text)
}

/// Whether an exponent is beyond the limit.
fn beyond(exponent: &str) -> bool {
    let magnitude = exponent.trim_start_matches(['e', 'E', '+', '-', '0']);
    !magnitude.is_empty() && magnitude.parse::<u32>().map_or(true, |n| n > limits::EXPONENT)
}

/// An integer of base 8 or 16, of any size up to about what the exponent
/// limit allows.
fn based(digits: &str, base: u32) -> Option<Parsed> {
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    if digits.len() > limits::EXPONENT as usize {
        return Some(Parsed::Exponent);
    }
    // Little-endian limbs of nine decimal digits.
    let mut limbs = vec![0_u64];
    for digit in digits.chars().filter_map(|c| c.to_digit(base)) {
        let mut carry = u64::from(digit);
        for limb in &mut limbs {
            let sum = *limb * u64::from(base) + carry;
            *limb = sum % 1_000_000_000;
            carry = sum / 1_000_000_000;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let mut text = String::new();
    for (place, limb) in limbs.iter().rev().enumerate() {
        text += &if place == 0 { limb.to_string() } else { format!("{limb:09}") };
    }
    Some(Parsed::Json(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_becomes_json() {
        let table = [
            ("0", "0"),
            ("-0", "-0"),
            ("+1", "1"),
            ("007", "7"),
            ("-007", "-7"),
            ("00", "0"),
            (".5", "0.5"),
            ("-.5", "-0.5"),
            ("5.", "5.0"),
            ("5.e3", "5.0e3"),
            ("00.50", "0.50"),
            ("1e3", "1e3"),
            ("1E+05", "1E+05"),
            ("1e10000", "1e10000"),
            ("0x1F", "31"),
            ("0o17", "15"),
            ("0xFFFFFFFFFFFFFFFF", "18446744073709551615"),
            ("0x10000000000000000000000000000", "5192296858534827628530496329220096"),
            ("0x3B9ACA00", "1000000000"),
            ("0x00", "0"),
        ];
        for (yaml, json) in table {
            assert_eq!(parse(yaml), Some(Parsed::Json(json.to_owned())), "{yaml}");
        }
    }

    #[test]
    fn text_that_is_not_a_number_is_unchanged() {
        for text in
            ["", ".", "+", "-", "1_000", "0b1", "0x", "0o8", "-0x1", "1e", "1e+", "1.2.3", "+.nan", "e1"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn values_outside_json_are_recognized() {
        for text in [".inf", "-.INF", "+.Inf", ".nan", ".NaN"] {
            assert_eq!(parse(text), Some(Parsed::NotFinite), "{text}");
        }
        for text in ["1e10001", "1e-10001", "1e99999999999999999999"] {
            assert_eq!(parse(text), Some(Parsed::Exponent), "{text}");
        }
    }
}
