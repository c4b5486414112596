//! Handlers whose output starts as an object and cannot be read: it may be a denial, so it fails
//! closed wherever the event can be denied, for every agent, exit status and result format, and is
//! reported elsewhere.

use crate::common;

use std::path::Path;

use common::engine;
use hookc_runtime::action::Action;
use hookc_runtime::adapter::{self, Answer, Incoming};
use hookc_runtime::agent::EventCapabilities;
use hookc_runtime::host::{BackgroundHandler, EventContext, Host};
use hookc_runtime::{ActionFailure, Outcome, limits};
use hookc_vm::{DecideOptions, Family};
use serde_json::{Value, json};

/// The host that `hookc run` is, and a model that answers.
struct Agent(EventCapabilities, Value);

impl Host for Agent {
    fn capabilities(&self, _: &str) -> EventCapabilities {
        self.0
    }

    fn perform(&self, _: &Action, _: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        Ok(self.1.clone().into())
    }

    fn background(&self, _: BackgroundHandler) -> Result<(), ActionFailure> {
        Ok(())
    }
}

fn incoming(host: &str, event: &Value) -> Incoming {
    adapter::by_name(host).unwrap().read(event.to_string().into_bytes(), None).unwrap()
}

/// The answer of an agent's adapter for an event with these actions.
fn answer(host: &str, event: &Value, reply: &Value, actions: &[Value]) -> Answer {
    let incoming = incoming(host, event);
    let hook = |action: &Value| json!({"event": incoming.name, "action": action});
    let policy = json!({"hooks": actions.iter().map(hook).collect::<Vec<_>>()}).to_string();
    let ask = DecideOptions::default().event(incoming.name.as_str()).family(Family::Agent);
    let agent = Agent(incoming.capabilities, reply.clone());
    let handled = engine(&policy).handle(&incoming.event, &ask, &agent).unwrap();
    adapter::by_name(host).unwrap().answer(&incoming, &handled.verdict().0)
}

/// Whether the agent reads an answer as a denial.
fn denies(host: &str, answer: &Answer) -> bool {
    let words = [
        r#""permissionDecision":"deny""#,
        r#""behavior":"deny""#,
        r#""decision":"block""#,
        r#""decision":"deny""#,
        r#""permission":"deny""#,
        r#""continue":false"#,
        r#""resultType":"denied""#,
        r#""followup_message""#,
    ];
    let said = words.iter().any(|word| answer.stdout.to_string().contains(word));
    said || answer.code == 2 || host == "flat" && answer.code != 0
}

/// A handler that prints the bytes of a file.
fn prints(folder: &Path, bytes: &[u8], result: &str, code: i32) -> Value {
    let file = folder.join(format!("{:x}", blake(bytes)));
    std::fs::write(&file, bytes).unwrap();
    json!({"type": "run", "result": result, "command": format!("cat '{}'; exit {code}", file.display())})
}

fn blake(bytes: &[u8]) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

const DENY: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}"#;

fn utf16(text: &str) -> Vec<u8> {
    [0xfffe].into_iter().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect()
}

