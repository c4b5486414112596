//! Scripted sessions: what each host sends, and what it gets, byte for byte.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const POLICY: &str = r#"
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
  - {id: hide, event: PostToolUse, when: "tool_input.command == 'env'", action: {type: deny, reason: hidden}}
"#;

struct Shell {
    folder: tempfile::TempDir,
}

#[derive(Debug, PartialEq)]
struct Got {
    code: i32,
    out: String,
    err: String,
}

impl Shell {
    fn new(policy: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("hooks.yaml"), policy).unwrap();
        Self { folder }
    }

    fn run(&self, args: &[&str], input: &[u8], env: &[(&str, &str)]) -> Got {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookc"));
        command.arg("run").args(args).arg("hooks.yaml").current_dir(self.folder.path());
        command.env_remove("HOOKC_DISABLE").env("XDG_STATE_HOME", self.folder.path().join("state"));
        command.envs(env.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input);
        let done = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Got { code: done.status.code().unwrap(), out: text(done.stdout), err: text(done.stderr) }
    }

    fn host(&self, host: &str, event: &Value) -> Got {
        self.run(&["--host", host], event.to_string().as_bytes(), &[])
    }
}

/// A session: each event with what is printed, said, and the exit status.
fn session(host: &str, steps: &[(Value, &str, &str, i32)]) {
    let shell = Shell::new(POLICY);
    for (event, out, err, code) in steps {
        let out = if out.is_empty() { String::new() } else { format!("{out}\n") };
        let err = if err.is_empty() { String::new() } else { format!("{err}\n") };
        assert_eq!(shell.host(host, event), Got { code: *code, out, err }, "{host}: {event}");
    }
}

fn tool(event: &str, command: &str) -> Value {
    json!({"session_id": "s", "cwd": "/", "hook_event_name": event, "tool_name": "Bash",
        "tool_input": {"command": command, "description": "d"}, "tool_use_id": "t"})
}

fn prompt(text: &str) -> Value {
    json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": text})
}

#[test]
fn claude() {
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
                r#"{"systemMessage":"a hook refuses, but Notification cannot be refused: never"}"#,
                "",
                0,
            ),
            (
                json!({"hook_event_name": "SessionStart", "source": "startup"}),
                r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"welcome"}}"#,
                "",
                0,
            ),
            (json!({"hook_event_name": "TaskCompleted", "task_id": "1"}), "", "not done", 2),
            (json!({"hook_event_name": "NoSuchEventYet", "x": 1}), "", "", 0),
        ],
    );
}

