//! Events built so that no guard would check their real content.

use serde_json::{Value, json};

use super::shell::{Shell, tool};
use crate::common;

const SECRETS: &str = r#"
hooks:
  - {id: secrets, event: PreToolUse, when: "tool_input.file_path ends_with '.env'",
     action: {type: deny, reason: secrets}}
"#;

/// Denied by any policy, with this in the reason.
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
    let names = json!({"toolName": "bash", "tool_name": "Read", "toolArgs": {"command": "ls"}});
    refused("copilot", &names, "two values, as `toolName` and as `tool_name`");
    let inputs = json!({"toolName": "bash", "toolArgs": {"command": "ls"}, "tool_input": {}});
    refused("copilot", &inputs, "two values, as `toolArgs` and as `tool_input`");
    refused("cursor", &cursor(two("/a/.env", "/a/.env")), "secrets");
    let same = Shell::new(SECRETS).host("cursor", &cursor(two("a", "a")));
    assert_eq!((same.code, same.out.as_str()), (0, ""));
}

#[test]
fn patches_with_unknown_files() {
    let patch = "*** Begin Patch\n*** Update File: x/.env\n@@\n+T=1\n*** End Patch";
    let why = "cannot determine the files of a patch";
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

/// Fields of a stopping event in one that does not stop.
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

/// One line per file of a patch, so that the log contains the denied one.
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

/// Unreadable input must not become an event that nothing matches.
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

/// A guard with `once` checks each file of a patch; after a denial the remaining files are not
/// checked.
#[test]
fn once_for_each_file_of_a_patch() {
    let shell = Shell::new(
        r#"
hooks:
  - {id: once, event: PreToolUse, action: {type: run, result: agent, once: true,
     command: "echo ran >> ran; grep -q 'file_path[^,]*[.]env' && exit 2; exit 0"}}
"#,
    );
    let patch = "*** Add File: ok\n+x\n*** Add File: .env\n+x\n*** Add File: last\n+x\n";
    let event = json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "apply_patch",
        "tool_input": {"command": patch}});
    for times in [2, 4] {
        let got = shell.host("codex", &event);
        assert!(got.out.contains("deny"), "{got:?}");
        assert_eq!(common::read(&shell.folder, "ran").lines().count(), times);
    }
    let many = "*** Add File: x\n".repeat(101);
    let event =
        json!({"hook_event_name": "PreToolUse", "tool_name": "apply_patch", "tool_input": {"command": many}});
    refused("codex", &event, "more than 100 files");
    let large = format!("{}{}", "*** Add File: x\n".repeat(100), "x".repeat(1 << 20));
    let event = json!({"hook_event_name": "PreToolUse", "tool_name": "apply_patch", "tool_input": {"command": large}});
    refused("codex", &event, "too large");
}

