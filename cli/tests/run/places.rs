//! Effects that an agent does not support at an event, or supports in its own way.

use serde_json::{Value, json};

use super::shell::{Shell, tool};
use crate::common::Run;

/// An action that the agent does not support at an event is reported to the user.
#[test]
fn unsupported_stops_and_contexts() {
    let shell = Shell::new(
        r#"
hooks:
  - {id: stop, event: [SessionStart, PreToolUse, UserPromptSubmit, SubagentStop, Stop, SessionEnd],
     action: {type: run, result: agent, command: "echo '{\"continue\": false, \"stopReason\": \"over\"}'"}}
"#,
    );
    let no_way = |event: &str| format!("this agent does not support stopping the agent at {event}: over");
    let told = |event: &str| Run { code: 0, out: String::new(), err: no_way(event) + "\n" };
    let printed = |out: &str| Run { code: 0, out: out.to_owned() + "\n", err: String::new() };
    let silent = || Run { code: 0, out: String::new(), err: String::new() };
    let named = |host: &str, event: &str| {
        shell.host(host, &json!({"hook_event_name": event, "tool_name": "Bash", "prompt": "p"}))
    };
    for (host, event) in [("cursor", "sessionStart"), ("copilot", "sessionStart"), ("flat", "SessionStart")] {
        assert_eq!(named(host, event), told(event), "{host}");
    }
    assert_eq!(named("cursor", "subagentStop"), told("subagentStop"));
    assert_eq!((named("cursor", "stop"), named("copilot", "agentStop")), (silent(), silent()));
    assert_eq!(
        named("gemini", "SessionStart"),
        printed(&json!({"systemMessage": no_way("SessionStart")}).to_string())
    );
    let over = printed(r#"{"continue":false,"stopReason":"over"}"#);
    assert_eq!(
        (named("gemini", "BeforeTool"), named("claude", "SessionStart")),
        (over, named("codex", "Stop"))
    );
    let prompt = printed(r#"{"continue":false,"user_message":"over"}"#);
    assert_eq!(named("cursor", "beforeSubmitPrompt"), prompt);
    let prompt = printed(r#"{"decision":"block","reason":"over"}"#);
    assert_eq!(named("copilot", "userPromptSubmitted"), prompt);
    // Codex ignores an answer with an additional field, including the denial in it.
    let both = Shell::new(
        "hooks: [{event: Stop, action: {type: deny, reason: go on}}, {event: Stop, action: {type: inject, text: so}}]",
    );
    let stop = json!({"hook_event_name": "Stop"});
    let told = "this agent does not support sending text to the model at Stop: so";
    let told = json!({"systemMessage": told, "decision": "block", "reason": "go on"}).to_string();
    assert_eq!(both.host("codex", &stop), printed(&told));
    let told = r#"{"decision":"block","reason":"go on","hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"so"}}"#;
    assert_eq!(both.host("claude", &stop), printed(told));
}

/// What fails for ever keeps no agent from stopping more than once.
#[test]
fn a_failure_keeps_from_stopping_once() {
    let stop = |again: bool| json!({"hook_event_name": "Stop", "stop_hook_active": again});
    let bad = Shell::new("hooks: [{event: Stop, action: {type: denny}}]");
    let missing = Shell::new("hooks: [{event: Stop, action: {type: run, argv: [/no/such/program]}}]");
    let told = "hook Stop#1 failed: no program `/no/such/program`";
    // Codex receives denials on standard output: it does not read exit status 2 everywhere.
    for (host, refuses) in [("claude", 2), ("codex", 0)] {
        assert_eq!((bad.host(host, &stop(false)).code, bad.host(host, &stop(true)).code), (refuses, 1));
        let refused = json!({"decision": "block", "reason": told}).to_string() + "\n";
        assert_eq!(missing.host(host, &stop(false)).out, refused);
        assert_eq!(missing.host(host, &stop(true)).out, json!({"systemMessage": told}).to_string() + "\n");
    }
    let after = json!({"hook_event_name": "AfterAgent", "stop_hook_active": true});
    assert_eq!(bad.host("gemini", &after).code, 1);
    let copilot = json!({"stopReason": "end_turn", "stop_hook_active": true});
    assert_eq!((bad.host("copilot", &copilot).code, bad.host("copilot", &copilot).out.as_str()), (0, ""));
    assert_eq!(bad.host("cursor", &json!({"hook_event_name": "stop", "loop_count": 1})).code, 1);
}

/// A tool's output in the agent's own shape, or the reason why not.
#[test]
fn outputs_are_replaced_in_their_own_shape() {
    let with = |output: &str| {
        let said = format!(
            r#"{{"hookSpecificOutput": {{"additionalContext": "so", "updatedToolOutput": {output}}}}}"#
        );
        let policy = json!({"hooks": [{"event": "PostToolUse",
            "action": {"type": "run", "result": "agent", "argv": ["echo", said]}}]});
        Shell::new(&policy.to_string())
    };
    let event = |response: Value| {
        let mut event = tool("PostToolUse", "ls");
        event["tool_response"] = response;
        event
    };
    let printed = || event(json!({"stdout": "a", "stderr": "b", "interrupted": false}));
    let specific = |output: &str| {
        format!(
            "{{\"hookSpecificOutput\":{{\"hookEventName\":\"PostToolUse\",\"additionalContext\":\"so\"{output}}}}}\n"
        )
    };
    for host in ["claude", "codex"] {
        assert_eq!(with("null").host(host, &printed()).out, specific(""), "{host}");
    }
    let shaped = r#","updatedToolOutput":{"stdout":"x","stderr":"","interrupted":false}"#;
    assert_eq!(with(r#""x""#).host("claude", &printed()).out, specific(shaped));
    let own = r#","updatedToolOutput":{"content":1}"#;
    assert_eq!(with(r#"{"content": 1}"#).host("claude", &event(json!({}))).out, specific(own));
    let refused = r#"{"decision":"block","reason":"(this agent does not support replacing the tool's output at PostToolUse)"}"#;
    assert_eq!(with(r#""x""#).host("claude", &event(json!({"content": []}))).out, format!("{refused}\n"));
}

/// A variable in the text of an event is text: what the author wrote is filled in alone.
#[test]
fn variables_in_the_event_stay_as_they_are() {
    let shell = Shell::new(
        r#"
hooks:
  - event: PreToolUse
    action:
      type: run
      result: agent
      argv:
        - sh
        - -c
        - 'printf "%s\n" "$@" >&2; exit 2'
        - x
        - "$${CLAUDE_PROJECT_DIR}/a ${tool_input.command}"
        - "${tool_input.command}"
        - "$${CLAUDE_PROJECT_DIR}"
        - "$${tool_input.command}"
        - "a$${CLAUDE_${tool_input.rest}"
        - "${tool_input.list}"
"#,
    );
    let event = json!({"hook_event_name": "PreToolUse", "cwd": "/p", "tool_name": "Bash", "tool_input": {
        "command": "x ${CLAUDE_PROJECT_DIR} $", "rest": "PROJECT_DIR}", "list": ["${CLAUDE_PROJECT_DIR}"]}});
    let reason = [
        "/p/a x ${CLAUDE_PROJECT_DIR} $",
        "x ${CLAUDE_PROJECT_DIR} $",
        "/p",
        "${tool_input.command}",
        "a${CLAUDE_PROJECT_DIR}",
        r#"["${CLAUDE_PROJECT_DIR}"]"#,
    ];
    let got = shell.host("claude", &event);
    let said: Value = serde_json::from_str(&got.out).unwrap_or_else(|_| panic!("{got:?}"));
    assert_eq!(said["hookSpecificOutput"]["permissionDecisionReason"], reason.join("\n"), "{got:?}");

    // A NUL in it is no mark: no program can receive one.
    let mut hostile = event;
    hostile["tool_input"]["command"] = json!("x\u{0}${CLAUDE_PROJECT_DIR}");
    let got = shell.host("claude", &hostile);
    assert!(got.out.contains("an argument contains U+0000"), "{got:?}");
    assert!(got.out.contains(r#""permissionDecision":"deny""#), "{got:?}");
}
