//! An agent that runs the hooks in the file of another one: its events are recognized by their form.

use serde_json::{Value, json};

use super::shell::Shell;

const GUARD: &str = r#"
hooks:
  - {id: push, event: PreToolUse, when: "tool_name == 'Bash' and tool_input.command contains 'git push'",
     action: {type: deny, reason: no pushes}}
  - {id: secrets, event: PreToolUse, when: "tool_input.file_path ends_with '.env'", action: {type: deny, reason: secrets}}
  - {id: stop, event: Stop, action: {type: deny, reason: look again}}
"#;

fn cursor(tool: &str, input: &Value) -> Value {
    json!({"conversation_id": "c", "generation_id": "g", "cursor_version": "3.18.25", "hook_event_name": "preToolUse",
        "workspace_roots": ["/w"], "tool_name": tool, "tool_input": input})
}

fn codex(tool: &str, input: &Value) -> Value {
    json!({"session_id": "s", "turn_id": "t", "cwd": "/w", "hook_event_name": "PreToolUse", "model": "m",
        "permission_mode": "default", "tool_name": tool, "tool_input": input, "tool_use_id": "c"})
}

fn vscode(event: &str, tool: &str, input: &Value) -> Value {
    json!({"timestamp": "2026-11-28T10:00:00.000Z", "cwd": "/w", "sessionId": "s", "hookEventName": event,
        "transcript_path": "/t", "tool_name": tool, "tool_input": input, "tool_use_id": "c"})
}

fn copilot(tool: &str, input: &Value) -> Value {
    json!({"sessionId": "s", "timestamp": 1, "cwd": "/w", "toolName": tool, "toolArgs": input})
}

fn gemini(tool: &str, input: &Value) -> Value {
    json!({"session_id": "s", "cwd": "/w", "hook_event_name": "BeforeTool", "timestamp": "t", "tool_name": tool,
        "tool_input": input})
}

