//! Exact numbers: formatting by table, value and order against big integers.

use std::cmp::Ordering;

use hookc_base::number::{
    Decimal, NumberError, ShortDecimal, canonical, compare, compare_canonical, equal, is_integer,
    is_short_canonical,
};
use hookc_corpus::amount;
use num_bigint::BigInt;
use proptest::prelude::*;

#[test]
fn canonical_layout() {
    let rows = [
        ("0", "0"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("0e9999", "0"),
        ("1e3", "1000"),
        ("10", "10"),
        ("1.50", "1.5"),
        ("-12.5e1", "-125"),
        ("123456789e-3", "123456.789"),
        ("1e20", "100000000000000000000"),
        ("1e21", "1e+21"),
        ("123456789012345678901", "123456789012345678901"),
        ("123456789012345678901.5", "123456789012345678901.5"),
        ("1234567890123456789012", "1.234567890123456789012e+21"),
        ("-100000000000000000000000", "-1e+23"),
        ("0.000001", "0.000001"),
        ("0.0000012", "0.0000012"),
        ("1e-7", "1e-7"),
        ("0.00000012", "1.2e-7"),
        ("0.10", "0.1"),
        ("9007199254740993", "9007199254740993"),
        ("1e10000", "1e+10000"),
        ("1e-010000", "1e-10000"),
        ("100E+0002", "10000"),
    ];
    for (written, expected) in rows {
        assert_eq!(canonical(written).as_deref(), Ok(expected), "{written}");
    }
}

#[test]
fn text_that_is_not_a_number() {
    for text in
        ["", "-", "01", "-01", "1.", ".5", "+1", "1e", "1e+", "1e1.5", " 1", "1 ", "0x1", "NaN", "1e9é"]
    {
        assert_eq!(canonical(text), Err(NumberError::Syntax), "{text}");
        assert!(!is_integer(text), "{text}");
    }
    for text in ["1e10001", "0e99999", "1e-10001", "1E+99999999999999999999999", "0.0e0010001"] {
        assert_eq!(canonical(text), Err(NumberError::Exponent), "{text}");
    }
}

#[test]
fn order_and_integers() {
    let ascending =
        ["-1e400", "-2", "-1.5", "-1e-400", "0", "1e-400", "0.1", "0.11", "1", "9", "10", "1e400"];
    for (i, a) in ascending.iter().enumerate() {
        for (j, b) in ascending.iter().enumerate() {
            assert_eq!(compare(a, b), i.cmp(&j), "{a} {b}");
        }
    }
    assert!(equal("1", "1.0") && equal("1.0", "1e0") && equal("-0", "0.0e5"));
    assert!(!equal("9007199254740993", "9007199254740992.0"));
    assert!(is_integer("1.0") && !is_integer("15e-1") && is_integer("0.5e1"));
    assert!(is_integer("1e10000") && !is_integer("1e-10000") && is_integer("-0.0"));
    assert_eq!(compare("1", "x"), Ordering::Less);
    assert_eq!(compare("x", "y"), Ordering::Less);
}

fn cases() -> ProptestConfig {
    let failure_persistence = if cfg!(miri) { None } else { ProptestConfig::default().failure_persistence };
    ProptestConfig { cases: amount(256, 16) as u32, failure_persistence, ..ProptestConfig::default() }
}

/// A number as mantissa and exponent, and a way to write it.
fn written() -> impl Strategy<Value = (BigInt, i32, String)> {
    ("-?(0|[1-9][0-9]{0,25})", "[0-9]{0,25}", proptest::option::of((-40_i32..40, any::<bool>()))).prop_map(
        |(whole, fraction, exponent)| {
            let mut text = whole.clone();
            if !fraction.is_empty() {
                text += &format!(".{fraction}");
            }
            if let Some((e, signed)) = exponent {
                text += &if signed { format!("E{e:+03}") } else { format!("e{e}") };
            }
            let mantissa = format!("{whole}{fraction}").parse().unwrap();
            (mantissa, exponent.map_or(0, |e| e.0) - fraction.len() as i32, text)
        },
    )
}

/// The value times 10^100.
fn scaled(mantissa: &BigInt, exponent: i32) -> BigInt {
    mantissa * BigInt::from(10).pow(u32::try_from(exponent + 100).unwrap())
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn compares_like_big_integers((a, ae, a_text) in written(), (b, be, b_text) in written()) {
        let expected = scaled(&a, ae).cmp(&scaled(&b, be));
        prop_assert_eq!(compare(&a_text, &b_text), expected, "{} {}", a_text, b_text);
        let (x, y) = (Decimal::parse(&a_text).unwrap(), Decimal::parse(&b_text).unwrap());
        prop_assert_eq!(x.cmp(&y), expected);
        prop_assert_eq!(canonical(&a_text) == canonical(&b_text), expected.is_eq());
    }

    #[test]
    fn close_numbers_compare((a, ae, text) in written(), delta in -1_i32..2, zeros in 0_usize..4) {
        prop_assume!(a != BigInt::from(0));
        let other = &a * 10 + delta;
        let other_text = format!("{other}e{}", ae - 1);
        let spread = format!("{}{}e{}", a, "0".repeat(zeros), i64::from(ae) - zeros as i64);
        prop_assert_eq!(compare(&text, &other_text), scaled(&a, ae).cmp(&scaled(&other, ae - 1)));
        prop_assert!(equal(&text, &spread), "{} {}", text, spread);
    }

    #[test]
    fn canonical_keeps_the_value((a, ae, text) in written()) {
        let canon = canonical(&text).unwrap();
        prop_assert!(equal(&canon, &text), "{} {}", canon, text);
        prop_assert_eq!(canonical(&canon).unwrap(), canon);
        let integer = scaled(&a, ae) % BigInt::from(10).pow(100) == BigInt::from(0);
        prop_assert_eq!(is_integer(&text), integer);
    }

    /// ECMAScript's format equals that of `f64` if its digits are sufficient.
    #[test]
    fn layout_is_ecmascript(mantissa in -999_999_i64..999_999, exponent in -30_i32..30) {
        let text = format!("{mantissa}e{exponent}");
        let canon = canonical(&text).unwrap();
        let value: f64 = text.parse().unwrap();
        prop_assert_eq!(canon.parse::<f64>().unwrap(), value);
        let magnitude = value.abs();
        prop_assert_eq!(canon.contains('e'), magnitude != 0.0 && !(1e-6..1e21).contains(&magnitude));
    }
}

#[test]
fn short_canonical_numbers() {
    for yes in ["0", "1", "-1", "10", "0.5", "-0.5", "12.25", "1234567890123456"] {
        assert!(is_short_canonical(yes.as_bytes()) && canonical(yes).as_deref() == Ok(yes), "{yes}");
    }
    for no in [
        "", "-", "-0", "00", "01", "1.", ".5", "1.0", "0.0", "0.05", "1e3", "1..5", "1.5.", "--1", "+1", " 1",
    ] {
        assert!(!is_short_canonical(no.as_bytes()), "{no}");
    }
}

/// Few digits are compared without reading a decimal: the order is the same.
#[test]
fn few_digits_compare_as_decimals() {
    let numbers = [
        "0",
        "-0",
        "0.0",
        "-0.0",
        "1",
        "1.0",
        "1.50",
        "1.5",
        "-1.5",
        "0.1",
        "0.10",
        "-0.1",
        "10.25",
        "10.3",
        "9.99",
        "123456789012345678",
        "123456789012345679",
        "1234567890123456789",
        "0.123456789012345678",
        "0.12345678901234567",
        "12345678901234567.8",
        "-999999999999999999",
        "-0.000000000000000001",
        "1e3",
        "1000",
        "1000.000",
        "1E-2",
        "0.01",
        "1e400",
    ];
    for a in numbers {
        for b in numbers {
            let text = canonical(b).unwrap();
            assert!(!is_short_canonical(a.as_bytes()) || canonical(a).as_deref() == Ok(a), "{a}");
            assert_eq!(compare_canonical(a.as_bytes(), text.as_bytes()), compare(a, b), "{a} {b}");
        }
    }
}

#[test]
fn short_decimals() {
    let short = |text: &str| ShortDecimal::parse(text.as_bytes());
    let numbers =
        ["0", "-0", "7", "-7", "0.1", "-0.25", "17.25", "999999999999999999", "0.00000000000000001", "-1.50"];
    for text in numbers {
        let short = short(text).unwrap();
        let rounded = short.to_f64();
        assert!(rounded.is_none_or(|rounded| rounded == text.parse::<f64>().unwrap()), "{text}");
        for other in numbers {
            assert_eq!(
                short.cmp(&ShortDecimal::parse(other.as_bytes()).unwrap()),
                compare(text, other),
                "{text} {other}"
            );
        }
    }
    assert_eq!(short("17.25").and_then(ShortDecimal::to_f64), Some(17.25));
    assert_eq!(short("999999999999999999").and_then(ShortDecimal::to_f64), None, "more than 53 bits");
    for text in ["", "-", "1e3", "1.2.3", "1000000000000000000", "1.000000000000000000"] {
        assert_eq!(short(text), None, "{text}");
    }
}
