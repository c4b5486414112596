//! `hookc pause`: only a person at a terminal opens a window, and each call that passes in it is logged.
#![cfg(unix)]

use crate::common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use common::{HOOKC, Run, put, read};

const GUARD: &str = "hooks:\n  - {event: PreToolUse, action: {type: deny, reason: stop}}\n";
const EVENT: &str = r#"{"hook_event_name": "PreToolUse", "session_id": "s1", "tool_name": "Bash", "tool_input": {"command": "ls"}}"#;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        put(&place.0, "guard.yaml", GUARD);
        fs::create_dir(place.0.path().join("home")).unwrap();
        place
    }

    fn state(&self) -> PathBuf {
        self.0.path().join("state/hookc")
    }

    fn hookc(&self, args: &[&str], input: &str) -> Run {
        let mut command = common::command(&self.0);
        command.args(args).env("XDG_STATE_HOME", self.0.path().join("state"));
        common::run(command.env("HOME", self.0.path().join("home")), input)
    }

    fn call(&self) -> Run {
        self.hookc(&["run", "--host", "claude", "guard.yaml"], EVENT)
    }

    /// Writes a window as `hookc pause` does, from now on for so many seconds.
    fn pause(&self, seconds: u64, reason: &str) {
        let now = std::time::SystemTime::now();
        let time = |time| hookc_runtime::log::rfc3339(time);
        let until = now + std::time::Duration::from_secs(seconds);
        let window = serde_json::json!({"from": time(now), "until": time(until), "reason": reason});
        put(self.state(), "pause.json", window.to_string());
        self.permit(0o600);
    }

    /// The text that `hookc pause` shows a person who types this.
    fn pause_at_terminal(&self, typed: &str) -> Option<String> {
        let mut python = common::program("python3", &self.0);
        python.env("XDG_STATE_HOME", self.0.path().join("state"));
        let args = ["pause", "10m", "--reason", "a release"];
        Some(common::terminal_with(python, &[("to pause: ", typed)], &args)?.0)
    }

    fn permit(&self, mode: u32) {
        fs::set_permissions(self.state().join("pause.json"), fs::Permissions::from_mode(mode)).unwrap();
    }

    fn log(&self) -> String {
        read(self.state(), "decisions.jsonl")
    }
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_terminal_nothing_is_paused() {
    let place = Place::new();
    // In a session without a terminal, as agents start commands.
    let mut command = common::program("setsid", &place.0);
    command
        .args(["-w", HOOKC, "pause", "10m", "--reason", "x"])
        .env("XDG_STATE_HOME", place.0.path().join("state"));
    let done = common::run(&mut command, "1234\n");
    assert!(done.code == 2 && done.err.contains("person at a terminal"), "{done:?}");
    assert!(!place.state().join("pause.json").exists());
    assert!(place.call().out.contains("deny"));
}

#[test]
fn a_person_who_types_another_number_pauses_nothing() {
    let place = Place::new();
    let Some(text) = place.pause_at_terminal("no\n") else { return };
    assert!(text.contains("Reason: a release") && text.contains("nothing was paused"), "{text}");
    assert!(!place.state().join("pause.json").exists());
}

#[test]
fn a_person_opens_a_window_and_ends_it() {
    let place = Place::new();
    let Some(text) = place.pause_at_terminal("NUMBER\n") else { return };
    assert!(text.contains("every guard is paused until") && text.contains("a release"), "{text}");
    let mode = fs::metadata(place.state().join("pause.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(place.call().parts(), (0, String::new(), String::new()));
    assert!(place.log().contains(r#""outcome":"pause","until":"#), "{}", place.log());
    assert!(place.hookc(&["pause", "--end"], "").err.contains("decide again"));
    assert!(place.log().contains(r#""outcome":"resume""#), "{}", place.log());
    assert!(place.call().out.contains("deny"));
}

#[test]
fn a_paused_guard_lets_calls_pass_and_logs_each() {
    let place = Place::new();
    assert!(place.call().out.contains("deny"));
    place.pause(600, "\u{1b}[31mred");
    assert_eq!(place.call().parts(), (0, String::new(), String::new()));
    let log = place.log();
    let line = log.lines().last().unwrap();
    for part in [r#""outcome":"paused""#, r#""event":"PreToolUse""#, r#""tool":"Bash""#, r#""session":"s1""#]
    {
        assert!(line.contains(part), "{line}");
    }
    // An event that cannot be read passes too, and has a line.
    let broken = place.hookc(&["run", "--host", "claude", "guard.yaml"], "{");
    assert_eq!((broken.code, broken.out.as_str()), (0, ""));
    assert_eq!(place.log().lines().filter(|line| line.contains("\"paused\"")).count(), 2);
    let shown = place.hookc(&["log"], "").out;
    assert!(shown.contains("paused") && shown.contains("deny"), "{shown}");
    // The text of the reason reaches a terminal through the one function that escapes it.
    let state = place.hookc(&["pause"], "").out;
    assert!(state.contains("paused until") && !state.contains('\u{1b}'), "{state:?}");
}

#[test]
fn status_doctor_and_probe_say_that_the_guard_is_paused() {
    let place = Place::new();
    assert_eq!(place.hookc(&["install", "claude", "guard.yaml"], "").code, 0);
    place.pause(600, "a release");
    let status = place.hookc(&["status"], "").out;
    assert!(status.contains("paused until") && status.contains("a release"), "{status}");
    let doctor = place.hookc(&["doctor", "."], "");
    assert!(doctor.code == 1 && doctor.out.contains("dead[paused]"), "{}", doctor.out);
    let mut command = common::command(&place.0);
    command.args(["probe", "claude"]).env("XDG_STATE_HOME", place.0.path().join("state"));
    let probe = common::run(command.env("HOME", place.0.path().join("home")), "");
    assert!(probe.code == 1 && probe.out.contains("paused until"), "{}", probe.out);
}

/// Agents that want an answer in any case get the one without an opinion.
#[test]
fn the_answer_is_no_opinion_in_the_form_of_the_agent() {
    let place = Place::new();
    place.pause(600, "x");
    let event =
        r#"{"toolCall": {"name": "run_command", "args": {"CommandLine": "ls"}}, "conversationId": "c"}"#;
    let args = ["run", "--host", "antigravity", "--event", "PreToolUse", "guard.yaml"];
    let answer = place.hookc(&args, event);
    assert!(answer.code == 0 && !answer.out.contains("allow") && answer.out.contains("ask"), "{answer:?}");
}

/// A window that is over, too long, or whose file others could write, applies to no call.
#[test]
fn windows_that_do_not_apply() {
    let place = Place::new();
    place.pause(0, "over");
    assert!(place.call().out.contains("deny"));
    place.pause(24 * 3600, "a day");
    assert!(place.call().out.contains("deny"));
    place.pause(600, "open");
    place.permit(0o666);
    assert!(place.call().out.contains("deny"));
    place.permit(0o600);
    assert_eq!(place.call().out, "");
}

#[test]
fn mistakes_of_usage() {
    let place = Place::new();
    for args in [
        &["pause", "10m"][..],
        &["pause", "--reason", "x"],
        &["pause", "2h", "--reason", "x"],
        &["pause", "10", "--reason", "x"],
        &["pause", "10m", "--reason", " "],
        &["pause", "10m", "--reason", "x", "--end"],
    ] {
        assert_eq!(place.hookc(args, "").code, 2, "{args:?}");
    }
    assert!(place.hookc(&["pause"], "").out.contains("no guard is paused"));
    assert_eq!(place.hookc(&["pause", "--end"], "").code, 0);
}
