//! `pause`.

use std::time::Duration;

use clap::Args;
use hookc_runtime::limits::LONGEST_PAUSE;

#[derive(Args, Debug)]
#[command(
    after_help = "Only a person at a terminal can pause: the program asks the terminal itself, whatever standard input \
                        is. Until the window ends, `hookc run` lets every call of every agent of this user pass, and \
                        writes a line of the outcome `paused` to the log for each."
)]
pub(crate) struct PauseArgs {
    /// How long: `90s`, `10m`, at most `1h`. Without it, the open window is shown
    #[arg(value_name = "TIME", value_parser = length, requires = "reason", conflicts_with = "end")]
    pub(crate) length: Option<Duration>,
    /// Why, for the log
    #[arg(long, value_name = "TEXT", value_parser = reason, requires = "length")]
    pub(crate) reason: Option<String>,
    /// End the window now
    #[arg(long)]
    pub(crate) end: bool,
}

/// Most characters of a reason.
const REASON: usize = 200;

fn length(text: &str) -> Result<Duration, String> {
    let unit = |end: char| match end {
        's' => Some(1),
        'm' => Some(60),
        'h' => Some(3600),
        _ => None,
    };
    let parts = text.char_indices().next_back().and_then(|(at, end)| Some((text.get(..at)?, unit(end)?)));
    let seconds = parts.and_then(|(number, unit)| number.parse::<u64>().ok()?.checked_mul(unit));
    let length = seconds.filter(|seconds| *seconds > 0).map(Duration::from_secs);
    let length = length.ok_or("write a time such as `90s`, `10m` or `1h`")?;
    match length <= LONGEST_PAUSE {
        true => Ok(length),
        false => Err(format!("the longest window is {} minutes", LONGEST_PAUSE.as_secs() / 60)),
    }
}

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err("write why".to_owned()),
        1..=REASON => Ok(text.to_owned()),
        _ => Err(format!("write at most {REASON} characters")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (text, seconds) in [("90s", 90), ("10m", 600), ("1h", 3600), ("60m", 3600)] {
            assert_eq!(length(text), Ok(Duration::from_secs(seconds)));
        }
        for text in ["", "10", "m", "0m", "2h", "61m", "-1m", "1.5h", "10 m", "é", "99999999999999999999h"] {
            assert!(length(text).is_err(), "{text}");
        }
    }
}
