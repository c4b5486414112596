//! Compiling grows with the policy, not with its square.

use std::time::{Duration, Instant};

use hookc_compiler::Dialect;
use hookc_schema::Code;

use crate::built::built;

/// The minimum of several compile times of a text.
fn took(text: &str, dialect: Dialect) -> Duration {
    let once = || {
        let begin = Instant::now();
        let (compiled, reported) = built(&[("policy", text)], dialect, None);
        assert!(compiled.module.is_some(), "{reported}");
        begin.elapsed()
    };
    (0..3).map(|_| once()).min().unwrap()
}

/// A group whose matcher has this number of tools, with this number of handlers.
fn group(names: usize, handlers: usize) -> String {
    let names: Vec<String> = (0..names).map(|at| format!("T{at}")).collect();
    let handler = |at| format!(r#"{{"type": "command", "command": "c{at}"}}"#);
    let handlers: Vec<String> = (0..handlers).map(handler).collect();
    let (names, handlers) = (names.join("|"), handlers.join(","));
    format!(r#"{{"hooks": {{"PreToolUse": [{{"matcher": "{names}", "hooks": [{handlers}]}}]}}}}"#)
}

/// Sixteen times the names took 256 times as long, and take 16 times.
#[test]
fn a_matcher_of_many_names_for_many_handlers() {
    let (small, large) =
        (took(&group(100, 50), Dialect::Settings), took(&group(1600, 50), Dialect::Settings));
    assert!(large < small * 64, "{small:?} for 100 names, {large:?} for 1,600");
}

/// One hook at so many events, under a condition of so many parts.
fn listed(events: usize, parts: usize) -> String {
    let events: Vec<String> = (0..events).map(|at| format!("e{at}")).collect();
    let parts: Vec<String> = (0..parts).map(|at| format!("f{at} == 1")).collect();
    let (events, parts) = (events.join(", "), parts.join(" or "));
    format!("hooks: [{{event: [{events}], when: \"{parts}\", action: {{type: continue}}}}]\n")
}

#[test]
fn a_hook_is_not_repeated_at_its_events_without_end() {
    let compiled = |events, parts| built(&[("policy", &listed(events, parts))], Dialect::HooksYaml, None).0;
    assert!(compiled(30, 200).module.is_some());
    let begin = Instant::now();
    let too_many = compiled(5000, 1000);
    assert_eq!(too_many.diagnostics.iter().filter(|reported| reported.code == Code::E0703).count(), 1);
    assert!(too_many.module.is_none() && begin.elapsed() < Duration::from_secs(5));
}
