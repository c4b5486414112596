//! From which time on lines are shown, as the text that the times of a log are compared with.

use std::time::{Duration, SystemTime};

use hookc_runtime::log::rfc3339;

use crate::exit::Failure;

/// The form of a time in a log.
const FORM: &str = "0000-00-00T00:00:00.000Z";
/// The length of a date in it.
const DATE: usize = 10;

/// The start of today (UTC), a time, or a duration before `now`.
pub(super) fn start(given: Option<&str>, now: SystemTime) -> Result<String, Failure> {
    let Some(given) = given else { return Ok(rfc3339(now).chars().take(DATE).collect()) };
    if let Some(duration) = duration(given) {
        return Ok(rfc3339(now.checked_sub(duration).unwrap_or(SystemTime::UNIX_EPOCH)));
    }
    let is_like =
        |(given, form): (char, char)| if form == '0' { given.is_ascii_digit() } else { given == form };
    let text = given.strip_suffix('Z').unwrap_or(given);
    if (DATE..=FORM.len()).contains(&text.len()) && text.chars().zip(FORM.chars()).all(is_like) {
        return Ok(text.to_owned());
    }
    Err(Failure::usage(format!(
        "`--since {given}` is not a time: write 2026-11-29, 2026-11-29T08:30, or a duration such as 30m, 12h or 7d"
    )))
}

/// A number with a unit.
fn duration(given: &str) -> Option<Duration> {
    let unit = given.chars().next_back()?;
    let seconds: u64 = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        'w' => 604_800,
        _ => return None,
    };
    let count: u64 = given.strip_suffix(unit)?.parse().ok()?;
    count.checked_mul(seconds).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_327_322);
        let at = |given| start(given, now).unwrap_or_else(|_| "wrong".to_owned());
        for (given, expected) in [
            (None, "2026-11-22"),
            (Some("2h"), "2026-11-22T04:02:02.000Z"),
            (Some("1w"), "2026-11-15T06:02:02.000Z"),
            (Some("2026-11-01"), "2026-11-01"),
            (Some("2026-11-01T08:30Z"), "2026-11-01T08:30"),
            (Some("99999999999999999999d"), "wrong"),
            (Some("yesterday"), "wrong"),
            (Some("2026-11"), "wrong"),
            (Some(""), "wrong"),
        ] {
            assert_eq!(at(given), expected, "{given:?}");
        }
    }
}
