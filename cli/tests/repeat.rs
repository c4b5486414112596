//! Two calls of hookc for one call of a tool give one decision, and handlers run once.
#![cfg(unix)]

use crate::common;

use std::fs;
use std::path::PathBuf;
use std::thread;

use common::{Run, put, read};
use serde_json::{Value, json};

struct Place(tempfile::TempDir);

impl Place {
    /// A policy whose handler notes each run and then does this.
    fn new(handler: &str) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let run = json!({"type": "run", "command": format!("echo ran >> ran; {handler}")});
        let hooks = json!({"hooks": [{"event": "PreToolUse", "action": run}]});
        put(&place.0, "guard.yaml", hooks.to_string());
        place
    }

    fn state(&self) -> PathBuf {
        self.0.path().join("state/hookc")
    }

    fn run(&self, host: &str, event: &Value) -> Run {
        let mut command = common::command(&self.0);
        command.args(["run", "--host", host, "guard.yaml"]);
        common::run(command.env("XDG_STATE_HOME", self.0.path().join("state")), event.to_string())
    }

    fn runs(&self) -> usize {
        fs::read_to_string(self.0.path().join("ran")).unwrap_or_default().lines().count()
    }
}

fn event(call: &str, command: &str) -> Value {
    json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "tool_use_id": call, "tool_name": "Bash",
        "tool_input": {"command": command}
    })
}

fn permission(answer: &Run) -> String {
    let value: Value = serde_json::from_str(&answer.out).unwrap_or_default();
    value["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn the_second_call_repeats_the_verdict() {
    let ask =
        r#"echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}'"#;
    for (handler, expected) in
        [("exit 2", "deny"), ("exit 0", ""), (ask, "ask"), (&ask.replace("ask", "allow"), "")]
    {
        let place = Place::new(handler);
        let first = place.run("claude", &event("t", "ls"));
        let second = place.run("claude", &event("t", "ls"));
        assert_eq!(
            (permission(&first).as_str(), permission(&second).as_str()),
            (expected, expected),
            "{handler}"
        );
        assert_eq!(place.runs(), 1, "{handler}");
        assert_eq!(first.code, second.code);
    }
}

#[test]
fn both_calls_at_once_run_the_handler_once() {
    let place = Place::new("sleep 1; exit 2");
    let answers: Vec<Run> = thread::scope(|scope| {
        let calls = [0, 1].map(|_| scope.spawn(|| place.run("claude", &event("t", "ls"))));
        calls.map(|call| call.join().unwrap()).into_iter().collect()
    });
    assert!(answers.iter().all(|answer| permission(answer) == "deny"), "{answers:?}");
    assert_eq!(place.runs(), 1);
}

/// Another use of a tool is decided for itself, with the same id too; so is one without an id.
#[test]
fn other_calls_are_decided_for_themselves() {
    let place = Place::new("exit 2");
    place.run("claude", &event("t", "ls"));
    for (at, other) in [
        event("u", "ls"),
        event("t", "rm -rf /"),
        json!({"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {}}),
    ]
    .iter()
    .enumerate()
    {
        assert_eq!(permission(&place.run("claude", other)), "deny");
        assert_eq!(place.runs(), at + 2, "{other}");
    }
    put(&place.0, "guard.yaml", read(&place.0, "guard.yaml").replace("echo ran", "echo  ran"));
    place.run("claude", &event("t", "ls"));
    assert_eq!(place.runs(), 5, "another policy");
}

/// The files have no text of the event, and no other user can read them.
#[test]
fn nothing_of_the_event_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new("cat >&2; exit 2");
    place.run("claude", &event("call-id", "echo secret-text"));
    let files: Vec<_> =
        fs::read_dir(place.state().join("repeats")).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 1);
    let text = format!("{} {}", files[0].display(), fs::read_to_string(&files[0]).unwrap());
    assert!(!text.contains("secret-text") && !text.contains("call-id"), "{text}");
    assert_eq!(fs::metadata(&files[0]).unwrap().permissions().mode() & 0o777, 0o600);
}

/// Verdicts of the policy alone are decided again: no file is written for them.
#[test]
fn a_policy_without_handlers_needs_no_file() {
    let place = Place::new("");
    put(&place.0, "guard.yaml", "hooks:\n  - {event: PreToolUse, action: {type: deny, reason: stop}}\n");
    for _ in 0..2 {
        assert_eq!(permission(&place.run("claude", &event("t", "ls"))), "deny");
    }
    assert!(!place.state().join("repeats").exists());
}

/// An agent that also runs the hooks in another one's settings.
#[test]
fn doctor_lists_files_that_two_agents_run() {
    let place = Place::new("exit 2");
    let hookc = |args: &[&str]| {
        let mut command = common::command(&place.0);
        command.args(args).env("HOME", place.0.path().join("home"));
        common::run(command.env("XDG_STATE_HOME", place.0.path().join("state")), "")
    };
    for agent in ["claude", "cursor"] {
        assert_eq!(hookc(&["install", agent, "guard.yaml"]).code, 0);
    }
    let doctor = hookc(&["doctor", "."]);
    let found = doctor.out.lines().find(|line| line.contains("decided-twice")).unwrap_or_default();
    assert!(
        found.contains(".claude/settings.json") && found.starts_with(".cursor/hooks.json"),
        "{}",
        doctor.out
    );
    assert_eq!(hookc(&["uninstall", "cursor"]).code, 0);
    assert!(!hookc(&["doctor", "."]).out.contains("decided-twice"));
}