/// Outputs that may be a denial, but that no agent reads as one.
fn unread() -> Vec<Vec<u8>> {
    let texts = [
        DENY.get(..60).unwrap().to_owned(),
        "{".to_owned(),
        r#"{"decision":"#.to_owned(),
        format!("{DENY}\nall done"),
        format!("{DENY}{DENY}"),
        format!("{DENY}x"),
        r#"{"decision": "approve"}"#.to_owned() + "\n{\"decision\": \"block\"}",
        r#"{"decision": "approve", "decision": "block"}"#.to_owned(),
        r#"{"reason": "a", "reason": "b"}"#.to_owned(),
        r#"{"hookSpecificOutput": {"permissionDecision": 5}}"#.to_owned(),
        r#"{"hookSpecificOutput": "deny"}"#.to_owned(),
        r#"{"continue": "false"}"#.to_owned(),
        r#"{"decision": ["block"]}"#.to_owned(),
        r#"{"decision": "Block"}"#.to_owned(),
        r#"{"reason": 5}"#.to_owned(),
        r#"{"permissionDecision": "deny"}"#.to_owned(),
        r#"{"permission": "deny"}"#.to_owned(),
        r#"{"behavior": "deny"}"#.to_owned(),
        r#"{"ok": false}"#.to_owned(),
        r#"{"hook_specific_output": {"permissionDecision": "deny"}}"#.to_owned(),
        r#"{"desicion": "block"}"#.to_owned(),
        "{'decision': 'block'}".to_owned(),
        "{decision: 'block'}".to_owned(),
        format!("\u{feff}\n \u{feff}{}", DENY.get(..60).unwrap()),
        format!("\n\t {}", DENY.get(..60).unwrap()),
        format!("\u{0}{DENY}"),
        format!("{DENY}\u{0}"),
        format!("\u{1b}[1;39m{DENY}\u{1b}[0m"),
        format!("\u{1b}]0;title\u{7}{DENY}"),
        format!("\u{1b}]8;;x\u{1b}\\\u{1b}(B{DENY}"),
        format!("\u{1b}P1$r\u{1b}\\{}", DENY.get(..60).unwrap()),
        format!("Shell ready\n{DENY}"),
        format!("Shell ready{DENY}\n"),
        format!("[{DENY}]"),
        format!("```json\n{DENY}\n```\n"),
        format!("2026-11-28 INFO ready\n{{\"systemMessage\": \"m\"}}\n{DENY}"),
        "ready\n{\n  \"permission\": \"ask\"\n}".to_owned(),
        format!("{{\"output\": {DENY}}}"),
        format!("{{\"data\": [{{\"reply\": {DENY}}}]}}"),
        r#"{"content": [{"type": "text", "text": "{\"decision\": \"block\"}"}]}"#.to_owned(),
        r#"{"hookSpecificOutput": {"inner": {"permissionDecision": "deny"}}}"#.to_owned(),
        format!("{{\"a\": {}", "[".repeat(200)),
        format!("{{\"a\": {}{}}}", "[".repeat(200), "]".repeat(200)),
        format!("{{\"decision\": \"block\", \"reason\": \"{}\"}}", "x".repeat(1 << 20)),
        r#"{"a": 1e999}"#.to_owned(),
        "{\"decision\": \"block\", \"reason\": \"\u{1}\"}".to_owned(),
    ];
    let mut all: Vec<Vec<u8>> = texts.into_iter().map(String::into_bytes).collect();
    let big = utf16(DENY);
    all.push(big.chunks(2).flat_map(|pair| [pair[1], pair[0]]).collect());
    all.push(DENY.bytes().flat_map(|byte| [byte, 0]).collect());
    all.push(big);
    all.push([b"{\"decision\": \"block\", \"reason\": \"\xff\xfe".as_slice(), b"\"}x"].concat());
    all
}

fn deniable() -> Vec<(&'static str, Value)> {
    let event = |name: &str| {
        json!({"hook_event_name": name, "tool_name": "Bash", "tool_input": {"command": "ls"}, "prompt": "p",
            "command": "ls", "file_path": "/x", "task_id": "1"})
    };
    let claude = [
        "PreToolUse",
        "UserPromptSubmit",
        "PermissionRequest",
        "PostToolUse",
        "Stop",
        "SubagentStop",
        "TaskCompleted",
        "ConfigChange",
        "PreCompact",
        "WorktreeCreate",
        "PreModelSwitch",
    ];
    let mut all: Vec<_> = claude.map(|name| ("claude", event(name))).into();
    all.extend(["PreToolUse", "UserPromptSubmit", "PreCompact"].map(|name| ("codex", event(name))));
    all.extend(["BeforeTool", "AfterTool", "BeforeAgent"].map(|name| ("gemini", event(name))));
    let cursor = ["preToolUse", "beforeShellExecution", "beforeReadFile", "beforeSubmitPrompt", "stop"];
    all.extend(cursor.map(|name| ("cursor", event(name))));
    all.push(("copilot", json!({"toolName": "bash", "toolArgs": "{}"})));
    all.push(("copilot", json!({"prompt": "p"})));
    all.push(("copilot", json!({"hookName": "permissionRequest", "toolName": "bash", "toolInput": {}})));
    all.push(("flat", event("PreToolUse")));
    all.push(("flat", event("UserPromptSubmit")));
    all
}

#[test]
fn it_denies_wherever_the_event_can_be_denied() {
    let folder = tempfile::tempdir().unwrap();
    let (outputs, share) = (unread(), hookc_corpus::effort(4, 16));
    for (n, (host, event)) in deniable().iter().enumerate() {
        // All outputs with one event of each agent, some with each.
        let all = ["PreToolUse", "UserPromptSubmit"].contains(&incoming(host, event).name.as_str());
        for (m, output) in outputs.iter().enumerate().filter(|(m, _)| all || (m + n) % share == 0) {
            let code = [0, 1, 2, 3, 127][(n + m) % 5];
            let action = prints(folder.path(), output, "agent", code);
            let got = answer(host, event, &Value::Null, &[action]);
            let shown = String::from_utf8_lossy(output);
            assert!(denies(host, &got), "{host} {event} {code}\n{shown:.200}\n{got:?}");
        }
    }
}

