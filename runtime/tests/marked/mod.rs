//! Processes that tests start, found by a variable of their environment, whoever their parent is.

use std::time::{Duration, Instant};

/// The variable.
pub(crate) const NAME: &str = "HOOKC_TEST_MARK";

/// A value that is unique to this test and run.
pub(crate) fn mark(test: &str) -> String {
    format!("{test}-{}", std::process::id())
}

/// The number of processes with it; a zombie has no environment any more.
fn left(mark: &str) -> usize {
    let variable = format!("{NAME}={mark}");
    let environ = |entry: std::fs::DirEntry| std::fs::read(entry.path().join("environ")).ok();
    let all = std::fs::read_dir("/proc").unwrap().flatten().filter_map(environ);
    all.filter(|all| all.split(|byte| *byte == 0).any(|one| one == variable.as_bytes())).count()
}

/// Ensures that a process with the mark is found, and that none is left.
pub(crate) fn none_left(mark: &str) {
    let mut known = std::process::Command::new("sleep").arg("30").env(NAME, mark).spawn().unwrap();
    within(|| left(mark) > 0, "processes are not found by their environment");
    known.kill().unwrap();
    known.wait().unwrap();
    within(|| left(mark) == 0, "an orphan is left");
}

fn within(holds: impl Fn() -> bool, else_: &str) {
    let until = Instant::now() + Duration::from_secs(3);
    while !holds() {
        assert!(Instant::now() < until, "{else_}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
