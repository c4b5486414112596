//! Waits for the answer to the open question of a session (`--wait`).

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::answer::asking;
use crate::failure::{Failure, complain};
use crate::session::thread;
use crate::signals;
use crate::store::{self, Entry, Journal, Step, StoreError};

/// How often the state is read.
const PAUSE: Duration = Duration::from_millis(500);

/// Waits until the question of a session that has ended is answered, or has expired. `false` if it
/// asks nothing, or a signal arrived.
///
/// # Errors
/// The state cannot be read.
pub(super) fn answered(state: Option<&Path>, id: &str) -> Result<bool, Failure> {
    let directory = store::directory(state).map_err(Failure::usage)?;
    let mut is_shown = false;
    while signals::interrupted().is_none() {
        let entries = match Journal::read(&directory, id) {
            Ok(entries) => entries,
            // Somebody is answering.
            Err(StoreError::Busy(_)) => Vec::new(),
            Err(error) => return Err(Failure::usage(error.to_string())),
        };
        match (open(&entries), is_shown) {
            (None, false) if !entries.is_empty() => return Ok(false),
            (None, true) if !entries.is_empty() => return Ok(true),
            (Some(open), _) if open.has_expired(thread::now()) => return Ok(true),
            (Some(_), false) => {
                complain(&format!("session {id} waits for `hookc-agent answer {id} yes` or `no`"));
                is_shown = true;
            }
            _ => {}
        }
        std::thread::sleep(PAUSE);
    }
    Ok(false)
}

/// The question that a session waits for.
struct Open {
    /// When it was asked, in seconds since 1970.
    since: u64,
    timeout: Duration,
}

impl Open {
    fn has_expired(&self, now: u64) -> bool {
        thread::waited(Some(self.since), now) >= self.timeout
    }
}

/// The open question; `None` if none is open.
fn open(entries: &[Entry]) -> Option<Open> {
    let agent = asking(entries)?;
    let steps = entries.iter().rev().filter(|entry| entry.agent == agent);
    steps.into_iter().find_map(|entry| match &entry.step {
        Step::Thread { policy, since: Some(since), .. } => {
            let seconds = policy.pointer("/escalation/timeout_seconds").and_then(Value::as_u64);
            Some(Open { since: *since, timeout: Duration::from_secs(seconds.unwrap_or_default()) })
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The clock can be set while a question is open: the question is never open for longer.
    #[test]
    fn a_question_expires_whatever_the_clock_does() {
        let open = Open { since: 1_000, timeout: Duration::from_secs(60) };
        for (now, has_expired) in
            [(1_000, false), (1_059, false), (1_060, true), (u64::MAX, true), (999, true), (0, true)]
        {
            assert_eq!(open.has_expired(now), has_expired, "{now}");
        }
        assert_eq!(thread::waited(None, 5), Duration::MAX);
    }
}
