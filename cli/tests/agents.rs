//! The capabilities of agents, from the command line: `check --host`, `install`, `convert`, and the
//! agents' own hooks files.
#![cfg(unix)]

use crate::common;

use common::{Run, hookc, put};
use serde_json::json;

const POLICY: &str = "
hooks:
  - {id: push, event: PreToolUse, when: \"tool_name == 'Bash'\", action: {type: deny, reason: no}}
  - {id: say, event: UserPromptSubmit, action: {type: inject, text: mind the tests}}
  - {id: stop, event: Stop, action: {type: run, command: ./stop.sh, result: agent}}
";

const ESCALATES: &str = "
hooks:
  - {id: e, event: PreToolUse, action: {type: escalate, target: user_approval}}
";

const ASKS: &str = "
hooks:
  - {id: a, event: PreToolUse, when: \"tool_name == 'Bash'\", action: {type: ask, reason: may it?}}
";

fn check(folder: &tempfile::TempDir, args: &[&str]) -> Run {
    let args = [&["check", "--no-builtin", "--no-fs", "--format", "short"], args].concat();
    hookc(folder, &args, "")
}

#[test]
fn installed_settings_have_no_diagnostics() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "policy.yaml", POLICY);
    for (host, file, dialect) in [
        ("claude", ".claude/settings.json", "settings"),
        ("gemini", ".gemini/settings.json", "gemini"),
        ("codex", ".codex/hooks.json", "codex"),
        ("cursor", ".cursor/hooks.json", "cursor"),
        ("copilot", ".github/hooks/hookc.json", "copilot"),
    ] {
        let install = ["install", host, "policy.yaml", "--timeout", "20"];
        let got = hookc(&folder, &install, "");
        assert_eq!(got.code, 0, "{host}: {}", got.err);
        let (code, out, err) = check(&folder, &["-v", file]).parts();
        assert_eq!((code, out.contains("warning") || err.contains("warning")), (0, false), "{host}: {err}");
        assert!(err.contains(&format!("read as {dialect}")), "{host}: {err}");
        let listed = hookc(&folder, &["list", "--no-builtin", "--no-fs", "-v", file], "");
        assert_eq!(listed.out.matches("run --host").count(), 3, "{host}: {}", listed.out);
        assert!(listed.out.contains("UserPromptSubmit"), "{host}: {}", listed.out);
    }
    // They are also found in a directory.
    let found = check(&folder, &["."]);
    assert!(
        ["codex", "gemini", "cursor", "copilot"].iter().all(|name| found.out.contains(name)),
        "{}",
        found.out
    );
}

#[test]
fn check_knows_the_agents_that_it_is_for() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "e.yaml", ESCALATES);
    put(&folder, "a.yaml", ASKS);
    let (code, _, err) = check(&folder, &["e.yaml"]).parts();
    assert_eq!((code, err.matches("W0430").count()), (0, 1), "{err}");
    let got = check(&folder, &["e.yaml", "--deny", "warnings"]);
    assert_eq!(got.code, 1, "{}", got.err);
    let got = check(&folder, &["e.yaml", "--host", "claude"]);
    assert!(got.code == 1 && got.err.contains("Claude Code cannot execute `escalate`"), "{}", got.err);
    let got = check(&folder, &["a.yaml"]);
    assert_eq!((got.code, got.err.as_str()), (0, ""));
    let got = check(&folder, &["a.yaml", "--host", "claude", "--host", "copilot"]);
    assert_eq!((got.code, got.err.as_str()), (0, ""));
    let got = check(&folder, &["a.yaml", "--host", "gemini", "--host", "codex"]);
    let named = "Codex CLI and Gemini CLI";
    assert!(got.code == 0 && got.err.contains("W0432") && got.err.contains(named), "{}", got.err);
    assert_eq!(check(&folder, &["a.yaml", "--host", "claud"]).code, 2);
}

#[test]
fn install_rejects_unsupported_actions_before_writing() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "e.yaml", ESCALATES);
    put(&folder, "a.yaml", ASKS);
    let got = hookc(&folder, &["install", "claude", "e.yaml"], "");
    assert!(got.code == 1 && got.err.contains("E0431"), "{}", got.err);
    assert!(!folder.path().join(".claude").exists());
    // An action that becomes a denial is reported, and installed.
    let got = hookc(&folder, &["install", "gemini", "a.yaml"], "");
    assert!(got.code == 0 && got.err.contains("W0432"), "{}", got.err);
    assert!(folder.path().join(".gemini/settings.json").exists());
    // An installed policy continues to run: it denies.
    let event = r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}"#;
    let got = hookc(&folder, &["run", "--host", "claude", "--no-log", "e.yaml"], event);
    assert!(got.code == 0 && got.out.contains(r#""permissionDecision":"deny""#), "{got:?}");
}

#[test]
fn convert_writes_no_file_that_the_agent_ignores() {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "policy.yaml", POLICY);
    let convert = ["convert", "policy.yaml", "--to", "settings"];
    let got = hookc(&folder, &convert, "");
    assert!(got.code == 1 && got.out.is_empty(), "{got:?}");
    assert_eq!(got.err.matches("error[E0803]").count(), 2, "{}", got.err);
    assert!(got.err.contains("hook `push`") && got.err.contains("hookc install claude"), "{}", got.err);
    let got = hookc(&folder, &[&convert[..], &["--lossy"]].concat(), "");
    assert!(got.code == 0 && got.out.contains("./stop.sh") && !got.out.contains("deny"), "{got:?}");
    for agent in ["cursor", "gemini", "codex", "copilot"] {
        let got = hookc(&folder, &["convert", "policy.yaml", "--to", agent], "");
        assert!(got.code == 2 && got.err.contains(&format!("hookc install {agent}")), "{got:?}");
    }
}

#[test]
fn handlers_of_agents_are_heard_in_their_own_words() {
    let folder = tempfile::tempdir().unwrap();
    let deny = r#"{"permission": "deny", "agent_message": "not so"}"#;
    let command = format!("printf '%s' '{deny}'");
    let hooks = json!({"beforeShellExecution": [{"command": command}]});
    put(&folder, "p/hooks.json", json!({"version": 1, "hooks": hooks}).to_string());
    let run = ["run", "--host", "cursor", "--no-log", "--dialect", "cursor", "p/hooks.json"];
    let got = hookc(&folder, &run, r#"{"hook_event_name": "beforeShellExecution", "command": "git push"}"#);
    assert!(got.out.contains(r#""permission":"deny""#) && got.out.contains("not so"), "{got:?}");
    let got =
        hookc(&folder, &run, r#"{"hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": {}}"#);
    assert_eq!((got.code, got.out.as_str()), (0, ""), "{got:?}");
}
