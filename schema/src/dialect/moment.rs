//! `at:` of an event in a test: an offset from the start, or a time.

use crate::{Code, Diagnostic, Spanned};

/// When an event happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Milliseconds after the start.
    After(u64),
    /// Milliseconds since 1970.
    Time(u64),
}

impl Moment {
    /// Reads `90s`, `10m`, or `2026-01-31T12:00:00Z`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        offset(text).map(Self::After).or_else(|| time(text).map(Self::Time))
    }

    /// Reads a text of an author; the error says what to write.
    ///
    /// # Errors
    /// It is neither an offset nor a time.
    pub fn read(text: &Spanned<String>) -> Result<Self, Box<Diagnostic>> {
        Self::parse(&text.node).ok_or_else(|| {
            let what = format!("`{}` is neither an offset nor a time", text.node);
            let new = Diagnostic::new(Code::E0204, text.span, what).with_label("not an allowed value");
            let help = "write how long after the start, as in `10m`, or a time: `2026-01-31T12:00:00Z`";
            Box::new(new.help(help))
        })
    }

    /// The milliseconds, for a start at `start`.
    #[must_use]
    pub fn milliseconds(self, start: u64) -> u64 {
        match self {
            Self::After(offset) => start.saturating_add(offset),
            Self::Time(time) => time,
        }
    }
}

/// A number and its unit.
fn offset(text: &str) -> Option<u64> {
    let units = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
    let unit = units.iter().find(|(unit, _)| text.strip_suffix(unit).is_some_and(is_number))?;
    text.strip_suffix(unit.0)?.parse::<u64>().ok()?.checked_mul(unit.1)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A time in UTC to the second.
fn time(text: &str) -> Option<u64> {
    let (date, clock) = text.strip_suffix('Z')?.split_once(['T', ' '])?;
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let [hour, minute, second] = numbers(clock, ':', [2, 2, 2])?;
    let is_valid = (1970..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    if !is_valid {
        return None;
    }
    let seconds =
        days(year, month, day)?.checked_mul(86_400)?.checked_add(hour * 3_600 + minute * 60 + second)?;
    seconds.checked_mul(1_000)
}

fn numbers(text: &str, separator: char, digits: [usize; 3]) -> Option<[u64; 3]> {
    let mut parts = text.split(separator);
    let mut found = [0; 3];
    for (place, digits) in found.iter_mut().zip(digits) {
        let part = parts.next().filter(|part| part.len() == digits && is_number(part))?;
        *place = part.parse().ok()?;
    }
    parts.next().is_none().then_some(found)
}

/// The days from 1970 to a date of the Gregorian calendar.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    // The year starts in March, so that a leap day is its last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let before = year * 365 + year / 4 - year / 100 + year / 400;
    (before + (153 * month + 2) / 5 + day - 1).checked_sub(719_468)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_times_are_milliseconds() {
        let read = |text| Moment::parse(text).map(|moment| moment.milliseconds(1_000));
        assert_eq!(read("0s"), Some(1_000));
        assert_eq!(read("10m"), Some(601_000));
        assert_eq!(read("5ms"), Some(1_005));
        assert_eq!(read("2d"), Some(172_801_000));
        assert_eq!(read("1970-01-01T00:00:01Z"), Some(1_000));
        assert_eq!(read("2026-03-01T00:00:00Z"), Some(1_772_323_200_000));
        assert_eq!(read("2024-02-29T12:30:00Z"), Some(1_709_209_800_000));
        for wrong in ["", "10", "m", "1h30m", "-1s", "2026-13-01T00:00:00Z", "2026-01-01", "1.5h"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
