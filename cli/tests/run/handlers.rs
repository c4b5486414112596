//! Handlers and their results.

use std::time::{Duration, Instant};

use serde_json::json;

use super::shell::{Shell, prompt, tool};
use crate::common::{self, Run};

const HANDLERS: &str = r#"
hooks:
  - {id: json, event: PreToolUse, when: "tool_input.command == 'json'",
     action: {type: run, result: agent, command: "cat >/dev/null; echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"ask\",\"permissionDecisionReason\":\"one\"}}'"}}
  - {id: two, event: PreToolUse, when: "tool_input.command in ['json', 'two']",
     action: {type: run, result: agent, command: "echo two >&2; exit 2"}}
  - {id: late, event: PreToolUse, when: "tool_input.command in ['json', 'two']",
     action: {type: inject, text: last}}
  - {id: broken, event: PreToolUse, when: "tool_input.command == 'broken'",
     action: {type: run, result: agent, command: "echo why >&2; exit 1"}}
  - {id: shut, event: PreToolUse, when: "tool_input.command == 'shut'", on_failure: closed,
     action: {type: run, result: agent, command: "echo why >&2; exit 1"}}
  - {id: hang, event: PreToolUse, when: "tool_input.command == 'hang'", on_failure: closed,
     action: {type: run, result: agent, command: sleep 100, timeout: 0.2}}
  - {id: missing, event: PreToolUse, when: "tool_input.command == 'missing'",
     action: {type: run, argv: [/no/such/program]}}
  - {id: status, event: PreToolUse, when: "tool_input.command == 'status'",
     action: {type: run, command: "echo no >&2; exit 1"}}
  - {id: flat, event: UserPromptSubmit, when: "prompt == 'flat'",
     action: {type: run, result: flat, command: 'echo "$HOOK_EVENT: $USER_MESSAGE"'}}
  - {id: flat2, event: UserPromptSubmit, when: "prompt == 'flat'",
     action: {type: run, result: flat, command: 'echo "<$USER_MESSAGE>"'}}
  - {id: huge, event: PreToolUse, when: "tool_input.command == 'huge'",
     action: {type: run, result: flat, command: "true"}}
  - {id: once, event: SessionStart, action: {type: run, result: agent, once: true, command: echo begun}}
  - {id: async, event: Stop, action: {type: run, result: agent, async: true, command: "n=0; until [ -e go ] || [ $n = 1000 ]; do n=$((n+1)); sleep 0.01; done; cat > async.json"}}
  - {id: asked, event: PreToolUse, when: "tool_input.command == 'asked'", action: {type: prompt, prompt: is it safe?}}
  - {id: warned, event: PreToolUse, mode: warn, when: "tool_input.command == 'warned'",
     action: {type: deny, reason: one day}}
"#;

#[test]
fn handlers_are_run_and_merged() {
    let shell = Shell::new(HANDLERS);
    let got = |command: &str| shell.host("claude", &tool("PreToolUse", command));
    let specific =
        |text: &str| format!(r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse",{text}}}}}"#) + "\n";
    let deny = |reason: &str| {
        specific(&format!(r#""permissionDecision":"deny","permissionDecisionReason":"{reason}""#))
    };
    let merged = specific(
        r#""permissionDecision":"deny","permissionDecisionReason":"two","additionalContext":"last""#,
    );
    assert_eq!(got("json"), Run { code: 0, out: merged, err: String::new() });
    let broken = "{\"systemMessage\":\"hook broken failed: exit status 1: why\"}\n";
    assert_eq!(got("broken").out, broken);
    assert_eq!(got("shut").out, deny("hook shut failed: exit status 1: why"));
    assert_eq!(got("hang").out, deny("hook hang failed: stopped after its timeout"));
    assert_eq!(got("missing").out, deny("hook missing failed: no program `/no/such/program`"));
    assert_eq!(got("status").out, deny("no"));
    assert_eq!(got("asked").out, deny("hook asked failed: this host cannot execute `prompt`"));
    assert_eq!(got("warned").out, "{\"systemMessage\":\"hook warned (warn) would deny: one day\"}\n");
    let mut huge = tool("PreToolUse", "huge");
    huge["tool_input"]["big"] = "x".repeat(200_000).into();
    let huge = shell.host("claude", &huge);
    assert!(huge.out.contains("hook huge failed: the variable TOOL_INPUT has"), "{}", huge.out);
    let flat = shell.run(&["--host", "flat"], prompt("flat").to_string().as_bytes(), &[]);
    assert_eq!(flat.out, "<UserPromptSubmit: flat>\n");
}

#[test]
fn once_per_session_and_in_the_background() {
    let shell = Shell::new(HANDLERS);
    let start = json!({"hook_event_name": "SessionStart", "session_id": "one", "source": "startup"});
    assert!(shell.host("claude", &start).out.contains("begun"));
    assert_eq!(shell.host("claude", &start).out, "");
    let stop = json!({"hook_event_name": "Stop", "session_id": "one"});
    assert_eq!(shell.host("claude", &stop).out, "");
    // It waits for a file, and nothing has waited for it.
    let file = shell.folder.path().join("async.json");
    assert!(!file.exists());
    common::put(&shell.folder, "go", "");
    let (before, expected) = (Instant::now(), stop.to_string());
    while std::fs::read_to_string(&file).unwrap_or_default() != expected {
        assert!(before.elapsed() < Duration::from_secs(30), "the background handler wrote nothing");
        std::thread::sleep(Duration::from_millis(20));
    }
}
