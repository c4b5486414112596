//! Processes that tests start, seen from outside.
#![allow(dead_code, reason = "each test uses a part")]

use std::path::Path;
use std::time::{Duration, Instant};

/// Whether a process of this number is still there and no zombie.
pub(crate) fn alive(pid: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    state.is_ok_and(|state| !state.rsplit(')').next().unwrap().trim_start().starts_with('Z'))
}

/// Waits until it is not.
pub(crate) fn gone(pid: &str) {
    within(3, || (!alive(pid)).then_some(()).ok_or_else(|| format!("process {pid} is an orphan")));
}

/// The lines that somebody writes into a file, when there are so many.
pub(crate) fn lines(file: &Path, count: usize) -> Vec<String> {
    within(30, || {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let whole = text.lines().count() == count && text.ends_with('\n');
        if whole { Ok(text.lines().map(str::to_owned).collect()) } else { Err(text) }
    })
}

/// Tries it until it is there.
pub(crate) fn within<T>(seconds: u64, mut look: impl FnMut() -> Result<T, String>) -> T {
    let until = Instant::now() + Duration::from_secs(seconds);
    loop {
        match look() {
            Ok(found) => return found,
            Err(why) => assert!(Instant::now() < until, "{why}"),
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