/// Each event is denied in the form of the agent that sent it, at each agent that the call can name.
#[test]
fn the_sender_is_recognized() {
    let shell = Shell::new(GUARD);
    let push = json!({"command": "git push"});
    let events = [
        ("cursor", cursor("Shell", &push), r#""permission":"deny""#),
        ("codex", codex("Bash", &push), r#""permissionDecision":"deny""#),
        ("vscode", vscode("PreToolUse", "run_in_terminal", &push), r#""hookEventName":"PreToolUse""#),
        ("copilot", copilot("bash", &push), r#"{"permissionDecision":"deny""#),
        ("gemini", gemini("run_shell_command", &push), r#"{"decision":"deny""#),
    ];
    for named in ["claude", "codex", "gemini", "cursor", "copilot", "vscode"] {
        for (sender, event, form) in &events {
            let args = ["--host", named, "--log", "log.jsonl"];
            let got = shell.run(&args, event.to_string().as_bytes(), &[]);
            assert!(got.out.contains(form) && got.out.contains("no pushes"), "{sender} at {named}: {got:?}");
            let log = std::fs::read_to_string(shell.folder.path().join("log.jsonl")).unwrap();
            let line: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
            assert_eq!(line["host"], **sender, "{named}: {line}");
            let called_as = if named == *sender { Value::Null } else { json!(named) };
            assert_eq!(line["called_as"], called_as, "{sender}: {line}");
            // An agent that does not read this form reads the exit status.
            let alike = ["claude", "codex", "vscode"];
            let reads = named == *sender
                || alike.contains(&named) && alike.contains(sender) && [named, sender].contains(&"claude");
            assert_eq!(
                (got.code, got.err.contains("no pushes")),
                if reads { (0, false) } else { (2, true) },
                "{sender} at {named}: {got:?}"
            );
        }
    }
}

/// Harmless calls have no answer, whichever agent the call names.
#[test]
fn no_opinion_stays_silent() {
    let shell = Shell::new(GUARD);
    let list = json!({"command": "ls"});
    for event in
        [cursor("Shell", &list), codex("Bash", &list), vscode("PreToolUse", "run_in_terminal", &list)]
    {
        let got = shell.host("claude", &event);
        assert_eq!((got.code, got.out.as_str(), got.err.as_str()), (0, "", ""), "{event}");
    }
}

/// Inputs under the names of the sender, and other events of it.
#[test]
fn the_names_of_the_sender_are_translated() {
    let shell = Shell::new(GUARD);
    let path = json!({"filePath": "/w/.env", "content": "x"});
    for tool in ["create_file", "read_file", "replace_string_in_file"] {
        let event = vscode("PreToolUse", tool, &path).to_string();
        let got = shell.run(&["--host", "copilot", "--event", "preToolUse"], event.as_bytes(), &[]);
        assert!(got.out.contains("secrets") && got.code == 2, "{tool}: {got:?}");
    }
    let stop = json!({"timestamp": "t", "cwd": "/w", "sessionId": "s", "hookEventName": "Stop", "stop_hook_active": false});
    let got = shell.host("copilot", &stop);
    let answer: Value = serde_json::from_str(&got.out).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["decision"], "block", "{got:?}");
    // Another event than the call states.
    let got = shell.run(
        &["--host", "copilot", "--event", "agentStop"],
        vscode("PreToolUse", "x", &path).to_string().as_bytes(),
        &[],
    );
    assert!(got.code == 2 && got.err.contains("is not a"), "{got:?}");
}

/// What only looks like an event of another agent is one of the agent that the call names.
#[test]
fn ambiguous_events_stay_with_the_named_agent() {
    let shell = Shell::new(GUARD);
    let push = json!({"command": "git push", "conversation_id": "c", "turn_id": "t", "hookEventName": "x"});
    let own =
        json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": push});
    let with = |members: &[&str]| {
        let mut event = own.clone();
        members.iter().for_each(|name| event[*name] = json!("x"));
        event
    };
    // Members of a tool's input; of two agents; of an agent that has no event of this name.
    for event in
        [with(&[]), with(&["conversation_id", "turn_id"]), with(&["cursor_version"]), with(&["toolName"])]
    {
        let got = shell.host("claude", &event);
        assert!(got.code == 0 && got.out.contains(r#""permissionDecision":"deny""#), "{event}: {got:?}");
        assert!(!got.out.contains(r#""permission":"#), "{event}: {got:?}");
    }
    // Two names of the event: one of another agent must not hide the one that the named agent sends.
    let mut event = own.clone();
    (event["hookEventName"], event["sessionId"]) = (json!("Stop"), json!("s"));
    let got = shell.host("claude", &event);
    assert!(got.code == 0 && got.out.contains("no pushes"), "{got:?}");
    // The named agent's own members win.
    let mut event = cursor("Shell", &json!({"command": "git push"}));
    event["turn_id"] = json!("t");
    let got = shell.host("cursor", &event);
    assert!(got.code == 0 && got.out.contains(r#""permission":"deny""#), "{got:?}");
}

/// A policy that does not compile denies in both forms, or passes in neither.
#[test]
fn a_failure_denies_at_both() {
    let shell = Shell::new("hooks: [{event: PreToolUse, action: {type: denny}}]");
    let push = json!({"command": "git push"});
    for (named, event) in [
        ("claude", cursor("Shell", &push)),
        ("claude", copilot("bash", &push)),
        ("copilot", vscode("PreToolUse", "run_in_terminal", &push)),
        ("cursor", codex("Bash", &push)),
        ("codex", gemini("run_shell_command", &push)),
    ] {
        let got = shell.host(named, &event);
        assert!(got.code == 2 && got.err.contains("does not compile"), "{named}: {got:?}");
    }
}

/// An event from flags belongs to the named agent.
#[test]
fn an_event_of_flags_is_one_of_the_named_agent() {
    let shell = Shell::new(GUARD);
    for named in ["opencode", "pi", "antigravity", "devin"] {
        let tool = ["--event", "PreToolUse", "--tool", "Bash", "--input", "command=git push"];
        let got = shell.run(&[&["--host", named][..], &tool].concat(), b"", &[]);
        assert!(
            got.code == 0 && got.out.starts_with(r#"{"decision":"#) && got.out.contains("no pushes"),
            "{named}: {got:?}"
        );
    }
}
