//! Events and policies for which no decision is possible.

use serde_json::json;

use super::sessions::POLICY;
use super::shell::{Shell, tool};
use crate::common::{self, Run};

/// An unreadable environment must not become an event that nothing matches.
#[cfg(unix)]
#[test]
fn flat_data_that_cannot_be_read() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let shell = Shell::new(POLICY);
    let run = |args: &[&str], name: &str, value: &[u8]| {
        let mut command = common::command(&shell.folder);
        command.args(["run", "--no-log", "--host", "flat"]).args(args).arg("hooks.yaml");
        command.env("HOOK_EVENT", "PreToolUse").env("TOOL_NAME", "Bash").env(name, OsStr::from_bytes(value));
        common::run(&mut command, "")
    };
    let got = |code, err: &str| Run { code, out: String::new(), err: format!("hookc: {err}\n") };
    let json = "the tool's input is not JSON: EOF while parsing an object at line 1 column 21";
    assert_eq!(run(&[], "TOOL_INPUT", br#"{"command":"rm -rf /""#), got(2, json));
    let open = ["--on-failure", "open"];
    assert_eq!(run(&open, "TOOL_INPUT", br#"{"command":"rm -rf /""#), got(0, json));
    for name in ["TOOL_INPUT", "USER_MESSAGE", "TOOL_NAME"] {
        assert_eq!(run(&[], name, b"\xff"), got(2, &format!("the variable {name} is not UTF-8")));
    }
    assert_eq!(run(&[], "TOOL_OUTPUT", b"cut \xc3"), Run { code: 0, out: String::new(), err: String::new() });
}

#[test]
fn malformed_events_and_policies_use_the_failure_mode() {
    let shell = Shell::new(POLICY);
    for host in ["claude", "codex", "gemini", "cursor"] {
        let closed = shell.run(&["--host", host], b"{\"hook_event_name\": ", &[]);
        assert_eq!((closed.code, closed.out.as_str()), (2, ""), "{host}");
        assert!(closed.err.starts_with("hookc: the event is not JSON: "), "{}", closed.err);
        let open = shell.run(&["--host", host, "--on-failure", "open"], b"[]", &[]);
        assert_eq!(
            open,
            Run { code: 1, out: String::new(), err: "hookc: the event is not an object\n".into() }
        );
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
fn disabled_hooks_are_reported_once() {
    let shell = Shell::new(POLICY);
    let event = tool("PreToolUse", "rm -rf /").to_string();
    let got = shell.run(&["--host", "claude"], event.as_bytes(), &[("HOOKC_DISABLE", "1")]);
    assert_eq!(
        got,
        Run { code: 0, out: String::new(), err: "hookc: HOOKC_DISABLE=1: all hooks are disabled\n".into() }
    );
}

/// Agents that want an answer in any case get one, also if the event never arrived.
#[test]
fn disabled_hooks_have_no_opinion_in_the_form_of_the_agent() {
    let shell = Shell::new(POLICY);
    let event = r#"{"toolCall": {"name": "run_command", "args": {"CommandLine": "rm -rf /"}}}"#;
    for sent in [event, "{", ""] {
        let args = ["--host", "antigravity", "--event", "PreToolUse"];
        let got = shell.run(&args, sent.as_bytes(), &[("HOOKC_DISABLE", "1")]);
        assert!(got.code == 0 && got.out.contains("ask") && !got.out.contains("deny"), "{sent}: {got:?}");
    }
}

#[test]
fn a_compiled_module_serves_as_well() {
    let shell = Shell::new(POLICY);
    assert_eq!(common::hookc(&shell.folder, &["compile", "-q", "hooks.yaml", "-o", "p.hookc"], "").code, 0);
    std::fs::rename(shell.folder.path().join("p.hookc"), shell.folder.path().join("hooks.yaml")).unwrap();
    let got = shell.host("claude", &tool("PreToolUse", "rm -rf /"));
    assert!(got.out.contains(r#""permissionDecision":"deny""#) && got.code == 0);
}

/// The bytes of a module whose last hook has an unknown mode, with a corrected hash.
fn with_bad_hook(mut bytes: Vec<u8>) -> Vec<u8> {
    const HOOKS: u32 = 14;
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let entry = (0..word(20) as usize).map(|entry| 64 + 12 * entry).find(|at| word(*at) == HOOKS).unwrap();
    let end = word(entry + 4) + word(entry + 8);
    bytes[end as usize - 1] = 3;
    bytes[32..64].fill(0);
    let hash = *blake3::hash(&bytes).as_bytes();
    bytes[32..64].copy_from_slice(&hash);
    bytes
}

#[test]
fn a_damaged_part_of_a_module_uses_the_failure_mode() {
    let policy = "hooks:\n  - {event: PreToolUse, action: {type: deny, reason: no}}\n  \
                  - {event: UserPromptSubmit, action: {type: deny, reason: no}}\n";
    let shell = Shell::new(policy);
    assert_eq!(common::hookc(&shell.folder, &["compile", "-q", "hooks.yaml", "-o", "p.hookc"], "").code, 0);
    let bytes = std::fs::read(shell.folder.path().join("p.hookc")).unwrap();
    common::put(&shell.folder, "hooks.yaml", with_bad_hook(bytes));
    let why = "the module is damaged: hooks row 1: an unknown mode, `on_error` or `on_failure`";
    let sound = shell.host("claude", &tool("PreToolUse", "ls"));
    assert!(sound.code == 0 && sound.out.contains(r#""permissionDecision":"deny""#), "{sound:?}");
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": "x"});
    let closed = shell.host("claude", &prompt);
    assert_eq!(closed, Run { code: 2, out: String::new(), err: format!("hookc: {why}\n") });
    let open = shell.run(&["--host", "claude", "--on-failure", "open"], prompt.to_string().as_bytes(), &[]);
    assert_eq!(open, Run { code: 1, out: String::new(), err: format!("hookc: {why}\n") });
    let lines = r#"{"hook_event_name": "UserPromptSubmit"}"#;
    let eval = common::hookc(&shell.folder, &["eval", "hooks.yaml"], lines);
    assert_eq!(eval.code, 1);
    assert_eq!(eval.out, format!("{{\"error\":\"{why}\",\"line\":1}}\n"));
    let disasm = common::hookc(&shell.folder, &["disasm", "hooks.yaml"], "");
    assert!(disasm.code != 0 && disasm.out.is_empty() && disasm.err.contains("hooks row 1"), "{disasm:?}");
}