#[test]
fn it_denies_at_each_exit_status_and_with_other_output() {
    let folder = tempfile::tempdir().unwrap();
    let event = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}});
    let cut = DENY.get(..60).unwrap().as_bytes();
    let fine = prints(folder.path(), b"{\"systemMessage\": \"m\"}", "agent", 0);
    for code in [0, 1, 2, 3, 126, 127, 255] {
        let action = prints(folder.path(), cut, "agent", code);
        assert!(denies("claude", &answer("claude", &event, &Value::Null, &[fine.clone(), action])), "{code}");
    }
    // A complete denial keeps its own reason, whatever ends the handler.
    for end in ["kill -9 $$", "sleep 20"] {
        for (text, reason) in [(DENY, "\"permissionDecisionReason\":\"r\""), (&DENY[..60], "failed")] {
            let command = format!("printf '%s' '{text}'; {end}");
            let action = json!({"type": "run", "result": "agent", "timeout": 0.3, "command": command});
            let got = answer("claude", &event, &Value::Null, &[action]);
            assert!(denies("claude", &got) && got.stdout.to_string().contains(reason), "{end} {got:?}");
        }
    }
    let both = prints(folder.path(), format!("{DENY}\nall done").as_bytes(), "agent", 0);
    let got = answer("claude", &event, &Value::Null, &[both]);
    assert!(got.stdout.to_string().contains(r#""permissionDecisionReason":"r""#), "{got:?}");
    assert!(got.stdout.to_string().contains("trailing characters"), "{got:?}");
}

#[test]
fn it_denies_if_more_whitespace_than_is_read_is_in_front() {
    let folder = tempfile::tempdir().unwrap();
    let event = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}});
    for space in [" ", "\n", "\u{feff}"] {
        let output = space.repeat(limits::OUTPUT_BYTES / space.len() + 2) + "{\"systemMessage\": \"m\"}";
        let got =
            answer("claude", &event, &Value::Null, &[prints(folder.path(), output.as_bytes(), "agent", 0)]);
        assert!(denies("claude", &got), "{got:?}");
    }
}

#[test]
fn it_is_reported_where_the_event_cannot_be_denied() {
    let folder = tempfile::tempdir().unwrap();
    let event = |name: &str| json!({"hook_event_name": name, "tool_name": "Shell", "prompt": "p"});
    for (host, event) in [
        ("claude", event("SessionStart")),
        ("claude", event("Notification")),
        ("claude", event("SessionEnd")),
        ("codex", event("SessionStart")),
        ("gemini", event("SessionStart")),
        ("cursor", event("sessionStart")),
        ("cursor", event("afterFileEdit")),
        ("copilot", json!({"reason": "exit"})),
    ] {
        for code in [0, 1, 2] {
            let action = prints(folder.path(), br#"{"decision": "blo"#, "agent", code);
            let got = answer(host, &event, &Value::Null, &[action]);
            let reported = format!("{}{}", got.stdout, got.stderr);
            assert!(!denies(host, &got), "{host} {event} {got:?}");
            assert!(reported.contains("its output is not JSON"), "{host} {event} {got:?}");
        }
    }
}

#[test]
fn lost_decisions_fail() {
    let folder = tempfile::tempdir().unwrap();
    let tool = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}});
    for result in ["status", "flat"] {
        for text in
            [&DENY[..60], "{\"output\": {\"decision\": \"block\"}}", "ready\n{\"permission\": \"deny\"}"]
        {
            let got =
                answer("claude", &tool, &Value::Null, &[prints(folder.path(), text.as_bytes(), result, 0)]);
            assert!(
                denies("claude", &got) && got.stdout.to_string().contains("`result: agent`"),
                "{result} {got:?}"
            );
        }
        for text in
            ["{\"done\": true}", "{\"decision\": \"approve\"}", "deny", "{", "x\n{\"decision\": \"allow\"}"]
        {
            let got =
                answer("claude", &tool, &Value::Null, &[prints(folder.path(), text.as_bytes(), result, 0)]);
            assert!(!denies("claude", &got), "{result} {text} {got:?}");
        }
    }
}

