//! The starter policies: without a warning, tested, and every outcome seen.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests"
)]

use crate::common;

const STARTERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/starters");

fn passes(args: &[&str]) {
    let run = common::hookc(STARTERS, &[args, &["."]].concat(), "");
    assert_eq!(run.code, 0, "{args:?}:\n{}{}", run.out, run.err);
}

#[test]
fn say_what_their_tests_mean() {
    passes(&["test", "--quiet", "--coverage", "--coverage-fail-under", "100"]);
}

#[test]
fn give_no_warning() {
    passes(&["check", "--deny", "warnings"]);
}
