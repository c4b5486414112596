//! Waits for the answer to the open question of a session (`--wait`).

use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::answer::asking;
use crate::failure::{Failure, complain};
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
        match (deadline(&entries), is_shown) {
            (None, false) if !entries.is_empty() => return Ok(false),
            (None, true) if !entries.is_empty() => return Ok(true),
            (Some(deadline), _) if SystemTime::now() >= deadline => return Ok(true),
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

/// When the open question expires; `None` if none is open.
fn deadline(entries: &[Entry]) -> Option<SystemTime> {
    let agent = asking(entries)?;
    let own = entries.iter().rev().filter(|entry| entry.agent == agent);
    let (since, seconds) = own.into_iter().find_map(|entry| match &entry.step {
        Step::Thread { policy, since: Some(since), .. } => {
            let seconds = policy.pointer("/escalation/timeout_seconds").and_then(Value::as_u64);
            Some((*since, seconds.unwrap_or_default()))
        }
        _ => None,
    })?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(since.saturating_add(seconds)))
}