/// A guard's output that an agent would read, but that is not JSON for others.
#[test]
fn unreadable_output_fails_closed() {
    let deep = "[".repeat(200) + &"]".repeat(200);
    let long = "x".repeat(2 << 20);
    let outputs = [
        r#"{"decision":"block","reason":"\ud83d"}"#.to_owned(),
        r#"{"decision":"block","score":1e999}"#.to_owned(),
        format!(r#"{{"decision":"block","about":{deep}}}"#),
        format!(r#"{{"decision":"block","about":"{long}"}}"#),
        r#"{"decision":"approve","decision":"block","decision":"approve"}"#.to_owned(),
    ];
    for output in outputs {
        let shell = Shell::new(
            "hooks: [{event: [PreToolUse, SessionEnd], action: {type: run, result: agent, argv: [cat, output]}}]",
        );
        common::put(&shell.folder, "output", &output);
        let start: String = output.chars().take(60).collect();
        let got = shell.host("claude", &tool("PreToolUse", "ls"));
        assert!(got.out.contains(r#""permissionDecision":"deny""#), "{start}: {got:?}");
        let told = shell.host("claude", &json!({"hook_event_name": "SessionEnd"}));
        // The agent discards messages there, so the failure is on standard error.
        assert!(told.code == 0 && told.err.contains("hook SessionEnd#1"), "{start}: {told:?}");
    }
}

/// The event name of the command line is checked against the event.
#[test]
fn an_event_that_is_called_otherwise() {
    let shell = Shell::new("hooks: [{event: PreToolUse, action: {type: deny, reason: no}}]");
    let named = [
        ("gemini", "AfterTool", json!({"hook_event_name": "BeforeTool"})),
        ("gemini", "BeforeTol", json!({"hook_event_name": "BeforeTool"})),
        ("cursor", "stop", json!({"hook_event_name": "beforeShellExecution"})),
        ("copilot", "stop", json!({"hookEventName": "preToolUse"})),
        ("flat", "PostToolUse", json!({"hook_event_name": "PreToolUse"})),
        ("claude", "Stop", json!({"hook_event_name": "PreToolUse"})),
    ];
    for (host, event, bytes) in named {
        let got = shell.run(&["--host", host, "--event", event], bytes.to_string().as_bytes(), &[]);
        assert!(got.code == 2 && got.err.contains("is not a "), "{host}: {got:?}");
    }
    let same = json!({"hookEventName": "PreToolUse", "toolName": "bash", "toolArgs": {}}).to_string();
    let got = shell.run(&["--host", "copilot", "--event", "preToolUse"], same.as_bytes(), &[]);
    assert!(got.code == 0 && got.out.contains("deny"), "{got:?}");
}

/// The wrong agent in `--host`, for events that several agents or none send: no hook would run, or no answer deny.
#[test]
fn events_of_another_agent() {
    let shell = Shell::new("hooks: [{event: [PreToolUse, Stop], action: {type: deny, reason: no}}]");
    let event = |name: &str| json!({"hook_event_name": name, "tool_name": "run_shell_command", "tool_input": {"command": "git push"}});
    for (host, name, help) in [
        ("claude", "pre_run_command", "`PreToolUse`"),
        ("codex", "pretooluse", "`PreToolUse`"),
        ("gemini", "beforetool", "`BeforeTool`"),
    ] {
        let got = shell.host(host, &event(name));
        let told = [help, name, &format!("--host {host}")].iter().all(|part| got.err.contains(part));
        assert!(got.code == 2 && told, "{host} {name}: {got:?}");
        let open =
            shell.run(&["--host", host, "--on-failure", "open"], event(name).to_string().as_bytes(), &[]);
        assert!(open.code != 2 && open.out.is_empty() && open.err.contains(help), "{host} {name}: {open:?}");
    }
    // Under another agent's name of the event, it is decided.
    for (host, name) in [("claude", "preToolUse"), ("gemini", "PreToolUse"), ("cursor", "PreToolUse")] {
        let got = shell.host(host, &event(name));
        assert!(got.code == 2 && got.err == "no\n", "{host} {name}: {got:?}");
    }
}

/// Events that the agent may have added, and those that the policy has no hooks for.
#[test]
fn unknown_events_pass_with_a_message() {
    let shell = Shell::new(
        "hooks: [{event: PreToolUse, action: {type: deny, reason: no}}, {event: on_deploy, action: {type: deny, reason: no}}]",
    );
    for (host, name, told) in [
        ("claude", "PreRecording", true),
        ("gemini", "BeforeEverything", true),
        ("claude", "SessionStart", false),
        ("flat", "PreRecording", false),
        ("gemini", "SubagentStart", false),
    ] {
        let got = shell.host(host, &json!({"hook_event_name": name}));
        assert!(got.code == 0 && got.out.is_empty(), "{host} {name}: {got:?}");
        assert_eq!(got.err.contains(name), told, "{host} {name}: {got:?}");
    }
    // The policy declares it.
    let got = shell.host("codex", &json!({"hook_event_name": "on_deploy"}));
    assert!(!got.err.contains("no known event"), "{got:?}");
}

/// What the agents that send JSON call the event before a tool is called.
const BEFORE_TOOL: [(&str, &str); 5] = [
    ("claude", "PreToolUse"),
    ("codex", "PreToolUse"),
    ("gemini", "BeforeTool"),
    ("copilot", "preToolUse"),
    ("cursor", "preToolUse"),
];

/// Conditions about the members of an input that is not an object would be false.
#[test]
fn an_input_of_another_type() {
    let shell = Shell::new(
        "hooks: [{event: [PreToolUse, PermissionRequest], when: \"tool_input.command contains 'push'\", action: {type: deny, reason: no}}]",
    );
    for (host, event) in BEFORE_TOOL {
        for input in [json!("git push"), json!(["git push"]), json!(1), json!(true)] {
            let bytes = json!({"hook_event_name": event, "tool_name": "Bash", "tool_input": input});
            let got = shell.host(host, &bytes);
            assert!(
                format!("{}{}", got.out, got.err).contains("is not an object")
                    && (got.code == 2 || got.out.contains("deny")),
                "{host} {input}: {got:?}"
            );
        }
        for input in [json!({}), json!(null)] {
            let bytes = json!({"hook_event_name": event, "tool_name": "Bash", "tool_input": input});
            let got = shell.host(host, &bytes);
            assert!(got.code == 0 && got.out.is_empty() && got.err.is_empty(), "{host} {input}: {got:?}");
        }
    }
    // No hook of the policy is for it.
    let event = json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": "x"});
    let got = shell.host("claude", &event);
    assert!(got.code == 0 && got.err.is_empty(), "{got:?}");
}

/// An event without its tool, as of an agent with other names for the members: each condition about the tool would be false.
#[test]
fn a_tool_without_a_name() {
    let shell = Shell::new(
        "hooks: [{event: PreToolUse, when: \"tool_name == 'Bash'\", action: {type: deny, reason: no}}]",
    );
    for (host, event) in BEFORE_TOOL.into_iter().chain([("flat", "PreToolUse")]) {
        for (member, tool) in
            [("tool", json!("Bash")), ("tool_name", json!(null)), ("tool_name", json!(["Bash"]))]
        {
            let got = shell.host(host, &json!({"hook_event_name": event, member: tool, "tool_input": {}}));
            assert!(
                format!("{}{}", got.out, got.err).contains("`tool_name` of the event")
                    && (got.code != 0 || got.out.contains("deny")),
                "{host} {member}: {got:?}"
            );
        }
    }
    // No hook of the policy is for it.
    let got = shell.host("claude", &json!({"hook_event_name": "PostToolUse"}));
    assert!(got.code == 0 && got.err.is_empty(), "{got:?}");
}

/// The text of a prompt.
#[test]
fn a_prompt_without_text() {
    let when = "prompt contains 'password'";
    let shell = Shell::new(&format!(
        "hooks: [{{event: UserPromptSubmit, when: \"{when}\", action: {{type: deny, reason: no}}}}]"
    ));
    for (host, event) in [
        ("claude", "UserPromptSubmit"),
        ("codex", "UserPromptSubmit"),
        ("flat", "UserPromptSubmit"),
        ("gemini", "BeforeAgent"),
        ("copilot", "userPromptSubmitted"),
        ("cursor", "beforeSubmitPrompt"),
    ] {
        for prompt in [json!(null), json!([{"type": "text", "text": "my password"}])] {
            let got = shell.host(host, &json!({"hook_event_name": event, "prompt": prompt}));
            let out = format!("{}{}", got.out, got.err);
            assert!(
                out.contains("`prompt` of the event")
                    && (got.code != 0 || out.contains("false") || out.contains("block")),
                "{host}: {got:?}"
            );
        }
        let got = shell.host(host, &json!({"hook_event_name": event, "prompt": ""}));
        assert!(got.code == 0 && got.err.is_empty(), "{host}: {got:?}");
    }
}

/// A guard under a name that no event has would let everything pass.
#[test]
fn guards_of_misspelt_events() {
    let cases =
        [("PreTolUse", true), ("pretooluse", true), ("BeforeTool", true), ("beforeShellExecution", true)];
    for (name, refuses) in
        cases.into_iter().chain([("on_deploy", false), ("TaskUpdated", false), ("stop", true)])
    {
        let shell = Shell::new(&format!("hooks: [{{event: {name}, action: {{type: deny, reason: no}}}}]"));
        let got = shell.host("claude", &tool("PreToolUse", "ls"));
        assert_eq!(got.code == 2 && got.err.contains(name), refuses, "{name}: {got:?}");
    }
}

/// The variable by which hookc detects a call from its handler is not a bypass.
#[test]
fn nested_calls_deny_in_any_failure_mode() {
    let shell = Shell::new("hooks: [{event: PreToolUse, action: {type: deny, reason: no}}]");
    let outer = (0..16).map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
    let event = tool("PreToolUse", "ls").to_string();
    let args = ["--host", "claude", "--on-failure", "open"];
    let got = shell.run(&args, event.as_bytes(), &[("HOOKC_WITHIN", &outer)]);
    assert_eq!(got.code, 2, "{got:?}");
}

/// Text of the event stays as it is, or the handler does not start: marks make it longer.
#[test]
fn variables_in_text_that_is_too_long_to_be_marked() {
    let argv = r#"["true", "${tool_input.command}", "${tool_input.description}"]"#;
    let shell = Shell::new(&format!(
        "hooks: [{{event: PreToolUse, on_failure: closed, action: {{type: run, argv: {argv}}}}}]"
    ));
    for (count, denied) in [(10, false), (120_000, true)] {
        let many = "$".repeat(count);
        let command = format!("X${{CLAUDE_PROJECT_DIR}}Y{many}");
        let event = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": command, "description": many}});
        let got = shell.host("claude", &event);
        assert_eq!(
            got.out.contains(r#""permissionDecision":"deny""#),
            denied,
            "{:.300} {:.300}",
            got.out,
            got.err
        );
    }
}
