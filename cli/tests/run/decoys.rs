//! Events that are made so that no guard would look at what they are about.

use serde_json::{Value, json};

use crate::common;
use crate::shell::Shell;

const SECRETS: &str = r#"
hooks:
  - {id: secrets, event: PreToolUse, when: "tool_input.file_path ends_with '.env'",
     action: {type: deny, reason: secrets}}
"#;

/// Refused whatever the policy says, with this in the reason.
fn refused(host: &str, event: &Value, why: &str) {
    let got = Shell::new(SECRETS).host(host, event);
    let said = format!("{}{}", got.out, got.err);
    assert!(said.contains(why) && (got.code == 2 || said.contains("deny")), "{host} {event}: {got:?}");
}

#[test]
fn two_names_of_a_file() {
    let two = |path: &str, file: &str| json!({"path": path, "file_path": file});
    refused("copilot", &json!({"toolName": "view", "toolArgs": two("/a/.env", "ok.txt")}), "names two files");
    let cursor =
        |input: Value| json!({"hook_event_name": "preToolUse", "tool_name": "Read", "tool_input": input});
    refused("cursor", &cursor(two("/a/.env", "ok.txt")), "names two files");
    refused("cursor", &cursor(two("/a/.env", "/a/.env")), "secrets");
    let same = Shell::new(SECRETS).host("cursor", &cursor(two("a", "a")));
    assert_eq!((same.code, same.out.as_str()), (0, ""));
}

#[test]
fn patches_whose_files_cannot_be_told() {
    let patch = "*** Begin Patch\n*** Update File: x/.env\n@@\n+T=1\n*** End Patch";
    let why = "the files of a patch cannot be told";
    let codex = |input: Value| json!({"hook_event_name": "PreToolUse", "tool_name": "apply_patch", "tool_input": input});
    for input in
        [json!({"command": ["apply_patch", patch]}), json!({"command": "x"}), json!({}), json!(patch)]
    {
        refused("codex", &codex(input), why);
    }
    let decoy = json!({"input": "*** Add File: ok.txt", "patch": patch});
    refused("copilot", &json!({"toolName": "apply_patch", "toolArgs": decoy}), why);
    refused("copilot", &json!({"toolName": "apply_patch", "toolArgs": {"patch": patch}}), "secrets");
}

/// Fields of an event that stops, in one that does not.
#[test]
fn a_tool_that_claims_to_stop() {
    let shell = Shell::new("hooks: [{event: PreToolUse, action: {type: run, argv: [/no/such/program]}}]");
    let event = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {},
        "stop_hook_active": true, "loop_count": 1});
    assert!(shell.host("claude", &event).out.contains(r#""permissionDecision":"deny""#));
    let broken = Shell::new("hooks: [{event: PreToolUse, action: {type: denny}}]");
    for (host, name) in [("claude", "PreToolUse"), ("gemini", "BeforeTool"), ("cursor", "preToolUse")] {
        let mut event = event.clone();
        event["hook_event_name"] = name.into();
        assert_eq!(broken.host(host, &event).code, 2, "{host}");
    }
}

/// A line for each file of a patch, so that the log has the one that was refused.
#[test]
fn a_patch_in_the_log() {
    let shell = Shell::new(SECRETS);
    let patch = "*** Add File: ok.txt\n+x\n*** Update File: x/.env\n";
    let event = json!({"hook_event_name": "PreToolUse", "tool_name": "apply_patch", "tool_input": {"command": patch}});
    let args = ["--host", "codex", "--log", "log", "--log-payload"];
    assert!(shell.run(&args, event.to_string().as_bytes(), &[]).out.contains("secrets"));
    let log = std::fs::read_to_string(shell.folder.path().join("log")).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<_> = lines
        .iter()
        .map(|line| {
            (line["outcome"].as_str().unwrap(), line["payload"]["tool_input"]["file_path"].as_str().unwrap())
        })
        .collect();
    assert_eq!(told, [("no opinion", "ok.txt"), ("deny", "x/.env")]);
    let replayed = common::hookc(&shell.folder, &["replay", "hooks.yaml", "log", "--against", "log"], "");
    assert_eq!(replayed.code, 0, "{replayed:?}");
}

/// Input that cannot be read is no event that nothing matches.
#[test]
fn an_event_that_cannot_be_read() {
    let shell = Shell::new(SECRETS);
    for (args, code) in [(&["--on-failure", "open"][..], 1), (&[], 2)] {
        let mut command = common::command(&shell.folder);
        command.args(["run", "--host", "claude", "--log", "log"]).args(args).arg("hooks.yaml");
        let done = command.stdin(std::fs::File::open("/").unwrap()).output().unwrap();
        assert_eq!((done.status.code(), done.stdout.as_slice()), (Some(code), &b""[..]));
        assert!(String::from_utf8_lossy(&done.stderr).contains("the event cannot be read"));
    }
    let log = std::fs::read_to_string(shell.folder.path().join("log")).unwrap();
    assert_eq!(log.matches("\"outcome\":\"error\"").count(), 2);
}
