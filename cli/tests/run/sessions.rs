//! Scripted sessions: what each host sends, and what it gets, byte for byte. The
//! shapes of the events are those that the agents send.

use serde_json::{Value, json};

use super::shell::{Shell, prompt, tool};
use crate::common::Run;

pub(crate) const POLICY: &str = r#"
hooks:
  - {id: rm, event: PreToolUse, when: "tool_input.command contains 'rm -rf'",
     action: {type: deny, reason: "not ${tool_input.command}"}}
  - {id: push, event: PreToolUse, when: "tool_input.command starts_with 'git push'",
     action: {type: ask, reason: really?}}
  - {id: ls, event: PreToolUse, when: "tool_name == 'Bash' and tool_input.command == 'ls'",
     action: {type: modify, input: {command: ls -la}}}
  - {id: whole, event: PreToolUse, when: "tool_input.command == 'whole'",
     action: {type: modify, mode: replace, input: {command: all}}}
  - {id: ok, event: [PreToolUse, PermissionRequest], when: "tool_input.command == 'true'",
     action: {type: allow, reason: harmless}}
  - {id: told, event: PreToolUse, when: "tool_input.command == 'pwd'", action: {type: inject, text: be brief}}
  - {id: env, event: PreToolUse, when: "tool_input.file_path ends_with '.env'", action: {type: deny, reason: secrets}}
  - {id: hello, event: UserPromptSubmit, when: "prompt contains 'hello'", action: {type: inject, text: be kind}}
  - {id: secret, event: UserPromptSubmit, when: "prompt contains 'password'", action: {type: deny, reason: a secret}}
  - {id: again, event: Stop, when: "not stop_hook_active == true", action: {type: deny, reason: go on}}
  - {id: note, event: Notification, action: {type: deny, reason: never}}
  - {id: start, event: SessionStart, action: {type: inject, text: welcome}}
  - {id: task, event: TaskCompleted, action: {type: deny, reason: not done}}
  - {id: keep, event: PreCompact, action: {type: deny, reason: keep it all}}
  - {id: hide, event: PostToolUse, when: "tool_input.command == 'env'", action: {type: deny, reason: hidden}}
"#;

/// A session: each event with standard output, standard error and the exit status.
fn session(host: &str, steps: &[(Value, &str, &str, i32)]) {
    let shell = Shell::new(POLICY);
    for (event, out, err, code) in steps {
        let out = if out.is_empty() { String::new() } else { format!("{out}\n") };
        let err = if err.is_empty() { String::new() } else { format!("{err}\n") };
        assert_eq!(shell.host(host, event), Run { code: *code, out, err }, "{host}: {event}");
    }
}

#[test]
fn claude_tools() {
    session(
        "claude",
        &[
            (
                tool("PreToolUse", "rm -rf /"),
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not rm -rf /"}}"#,
                "",
                0,
            ),
            (
                tool("PreToolUse", "git push"),
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"really?"}}"#,
                "",
                0,
            ),
            (
                tool("PreToolUse", "ls"),
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls -la","description":"d"}}}"#,
                "",
                0,
            ),
            (
                tool("PreToolUse", "whole"),
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"all"}}}"#,
                "",
                0,
            ),
            (
                tool("PreToolUse", "true"),
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"harmless"}}"#,
                "",
                0,
            ),
            (
                tool("PreToolUse", "pwd"),
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"be brief"}}"#,
                "",
                0,
            ),
            (tool("PreToolUse", "make"), "", "", 0),
            (
                tool("PermissionRequest", "true"),
                r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}"#,
                "",
                0,
            ),
            (tool("PostToolUse", "env"), r#"{"decision":"block","reason":"hidden"}"#, "", 0),
        ],
    );
}

