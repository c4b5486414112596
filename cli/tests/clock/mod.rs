//! A wall clock that is wrong, or is set while hookc runs: nothing waits longer or shorter, and what expires
//! is rejected. A small library moves the clock of the process ([`Clock`]).

use std::path::PathBuf;
use std::process::Command;
use std::time::{Instant, SystemTime};

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{self, Run, put, read};

const EVENT: &str = r#"{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}"#;

const DAY: i64 = 86_400;

/// To both sides, by less and by more than a year.
const SHIFTS: [i64; 4] = [-400 * DAY, -10 * DAY, 10 * DAY, 4_000 * DAY];

/// A directory with programs that see a moved clock.
struct Clock {
    folder: TempDir,
    library: PathBuf,
}

impl Clock {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("shift.so");
        let source = common::project().join("cli/tests/clock/shift.c");
        let made = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source).status();
        assert!(made.unwrap().success());
        Self { folder, library }
    }

    /// Moves the clock by so many seconds, also of programs that run already.
    fn set(&self, seconds: i64) {
        put(&self.folder, "clock", seconds.to_string());
    }

    fn hookc(&self, args: &[&str], input: &str) -> Run {
        let mut command = common::command(&self.folder);
        command.args(args).env("XDG_STATE_HOME", self.folder.path().join("state"));
        command.env("LD_PRELOAD", &self.library).env("HOOKC_TEST_CLOCK", self.folder.path().join("clock"));
        common::run(&mut command, input)
    }

    /// The lines of the decision log.
    fn log(&self) -> Vec<Value> {
        let text = read(&self.folder, "state/hookc/decisions.jsonl");
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Days since 1970 of a time of the log, roughly.
fn days(line: &Value) -> i64 {
    let numbers = line["time"].as_str().unwrap().get(..10).unwrap().split('-');
    let numbers: Vec<i64> = numbers.map(|number| number.parse().unwrap()).collect();
    (numbers[0] - 1970) * 365 + numbers[1] * 30 + numbers[2]
}

#[test]
fn a_clock_that_jumps_while_a_handler_runs_changes_no_timeout() {
    for shift in SHIFTS.into_iter().take(hookc_corpus::effort(SHIFTS.len(), 1)) {
        let clock = Clock::new();
        clock.set(0);
        let policy = "hooks: [{event: PreToolUse, action: {type: run, command: ./guard, timeout: 2}}]\n";
        put(&clock.folder, "hooks.yaml", policy);
        common::executable(&clock.folder, "guard", &format!("echo {shift} > clock; exec sleep 50"));
        let begin = Instant::now();
        let run = clock.hookc(&["run", "--host", "claude", "hooks.yaml"], EVENT);
        let took = begin.elapsed();
        assert!((2..30).contains(&took.as_secs()), "{shift}: {took:?}");
        // A guard that does not answer in time denies.
        let denied = run.code == 2 || run.out.contains("\"deny\"");
        assert!(denied && (run.out + &run.err).contains("stopped after its timeout"), "{shift}");
        let lines = clock.log();
        let [line] = &lines[..] else { panic!("{lines:?}") };
        let millis = line["duration_ms"].as_f64().unwrap();
        assert!((1_900.0..30_000.0).contains(&millis), "{shift}: {line}");
        // The clock did jump: the line has the new time.
        clock.set(0);
        clock.hookc(&["run", "--host", "claude", "hooks.yaml"], "nonsense");
        let lines = clock.log();
        let jumped = days(&lines[0]) - days(&lines[1]);
        assert!((jumped - shift / DAY).abs() < shift.abs() / DAY / 8 + 3, "{shift}: {jumped} days");
    }
}

#[test]
fn a_signature_that_expires_is_not_extended_by_a_clock_that_was_set_back() {
    let clock = Clock::new();
    put(&clock.folder, "guard.yaml", "hooks: [{event: PreToolUse, action: {type: ask, reason: r}}]\n");
    clock.set(0);
    let ok = |args: &[&str]| {
        let run = clock.hookc(args, "");
        assert_eq!(run.code, 0, "{args:?}: {}", run.err);
    };
    ok(&["keygen", "--no-password", "-o", "team"]);
    let compile = ["compile", "guard.yaml", "-o", "guard.hookc", "--sign", "team.key"];
    ok(&[&compile[..], &["--valid-days", "30"]].concat());
    let args = ["run", "--host", "claude", "--no-log", "--verify-key", "team.pub", "guard.hookc"];
    let wrong = "the clock is wrong: it says ";
    let long_ago = -(SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs() as i64);
    for (shift, why) in [
        (0, ""),
        (29 * DAY, ""),
        (31 * DAY, "the signature expired at "),
        (-DAY, wrong),
        (long_ago + 100, wrong),
        (long_ago - 100 * DAY, wrong),
    ] {
        clock.set(shift);
        let run = clock.hookc(&args, EVENT);
        if why.is_empty() {
            assert!(run.code == 0 && run.out.contains("\"ask\""), "{shift}: {} {}", run.out, run.err);
        } else {
            assert!(run.code == 2 && run.err.contains(why), "{shift}: {} {} {}", run.code, run.out, run.err);
        }
    }
    // One that does not expire is accepted whatever the clock says.
    clock.set(0);
    ok(&compile);
    for shift in [-DAY, long_ago - 100 * DAY, 4_000 * DAY] {
        clock.set(shift);
        let run = clock.hookc(&args, EVENT);
        assert!(run.code == 0 && run.out.contains("\"ask\""), "{shift}: {} {}", run.out, run.err);
    }
}

/// The times of the log are those of the clock, before 1970 the earliest.
#[test]
fn the_log_is_written_whatever_the_clock_says() {
    let clock = Clock::new();
    put(&clock.folder, "hooks.yaml", "hooks: [{event: PreToolUse, action: {type: deny, reason: r}}]\n");
    let long_ago = -(SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs() as i64);
    for (shift, year) in
        [(long_ago - DAY, "1970-01-01T"), (long_ago + DAY / 2, "1970-01-01T"), (DAY * 365_250, "3")]
    {
        clock.set(shift);
        let run = clock.hookc(&["run", "--host", "claude", "hooks.yaml"], EVENT);
        assert!(run.code == 0 && run.out.contains("\"deny\""), "{shift}: {} {}", run.out, run.err);
        let lines = clock.log();
        let line = lines.last().unwrap();
        assert!(line["time"].as_str().unwrap().starts_with(year), "{shift}: {line}");
    }
    assert_eq!(clock.log().len(), 3);
    let status = clock.hookc(&["status"], "");
    assert!(status.code <= 1 && !status.err.contains("panicked"), "{}", status.err);
}

/// The time of a history is that of the boot clock: an hour stays an hour.
#[test]
fn a_history_does_not_see_that_the_clock_was_set() {
    let clock = Clock::new();
    let policy = "hooks:\n  - {event: PreToolUse, when: 'count(PreToolUse within 1h) >= 2', action: {type: deny, reason: twice}}\n";
    put(&clock.folder, "hooks.yaml", policy);
    let denies = |seconds: i64| {
        clock.set(seconds);
        let run = clock.hookc(&["run", "--host", "claude", "hooks.yaml"], EVENT);
        assert_eq!(run.code, 0, "{run:?}");
        run.out.contains("twice")
    };
    assert!(!denies(0) && !denies(-10 * DAY), "the second call");
    for shift in SHIFTS.into_iter().chain([0]) {
        assert!(denies(shift), "{shift}");
    }
}
