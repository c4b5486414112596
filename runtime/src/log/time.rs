//! The time of day as text, without a calendar library.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A time in UTC as RFC 3339 writes it, with milliseconds.
///
/// Days become a date by the era arithmetic of Howard Hinnant's
/// `civil_from_days` ("chrono-Compatible Low-Level Date Algorithms").
#[must_use]
pub fn rfc3339(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let day = days + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let millis = since.subsec_millis();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// The time of a text that [`rfc3339`] made.
#[must_use]
pub fn parse(text: &str) -> Option<SystemTime> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<u64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    // Years start in March: a leap day is the last one.
    let year = if month <= 2 { year.checked_sub(1)? } else { year };
    let (era, of_era) = (year / 400, year % 400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day.checked_sub(1)?;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    let seconds = days.checked_sub(719_468)? * 86_400 + hour * 3600 + minute * 60 + second;
    UNIX_EPOCH
        .checked_add(Duration::new(seconds, 0) + Duration::from_millis(number(20, 23).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::{parse, rfc3339};
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn dates() {
        let at = |seconds: u64| rfc3339(UNIX_EPOCH + Duration::from_millis(seconds * 1000 + 7));
        assert_eq!(at(0), "1970-01-01T00:00:00.007Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00.007Z");
        assert_eq!(at(1_735_689_599), "2024-12-31T23:59:59.007Z");
        assert_eq!(at(1_795_327_322), "2026-11-22T06:02:02.007Z");
        for seconds in [0, 951_782_400, 951_868_800, 1_735_689_599, 1_795_327_322, 4_107_542_399] {
            let time = UNIX_EPOCH + Duration::from_millis(seconds * 1000 + 7);
            assert_eq!(parse(&rfc3339(time)), Some(time));
        }
        for wrong in
            ["", "yesterday", "2026-00-00T00:00:00.000Z", "0000-01-01T00:00:00.000Z", "äöüäöüäöüäöüäöü"]
        {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
