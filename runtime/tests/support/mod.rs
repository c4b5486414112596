//! Processes that tests start, seen from outside.
#![allow(dead_code, reason = "each test uses a part")]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Whether a process id still exists and is not a zombie.
pub(crate) fn alive(pid: &str) -> bool {
    state(pid).is_some_and(|state| !state.starts_with('Z'))
}

fn state(pid: &str) -> Option<String> {
    if cfg!(target_os = "linux") {
        let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).ok()?;
        return Some(state.rsplit(')').next()?.trim_start().to_owned());
    }
    let output = Command::new("ps").args(["-o", "stat=", "-p", pid.trim()]).output().unwrap();
    Some(String::from_utf8(output.stdout).unwrap()).filter(|state| !state.trim().is_empty())
}

/// The process group of a process; on Linux.
pub(crate) fn group(pid: &str) -> String {
    state(pid).unwrap().split_whitespace().nth(2).unwrap().to_owned()
}

/// Waits until it is not.
pub(crate) fn gone(pid: &str) {
    within(30, || (!alive(pid)).then_some(()).ok_or_else(|| format!("process {pid} is an orphan")));
}

/// The lines written into a file, once there are this many.
pub(crate) fn lines(file: &Path, count: usize) -> Vec<String> {
    within(30, || {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let whole = text.lines().count() == count && text.ends_with('\n');
        if whole { Ok(text.lines().map(str::to_owned).collect()) } else { Err(text) }
    })
}

/// Retries until it exists.
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