/// A handler that an agent would read was used without its `result`.
#[test]
fn an_answer_that_is_not_read_denies_or_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let said = |host: &str, event: &Value, text: &str, code| {
        let got =
            answer(host, event, &Value::Null, &[prints(folder.path(), text.as_bytes(), "status", code)]);
        (denies(host, &got), format!("{}{}", got.stdout, got.stderr))
    };
    let specific = |word: &str| {
        json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": word,
            "permissionDecisionReason": "really?"}})
    };
    for (host, event, form) in [
        ("claude", "PreToolUse", "agent"),
        ("codex", "PreToolUse", "agent"),
        ("gemini", "BeforeTool", "agent"),
        ("cursor", "beforeShellExecution", "cursor"),
        ("copilot", "preToolUse", "copilot"),
    ] {
        let event = json!({"hook_event_name": event, "tool_name": "Bash", "tool_input": {}, "command": "ls"});
        let of_form = |word: &str| match form {
            "cursor" => json!({"permission": word, "user_message": "really?"}),
            "copilot" => json!({"permissionDecision": word, "permissionDecisionReason": "really?"}),
            _ => specific(word),
        };
        for text in [of_form("deny"), specific("deny")] {
            let (denied, text) = said(host, &event, &text.to_string(), 0);
            assert!(denied && text.contains("really?") && !text.contains("failed"), "{host} {text}");
        }
        let (denied, text) = said(host, &event, &of_form("allow").to_string(), 0);
        assert!(!denied && text.contains(&format!("`result: {form}`")), "{host} {text}");
        let (_, text) = said(host, &event, &of_form("ask").to_string(), 0);
        assert!(text.contains("really?"), "{host} {text}");
        let (denied, text) = said(host, &event, &of_form("deny").to_string(), 1);
        assert!(denied && text.contains("really?"), "{host} {text}");
    }
    let event = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}});
    let (_, text) = said("claude", &event, &specific("ask").to_string(), 0);
    assert!(text.contains(r#""permissionDecision":"ask""#), "{text}");
    assert_eq!(said("claude", &event, "{\"files\": 3}", 0), (false, String::new()));
}

#[test]
fn an_answer_after_other_text_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let tool = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}});
    let allow = "ready\n{\"decision\": \"approve\"}";
    let got = answer("claude", &tool, &Value::Null, &[prints(folder.path(), allow.as_bytes(), "agent", 0)]);
    assert!(!denies("claude", &got) && got.stdout.to_string().contains("print only the object"), "{got:?}");
    // Context may quote decisions, as long as it does not end with one.
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": "p"});
    let quoted = format!("Hooks print:\n{DENY}\nand nothing else.");
    let got =
        answer("claude", &prompt, &Value::Null, &[prints(folder.path(), quoted.as_bytes(), "agent", 0)]);
    assert!(!denies("claude", &got) && got.stdout.to_string().contains("nothing else"), "{got:?}");
}

#[test]
fn a_non_object_stays_text() {
    let folder = tempfile::tempdir().unwrap();
    for (host, event) in deniable() {
        for text in
            ["", "ok", "[1]", "checked: {\"decision\": \"approve\"}", "{\"systemMessage\": \"m\"}", "{}"]
        {
            let name = incoming(host, &event).name;
            if name == "WorktreeCreate" {
                continue;
            }
            let action = prints(folder.path(), text.as_bytes(), "agent", 0);
            let got = answer(host, &event, &Value::Null, &[action]);
            // The flat format accepts no context from the grouped one, and reports that.
            assert!(!denies(host, &got) || text.is_empty(), "{host} {event} {text} {got:?}");
        }
    }
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": "p"});
    let action = prints(folder.path(), b"{project} is busy", "agent", 0);
    let got = answer("claude", &prompt, &Value::Null, &[action]);
    assert!(got.stdout.to_string().contains(r#""additionalContext":"{project} is busy""#), "{got:?}");
}

#[test]
fn answers_of_models_and_services() {
    let tool = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}});
    let http = json!({"type": "http", "url": "https://example.com"});
    let mcp = json!({"type": "mcp_tool", "server": "s", "tool": "t"});
    let prompt = json!({"type": "prompt", "prompt": "is it safe?"});
    for output in unread() {
        let Ok(text) = String::from_utf8(output) else { continue };
        for action in [&http, &mcp, &prompt] {
            let got = answer("claude", &tool, &json!(text), std::slice::from_ref(action));
            assert!(denies("claude", &got), "{action} {text:.200}\n{got:?}");
        }
    }
    for text in ["{\"ok\": true}", "{\"systemMessage\": \"m\"}"] {
        for action in [&http, &mcp, &prompt] {
            let got = answer("claude", &tool, &json!(text), std::slice::from_ref(action));
            assert!(!denies("claude", &got), "{action} {text}\n{got:?}");
        }
    }
    assert!(!denies("claude", &answer("claude", &tool, &json!("fine"), &[http])));
    assert!(denies("claude", &answer("claude", &tool, &json!("I would not run that."), &[prompt])));
}

#[test]
fn background_handlers_deny_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let tool = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}});
    let mut action = prints(folder.path(), b"{\"decision\":", "agent", 0);
    action["async"] = true.into();
    assert_eq!(answer("claude", &tool, &Value::Null, &[action]), Answer::silent());
}

/// A model that denies what cannot be denied is reported to the user.
#[test]
fn a_denial_that_comes_too_late_is_reported() {
    let event = json!({"hook_event_name": "SessionStart", "source": "startup"});
    let action = json!({"type": "prompt", "prompt": "p"});
    let got = answer("claude", &event, &json!({"ok": false, "reason": "no key"}), &[action]);
    let said = got.stdout.to_string();
    assert!(said.contains("SessionStart cannot be denied") && said.contains("no key"), "{got:?}");
}