#[test]
fn codex() {
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
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"really? (the user would have to be asked, which this agent has no way to do at PreToolUse)"}}"#,
                "",
                0,
            ),
            (
                tool("PreToolUse", "ls"),
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls -la","description":"d"}}}"#,
                "",
                0,
            ),
            (tool("PreToolUse", "true"), "", "", 0),
            (tool("PreToolUse", "make"), "", "", 0),
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
fn gemini() {
    let tool = |command: &str| {
        json!({"session_id": "s", "hook_event_name": "BeforeTool", "timestamp": "2026-11-22T00:00:00Z",
            "tool_name": "run_shell_command", "tool_input": {"command": command}})
    };
    let agent = |text: &str| json!({"hook_event_name": "BeforeAgent", "prompt": text});
    session(
        "gemini",
        &[
            (tool("rm -rf /"), r#"{"decision":"deny","reason":"not rm -rf /"}"#, "", 0),
            (
                tool("git push"),
                r#"{"decision":"deny","reason":"really? (the user would have to be asked, which this agent has no way to do at BeforeTool)"}"#,
                "",
                0,
            ),
            (
                tool("ls"),
                r#"{"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"ls -la"}}}"#,
                "",
                0,
            ),
            (
                tool("whole"),
                r#"{"decision":"deny","reason":"(the input would have to be changed, which this agent has no way to do at BeforeTool)"}"#,
                "",
                0,
            ),
            (tool("true"), r#"{"decision":"allow"}"#, "", 0),
            (tool("make"), "", "", 0),
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
                r#"{"permission":"deny","user_message":"(the input would have to be changed, which this agent has no way to do at beforeShellExecution)","agent_message":"(the input would have to be changed, which this agent has no way to do at beforeShellExecution)"}"#,
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
fn copilot() {
    let tool = |command: &str| {
        json!({"sessionId": "s", "timestamp": 1, "cwd": "/", "toolName": "bash",
            "toolArgs": json!({"command": command}).to_string()})
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
            (tool("ls"), r#"{"modifiedArgs":{"command":"ls -la"}}"#, "", 0),
            (tool("true"), r#"{"permissionDecision":"allow","permissionDecisionReason":"harmless"}"#, "", 0),
            (tool("make"), "", "", 0),
            (
                json!({"sessionId": "s", "timestamp": 1, "cwd": "/", "prompt": "my password"}),
                "",
                "a hook refuses, but userPromptSubmitted cannot be refused: a secret",
                0,
            ),
            (
                json!({"sessionId": "s", "timestamp": 1, "transcriptPath": "/t", "stopReason": "end_turn"}),
                r#"{"decision":"block","reason":"go on"}"#,
                "",
                0,
            ),
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
fn flat() {
    let shell = Shell::new(POLICY);
    let run = |env: &[(&str, &str)]| shell.run(&["--host", "flat"], b"", env);
    let tool = |command: &str| {
        let input = json!({"command": command}).to_string();
        run(&[("HOOK_EVENT", "PreToolUse"), ("TOOL_NAME", "Bash"), ("TOOL_INPUT", &input)])
    };
    let got = |code, out: &str, err: &str| Got { code, out: out.to_owned(), err: err.to_owned() };
    assert_eq!(tool("rm -rf /"), got(1, "", "not rm -rf /\n"));
    let no_way = "(the user would have to be asked, which this agent has no way to do at PreToolUse)";
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

/// What the environment says and cannot be read is no event that nothing matches.
#[cfg(unix)]
#[test]
fn flat_data_that_cannot_be_read() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let shell = Shell::new(POLICY);
    let run = |args: &[&str], name: &str, value: &[u8]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookc"));
        command.args(["run", "--no-log", "--host", "flat"]).args(args).arg("hooks.yaml");
        command.current_dir(shell.folder.path()).env_remove("HOOKC_DISABLE").stdin(Stdio::null());
        let done =
            command.env("HOOK_EVENT", "PreToolUse").env(name, OsStr::from_bytes(value)).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Got { code: done.status.code().unwrap(), out: text(done.stdout), err: text(done.stderr) }
    };
    let got = |code, err: &str| Got { code, out: String::new(), err: format!("hookc: {err}\n") };
    let json = "the tool's input is not JSON: EOF while parsing an object at line 1 column 21";
    assert_eq!(run(&[], "TOOL_INPUT", br#"{"command":"rm -rf /""#), got(2, json));
    let open = ["--on-failure", "open"];
    assert_eq!(run(&open, "TOOL_INPUT", br#"{"command":"rm -rf /""#), got(0, json));
    for name in ["TOOL_INPUT", "USER_MESSAGE", "TOOL_NAME"] {
        assert_eq!(run(&[], name, b"\xff"), got(2, &format!("the variable {name} is not UTF-8")));
    }
    assert_eq!(run(&[], "TOOL_OUTPUT", b"cut \xc3"), Got { code: 0, out: String::new(), err: String::new() });
}

#[test]
fn malformed_events_and_bad_policies_fall_as_told() {
    let shell = Shell::new(POLICY);
    for host in ["claude", "codex", "gemini", "cursor"] {
        let closed = shell.run(&["--host", host], b"{\"hook_event_name\": ", &[]);
        assert_eq!((closed.code, closed.out.as_str()), (2, ""), "{host}");
        assert!(closed.err.starts_with("hookc: the event is not JSON: "), "{}", closed.err);
        let open = shell.run(&["--host", host, "--on-failure", "open"], b"[]", &[]);
        assert_eq!(open, Got { code: 1, out: String::new(), err: "hookc: the event is no object\n".into() });
    }
    let copilot = shell.run(&["--host", "copilot"], b"[]", &[]);
    assert_eq!(copilot.code, 2);
    assert!(copilot.out.contains(r#""permissionDecision":"deny""#));
    let twice = br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","command":"rm -rf /"}}"#;
    let twice = shell.run(&["--host", "claude"], twice, &[]);
    assert_eq!((twice.code, twice.out.as_str()), (2, ""));
    let bad = Shell::new("hooks: [{event: PreToolUse, action: {type: denny}}]");
    let event = tool("PreToolUse", "ls");
    let got = bad.host("claude", &event);
    assert_eq!((got.code, got.out.as_str()), (2, ""));
    assert!(got.err.starts_with("hookc: the policy does not compile: "), "{}", got.err);
    assert_eq!(bad.host("claude", &json!({"hook_event_name": "Notification"})).code, 1);
    assert_eq!(bad.host("claude", &tool("PermissionRequest", "ls")).code, 0);
    assert!(bad.host("copilot", &json!({"toolName": "x", "toolArgs": {}})).out.contains("deny"));
    let module = Shell::new("hookc\0\u{1}broken");
    assert_eq!(module.host("claude", &event).code, 2);
    std::fs::remove_file(module.folder.path().join("hooks.yaml")).unwrap();
    assert_eq!(module.host("claude", &event).code, 2);
    let open = module.run(&["--host", "claude", "--on-failure", "open"], event.to_string().as_bytes(), &[]);
    assert_eq!((open.code, open.out.as_str()), (1, ""));
    let wrong = shell.host("cloude", &event);
    assert!(wrong.code == 2 && wrong.err.contains("did you mean `claude`?"), "{}", wrong.err);
}

#[test]
fn disabled_is_said_and_silent() {
    let shell = Shell::new(POLICY);
    let event = tool("PreToolUse", "rm -rf /").to_string();
    let got = shell.run(&["--host", "claude"], event.as_bytes(), &[("HOOKC_DISABLE", "1")]);
    assert_eq!(
        got,
        Got { code: 0, out: String::new(), err: "hookc: HOOKC_DISABLE=1: every hook is off\n".into() }
    );
}

#[test]
fn a_compiled_module_serves_as_well() {
    let shell = Shell::new(POLICY);
    let hookc = |args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_hookc"))
            .args(args)
            .current_dir(shell.folder.path())
            .status()
            .unwrap()
    };
    assert!(hookc(&["compile", "-q", "hooks.yaml", "-o", "p.hookc"]).success());
    std::fs::rename(shell.folder.path().join("p.hookc"), shell.folder.path().join("hooks.yaml")).unwrap();
    let got = shell.host("claude", &tool("PreToolUse", "rm -rf /"));
    assert!(got.out.contains(r#""permissionDecision":"deny""#) && got.code == 0);
}

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
  - {id: async, event: Stop, action: {type: run, result: agent, async: true, command: "sleep 0.3; cat > async.json"}}
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
    assert_eq!(got("json"), Got { code: 0, out: merged, err: String::new() });
    let broken = "{\"systemMessage\":\"hook broken failed: exit status 1: why\"}\n";
    assert_eq!(got("broken").out, broken);
    assert_eq!(got("shut").out, deny("hook shut failed: exit status 1: why"));
    assert_eq!(got("hang").out, deny("hook hang failed: stopped after its timeout"));
    assert_eq!(got("missing").out, deny("hook missing failed: there is no program `/no/such/program`"));
    assert_eq!(got("status").out, deny("no"));
    assert_eq!(got("asked").out, deny("hook asked failed: this host cannot carry out `prompt`"));
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
    let before = Instant::now();
    assert_eq!(shell.host("claude", &stop).out, "");
    assert!(before.elapsed() < Duration::from_millis(2000));
    let file = shell.folder.path().join("async.json");
    let expected = stop.to_string();
    while std::fs::read_to_string(&file).unwrap_or_default() != expected {
        assert!(before.elapsed() < Duration::from_secs(10), "the background handler wrote nothing");
        std::thread::sleep(Duration::from_millis(20));
    }
}

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
    let nowhere =
        shell.run(&["--host", "claude", "--log", "/no/such/log"], event.to_string().as_bytes(), &[]);
    assert!(nowhere.code == 0 && nowhere.out.contains("deny") && nowhere.err.is_empty());
}

/// Writers that are killed at any moment, with lines of many pages.
#[test]
fn kill_9_leaves_whole_lines() {
    let shell = Shell::new(POLICY);
    let event = tool("PreToolUse", &format!("rm -rf {}", "x".repeat(300_000))).to_string();
    let mut killed = 0;
    for n in 0..40 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookc"));
        command.args(["run", "--host", "claude", "--log", "log", "--log-payload", "hooks.yaml"]);
        command
            .current_dir(shell.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(event.as_bytes());
        std::thread::sleep(Duration::from_micros(n * 400));
        let _ = child.kill();
        killed += usize::from(child.wait().unwrap().code().is_none());
    }
    shell.run(&["--host", "claude", "--log", "log"], event.as_bytes(), &[]);
    let log = std::fs::read_to_string(shell.folder.path().join("log")).unwrap();
    let whole = |line: &&str| serde_json::from_str::<Value>(line).is_ok();
    assert!(killed > 0 && log.ends_with('\n') && log.lines().all(|line| whole(&line)), "{killed} killed");
}

#[test]
fn an_answer_that_nobody_reads_refuses_and_a_log_never_waits() {
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
    let mut command = Command::new(env!("CARGO_BIN_EXE_hookc"));
    command.args(["run", "--host", "claude", "--no-log", "hooks.yaml"]).current_dir(shell.folder.path());
    command.env_remove("HOOKC_DISABLE").stdin(Stdio::piped()).stdout(writer).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let event = tool("PreToolUse", "rm -rf /").to_string();
    child.stdin.take().unwrap().write_all(event.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&done.stderr).contains("not rm -rf /"));
}
