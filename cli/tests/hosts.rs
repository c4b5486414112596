//! How each host treats an answer: what it would misread, ignore or take for approval, byte for
//! byte.

use crate::common;

use common::Run;
use serde_json::{Value, json};

/// A directory with policies, and the result of a call of `hookc run` there.
struct Folder(tempfile::TempDir);

fn got(code: i32, out: &str, err: &str) -> Run {
    let line = |text: &str| if text.is_empty() { String::new() } else { format!("{text}\n") };
    Run { code, out: line(out), err: line(err) }
}

impl Folder {
    fn new(name: &str, text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        common::put(&folder, name, text);
        Self(folder)
    }

    fn policy(text: &str) -> Self {
        Self::new("hooks.yaml", text)
    }

    fn run(&self, args: &[&str], event: &str) -> Run {
        let mut command = common::command(&self.0);
        command.args(["run", "--no-log"]).args(args).env("XDG_STATE_HOME", self.0.path().join("state"));
        common::run(&mut command, event)
    }

    fn host(&self, host: &str, event: &Value) -> Run {
        self.run(&["--host", host, "hooks.yaml"], &event.to_string())
    }
}

/// Settings with one command at an event, as a policy.
fn settings(event: &str, command: &str) -> Folder {
    let text = json!({"hooks": {event: [{"hooks": [{"type": "command", "command": command}]}]}});
    Folder::new(".claude/settings.json", &text.to_string())
}

fn say(text: &str, code: u8) -> String {
    format!("printf '%s' '{text}'; exit {code}")
}

/// The result of a handler at an event of Claude Code.
fn handled(event: &str, command: &str) -> Run {
    let event = json!({
        "session_id": "s", "hook_event_name": event, "tool_name": "Bash", "tool_input": {}, "prompt": "p"
    });
    let args = ["--host", "claude", ".claude/settings.json"];
    settings(event["hook_event_name"].as_str().unwrap(), command).run(&args, &event.to_string())
}

const DENY: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}"#;

