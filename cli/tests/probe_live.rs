//! `hookc probe --live`: what a session of an agent's program shows. The program is a script in the agent's place.
#![cfg(unix)]

use crate::common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use common::{HOOKC, Run, put, read};
use serde_json::Value;

use crate::probe::{CALL, CLAUDE, Place, TOKEN};

/// Hooks at two events, which would leave files.
const POLICY: &str = "hooks:
  - {event: SessionStart, action: {type: run, command: 'touch start.ran'}}
  - {event: PreToolUse, action: {type: run, command: 'touch tool.ran'}}
";

/// The parts of a program that plays Claude Code: what its model is asked for, and how it starts its hooks.
const HEAD: &str = r#"#!/bin/sh
printf '%s\n' "$@" > arguments
command=$(printf '%s\n' "$@" | grep -o 'echo hookc-probe-[0-9a-f]*')
call() { printf '%s' "$1" | hookc run --host claude "$PWD/guard.yaml"; }
start() { call '{"hook_event_name": "SessionStart", "source": "startup", "session_id": "s"}'; }
tool='{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "'$command'"}}'
shown='{"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "Bash", "input": {"command": "'$command'"}}]}}'
"#;

/// A project whose guard is installed, and a directory with the program.
fn installed() -> Place {
    let place = Place::named("a b");
    put(place.root(), "guard.yaml", POLICY);
    assert_eq!(place.hookc(&["install", "claude", "guard.yaml"]).code, 0);
    place
}

/// Probes Claude Code, for which a script stands in if there is one.
fn live(place: &Place, script: Option<&str>, args: &[&str]) -> Run {
    let programs = place.root().parent().unwrap().join("programs");
    fs::create_dir_all(&programs).unwrap();
    if let Some(script) = script {
        let file = put(&programs, "claude", format!("{HEAD}{script}"));
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let hookc = std::path::Path::new(HOOKC).parent().unwrap();
    let path = std::env::join_paths([&programs, hookc, "/usr/bin".as_ref(), "/bin".as_ref()]).unwrap();
    let args = [&["probe", "claude", "--live"], args].concat();
    place.run(&args, "", &[("PATH", path.to_str().unwrap())])
}

/// The state and reason of each event, and the exit status.
fn rows(place: &Place, script: &str) -> (Vec<(String, String, String)>, i32) {
    let (code, text, err) = live(place, Some(script), &["-q", "--format", "json"]).parts();
    assert_eq!(err, "");
    let of_line = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        (text("event"), text("state"), text("reason"))
    };
    (text.lines().map(of_line).collect(), code)
}

fn states(rows: &[(String, String, String)]) -> Vec<(&str, &str)> {
    rows.iter().map(|(event, state, _)| (event.as_str(), state.as_str())).collect()
}

#[test]
fn hooks_that_the_agent_starts_are_alive() {
    let place = installed();
    let script = "start; printf '%s\\n' \"$shown\"; call \"$tool\"; echo";
    let run = live(&place, Some(script), &[]);
    assert_eq!(run.code, 0, "{run:?}");
    for event in ["SessionStart: alive (", "PreToolUse: alive ("] {
        assert!(run.out.contains(event), "{run:?}");
    }
    assert!(run.err.contains("one request to its model, which your account pays for: claude"), "{run:?}");
    for file in ["start.ran", "tool.ran"] {
        assert!(!place.root().join(file).exists(), "a hook of the policy ran: {file}");
    }
    assert_eq!(fs::read_to_string(place.state().join("hookc/decisions.jsonl")).unwrap_or_default(), "");
    assert_eq!(fs::read_dir(place.state().join("hookc/probe")).unwrap().count(), 0);
    assert!(place.hookc(&["status"]).out.contains("never"), "a probe is no call of the agent");
    let arguments = read(place.root(), "arguments");
    assert!(arguments.contains("--permission-mode\ndefault\n"), "{arguments}");
    assert!(!arguments.contains("bypass") && !arguments.contains("dangerous"), "{arguments}");
}

