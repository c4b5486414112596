//! Names, values and outputs with terminal commands: no verb passes them on unchanged, on either
//! output, whatever their source.

use std::fmt::Write as _;
use std::path::Path;

use hookc_schema::terminal::is_hostile;
use serde_json::{Value, json};

use crate::common::{self, Run};

/// Colours, a title, a cursor that moves, C1, a bidirectional override, zero width, a
/// line separator, DEL, a tag, a bell.
const EVIL: &str = "e\u{1b}[2J\u{1b}]0;t\u{7}\u{9b}31m\u{202e}\u{200b}\u{2028}\u{7f}\u{e0041}\u{8}x";
/// Text at the start of a line.
const LINES: &str = "a\u{1b}[8m\r\nhookc: all is well\u{85}b";

/// Text that reached an output unescaped.
fn raw(text: &str) -> Option<char> {
    text.chars().find(|&c| is_hostile(c) && !matches!(c, '\n' | '\t'))
}

fn safe(run: &Run, what: &str) {
    for text in [&run.out, &run.err] {
        assert_eq!(raw(text), None, "{what}: {text:?}");
        assert!(!text.lines().any(|line| line.starts_with("hookc: all is well")), "{what}: {text:?}");
    }
}

/// A directory whose files have such names and contents.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let hook = |id: &str, when: &str| json!({"id": id, "event": "PreToolUse", "when": when, "action": {"type": "deny", "reason": EVIL}});
    let condition = format!("tool_input.command != {}", json!(EVIL));
    let run = json!({"id": "run", "event": "PreToolUse", "action": {"type": "run", "result": "agent",
        "command": "printf '\\033[2Jout\\302\\23331m' >&2; printf '{\"a\\033'; exit 1"}});
    let status = json!({"id": "status", "event": "Stop", "action": {"type": "run", "command":
        "printf '\\033]0;t\\007\\342\\200\\256' >&2; exit 1"}});
    let other = json!({"event": EVIL, "action": {"type": "inject", "text": "{{a}}"}});
    let policy =
        json!({"hooks": [hook(EVIL, &condition), hook(LINES, "tool_name =~ 'B'"), run, status, other]});
    for name in ["hooks.json", &format!("{EVIL}.json")] {
        common::put(&folder, name, policy.to_string());
    }
    let broken =
        format!("hooks:\n- event: Stop\n  {}: 1\n  action: {{type: {}}}\n", json!(EVIL), json!(LINES));
    common::put(&folder, &format!("broken{EVIL}.yaml"), &broken);
    common::put(&folder, "broken.yaml", &broken);
    let event = json!({"hook_event_name": "PreToolUse", "session_id": EVIL, "cwd": EVIL, "tool_name": "Bash",
        "tool_input": {"command": format!("ls {EVIL}{LINES}"), EVIL: 1}});
    common::put(&folder, "event.json", event.to_string());
    // JSON accepts these unescaped.
    common::put(&folder, "raw.json", "{\"a\": \"\u{9b}31m\u{202e}\u{7f}\", \"\u{2028}b\": [\"\u{200b}\"]}");
    let types = json!({"hook_event_name": EVIL, "a": EVIL});
    let log: String = [&event, &types, &json!({"hook_event_name": LINES}), &json!(EVIL)].iter().fold(
        String::new(),
        |mut log, event| {
            let _ = writeln!(log, "{event}");
            log
        },
    );
    common::put(&folder, &format!("log{EVIL}.ndjson"), &log);
    common::put(&folder, "log.ndjson", log);
    let tests = json!({"policy": "hooks.json", "tests": [
        {"name": EVIL, "event": event, "expect": "none"},
        {"name": LINES, "event": types, "expect": [{"hook": EVIL}]}]});
    common::put(&folder, "hooks.test.yaml", tests.to_string());
    let settings = json!({"hooks": {"PreToolUse": [{"matcher": LINES, "hooks": [
        {"type": "command", "command": format!("./none{EVIL}")},
        {"type": "command", "command": format!("hookc run --host claude 'no{EVIL}.yaml'")}]}], EVIL: []}});
    common::put(&folder, ".claude/settings.json", settings.to_string());
    common::put(
        &folder,
        "rough.yaml",
        format!("hooks: [ {{event: limit, id: {}, action: {{type: abort}}}} ]\n", json!(EVIL)),
    );
    folder
}

