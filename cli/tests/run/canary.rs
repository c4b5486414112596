//! Neither the log nor standard error contains text of an event unless requested: a canary at each
//! position of the events of each agent.

use serde_json::{Value, json};

use super::shell::Shell;
use crate::common;

/// A unique word. It is neither a name nor an id: those are logged.
const WORD: &str = "canary \u{e9} in a mine";

/// Hooks that read the whole event, and handlers that fail in every way.
const POLICY: &str = r#"
hooks:
  - {id: whole, event: PreToolUse, when: "exists(tool_input.never)", action: {type: deny, reason: r}}
  - {id: value, event: PreToolUse, when: "tool_input == {'a': 1}", action: {type: deny, reason: r}}
  - {id: folder, event: [PreToolUse, Stop], action: {type: run, command: exit 1, cwd: "${cwd}"}}
  - {id: argument, event: PreToolUse, action: {type: run, argv: [sh, -c, exit 3, "${tool_input.command}"]}}
  - {id: agent, event: [PreToolUse, UserPromptSubmit], action: {type: run, result: agent, command: "cat; exit 1"}}
  - {id: loud, event: [PreToolUse, SessionStart], action: {type: run, result: agent, command: "cat >&2; exit 1"}}
  - {id: project, event: PreToolUse, action: {type: run, result: agent, argv: ["$${CLAUDE_PROJECT_DIR}/none"]}}
  - {id: rule, event: PreToolUse, action: {type: run, result: agent, command: "true", if: "Bash(${tool_input.command})"}}
  - {id: typed, event: PreToolUse, action: {type: inject, text: "${tool_input}"}}
  - {id: number, event: PreToolUse, action: {type: run, command: "true", timeout: "${tool_input.command}"}}
  - {id: asked, event: PreToolUse, action: {type: prompt, prompt: "${tool_input.command}"}}
"#;

/// Those hooks that compile on their own: not all templates are allowed everywhere.
fn policy() -> String {
    let hooks = POLICY.lines().filter(|line| line.starts_with("  - "));
    let folder = tempfile::tempdir().unwrap();
    let sound = |hook: &&str| {
        common::put(&folder, "one.yaml", format!("hooks:\n{hook}\n"));
        common::hookc(&folder, &["check", "-q", "one.yaml"], "").code == 0
    };
    let all: Vec<&str> = hooks.filter(sound).collect();
    assert!(all.len() >= 8, "{all:#?}");
    format!("hooks:\n{}\n", all.join("\n"))
}

fn events(host: &str) -> Vec<Value> {
    let names: &[&str] = match host {
        "gemini" => &["BeforeTool", "AfterTool", "BeforeAgent", "SessionStart"],
        "cursor" => &["preToolUse", "beforeShellExecution", "beforeReadFile", "beforeSubmitPrompt", "stop"],
        "copilot" => &["preToolUse", "userPromptSubmitted", "permissionRequest", "postToolUse"],
        _ => &["PreToolUse", "UserPromptSubmit", "Stop", "SessionStart", "PermissionRequest"],
    };
    let tool = match host {
        "gemini" => "run_shell_command",
        "cursor" => "Shell",
        "copilot" => "bash",
        _ => "Bash",
    };
    let event = |name: &&str| {
        json!({"hook_event_name": name, "session_id": "s", "cwd": "/nowhere", "tool_name": tool, "prompt": "p",
            "tool_input": {"command": "ls", "edits": [{"a": 1}], "deep": {"er": [true, null, 1.5]}},
            "tool_response": {"stdout": "x"}, "agent_id": "a", "command": "ls", "file_path": "/x",
            "workspace_roots": ["/"], "stop_hook_active": false})
    };
    let mut all: Vec<Value> = names.iter().map(event).collect();
    if host == "copilot" {
        all.push(json!({"sessionId": "s", "toolName": "bash", "toolArgs": "{\"command\": \"ls\"}"}));
    }
    all.push(json!({"hook_event_name": "PreToolUse", "tool_name": "apply_patch", "toolName": "apply_patch",
        "tool_input": {"command": "*** Begin Patch\n*** Update File: a\n", "input": ""}}));
    all
}

/// Every text from one change of a JSON value: the word replaces a value or a key, is added next to
/// a key, as a duplicate key, and in a list.
fn mutants(value: &Value) -> Vec<String> {
    let word = json!(WORD).to_string();
    let mut all = vec![word.clone(), format!("[{word}]"), format!("{{{word}: {word}}}"), format!("{word} x")];
    match value {
        Value::Object(members) => {
            let spelled: Vec<(String, String)> =
                members.iter().map(|(key, value)| (json!(key).to_string(), value.to_string())).collect();
            let join = |members: &[(String, String)]| {
                let members: Vec<String> =
                    members.iter().map(|(key, value)| format!("{key}:{value}")).collect();
                format!("{{{}}}", members.join(","))
            };
            let beside = |more: &[(&str, &str)]| {
                let more = more.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
                join(&spelled.iter().cloned().chain(more).collect::<Vec<_>>())
            };
            all.push(beside(&[(&word, "1")]));
            all.push(beside(&[(&word, "1"), (&word, "2")]));
            all.push(format!("{} {word}", join(&spelled)));
            for (n, value) in members.values().enumerate() {
                all.push(beside(&[(&spelled[n].0, &word)]));
                let mut renamed = spelled.clone();
                renamed[n].0.clone_from(&word);
                all.push(join(&renamed));
                for mutant in mutants(value) {
                    let mut changed = spelled.clone();
                    changed[n].1 = mutant;
                    all.push(join(&changed));
                }
            }
        }
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                let mut spelled: Vec<String> = items.iter().map(Value::to_string).collect();
                for mutant in mutants(item) {
                    spelled[n] = mutant;
                    all.push(format!("[{}]", spelled.join(",")));
                }
            }
        }
        Value::String(text) => {
            let begun = format!("{{\"{WORD}\": ");
            for mutant in [format!("{text} {WORD}"), format!("{{\"{WORD}\": 1, \"{WORD}\": 2}}"), begun] {
                all.push(json!(mutant).to_string());
            }
        }
        _ => {}
    }
    all
}