#[test]
fn claude_turns() {
    session(
        "claude",
        &[
            (
                prompt("hello"),
                r#"{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"be kind"}}"#,
                "",
                0,
            ),
            (prompt("my password"), r#"{"decision":"block","reason":"a secret"}"#, "", 0),
            (
                json!({"hook_event_name": "Stop", "stop_hook_active": false}),
                r#"{"decision":"block","reason":"go on"}"#,
                "",
                0,
            ),
            (json!({"hook_event_name": "Stop", "stop_hook_active": true}), "", "", 0),
            (
                json!({"hook_event_name": "Notification", "message": "m"}),
                "",
                // Claude Code discards messages at this event.
                "a hook denies, but Notification cannot be denied: never",
                0,
            ),
            (
                json!({"hook_event_name": "SessionStart", "source": "startup"}),
                r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"welcome"}}"#,
                "",
                0,
            ),
            (json!({"hook_event_name": "TaskCompleted", "task_id": "1"}), "", "not done", 2),
            (
                json!({"hook_event_name": "NoSuchEventYet", "x": 1}),
                "",
                "hookc: Claude Code has no known event `NoSuchEventYet`, and the policy has no hooks for it",
                0,
            ),
        ],
    );
}

#[test]
fn codex() {
    let tool = |event: &str, command: &str| {
        json!({"session_id": "s", "turn_id": "n", "transcript_path": "/t", "cwd": "/w", "hook_event_name": event,
            "model": "m", "permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": command},
            "tool_use_id": "t"})
    };
    let plain =
        |event: &str| json!({"session_id": "s", "turn_id": "n", "cwd": "/w", "hook_event_name": event});
    session(
        "codex",
        &[
            (
                tool("PreToolUse", "rm -rf /"),
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not rm -rf /"}}"#,
                "",
                0,
            ),
            (
                tool("PreToolUse", "git push"),
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"really? (this agent does not support asking the user at PreToolUse)"}}"#,
                "",
                0,
            ),
            (
                tool("PreToolUse", "ls"),
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls -la"}}}"#,
                "",
                0,
            ),
            (tool("PreToolUse", "true"), "", "", 0),
            (tool("PreToolUse", "make"), "", "", 0),
            (
                tool("PreToolUse", "pwd"),
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"be brief"}}"#,
                "",
                0,
            ),
            (tool("PostToolUse", "env"), r#"{"decision":"block","reason":"hidden"}"#, "", 0),
            (plain("Stop"), r#"{"decision":"block","reason":"go on"}"#, "", 0),
            (plain("PreCompact"), r#"{"continue":false,"stopReason":"keep it all"}"#, "", 0),
            (prompt("my password"), r#"{"decision":"block","reason":"a secret"}"#, "", 0),
            (
                prompt("hello"),
                r#"{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"be kind"}}"#,
                "",
                0,
            ),
        ],
    );
}

#[test]
fn gemini_tools() {
    let tool = |command: &str| {
        json!({"session_id": "s", "transcript_path": "/t", "cwd": "/w", "hook_event_name": "BeforeTool",
            "timestamp": "2026-11-22T00:00:00.000Z", "tool_name": "run_shell_command",
            "tool_input": {"command": command, "description": "d"}})
    };
    let after = |command: &str| {
        json!({"session_id": "s", "hook_event_name": "AfterTool", "tool_name": "run_shell_command",
            "tool_input": {"command": command}, "tool_response": {"llmContent": "o", "returnDisplay": "o"}})
    };
    session(
        "gemini",
        &[
            (tool("rm -rf /"), r#"{"decision":"deny","reason":"not rm -rf /"}"#, "", 0),
            (
                tool("git push"),
                r#"{"decision":"deny","reason":"really? (this agent does not support asking the user at BeforeTool)"}"#,
                "",
                0,
            ),
            (
                tool("ls"),
                r#"{"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"ls -la","description":"d"}}}"#,
                "",
                0,
            ),
            (
                tool("whole"),
                r#"{"decision":"deny","reason":"(this agent does not support changing the input at BeforeTool)"}"#,
                "",
                0,
            ),
            (tool("true"), r#"{"decision":"allow"}"#, "", 0),
            (tool("make"), "", "", 0),
            (
                tool("pwd"),
                r#"{"systemMessage":"this agent does not support sending text to the model at BeforeTool: be brief"}"#,
                "",
                0,
            ),
            (after("env"), r#"{"decision":"deny","reason":"hidden"}"#, "", 0),
        ],
    );
}

#[test]
fn gemini_turns() {
    let agent = |text: &str| json!({"hook_event_name": "BeforeAgent", "prompt": text});
    session(
        "gemini",
        &[
            (
                json!({"hook_event_name": "SessionStart", "source": "startup"}),
                r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"welcome"}}"#,
                "",
                0,
            ),
            (agent("my password"), r#"{"decision":"deny","reason":"a secret"}"#, "", 0),
            (
                agent("hello"),
                r#"{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"be kind"}}"#,
                "",
                0,
            ),
            (
                json!({"hook_event_name": "AfterAgent", "prompt": "p", "prompt_response": "r", "stop_hook_active": false}),
                r#"{"decision":"deny","reason":"go on"}"#,
                "",
                0,
            ),
        ],
    );
}

#[test]
fn cursor() {
    let shell = |command: &str| {
        json!({"hook_event_name": "beforeShellExecution", "conversation_id": "c", "workspace_roots": ["/w"],
            "command": command, "cwd": "/w"})
    };
    let any = |command: &str| {
        json!({"hook_event_name": "preToolUse", "conversation_id": "c", "tool_name": "Shell",
            "tool_input": {"command": command}})
    };
    session(
        "cursor",
        &[
            (
                shell("rm -rf /"),
                r#"{"permission":"deny","user_message":"not rm -rf /","agent_message":"not rm -rf /"}"#,
                "",
                0,
            ),
            (shell("git push"), r#"{"permission":"ask","user_message":"really?"}"#, "", 0),
            (
                shell("ls"),
                r#"{"permission":"deny","user_message":"(this agent does not support changing the input at beforeShellExecution)","agent_message":"(this agent does not support changing the input at beforeShellExecution)"}"#,
                "",
                0,
            ),
            (any("ls"), r#"{"updated_input":{"command":"ls -la"}}"#, "", 0),
            (shell("true"), r#"{"permission":"allow","user_message":"harmless"}"#, "", 0),
            (shell("make"), "", "", 0),
            (
                json!({"hook_event_name": "beforeReadFile", "file_path": "/w/.env", "content": ""}),
                r#"{"permission":"deny","user_message":"secrets","agent_message":"secrets"}"#,
                "",
                0,
            ),
            (
                json!({"hook_event_name": "beforeSubmitPrompt", "prompt": "my password"}),
                r#"{"continue":false,"user_message":"a secret"}"#,
                "",
                0,
            ),
            (
                json!({"hook_event_name": "stop", "status": "completed"}),
                r#"{"followup_message":"go on"}"#,
                "",
                0,
            ),
            (json!({"hook_event_name": "sessionStart"}), r#"{"additional_context":"welcome"}"#, "", 0),
        ],
    );
}

#[test]
fn copilot_tools() {
    let tool = |command: &str| {
        json!({"sessionId": "s", "timestamp": 1, "cwd": "/w", "toolName": "bash",
            "toolArgs": {"command": command, "description": "d"}})
    };
    let text = |command: &str| json!({"sessionId": "s", "toolName": "bash", "toolArgs": json!({"command": command}).to_string()});
    let request = |command: &str| {
        json!({"hookName": "permissionRequest", "sessionId": "s", "timestamp": 1, "cwd": "/w", "toolName": "bash",
            "toolInput": {"command": command}, "permissionSuggestions": []})
    };
    let after = |command: &str| {
        json!({"sessionId": "s", "timestamp": 1, "cwd": "/w", "toolName": "bash", "toolArgs": {"command": command},
            "toolResult": {"resultType": "success", "textResultForLlm": "o"}})
    };
    session(
        "copilot",
        &[
            (
                tool("rm -rf /"),
                r#"{"permissionDecision":"deny","permissionDecisionReason":"not rm -rf /"}"#,
                "",
                0,
            ),
            (tool("git push"), r#"{"permissionDecision":"ask","permissionDecisionReason":"really?"}"#, "", 0),
            (tool("ls"), r#"{"modifiedArgs":{"command":"ls -la","description":"d"}}"#, "", 0),
            (text("ls"), r#"{"modifiedArgs":{"command":"ls -la"}}"#, "", 0),
            (tool("pwd"), r#"{"additionalContext":"be brief"}"#, "", 0),
            (request("true"), r#"{"behavior":"allow"}"#, "", 0),
            (request("make"), "", "", 0),
            (
                after("env"),
                r#"{"modifiedResult":{"resultType":"denied","textResultForLlm":"hidden"}}"#,
                "",
                0,
            ),
            (after("make"), "", "", 0),
            (tool("true"), r#"{"permissionDecision":"allow","permissionDecisionReason":"harmless"}"#, "", 0),
            (tool("make"), "", "", 0),
            (
                json!({"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "bash",
                    "tool_input": {"command": "rm -rf x"}}),
                r#"{"permissionDecision":"deny","permissionDecisionReason":"not rm -rf x"}"#,
                "",
                0,
            ),
        ],
    );
}

#[test]
fn copilot_turns() {
    let prompt = |text: &str| json!({"sessionId": "s", "timestamp": 1, "cwd": "/w", "prompt": text});
    session(
        "copilot",
        &[
            (prompt("my password"), r#"{"decision":"block","reason":"a secret"}"#, "", 0),
            (prompt("hello"), r#"{"additionalContext":"be kind"}"#, "", 0),
            (
                json!({"sessionId": "s", "timestamp": 1, "cwd": "/w", "source": "new", "initialPrompt": "p"}),
                r#"{"additionalContext":"welcome"}"#,
                "",
                0,
            ),
            (
                json!({"sessionId": "s", "timestamp": 1, "transcriptPath": "/t", "stopReason": "end_turn",
                    "stop_hook_active": false}),
                r#"{"decision":"block","reason":"go on"}"#,
                "",
                0,
            ),
            (json!({"sessionId": "s", "stopReason": "end_turn", "stop_hook_active": true}), "", "", 0),
        ],
    );
}

#[test]
fn flat() {
    let shell = Shell::new(POLICY);
    let run = |env: &[(&str, &str)]| shell.run(&["--host", "flat"], b"", env);
    let tool = |command: &str| {
        let input = json!({"command": command}).to_string();
        run(&[("HOOK_EVENT", "PreToolUse"), ("TOOL_NAME", "Bash"), ("TOOL_INPUT", &input)])
    };
    let got = |code, out: &str, err: &str| Run { code, out: out.to_owned(), err: err.to_owned() };
    assert_eq!(tool("rm -rf /"), got(1, "", "not rm -rf /\n"));
    let no_way = "(this agent does not support asking the user at PreToolUse)";
    assert_eq!(tool("git push"), got(1, "", &format!("really? {no_way}\n")));
    assert_eq!(tool("ls").code, 1);
    assert_eq!(tool("true"), got(0, "", ""));
    assert_eq!(tool("make"), got(0, "", ""));
    let prompt = |text: &str| run(&[("HOOK_EVENT", "UserPromptSubmit"), ("USER_MESSAGE", text)]);
    assert_eq!(prompt("hello"), got(0, "hello\nbe kind\n", ""));
    assert_eq!(prompt("my password"), got(1, "", "a secret\n"));
    assert_eq!(run(&[("HOOK_EVENT", "SessionStart")]), got(0, "welcome\n", ""));
    assert_eq!(run(&[]), got(2, "", "hookc: neither HOOK_EVENT nor `hook_event_name` names the event\n"));
}
