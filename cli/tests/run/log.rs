//! The decision log, and unread answers.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::sessions::POLICY;
use super::shell::{Shell, tool};
use crate::common;

#[test]
fn the_decision_log() {
    let shell = Shell::new(POLICY);
    let event = tool("PreToolUse", "rm -rf /");
    shell.host("claude", &event);
    let log = std::fs::read_to_string(shell.folder.path().join("state/hookc/decisions.jsonl")).unwrap();
    let line: Value = serde_json::from_str(&log).unwrap();
    assert_eq!(
        (&line["host"], &line["event"], &line["outcome"]),
        (&json!("claude"), &json!("PreToolUse"), &json!("deny"))
    );
    assert_eq!((&line["hooks"][0]["hook"], &line["session"]), (&json!("rm"), &json!("s")));
    assert!(line["module"].as_str().unwrap().len() == 64 && line.get("payload").is_none());
    let args = ["--host", "claude", "--log", "log", "--log-payload", "--redact", "tool_input.command"];
    shell.run(&args, event.to_string().as_bytes(), &[]);
    shell.run(&args, tool("PreToolUse", "make").to_string().as_bytes(), &[]);
    shell.run(&args, b"nonsense", &[]);
    let log = std::fs::read_to_string(shell.folder.path().join("log")).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["payload"]["tool_input"], json!({"command": "[redacted]", "description": "d"}));
    assert_eq!((&lines[1]["outcome"], &lines[2]["outcome"]), (&json!("no opinion"), &json!("error")));
    for path in ["$.tool_input.command", "tool_input[\"command\"]", "$['tool_input'].*"] {
        let args = ["--host", "claude", "--log", "again", "--log-payload", "--redact", path];
        shell.run(&args, tool("PreToolUse", "a secret").to_string().as_bytes(), &[]);
        let log = std::fs::read_to_string(shell.folder.path().join("again")).unwrap();
        assert!(log.contains("[redacted]") && !log.contains("a secret"), "{path}: {log}");
    }
    for path in ["tool_input[", "$..command", "tool input", ""] {
        let args = ["--host", "claude", "--log", "never", "--log-payload", "--redact", path];
        let wrong = shell.run(&args, event.to_string().as_bytes(), &[]);
        assert!(
            wrong.code == 2 && wrong.out.is_empty() && wrong.err.contains("--redact"),
            "{path}: {}",
            wrong.err
        );
        assert!(!shell.folder.path().join("never").exists());
    }
    let nowhere =
        shell.run(&["--host", "claude", "--log", "/no/such/log"], event.to_string().as_bytes(), &[]);
    assert!(nowhere.code == 0 && nowhere.out.contains("deny") && nowhere.err.is_empty());
}

/// What is not to be in the log is not to be in the history either.
#[test]
fn a_redacted_path_cannot_be_kept() {
    let shell = Shell::new(
        "facts:\n  ran: {event: PreToolUse, when: \"tool_name == 'Bash'\", keep: [tool_input.command]}\nhooks:\n  \
         - {event: Stop, when: \"last(ran).tool_input.command contains 'make'\", action: {type: deny, reason: r}}\n",
    );
    let event = tool("PreToolUse", "make").to_string();
    for (path, is_denied) in [("tool_input.command", true), ("tool_input.*", true), ("tool_input.key", false)]
    {
        let args = ["--host", "claude", "--log", "log", "--log-payload", "--redact", path];
        let got = shell.run(&args, event.as_bytes(), &[]);
        let is_reported = got.err.contains("`keep` of a fact lists");
        assert_eq!((got.code == 2, is_reported), (is_denied, is_denied), "{path}: {}{}", got.out, got.err);
        // The module is in the cache for calls that redact something else, or nothing.
        assert_eq!(shell.run(&args, event.as_bytes(), &[]), got, "{path}, again");
        assert_eq!(shell.run(&args[..2], event.as_bytes(), &[]).code, 0);
    }
    let kept = "1 hook in 1 file, no problems; the history keeps the text of `tool_input.command`\n";
    assert_eq!(common::hookc(shell.folder.path(), &["check", "hooks.yaml"], "").out, kept);
    let json = common::hookc(shell.folder.path(), &["--format", "json", "check", "."], "").out;
    assert!(json.contains(r#""keeps":["tool_input.command"]"#), "{json}");
}

#[test]
fn an_unread_answer_denies_and_a_log_never_blocks() {
    let shell = Shell::new(POLICY);
    let log = shell.folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&log).status().unwrap().success());
    let got = shell.run(
        &["--host", "claude", "--log", log.to_str().unwrap()],
        tool("PreToolUse", "rm -rf /").to_string().as_bytes(),
        &[],
    );
    assert!(got.code == 0 && got.out.contains("deny"), "{got:?}");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = common::command(&shell.folder);
    command.args(["run", "--host", "claude", "--no-log", "hooks.yaml"]);
    command.stdin(Stdio::piped()).stdout(writer).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let event = tool("PreToolUse", "rm -rf /").to_string();
    child.stdin.take().unwrap().write_all(event.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&done.stderr).contains("not rm -rf /"));
}
