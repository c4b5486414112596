//! The starter policies: without a warning, tested, and every outcome seen.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

use std::process::Command;

const STARTERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/starters");

fn passes(args: &[&str]) {
    let done = Command::new(env!("CARGO_BIN_EXE_hookc")).args(args).arg(STARTERS).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(done.status.success(), "{args:?}:\n{}{}", text(&done.stdout), text(&done.stderr));
}

#[test]
fn say_what_their_tests_mean() {
    passes(&["test", "--quiet", "--coverage", "--coverage-fail-under", "100"]);
}

#[test]
fn give_no_warning() {
    passes(&["check", "--deny", "warnings"]);
}
