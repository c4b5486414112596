//! `hookc log`: what was denied, from lines that `hookc run` wrote and from hostile ones.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::common::{self, Run};

const POLICY: &str = r#"
hooks:
  - {id: no_push, event: PreToolUse, when: pushes('main'), action: {type: deny, reason: "No."}}
  - {id: ask_rm, event: PreToolUse, when: runs('rm'), action: {type: ask, reason: "Sure?"}}
"#;

struct Log {
    folder: tempfile::TempDir,
}

impl Log {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        common::put(&folder, "p.yaml", POLICY);
        Self { folder }
    }

    fn hookc(&self, args: &[&str], input: &str) -> Run {
        let mut command = common::command(&self.folder);
        common::run(command.args(args).env("XDG_STATE_HOME", self.folder.path().join("state")), input)
    }

    fn call(&self, session: &str, command: &str) {
        let event = json!({"session_id": session, "cwd": "/p", "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": command}});
        let run = self.hookc(&["run", "--host", "claude", "p.yaml"], &event.to_string());
        assert_eq!((run.code, run.err.as_str()), (0, ""));
    }

    fn lines(&self) -> Vec<Value> {
        let text = common::read(&self.folder, "state/hookc/decisions.jsonl");
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

#[test]
fn shows_what_was_denied_today() {
    let log = Log::new();
    let none = log.hookc(&["log"], "");
    assert!(
        none.code == 0 && none.out.is_empty() && none.err.contains("no call is logged yet"),
        "{}",
        none.err
    );
    log.call("s1", "git push origin main");
    log.call("s2", "rm -rf build --token=s3cr3t");
    log.call("s2", "ls s3cr3t");
    let run = log.hookc(&["log"], "");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 4, "{}", run.out);
    assert!(
        lines[1].ends_with("deny   claude  Bash         git push, push origin:main  [no_push]"),
        "{}",
        run.out
    );
    assert!(lines[2].ends_with("ask    claude  Bash         rm, delete build  [ask_rm]"), "{}", run.out);
    assert!(lines[3].starts_with("1 deny, 1 ask of 3 calls since 20"), "{}", run.out);
    assert!(!common::read(&log.folder, "state/hookc/decisions.jsonl").contains("s3cr3t"));
    // A line without a hook has no summary.
    assert!(log.lines()[2].get("summary").is_none() && log.lines()[0]["tool"] == "Bash", "{:?}", log.lines());
}

#[test]
fn lines_are_selected() {
    let log = Log::new();
    log.call("s1", "git push origin main");
    log.call("s2", "rm x");
    log.call("s2", "ls");
    let count = |args: &[&str]| {
        let run = log.hookc(&[&["log", "--format", "json"], args].concat(), "");
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
        let records: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        records.len()
    };
    assert_eq!((count(&[]), count(&["--all"])), (2, 3));
    assert_eq!((count(&["--session", "s2"]), count(&["--session", "s3"])), (1, 0));
    assert_eq!((count(&["--host", "claude"]), count(&["--host", "codex"])), (2, 0));
    assert_eq!((count(&["--since", "1h"]), count(&["--since", "2999-01-01"])), (2, 0));
    let wrong = log.hookc(&["log", "--since", "soon"], "");
    assert!(wrong.code == 2 && wrong.err.contains("is not a time"), "{}", wrong.err);
    let missing = log.hookc(&["log", "none.jsonl"], "");
    assert!(missing.code == 2 && missing.err.contains("does not exist"), "{}", missing.err);
    let nothing = log.hookc(&["log", "--host", "codex"], "").out;
    assert!(nothing.starts_with("nothing was denied of 0 calls since "), "{nothing}");
}

#[test]
fn a_file_without_a_line_of_a_log_is_an_error() {
    let log = Log::new();
    common::put(&log.folder, "guard.yaml", "hooks:\n  - a\n");
    let run = log.hookc(&["log", "guard.yaml"], "");
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.contains("guard.yaml: not one line is of a decision log"), "{}", run.err);
}

#[test]
fn lines_of_others_are_counted_and_nothing_reaches_the_terminal() {
    let log = Log::new();
    let hostile = json!({"time": "2999-01-01T00:00:00.000Z", "host": "x\u{1b}[2J", "outcome": "deny",
        "summary": "a\nb\u{202e}", "tool": "\u{9b}", "hooks": [{"hook": "\u{7}", "outcome": "deny"}]});
    let text = format!("{hostile}\nnonsense\n[1]\n{{\"time\":\"2999\"");
    common::put(&log.folder, "log.jsonl", text);
    let run = log.hookc(&["log", "log.jsonl", "--color", "always"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let plain = run.out.replace("\u{1b}[31m", "").replace("\u{1b}[0m", "");
    assert!(!plain.contains(['\u{1b}', '\u{9b}', '\u{7}', '\u{202e}']), "{plain:?}");
    assert_eq!(plain.lines().count(), 4, "{plain}");
    assert!(plain.contains("2 lines not of a decision log"), "{plain}");
}

#[test]
fn follows_a_log_that_grows() {
    let log = Log::new();
    let path = common::put(&log.folder, "log.jsonl", "");
    let mut command = common::command(&log.folder);
    let mut child = command.args(["log", "--follow", "log.jsonl"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut shown = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    for (half, rest, expected) in [
        (r#"{"time":"2999-01-01T00:00:00.000Z","host":"a","#, r#""outcome":"deny","tool":"One"}"#, "One"),
        (r#"{"time":"2999-01-01T00:00:01.000Z","host":"a","#, r#""outcome":"ask","tool":"Two"}"#, "Two"),
    ] {
        file.write_all(half.as_bytes()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300));
        writeln!(file, "{rest}").unwrap();
        let line = shown.find(|line| line.as_ref().unwrap().contains(expected));
        assert!(line.is_some(), "{expected}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}