#[test]
fn what_a_session_shows() {
    let (alive, dead, unproved) = ("alive", "dead", "not proved");
    for (script, start, tool, reason) in [
        ("printf '%s\\n' \"$shown\"", dead, dead, "the model called the tool, and no call of hookc answered"),
        ("start; printf '%s\\n' \"$shown\"", alive, dead, "the model called the tool"),
        (
            "start; printf '%s\\n' \"$shown\"; call \"$tool\" >/dev/null",
            alive,
            dead,
            "hookc denied the call, and what Claude Code wrote does not have its answer",
        ),
        ("start; call \"$tool\" >&2", alive, alive, ""),
        (
            "start; echo '{\"type\": \"result\", \"result\": \"I would rather not.\"}'",
            alive,
            unproved,
            "the model did not call the tool: I would rather not.",
        ),
        (
            "printf 'Please \\033[2J log in\\n' >&2; exit 1",
            unproved,
            unproved,
            "Claude Code ended with exit status 1: Please \u{1b}[2J log in",
        ),
        ("start; call \"$tool\"; exit 3", alive, alive, ""),
        ("start; kill -9 $$", alive, unproved, "Claude Code was ended by signal 9"),
    ] {
        let (rows, code) = rows(&installed(), script);
        assert_eq!(states(&rows), [("PreToolUse", tool), ("SessionStart", start)], "{script}: {rows:?}");
        assert!(rows[0].2.contains(reason), "{script}: {rows:?}");
        assert_eq!(code, i32::from(tool != alive || start != alive), "{script}: {rows:?}");
    }
}

/// What an agent wrote never reaches the terminal as a command.
#[test]
fn what_the_agent_writes_is_escaped() {
    let run = live(&installed(), Some("printf 'Please \\033[2J log in\\n' >&2; exit 1"), &[]);
    assert!(run.out.contains("log in") && !run.out.contains('\u{1b}'), "{run:?}");
}

#[test]
fn a_policy_that_cannot_decide_is_dead() {
    let place = installed();
    put(place.root(), "guard.yaml", "hooks: [{event: PreToolUse, acton: x}]\n");
    let (rows, code) = rows(&place, "start; printf '%s\\n' \"$shown\"; call \"$tool\" 2>/dev/null");
    assert_eq!(
        (states(&rows), code),
        (vec![("PreToolUse", "dead"), ("SessionStart", "dead")], 1),
        "{rows:?}"
    );
    assert!(rows.iter().all(|(_, _, reason)| reason.contains("the policy cannot decide")), "{rows:?}");
}

#[test]
fn a_program_that_is_not_there() {
    let place = installed();
    let run = live(&place, None, &[]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.out.contains("not proved: Claude Code is not installed here: there is no program `claude`"),
        "{run:?}"
    );
}

/// The call names another agent, and recognizes the event by its tool.
#[test]
fn a_call_for_another_agent() {
    let place = Place::new();
    assert_eq!(place.hookc(&["install", "qwen", "guard.yaml"]).code, 0);
    let file = ".qwen/settings.json";
    put(place.root(), file, read(place.root(), file).replace("--host qwen", "--host droid"));
    let programs = place.root().parent().unwrap().join("programs");
    let event = r#"{"hook_event_name": "PreToolUse", "tool_name": "run_shell_command", "tool_input": {}}"#;
    let script = format!("#!/bin/sh\necho '{event}' | hookc run --host droid guard.yaml\n");
    fs::set_permissions(put(&programs, "qwen", script), fs::Permissions::from_mode(0o755)).unwrap();
    let hookc = std::path::Path::new(HOOKC).parent().unwrap();
    let path = std::env::join_paths([&programs, hookc, "/usr/bin".as_ref(), "/bin".as_ref()]).unwrap();
    let run = place.run(&["probe", "qwen", "--live"], "", &[("PATH", path.to_str().unwrap())]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.contains("PreToolUse: alive"), "{run:?}");
}

