//! Formats of strings that `assert_format` asserts. Each follows the grammar of its document; none
//! performs a lookup.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::rows::keyword::Format;
use crate::text::ecma;

/// Whether a string has the format.
pub(super) fn fits(format: Format, text: &str) -> bool {
    match format {
        Format::DateTime => date_time(text),
        Format::Date => date(text),
        Format::Time => time(text),
        Format::Uri => super::uri::fits(text),
        Format::Email => super::email::fits(text),
        Format::Uuid => uuid(text),
        Format::Ipv4 => ipv4(text),
        Format::Ipv6 => ipv6(text),
        Format::Regex => ecma::is_valid(text),
    }
}

/// Digits of a fixed width as a number.
fn digits(text: &str, place: std::ops::Range<usize>) -> Option<u32> {
    let digits = text.get(place)?;
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
}

fn date(text: &str) -> bool {
    read_date(text).is_some()
}

fn read_date(text: &str) -> Option<()> {
    let (year, month, day) = (digits(text, 0..4)?, digits(text, 5..7)?, digits(text, 8..10)?);
    let bytes = text.as_bytes();
    let marks = bytes.get(4) == Some(&b'-') && bytes.get(7) == Some(&b'-') && bytes.len() == 10;
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28_u32.saturating_add(u32::from(leap)),
        _ => 0,
    };
    (marks && (1..=days).contains(&day)).then_some(())
}

fn time(text: &str) -> bool {
    read_time(text).is_some()
}

fn read_time(text: &str) -> Option<()> {
    let (hour, minute, second) = (digits(text, 0..2)?, digits(text, 3..5)?, digits(text, 6..8)?);
    let (clock, rest) = text.split_at_checked(8)?;
    let marks = clock.as_bytes().get(2) == Some(&b':') && clock.as_bytes().get(5) == Some(&b':');
    let offset = read_offset(fraction(rest)?)?;
    let minutes = hour.checked_mul(60)?.checked_add(minute)?;
    // A leap second is the last of a day by the clock of Greenwich.
    let leap = i64::from(minutes).saturating_sub(offset).rem_euclid(24 * 60) == 24 * 60 - 1;
    let good = hour < 24 && minute < 60 && (second < 60 || second == 60 && leap);
    (marks && good).then_some(())
}

/// The part after a fraction of seconds, if present.
fn fraction(text: &str) -> Option<&str> {
    let Some(rest) = text.strip_prefix('.') else { return Some(text) };
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    (after.len() < rest.len()).then_some(after)
}

/// An offset from Greenwich, in minutes.
fn read_offset(text: &str) -> Option<i64> {
    let sign = match text.as_bytes().first()? {
        b'Z' | b'z' => return (text.len() == 1).then_some(0),
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (hour, minute) = (digits(text, 1..3)?, digits(text, 4..6)?);
    let good = text.len() == 6 && text.as_bytes().get(3) == Some(&b':') && hour < 24 && minute < 60;
    let minutes = i64::from(hour).checked_mul(60)?.checked_add(i64::from(minute))?;
    if good { minutes.checked_mul(sign) } else { None }
}

fn date_time(text: &str) -> bool {
    let parts = text.split_at_checked(10);
    parts.is_some_and(|(day, rest)| date(day) && rest.strip_prefix(['T', 't']).is_some_and(time))
}

fn uuid(text: &str) -> bool {
    let dash = |at: usize| matches!(at, 8 | 13 | 18 | 23);
    let good = |(at, b): (usize, u8)| if dash(at) { b == b'-' } else { b.is_ascii_hexdigit() };
    text.len() == 36 && text.bytes().enumerate().all(good)
}

fn ipv4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

fn ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times() {
        for good in ["2024-02-29T23:59:60Z", "1998-12-31t15:59:60.123-08:00", "2000-01-01T00:00:00+23:59"] {
            assert!(date_time(good), "{good}");
        }
        for bad in [
            "2023-02-29T00:00:00Z",
            "2024-01-01 00:00:00Z",
            "2024-01-01T22:59:60Z",
            "2024-01-01T24:00:00Z",
            "2024-01-01T00:00:00",
            "2024-01-01T00:00:00.Z",
            "2024-01-01T00:00:00+24:00",
            "2024-01-01T00:00:00+1:00",
            "२०२४-01-01T00:00:00Z",
            "",
        ] {
            assert!(!date_time(bad), "{bad}");
        }
    }

    #[test]
    fn addresses() {
        assert!(ipv4("127.0.0.1") && !ipv4("127.0.0.01") && !ipv4("1.2.3") && !ipv4("1.2.3.256"));
        assert!(ipv6("::1") && ipv6("::ffff:1.2.3.4") && !ipv6("::1%eth0") && !ipv6("1::2::3"));
        assert!(
            uuid("2EB8AA08-aa98-11ea-b4aa-73b441d16380") && !uuid("2eb8aa08-aa98-11ea-b4aa73b441d16380-")
        );
    }
}