#[test]
fn no_verb_passes_terminal_commands_on() {
    let folder = folder();
    let evil = |name: &str| format!("{name}{EVIL}");
    let policy = format!("{EVIL}.json");
    let verbs: Vec<Vec<String>> = [
        "check hooks.json broken.yaml @broken.yaml rough.yaml",
        "check --format short broken.yaml @broken.yaml",
        "check --format json broken.yaml @broken.yaml",
        "check -v @broken.yaml",
        "check .",
        "check @",
        "check @none.yaml",
        "@",
        "check --@",
        "run --host @ hooks.json",
        "eval @policy event.json",
        "eval --pretty @policy event.json",
        "eval --pretty @policy log.ndjson",
        "eval --pretty --event @ @policy raw.json",
        "eval @policy log.ndjson",
        "explain @policy event.json",
        "explain --format json @policy event.json",
        "explain --event @ @policy raw.json",
        "list @policy",
        "list -v @policy",
        "list --format json @policy",
        "list @broken.yaml",
        "test hooks.test.yaml",
        "test -v --coverage hooks.test.yaml",
        "test --format short hooks.test.yaml",
        "test --format json hooks.test.yaml",
        "test --format junit hooks.test.yaml",
        "test --filter @ hooks.test.yaml",
        "fmt --check rough.yaml",
        "fmt --check @broken.yaml",
        "convert --to @ hooks.json",
        "convert --to directive-xml @broken.yaml",
        "compile -o @module.hookc hooks.json",
        "compile -v -o module.hookc hooks.json",
        "compile --emit asm hooks.json",
        "disasm module.hookc",
        "disasm @",
        "path $.a raw.json",
        "path $.* raw.json",
        "path $ event.json",
        "path @ raw.json",
        "replay @policy @log.ndjson log.ndjson",
        "replay --format json @policy @log.ndjson",
        "replay --against rough.yaml @policy @log.ndjson log.ndjson",
        "replay --host claude @policy log.ndjson",
        "bench @policy log.ndjson",
        "install claude @policy --dry-run",
        "install claude @broken.yaml",
        "install @ hooks.json",
        "install claude hooks.json --event @",
        "uninstall @",
        "uninstall claude --dry-run",
        "doctor",
        "doctor --format short .",
        "doctor --format json .",
        "doctor @none",
        "new hook --dialect hooks-yaml --id @ --event PreToolUse --action deny --dry-run",
        "new hook --dialect hooks-yaml --id a --event @ --action @ --dry-run",
        "new hook --dialect @",
        "schema @",
        "explain-code @",
        "completions @",
        "ability run --ability @ --source manual_cli -- true",
        "ability run --ability a --source manual_cli --policy @broken.yaml -- true",
        "ability run --ability a --source @ -- true",
    ]
    .iter()
    .map(|line| {
        let word = |word: &str| match word.split_once('@') {
            Some(("", "policy")) => policy.clone(),
            Some(("--", "")) => evil("--"),
            Some(("", "broken.yaml")) => format!("broken{EVIL}.yaml"),
            Some(("", "log.ndjson")) => format!("log{EVIL}.ndjson"),
            Some(("", name)) => evil(name),
            _ => word.to_owned(),
        };
        line.split(' ').map(word).collect()
    })
    .collect();
    for verb in verbs.into_iter().step_by(hookc_corpus::effort(1, 5)) {
        let args: Vec<&str> = verb.iter().map(String::as_str).collect();
        for more in [&[][..], &["-v"], &["-q"]] {
            let at = args.iter().position(|arg| *arg == "--").unwrap_or(args.len());
            let args = [&args[..at], more, &args[at..]].concat();
            safe(&common::hookc(&folder, &args, ""), &format!("{args:?}"));
        }
    }
}

#[test]
fn nor_does_a_call_of_an_agent() {
    let folder = folder();
    let policy = format!("{EVIL}.json");
    let event = |name: &str| {
        json!({"hook_event_name": name, "session_id": EVIL, "tool_name": "Bash",
            "tool_input": {"command": EVIL}, "cwd": EVIL, "toolArgs": EVIL})
    };
    for host in ["claude", "codex", "gemini", "cursor", "copilot", "flat"] {
        for name in ["PreToolUse", "BeforeTool", "beforeShellExecution", "Stop", "stop", EVIL, LINES]
            .into_iter()
            .step_by(hookc_corpus::effort(1, 3))
        {
            for more in [&[][..], &["--log-payload"], &["--event", EVIL], &["-v"]] {
                let args = [&["run", "--host", host, "--log", "log"], more, &[&policy]].concat();
                let got = common::hookc(&folder, &args, event(name).to_string());
                let what = format!("{args:?} {name}");
                if host == "flat" {
                    // Plain text for a program; messages for people are escaped.
                    assert_eq!(raw(&got.err), None, "{what}: {:?}", got.err);
                } else {
                    safe(&got, &what);
                }
            }
        }
        for policy in [format!("broken{EVIL}.yaml"), EVIL.to_owned()] {
            let got =
                common::hookc(&folder, &["run", "--host", host, &policy], event("PreToolUse").to_string());
            safe(&got, &policy);
            assert!(host != "claude" || got.code == 2, "{got:?}");
        }
    }
    let log = common::read(&folder, "log");
    assert_eq!(raw(&log), None);
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().any(|line| line["payload"]["cwd"] == EVIL), "the payload is what it was");
}

/// On a terminal, too, where the content of a file is displayed.
#[test]
fn a_terminal_is_shown_no_commands_in_files() {
    let folder = folder();
    for args in [
        &["convert", "--to", "hooks-yaml", "rough.yaml"][..],
        &["fmt", "--stdout", "rough.yaml"],
        &["list", "-v", "hooks.json"],
        &["explain", "--color", "always", "hooks.json", "event.json"],
        &["check", &format!("broken{EVIL}.yaml")],
        &["eval", "hooks.json", "event.json"],
        &["path", "$", "raw.json"],
    ] {
        let Some((shown, _)) = common::terminal(&folder, &[], args) else { return };
        let plain = uncoloured(&shown);
        assert_eq!(raw(&plain), None, "{args:?} {plain:?}");
        assert!(Path::new(common::HOOKC).exists() && !plain.is_empty());
    }
}

/// A text without hookc's own colours.
fn uncoloured(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('m') {
            Some((colour, rest)) if colour.chars().all(|c| c.is_ascii_digit() || c == ';') => {
                out.push_str(rest)
            }
            _ => {
                out.push('\u{1b}');
                out.push_str(part);
            }
        }
    }
    out
}