/// The session and all that it started end, and the calls before are reported.
#[test]
fn a_session_without_an_end() {
    let place = installed();
    let began = Instant::now();
    let script = "start; (sleep 3; touch late) & sleep 60";
    let run = live(&place, Some(script), &["--timeout", "1"]);
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("SessionStart: alive"), "{run:?}");
    assert!(run.out.contains("PreToolUse: not proved: Claude Code did not end within 1 s"), "{run:?}");
    std::thread::sleep(Duration::from_secs(4));
    assert!(!place.root().join("late").exists(), "a process of the session lives on");
}

/// The model calls `Bash`, so a session says nothing of a guard for other tools.
#[test]
fn a_guard_for_other_tools() {
    let place = Place::new();
    let policy = "hooks:\n  - {event: PreToolUse, when: \"tool_name == 'Edit'\", action: {type: deny}}\n";
    put(place.root(), "guard.yaml", policy);
    place.claude(CALL, Some("Edit"), &serde_json::json!({}));
    let (rows, code) = rows(&place, "printf '%s\\n' \"$shown\"");
    assert_eq!((states(&rows), code), (vec![("PreToolUse", "not sent")], 1), "{rows:?}");
}

#[test]
fn without_a_call_no_session_starts() {
    let place = Place::new();
    put(place.root(), CLAUDE, "{}");
    let run = live(&place, Some("true"), &[]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(!place.root().join("arguments").exists() && !run.err.contains("pays"), "{run:?}");
}

#[test]
fn mistakes_of_usage() {
    let place = installed();
    for (args, reason) in [
        (&["probe", "cursor", "--live"][..], "`--live` cannot ask Cursor: it needs an account"),
        (&["probe", "claude", "--live", "--timeout", "300"], "less than 300 seconds"),
        (&["probe", "claude", "--live", "--timeout", "0"], "0"),
        (&["probe", "claude", "--live=yes"], "yes"),
    ] {
        let run = place.hookc(args);
        assert!(run.code == 2 && run.err.contains(reason), "{args:?}: {run:?}");
    }
}

/// A session of a probe has every tool denied, whatever the policy says, and no other prompt passes.
#[test]
fn a_forged_session_approves_no_tool() {
    let place = Place::new();
    let policy = "hooks:\n  - {event: PreToolUse, action: {type: allow}}\n  \
                  - {event: [UserPromptSubmit, Stop], action: {type: deny, reason: by the policy}}\n";
    put(place.root(), "guard.yaml", policy);
    let file = put(place.state(), TOKEN, format!("{TOKEN} live\n"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let event = |more: &str| format!("{{\"session_id\": \"s\", {more}}}");
    for (more, expected) in [
        ("\"hook_event_name\": \"PreToolUse\", \"tool_name\": \"Bash\", \"tool_input\": {}", "\"deny\""),
        (
            "\"hook_event_name\": \"PermissionRequest\", \"tool_name\": \"Bash\", \"tool_input\": {}",
            "\"deny\"",
        ),
        ("\"hook_event_name\": \"UserPromptSubmit\", \"prompt\": \"send my secrets\"", "by the policy"),
        ("\"hook_event_name\": \"UserPromptSubmit\", \"prompt\": \"run echo hookc-probe-00112233\"", ""),
        ("\"hook_event_name\": \"Stop\"", ""),
    ] {
        let variables = [("HOOKC_PROBE", file.to_str().unwrap())];
        let run = place.run(&["run", "--host", "claude", "guard.yaml"], &event(more), &variables);
        assert!(run.out.contains(expected), "{more}: {run:?}");
        assert!(!expected.is_empty() || (run.out.is_empty() && run.code == 0), "{more}: {run:?}");
        assert!(!run.out.contains("\"allow\""), "{more}: {run:?}");
    }
}
