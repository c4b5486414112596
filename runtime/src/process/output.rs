//! How a handler ended, and its output.

use std::fmt;
use std::time::Duration;

/// How a handler ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// It exited with this status.
    Exited(i32),
    /// By this signal, which we did not send.
    Signaled(i32),
    /// It was stopped after its timeout.
    TimedOut,
    /// It was stopped because this process is to end.
    Stopped,
}

impl Status {
    /// Whether it exited with 0.
    #[must_use]
    pub fn success(self) -> bool {
        self == Self::Exited(0)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exit status {code}"),
            Self::Signaled(signal) => write!(f, "ended by signal {signal}"),
            Self::TimedOut => f.write_str("stopped after its timeout"),
            Self::Stopped => f.write_str("stopped, because this process is terminating"),
        }
    }
}

/// One output of a handler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// The kept part; bytes that are not UTF-8 are replaced by U+FFFD.
    pub text: String,
    /// Bytes beyond those kept, read and discarded.
    pub dropped: u64,
    /// Whether bytes had to be replaced.
    pub replaced: bool,
}

impl Output {
    /// From the kept bytes and the number of discarded ones. A character that the limit cut in two
    /// is dropped.
    pub(super) fn new(mut bytes: Vec<u8>, mut dropped: u64) -> Self {
        if dropped > 0 {
            let whole = whole(&bytes);
            dropped = dropped.saturating_add(u64::try_from(bytes.len() - whole).unwrap_or(0));
            bytes.truncate(whole);
        }
        match String::from_utf8(bytes) {
            Ok(text) => Self { text, dropped, replaced: false },
            Err(error) => {
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                Self { text, dropped, replaced: true }
            }
        }
    }

    /// The message about it, if there is one.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        match (self.dropped, self.replaced) {
            (0, false) => None,
            (0, true) => Some("bytes that are not UTF-8 were replaced".to_owned()),
            (dropped, false) => Some(format!("{dropped} more bytes were discarded")),
            (dropped, true) => Some(format!(
                "{dropped} more bytes were discarded, and bytes that are not UTF-8 were replaced"
            )),
        }
    }
}

/// The start of the last character if it is incomplete, otherwise the length.
fn whole(bytes: &[u8]) -> usize {
    let tail = bytes.iter().rev().take(4).position(|byte| byte & 0xc0 != 0x80);
    let Some(back) = tail else { return bytes.len() };
    let at = bytes.len() - back - 1;
    let cut = bytes.get(at..).is_some_and(|last| {
        std::str::from_utf8(last).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
    });
    if cut { at } else { bytes.len() }
}

/// A handler that has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ended {
    /// How.
    pub status: Status,
    /// Its standard output.
    pub stdout: Output,
    /// Its standard error.
    pub stderr: Output,
    /// Bytes of its input that it did not take.
    pub stdin_left: usize,
    /// Whether a remaining process still had an output open and was killed or, outside the group,
    /// abandoned.
    pub left_behind: bool,
    /// Its duration.
    pub took: Duration,
}

#[cfg(test)]
mod tests {
    use super::Output;

    #[test]
    fn a_character_cut_in_two_is_not_a_bad_one() {
        let cut = Output::new("aé".as_bytes()[..2].to_vec(), 7);
        assert_eq!(cut, Output { text: "a".into(), dropped: 8, replaced: false });
        let bad = Output::new(b"a\xff".to_vec(), 0);
        assert_eq!((bad.text.as_str(), bad.replaced), ("a\u{fffd}", true));
        assert_eq!(Output::new("aé".into(), 3).text, "aé");
    }
}