#[test]
fn an_object_is_read_at_any_exit_status() {
    for code in [0, 1, 3] {
        assert_eq!(handled("PreToolUse", &say(DENY, code)), got(0, DENY, ""), "{code}");
    }
    let failed = r#"{"systemMessage":"hook PreToolUse#1 failed: exit status 1"}"#;
    let plain = handled("PreToolUse", &say("no", 1));
    assert!(plain.out.contains("failed: exit status 1") && plain.code == 0, "{plain:?} {failed}");
    let broken = handled("PreToolUse", &say(r#"{"decision":"#, 1));
    assert!(broken.out.contains("failed: exit status 1"), "{broken:?}");
    let stop = r#"{"continue":false,"stopReason":"enough"}"#;
    assert_eq!(handled("Stop", &say(stop, 1)), got(0, stop, ""));
}

#[test]
fn a_text_that_only_starts_like_an_object_is_text() {
    let out = r#"{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"{a} note"}}"#;
    assert_eq!(handled("UserPromptSubmit", &say("{a} note", 0)), got(0, out, ""));
    assert!(handled("UserPromptSubmit", &say("{a}", 0)).out.contains("its output is not JSON"));
}

/// Claude Code writes control sequences to the terminal, at every event. Codex CLI would reject the field.
#[test]
fn terminal_sequences_pass_through() {
    let bell = |text: &str| say(&format!(r#"{{"terminalSequence":"\u001b]0;{text}\u0007"}}"#), 0);
    let print = |text: &str| format!(r#"{{"terminalSequence":"{text}"}}"#);
    assert_eq!(handled("Notification", &bell("a")), got(0, &print(r"\u001b]0;a\u0007"), ""));
    let text = json!({"hooks": {"Stop": [{"hooks": [
        {"type": "command", "command": bell("a")}, {"type": "command", "command": bell("b")}]}]}});
    let folder = Folder::new(".claude/settings.json", &text.to_string());
    let run =
        |host: &str| folder.run(&["--host", host, ".claude/settings.json"], r#"{"hook_event_name":"Stop"}"#);
    assert_eq!(run("claude"), got(0, &print(r"\u001b]0;a\u0007\u001b]0;b\u0007"), ""));
    assert_eq!(run("codex"), got(0, "", ""));
    assert!(handled("Stop", &say(r#"{"terminalSequence":7}"#, 0)).out.contains("has the wrong type"));
}

#[test]
fn exit_status_2_keeps_other_output() {
    let command = format!(
        "echo why >&2; {}",
        say(r#"{"continue":false,"stopReason":"enough","systemMessage":"m"}"#, 2)
    );
    let out = r#"{"continue":false,"stopReason":"enough","systemMessage":"m","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why"}}"#;
    assert_eq!(handled("PreToolUse", &command), got(0, out, ""));
    // The reason of the object's denial comes before standard error.
    assert_eq!(handled("PreToolUse", &format!("echo why >&2; {}", say(DENY, 2))), got(0, DENY, ""));
    let ask = DENY.replace("deny", "ask");
    let out = DENY.replace(r#"Reason":"r""#, r#"Reason":"why""#);
    assert_eq!(handled("PreToolUse", &format!("echo why >&2; {}", say(&ask, 2))), got(0, &out, ""));
    // At events that it does not deny, only the object is read.
    let request = r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"r"}}}"#;
    assert_eq!(handled("PermissionRequest", &say(request, 2)), got(0, request, ""));
}

#[test]
fn a_stop_survives_a_denial_by_exit_status() {
    let text = json!({"hooks": {"TaskCompleted": [{"hooks": [
        {"type": "command", "command": say(r#"{"continue":false,"stopReason":"enough","systemMessage":"m"}"#, 0)},
        {"type": "command", "command": "echo why >&2; exit 2"}]}]}});
    let folder = Folder::new(".claude/settings.json", &text.to_string());
    let event = r#"{"hook_event_name":"TaskCompleted","task_id":"1"}"#;
    let out = r#"{"continue":false,"stopReason":"enough","systemMessage":"m"}"#;
    assert_eq!(folder.run(&["--host", "claude", ".claude/settings.json"], event), got(2, out, "why"));
}

/// A host that cannot be stopped, or not at this event, reports that.
#[test]
fn an_unsupported_stop_is_reported() {
    let folder = settings("PostToolUse", &say(r#"{"continue":false,"stopReason":"enough"}"#, 0));
    let run =
        |host: &str, event: Value| folder.run(&["--host", host, ".claude/settings.json"], &event.to_string());
    let why = "this agent does not support stopping the agent at";
    let cursor = json!({"hook_event_name": "postToolUse", "tool_name": "Shell", "tool_input": {}});
    assert_eq!(run("cursor", cursor), got(0, "", &format!("{why} postToolUse: enough")));
    let flat = json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {}});
    assert_eq!(run("flat", flat), got(0, "", &format!("{why} PostToolUse: enough")));
    let start = settings("SessionStart", &say(r#"{"continue":false,"stopReason":"enough"}"#, 0));
    let got_start =
        start.run(&["--host", "cursor", ".claude/settings.json"], r#"{"hook_event_name":"sessionStart"}"#);
    assert_eq!(got_start, got(0, "", &format!("{why} sessionStart: enough")));
    let copilot = json!({"toolName": "bash", "toolArgs": {}, "toolResult": {"resultType": "success"}});
    let copilot = run("copilot", copilot);
    assert!(copilot.out.contains("enough") || copilot.err.contains("enough"), "{copilot:?}");
}

const SKILL: &str = "---
name: s
description: d
hooks:
  PreToolUse:
    - hooks:
        - {type: command, once: true, command: \"echo blocked >&2; exit 2\"}
        - {type: command, once: true, command: \"echo x >> ran\"}
---
x
";

#[test]
fn a_denying_guard_is_not_marked_as_run() {
    let folder = Folder::new("SKILL.md", SKILL);
    let event = r#"{"session_id":"a","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}"#;
    let out = DENY.replace(r#"Reason":"r""#, r#"Reason":"blocked""#);
    for _ in 0..3 {
        assert_eq!(folder.run(&["--host", "claude", "SKILL.md"], event), got(0, &out, ""));
    }
    assert_eq!(common::read(&folder.0, "ran"), "x\n");
}

#[test]
fn once_is_read_only_in_skills() {
    let text = r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "echo x >> ran", "once": true}]}]}}"#;
    let folder = Folder::new(".claude/settings.json", text);
    let event = r#"{"session_id":"a","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}"#;
    for _ in 0..2 {
        assert_eq!(folder.run(&["--host", "claude", ".claude/settings.json"], event), got(0, "", ""));
    }
    assert_eq!(common::read(&folder.0, "ran"), "x\nx\n");
    let told = common::hookc(&folder.0, &["check", "--format", "short", ".claude/settings.json"], "").err;
    assert!(told.contains("W0232") && told.contains("`once` applies only to the hooks of a skill"), "{told}");
}

#[test]
fn codex_answers_match_its_schemas() {
    let both = "hooks:
  - {id: c, event: [Stop, SubagentStop, PreCompact], action: {type: inject, text: told}}
  - {id: d, event: [Stop, SubagentStop, PreCompact], action: {type: deny, reason: no}}
";
    let folder = Folder::policy(both);
    for event in ["Stop", "SubagentStop"] {
        let text = format!("this agent does not support sending text to the model at {event}: told");
        let out = format!(r#"{{"systemMessage":"{text}","decision":"block","reason":"no"}}"#);
        assert_eq!(folder.host("codex", &json!({"hook_event_name": event})), got(0, &out, ""), "{event}");
    }
    let compact = folder.host("codex", &json!({"hook_event_name": "PreCompact", "trigger": "auto"}));
    assert!(compact.out.starts_with(r#"{"continue":false,"stopReason":"no""#), "{compact:?}");
    assert!(!compact.out.contains("decision") && compact.code == 0, "{compact:?}");
}

/// Exit status 2 is a failure at some events of Codex CLI, and lets them pass.
#[test]
fn codex_denials_have_text() {
    let folder = Folder::policy("hooks: [{event: PreToolUse, action: {type: denny}}]");
    let why = "hookc: the policy does not compile: hooks.yaml:1:44: unknown action kind `denny`; run `hookc check hooks.yaml`";
    let run = |event: &str| folder.host("codex", &json!({"hook_event_name": event}));
    let first = run("PreCompact");
    let why = first.out.trim().strip_prefix(r#"{"continue":false,"stopReason":""#).unwrap_or(why);
    let why = why.strip_suffix(r#""}"#).unwrap_or(why).to_owned();
    assert!(why.starts_with("hookc: the policy does not compile: "), "{first:?}");
    assert_eq!(first.code, 0);
    let out = DENY.replace(r#"Reason":"r""#, &format!(r#"Reason":"{why}""#));
    assert_eq!(run("PreToolUse"), got(0, &out, ""));
    assert_eq!(run("Stop"), got(0, &format!(r#"{{"decision":"block","reason":"{why}"}}"#), ""));
    let again = folder.host("codex", &json!({"hook_event_name": "Stop", "stop_hook_active": true}));
    assert_eq!(again, got(1, "", &why));
}

const PATHS: &str = "hooks:
  - {id: env, event: PreToolUse, when: \"tool_name in ['Edit', 'Write'] and tool_input.file_path ends_with '.env'\",
     action: {type: deny, reason: \"${tool_name} of secrets\"}}
  - {id: seen, event: PreToolUse, when: \"tool_name == 'Write'\", action: {type: inject, text: new}}
  - {id: cat, event: PreToolUse, when: \"tool_name == 'Read' and tool_input.file_path ends_with '.log'\",
     action: {type: modify, input: {file_path: /dev/null}}}
  - {id: edit, event: PreToolUse, when: \"tool_name == 'Edit' and tool_input.file_path == 'a.txt'\",
     action: {type: modify, input: {note: x}}}
";

#[test]
fn a_patch_is_an_edit_of_each_of_its_files() {
    let folder = Folder::policy(PATHS);
    let patch = |text: &str| json!({"hook_event_name": "PreToolUse", "tool_name": "apply_patch", "tool_input": {"command": text}});
    let three = "*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** Add File: new\n+x\n*** Update File: x/.env\n@@\n+T=1\n*** End Patch";
    let out = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Edit of secrets","additionalContext":"new"}}"#;
    assert_eq!(folder.host("codex", &patch(three)), got(0, out, ""));
    let one = "*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** End Patch";
    let command = Value::from(one).to_string();
    let out = format!(
        r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{{"command":{command},"note":"x"}}}}}}"#
    );
    assert_eq!(folder.host("codex", &patch(one)), got(0, &out, ""));
    let copilot = json!({"toolName": "apply_patch", "toolArgs": {"input": three}});
    let out = r#"{"permissionDecision":"deny","permissionDecisionReason":"Edit of secrets","additionalContext":"new"}"#;
    assert_eq!(folder.host("copilot", &copilot), got(0, out, ""));
}

/// A denied file hides neither the reasons of the others nor what hooks of `mode: warn` say about them. After it, no
/// handler starts.
#[test]
fn every_file_of_a_patch_has_its_reason() {
    let policy = "hooks:
  - {id: env, event: PreToolUse, when: \"tool_input.file_path ends_with '.env'\", action: {type: deny, reason: \"no ${tool_input.file_path}\"}}
  - {id: seen, event: PreToolUse, mode: warn, action: {type: deny, reason: \"saw ${tool_input.file_path}\"}}
  - {id: ran, event: PreToolUse, action: {type: run, command: 'echo x >> ran'}}
";
    let folder = Folder::policy(policy);
    let patch = "*** Begin Patch\n*** Update File: a/.env\n@@\n-a\n+b\n*** Add File: b.txt\n+x\n*** Update File: c/.env\n@@\n+T=1\n*** End Patch";
    let event = json!({"hook_event_name": "PreToolUse", "tool_name": "apply_patch", "tool_input": {"command": patch}});
    let told = ["a/.env", "b.txt", "c/.env"].map(|file| format!(r"hook seen (warn) would deny: saw {file}"));
    let out = format!(
        r#"{{"systemMessage":"{}","hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no a/.env\nno c/.env"}}}}"#,
        told.join(r"\n")
    );
    assert_eq!(folder.host("codex", &event), got(0, &out, ""));
    assert_eq!(common::read(&folder.0, "ran"), "x\n");
}

#[test]
fn a_file_has_one_name_at_every_host() {
    let folder = Folder::policy(PATHS);
    let copilot =
        |tool: &str, args: Value| folder.host("copilot", &json!({"toolName": tool, "toolArgs": args}));
    let out = r#"{"permissionDecision":"deny","permissionDecisionReason":"Edit of secrets"}"#;
    assert_eq!(copilot("edit", json!({"path": "/a/.env", "old_str": "a"})), got(0, out, ""));
    let out = r#"{"modifiedArgs":{"path":"/dev/null","n":1}}"#;
    assert_eq!(copilot("view", json!({"path": "/a/x.log", "n": 1})), got(0, out, ""));
    let cursor =
        json!({"hook_event_name": "preToolUse", "tool_name": "Write", "tool_input": {"path": "/a/.env"}});
    let got_cursor = folder.host("cursor", &cursor);
    assert!(
        got_cursor.out.contains(r#""permission":"deny","user_message":"Write of secrets"#),
        "{got_cursor:?}"
    );
}

const KINDS: &str = "hooks:
  - {id: rm, event: [PreToolUse, PermissionRequest, PostToolUseFailure], when: \"tool_input.command contains 'rm -rf'\",
     action: {type: deny, reason: \"no ${hook_event_name}\"}}
  - {id: sub, event: [SubagentStop], action: {type: deny, reason: \"on ${last_assistant_message}\"}}
  - {id: stop, event: [Stop], action: {type: deny, reason: main}}
";

#[test]
fn copilot_events_are_distinguished() {
    let folder = Folder::policy(KINDS);
    let run = |event: Value| folder.host("copilot", &event);
    let args = || json!({"command": "rm -rf /"});
    let request = json!({"hookName": "permissionRequest", "sessionId": "s", "toolName": "bash", "toolInput": args(), "permissionSuggestions": []});
    let denied = r#"{"behavior":"deny","message":"no PermissionRequest"}"#;
    assert_eq!(run(request.clone()), got(0, denied, ""));
    let mut unnamed = request.clone();
    unnamed.as_object_mut().unwrap().remove("hookName");
    assert_eq!(run(unnamed), got(0, denied, ""));
    let named = ["--host", "copilot", "--event", "permissionRequest", "hooks.yaml"];
    assert_eq!(folder.run(&named, &request.to_string()), got(0, denied, ""));
    let failure = run(json!({"toolName": "bash", "toolArgs": args(), "error": "e"}));
    assert_eq!((failure.code, failure.out.as_str()), (0, ""));
    assert!(failure.err.contains("postToolUseFailure cannot be denied"), "{failure:?}");
    let sub = json!({"transcriptPath": "/t", "agentId": "1", "agentType": "task", "agentName": "task", "response": "done", "stopReason": "end_turn"});
    assert_eq!(run(sub), got(0, r#"{"decision":"block","reason":"on done"}"#, ""));
    let stop = json!({"transcriptPath": "/t", "stopReason": "end_turn"});
    assert_eq!(run(stop), got(0, r#"{"decision":"block","reason":"main"}"#, ""));
}

/// Any exit status except 0 denies a tool at Copilot CLI, and a worktree at Claude Code.
#[test]
fn fail_open_works_where_every_exit_status_denies() {
    let folder = Folder::policy("hooks: [{event: PreToolUse, action: {type: denny}}]");
    let open =
        |host: &str, event: &str| folder.run(&["--host", host, "--on-failure", "open", "hooks.yaml"], event);
    for (host, event, code) in [
        ("copilot", r#"{"toolName":"bash","toolArgs":{}}"#, 0),
        ("claude", r#"{"hook_event_name":"WorktreeRemove","worktree_path":"/w"}"#, 0),
        ("claude", r#"{"hook_event_name":"PreToolUse","tool_name":"Bash"}"#, 1),
        ("flat", r#"{"hook_event_name":"PreToolUse","tool_name":"Bash"}"#, 0),
    ] {
        let got = open(host, event);
        assert_eq!((got.code, got.out.as_str()), (code, ""), "{host}");
        assert!(got.err.starts_with("hookc: the policy does not compile"), "{got:?}");
    }
}

#[test]
fn worktrees() {
    let create = |command: &str| handled("WorktreeCreate", command);
    assert_eq!(create("echo made >&2; echo; echo ' /w/new '; echo"), got(0, "/w/new", ""));
    assert_eq!(create("echo why >&2; exit 1"), got(2, "", "why"));
    let none = "no hook created the worktree and printed its directory";
    assert_eq!(create("true"), got(1, "", none));
    assert_eq!(handled("WorktreeRemove", "echo why >&2; exit 3"), got(2, "", "why"));
    assert_eq!(handled("WorktreeRemove", "true"), got(0, "", ""));
    let deny = Folder::policy(
        "hooks: [{event: [WorktreeCreate, WorktreeRemove], action: {type: deny, reason: no}}]",
    );
    for event in ["WorktreeCreate", "WorktreeRemove"] {
        assert_eq!(deny.host("claude", &json!({"hook_event_name": event})), got(2, "", "no"));
    }
}

#[test]
fn cursor_sub_agents_can_be_denied() {
    let folder = Folder::policy("hooks: [{event: SubagentStart, action: {type: deny, reason: no}}]");
    let out = r#"{"permission":"deny","user_message":"no","agent_message":"no"}"#;
    assert_eq!(
        folder.host("cursor", &json!({"hook_event_name": "subagentStart", "subagent_type": "x"})),
        got(0, out, "")
    );
}

/// Which agents read exit status 2 of a handler for a permission request.
#[test]
fn exit_status_2_denies_a_request_if_the_agent_reads_it() {
    let folder = settings("PermissionRequest", "echo why >&2; exit 2");
    let run =
        |host: &str, event: Value| folder.run(&["--host", host, ".claude/settings.json"], &event.to_string());
    let event = json!({"hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {}});
    let out = r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"why"}}}"#;
    assert_eq!(run("codex", event.clone()), got(0, out, ""));
    assert_eq!(run("claude", event), got(0, r#"{"systemMessage":"why"}"#, ""));
    let copilot = json!({"hookName": "permissionRequest", "toolName": "bash", "toolInput": {}});
    assert_eq!(run("copilot", copilot), got(0, r#"{"behavior":"deny","message":"why"}"#, ""));
}

#[test]
fn names_of_other_agents_are_reported() {
    let why = |at: &str, name: &str| {
        let file = at.split(':').next().unwrap();
        format!(
            "hookc: the policy does not compile: {at}: no event has the name `{name}`, so its hooks would never \
             run: write `PreToolUse`; run `hookc check {file}`"
        )
    };
    let of_gemini = why(".claude/settings.json:1:76", "BeforeTool");
    let text = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}], "BeforeTool": [{"hooks": [{"type": "command", "command": "exit 2"}]}]}}"#;
    let folder = Folder::new(".claude/settings.json", text);
    let event = r#"{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{}}"#;
    let run = |args: &[&str]| folder.run(&[args, &[".claude/settings.json"]].concat(), event);
    assert_eq!(run(&["--host", "gemini"]), got(2, "", &of_gemini));
    assert_eq!(run(&["--host", "gemini", "--on-failure", "open"]), got(1, "", &of_gemini));
    let claude = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}"#;
    let claude = folder.run(&["--host", "claude", ".claude/settings.json"], claude);
    assert_eq!(claude, got(2, "", &of_gemini));
    // In its own file the agent's name is right.
    let folder = Folder::new(".gemini/settings.json", text);
    let denied = r#"{"decision":"deny","reason":"denied without a reason"}"#;
    assert_eq!(folder.run(&["--host", "gemini", ".gemini/settings.json"], event), got(0, denied, ""));
    let cursor = Folder::policy("hooks: [{event: beforeShellExecution, action: {type: deny, reason: no}}]");
    let shell = json!({"hook_event_name": "beforeShellExecution", "command": "ls"});
    assert_eq!(cursor.host("cursor", &shell), got(2, "", &why("hooks.yaml:1:17", "beforeShellExecution")));
}

const ODD: &str = "hooks:
  - {id: rm, event: PreToolUse, when: \"tool_input.command contains 'rm -rf'\", action: {type: deny, reason: no}}
  - {id: big, event: PreToolUse, when: \"tool_input.n == 123456789012345678901234567891\", action: {type: deny, reason: big}}
";

#[test]
fn ambiguous_json_is_rejected_at_every_host() {
    let folder = Folder::policy(ODD);
    let run = |host: &str, event: &str| folder.run(&["--host", host, "hooks.yaml"], event);
    let twice = r#"{"command":"rm -rf /","command":"ls"}"#;
    let quoted = Value::from(twice).to_string();
    for (host, event) in [
        ("claude", format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{twice}}}"#)),
        ("codex", format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{twice}}}"#)),
        ("flat", format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{twice}}}"#)),
        (
            "gemini",
            format!(
                r#"{{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{twice}}}"#
            ),
        ),
        ("cursor", format!(r#"{{"hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{twice}}}"#)),
        (
            "cursor",
            r#"{"hook_event_name":"beforeShellExecution","command":"rm -rf /","command":"ls"}"#.to_owned(),
        ),
        ("copilot", format!(r#"{{"toolName":"bash","toolArgs":{twice}}}"#)),
        ("copilot", format!(r#"{{"toolName":"bash","toolArgs":{quoted}}}"#)),
        ("copilot", r#"{"toolName":"bash","toolArgs":{},"toolName":"view"}"#.to_owned()),
    ] {
        let got = run(host, &event);
        let said = format!("{}{}", got.out, got.err);
        assert!(
            said.contains("duplicate key") && (got.code == 2 || got.out.contains("deny")),
            "{host} {event}: {got:?}"
        );
    }
    let n = r#"{"n":123456789012345678901234567891}"#;
    let quoted = Value::from(n).to_string();
    let gemini = format!(r#"{{"hook_event_name":"BeforeTool","tool_name":"t","tool_input":{n}}}"#);
    assert_eq!(run("gemini", &gemini), got(0, r#"{"decision":"deny","reason":"big"}"#, ""));
    let copilot = format!(r#"{{"toolName":"t","toolArgs":{quoted}}}"#);
    assert_eq!(
        run("copilot", &copilot),
        got(0, r#"{"permissionDecision":"deny","permissionDecisionReason":"big"}"#, "")
    );
    let near = gemini.replace("891}", "890}");
    assert_eq!(run("gemini", &near), got(0, "", ""));
}

#[cfg(unix)]
#[test]
fn a_closed_standard_output_denies() {
    let folder = Folder::policy(ODD);
    let shell = |event: &str, to: &str| {
        let line =
            format!("printf '%s' '{event}' | '{}' run --no-log --host claude hooks.yaml {to}", common::HOOKC);
        let done = common::run(common::program("sh", &folder.0).args(["-c", &line]), "");
        (done.code, done.err)
    };
    let event = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}"#;
    let (code, err) = shell(event, ">&-");
    assert_eq!(code, 2, "{err}");
    assert!(err.starts_with("hookc: the answer could not be written: standard output is closed\n"), "{err}");
    assert_eq!(shell(event, ">/dev/null"), (0, String::new()));
    assert_eq!(shell(&event.replace("rm -rf /", "ls"), ">&-"), (0, String::new()));
}

#[test]
fn a_lost_context_is_reported() {
    let folder = Folder::policy(
        "hooks: [{event: [PreToolUse, UserPromptSubmit, Stop, PermissionRequest, PreCompact], action: {type: inject, text: x}}]",
    );
    let why = "this agent does not support sending text to the model at";
    for (host, event) in [("cursor", "beforeShellExecution"), ("cursor", "beforeReadFile")] {
        let got_it =
            folder.host(host, &json!({"hook_event_name": event, "tool_name": "Shell", "prompt": "p"}));
        assert_eq!(got_it, got(0, "", &format!("{why} {event}: x")));
    }
    // Claude Code discards messages at this event.
    let compact = folder.host("claude", &json!({"hook_event_name": "PreCompact"}));
    assert_eq!(compact, got(0, "", &format!("{why} PreCompact: x")));
    for (host, event) in [
        ("gemini", "BeforeTool"),
        ("gemini", "AfterAgent"),
        ("claude", "PermissionRequest"),
        ("codex", "Stop"),
    ] {
        let out = format!(r#"{{"systemMessage":"{why} {event}: x"}}"#);
        let sent = json!({"hook_event_name": event, "tool_name": "Bash"});
        assert_eq!(folder.host(host, &sent), got(0, &out, ""), "{host} {event}");
    }
}

#[test]
fn switches_of_models() {
    let folder = Folder::policy(
        "hooks:
  - {event: PreModelSwitch, when: \"to_model contains 'haiku'\", action: {type: deny, reason: no}}
  - {event: PreModelSwitch, when: \"to_model == 'x'\", action: {type: modify, input: {a: 1}}}
  - {event: PostModelSwitch, action: {type: inject, text: new}}
",
    );
    let run = |event: &str, model: &str| {
        folder.host("claude", &json!({"hook_event_name": event, "to_model": model}))
    };
    let out = r#"{"hookSpecificOutput":{"hookEventName":"PreModelSwitch","permissionDecision":"deny","permissionDecisionReason":"no"}}"#;
    assert_eq!(run("PreModelSwitch", "haiku"), got(0, out, ""));
    assert!(run("PreModelSwitch", "x").out.contains(r#""permissionDecision":"deny""#));
    let out = r#"{"hookSpecificOutput":{"hookEventName":"PostModelSwitch","additionalContext":"new"}}"#;
    assert_eq!(run("PostModelSwitch", "haiku"), got(0, out, ""));
    let guard = handled("PreModelSwitch", "echo why >&2; exit 2");
    assert_eq!(
        guard,
        got(
            0,
            &out.replace("Post", "Pre").replace(
                r#""additionalContext":"new""#,
                r#""permissionDecision":"deny","permissionDecisionReason":"why""#
            ),
            ""
        )
    );
}

#[test]
fn a_reload_does_not_wait_for_hanging_handlers() {
    let text = r#"{"hooks": {"PreModelSwitch": [{"hooks": [{"type": "command", "command": "sleep 100", "timeout": 0.2}]}]}}"#;
    let folder = Folder::new(".claude/settings.json", text);
    let event = r#"{"hook_event_name":"PreModelSwitch","to_model":"x"}"#;
    let got_it = folder.run(&["--host", "claude", ".claude/settings.json"], event);
    assert!(got_it.out.contains(r#""permissionDecision":"deny""#), "{got_it:?}");
}

#[test]
fn worktrees_are_installed_where_a_handler_makes_them() {
    let install = |policy: &str| {
        let folder = Folder::policy(policy);
        let mut call = common::command(&folder.0);
        let done =
            common::run(call.args(["install", "claude", "hooks.yaml"]).env("HOME", folder.0.path()), "");
        (common::read(&folder.0, ".claude/settings.json").contains("WorktreeCreate"), done.err)
    };
    let (there, told) = install("hooks: [{event: [WorktreeCreate, Stop], action: {type: deny, reason: no}}]");
    assert!(
        !there && told.contains("WorktreeCreate is skipped: a hook of this event must create the worktree"),
        "{told}"
    );
    let (there, told) = install(
        "hooks: [{event: [WorktreeCreate, Stop], action: {type: run, result: agent, command: ./make}}]",
    );
    assert!(there && !told.contains("ignored"), "{told}");
}

/// Nothing can call a model here; an agent that wants to stop could continue forever.
#[test]
fn an_unsupported_prompt_does_not_prevent_stopping() {
    let text = r#"{"hooks": {"Stop": [{"hooks": [{"type": "prompt", "prompt": "done?"}]}], "PreToolUse": [{"hooks": [{"type": "prompt", "prompt": "safe?"}]}]}}"#;
    let folder = Folder::new(".claude/settings.json", text);
    let run = |event: &str| folder.run(&["--host", "claude", ".claude/settings.json"], event);
    for active in ["false", "true"] {
        let stop = run(&format!(r#"{{"hook_event_name":"Stop","stop_hook_active":{active}}}"#));
        assert!(
            stop.out.starts_with(r#"{"systemMessage":"hook "#)
                && stop.out.contains("cannot execute `prompt`"),
            "{stop:?}"
        );
    }
    let tool = run(r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}"#);
    assert!(tool.out.contains(r#""permissionDecision":"deny""#), "{tool:?}");
}

#[test]
fn a_flat_request_for_a_permission_is_overridden() {
    let folder = Folder::policy("hooks: [{event: PermissionRequest, action: {type: deny, reason: no}}]");
    let event = json!({"hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {}});
    assert_eq!(folder.host("flat", &event), got(1, "", "no"));
}

#[test]
fn settings_that_disable_hooks_are_reported() {
    let text = r#"{"disableAllHooks": true, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#;
    let folder = Folder::new(".claude/settings.json", text);
    let told = "hookc: `disableAllHooks` is on in the policy, but its hooks run here";
    let got_it = folder.run(&["--host", "claude", ".claude/settings.json"], r#"{"hook_event_name":"Stop"}"#);
    assert_eq!(got_it, got(0, "", told));
}

/// No exit status denies a request for a permission at Claude Code: the decision says so, too.
#[test]
fn an_unreadable_request_is_denied() {
    let folder = Folder::policy("hooks: [{event: PermissionRequest, action: {type: allow}}]");
    let run = |event: &str| folder.run(&["--host", "claude", "hooks.yaml"], event);
    let denied = |text: &str| {
        let got = run(text);
        assert_eq!(got.code, 2, "{text}: {got:?}");
        got.out
    };
    let decision = r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"hookc: the event is not JSON: "#;
    for text in [
        r#"{"session_id": "s", "hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {"command": "a"#,
        r#"{"hook_event_name" : "PermissionRequest","tool_input":{"a":}}"#,
    ] {
        assert!(denied(text).starts_with(decision), "{text}");
    }
    let inside = r#"{"hook_event_name":"PreToolUse","tool_input":{"hook_event_name":"PermissionRequest""#;
    for text in [inside, "{", "", r#"{"tool_name":"PermissionRequest""#] {
        assert_eq!(denied(text), "", "{text}");
    }
    let named = folder.run(&["--host", "claude", "--event", "PermissionRequest", "hooks.yaml"], "{");
    assert!(named.code == 2 && named.out.starts_with(decision), "{named:?}");
    let open = folder.run(
        &["--host", "claude", "--on-failure", "open", "hooks.yaml"],
        r#"{"hook_event_name": "PermissionRequest","#,
    );
    assert_eq!((open.code, open.out.as_str()), (1, ""));
}

/// The flat runtime asks the user about a request anyway.
#[test]
fn a_question_about_a_request_is_no_denial() {
    let folder =
        Folder::policy("hooks: [{event: [PermissionRequest, PreToolUse], action: {type: ask, reason: why}}]");
    let run = |event: &str| folder.host("flat", &json!({"hook_event_name": event, "tool_name": "Bash"}));
    assert_eq!(run("PermissionRequest"), got(0, "", ""));
    assert_eq!(run("PreToolUse").code, 1);
}

/// A number that would be rounded is not written into a tool's input.
/// With `--ask deny`, no answer of any agent asks: what a hook asks about is denied with its reason.
#[test]
fn nobody_is_asked_if_nobody_is_there() {
    let asks = Folder::policy("hooks: [{event: PreToolUse, action: {type: ask, reason: sure?}}]");
    for host in ["claude", "codex", "copilot", "vscode", "flat"] {
        let event =
            json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}});
        let run = asks.run(&["--host", host, "--ask", "deny", "hooks.yaml"], &event.to_string());
        let answer = format!("{}{}", run.out, run.err);
        assert!(
            answer.contains("sure? (the agent is unattended)") && !answer.contains("\"ask\""),
            "{host}: {answer}"
        );
        assert!(answer.contains("\"deny\"") || run.code == 1, "{host}: {answer}");
    }
    let request = json!({"hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {}});
    let policy = Folder::policy("hooks: [{event: PermissionRequest, action: {type: ask, reason: sure?}}]");
    assert_eq!(policy.host("claude", &request).out, "", "the agent asks anyway");
    let run = policy.run(&["--host", "claude", "--ask", "deny", "hooks.yaml"], &request.to_string());
    assert!(
        run.out.contains(r#""behavior":"deny","message":"sure? (the agent is unattended)""#),
        "{}",
        run.out
    );
}

/// A handler's own question is denied too, a postponement where the agent would ask in its place, and nothing else changes.
#[test]
fn answers_of_handlers_without_a_person() {
    let event =
        json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}});
    let answered = |host: &str, word: &str| {
        let text = format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"{word}","permissionDecisionReason":"r"}}}}"#
        );
        let folder = settings("PreToolUse", &say(&text, 0));
        folder.run(&["--host", host, "--ask", "deny", ".claude/settings.json"], &event.to_string()).out
    };
    for (host, word, expected) in [
        ("claude", "ask", "\"deny\""),
        ("claude", "defer", "\"defer\""),
        ("vscode", "defer", "\"deny\""),
        ("claude", "allow", "\"allow\""),
        ("claude", "deny", "\"deny\""),
    ] {
        let answer = answered(host, word);
        assert!(answer.contains(expected), "{host} {word}: {answer}");
        assert_eq!(
            answer.contains("the agent is unattended"),
            expected == "\"deny\"" && word != "deny",
            "{answer}"
        );
    }
}

#[test]
fn a_changed_input_has_exact_numbers() {
    let folder = Folder::policy(
        "hooks: [{id: m, event: PreToolUse, action: {type: modify, input: {n: \"${tool_input.n}\"}}}]",
    );
    let run = |number: &str| {
        let event =
            format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"n":{number}}}}}"#);
        folder.run(&["--host", "claude", "hooks.yaml"], &event).out
    };
    for number in ["18446744073709551615", "0.1", "-2.50"] {
        assert!(run(number).contains(r#""updatedInput":{"n":"#), "{number}");
    }
    for (number, text) in [
        ("12345678901234567890.5", "12345678901234567890.5"),
        ("123456789012345678901234567890", "1.2345678901234567890123456789e+29"),
        ("0.10000000000000000001", "0.10000000000000000001"),
    ] {
        let denied = run(number);
        let why = format!("hook m failed: the number {text} of the new input would be rounded");
        assert!(denied.contains(r#""permissionDecision":"deny""#) && denied.contains(&why), "{denied}");
    }
    let printed = |number: &str| {
        let said = format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","updatedInput":{{"n":{number}}}}}}}"#
        );
        handled("PreToolUse", &say(&said, 0)).out
    };
    assert!(printed("7").contains(r#""updatedInput":{"n":7}"#));
    assert!(printed("12345678901234567890.5").contains(r#""permissionDecision":"deny""#));
}