#[test]
fn no_word_of_an_event_reaches_the_log_or_standard_error() {
    let (loud, bare) = (
        Shell::new(&policy()),
        Shell::new(
            "hooks:\n- {event: Stop, action: {type: deny, reason: r}}\n- {id: w, event: PreToolUse, when: \"tool_input == {'a': 1}\", action: {type: deny, reason: r}}\n",
        ),
    );
    let args = |host: &'static str, event: Option<&'static str>| {
        let mut args = vec!["--host", host, "--log", "log"];
        args.extend(event.into_iter().flat_map(|event| ["--event", event]));
        args
    };
    let mut ran = 0;
    for host in ["claude", "codex", "gemini", "cursor", "copilot", "flat"] {
        for event in events(host) {
            // One in eleven of all, different ones each time.
            let share = hookc_corpus::effort(11, 97);
            let all = mutants(&event).into_iter().enumerate().skip(ran % share).step_by(share);
            for (n, mutant) in all {
                // With hooks that do not report the event themselves; some with handlers that print
                // it and fail.
                let named = (n % 5 == 0).then_some("PreToolUse");
                let got = bare.run(&args(host, named), mutant.as_bytes(), &[]);
                assert!(!got.err.contains("canary"), "{host} {mutant}\n{got:?}");
                ran += 1;
                if n % 4 == 0 {
                    loud.run(&args(host, None), mutant.as_bytes(), &[]);
                    let log = common::read(&loud.folder, "log");
                    assert!(!log.contains("canary"), "{host} {mutant}\n{log}");
                    std::fs::remove_file(loud.folder.path().join("log")).unwrap();
                }
            }
        }
    }
    let log = common::read(&bare.folder, "log");
    let found = log.lines().find(|line| line.contains("canary"));
    assert_eq!((found, log.lines().count() >= ran), (None, true));
}

#[test]
fn each_handler_that_fails_and_the_log() {
    let shell = Shell::new(&policy());
    let secret = format!("/{WORD}");
    let event = json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": secret, "tool_name": "Bash",
        "tool_input": {"command": WORD}});
    shell.run(&["--host", "claude", "--log", "log"], event.to_string().as_bytes(), &[]);
    let log = common::read(&shell.folder, "log");
    assert!(!log.contains("canary") && log.contains("\"hook\":\"folder\""), "{log}");
    shell.run(&["--host", "claude", "--log", "all", "--log-payload"], event.to_string().as_bytes(), &[]);
    let log = common::read(&shell.folder, "all");
    assert!(log.contains("canary") && log.contains("the working directory `/canary"), "{log}");
}

#[test]
fn the_log_contains_only_names_and_ids_of_an_event() {
    let shell = Shell::new("hooks: [{event: Stop, action: {type: deny, reason: r}}]");
    let last = |event: Value| -> Value {
        shell.run(&["--host", "claude", "--log", "log"], event.to_string().as_bytes(), &[]);
        serde_json::from_str(common::read(&shell.folder, "log").lines().last().unwrap()).unwrap()
    };
    let line = last(json!({"hook_event_name": "NewEvent", "session_id": "a-1", "agent_id": "b"}));
    assert_eq!(
        (&line["event"], &line["session"], &line["agent"]),
        (&json!("NewEvent"), &json!("a-1"), &json!("b"))
    );
    let unknown = json!({"hook_event_name": format!("UserPromptSubmit {WORD}")}).to_string();
    let got = shell.run(&["--host", "codex", "--no-log"], unknown.as_bytes(), &[]);
    assert_eq!(got.err, "hookc: Codex CLI has no event of this name, and the policy has no hooks for it\n");
    let line = last(json!({"hook_event_name": WORD, "session_id": WORD, "agent_id": WORD}));
    assert!(
        line["event"].is_null() && line.get("session").is_none() && line.get("agent").is_none(),
        "{line}"
    );
    let twice = format!(r#"{{"hook_event_name":"Stop","{WORD}":1,"{WORD}":2}}"#);
    let got = shell.run(&["--host", "claude", "--no-log"], twice.as_bytes(), &[]);
    assert_eq!((got.code, got.err.as_str()), (2, "hookc: the event has a duplicate key\n"));
    let got = shell.run(&["--host", "claude", "--log", "all", "--log-payload"], twice.as_bytes(), &[]);
    assert!(got.err.contains(WORD), "{got:?}");
    let other = json!({"hook_event_name": WORD}).to_string();
    let got = shell.run(&["--host", "claude", "--no-log", "--event", "Stop"], other.as_bytes(), &[]);
    assert_eq!((got.code, got.err.as_str()), (2, "hookc: the event is not a `Stop`, as the caller states\n"));
}
