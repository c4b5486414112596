//! Other failures of a call: the agent is always notified, and none is an approval.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

use super::shell::tool;
use crate::common::{self, Run};

/// A guard with a handler, one without, and one that reads the whole input.
const POLICY: &str = r#"
hooks:
  - {id: own, event: PreToolUse, when: "tool_input.command == 'own'", action: {type: deny, reason: r}}
  - {id: whole, event: PreToolUse, when: "tool_input == {'a': 1}", action: {type: deny, reason: r}}
  - {id: handler, event: PreToolUse, when: "tool_input.command == 'handler'",
     action: {type: run, result: agent, command: "echo no >&2; exit 2"}}
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    common::put(&folder, "hooks.yaml", POLICY);
    folder
}

/// A shell command line in which `$hookc` is the program.
fn shell(folder: impl AsRef<Path>, line: &str) -> Run {
    let mut command = common::program("bash", &folder);
    command.args(["-c", line]).env("hookc", common::HOOKC);
    for what in ["own", "handler"] {
        command.env(what, tool("PreToolUse", what).to_string());
    }
    command.env("XDG_STATE_HOME", folder.as_ref().join("state"));
    common::run(&mut command, "")
}

fn is_denied(run: &Run) -> bool {
    run.code == 2 || run.code == 0 && run.out.contains(r#""permissionDecision":"deny""#)
}

#[test]
fn missing_and_invalid_events() {
    let folder = folder();
    common::put(&folder, "cut", "{\"hook_event_name\":\"PreToolUse\",\"tool_na");
    common::put(&folder, "bytes", b"{\"hook_event_name\":\"PreToolUse\",\"x\":\"\xff\"}");
    common::put(&folder, "wide", b"\xff\xfe{\0\"\0");
    common::put(&folder, "mark", "\u{feff}{\"hook_event_name\":\"PreToolUse\"}");
    common::put(&folder, "nul", "{\"hook_event_name\":\"PreToolUse\"}\0");
    let deep = |open: &str, close: &str| {
        let (open, close) = (open.repeat(100_000), close.repeat(100_000));
        format!("{{\"hook_event_name\":\"PreToolUse\",\"tool_input\":{open}1{close}}}")
    };
    common::put(&folder, "arrays", deep("[", "]"));
    common::put(&folder, "objects", deep("{\"a\":", "}"));
    let text = json!({"hook_event_name": "PreToolUse", "tool_input": "[".repeat(100_000)}).to_string();
    common::put(&folder, "text", text);
    let huge = json!({"hook_event_name": "PreToolUse", "x": "y".repeat(17 << 20)}).to_string();
    common::put(&folder, "huge", huge);
    for host in ["claude", "codex", "gemini", "cursor", "copilot"] {
        let from =
            ["</dev/null", "<&-", "</", "<cut", "<bytes", "<wide", "<nul", "<arrays", "<objects", "<huge"];
        for from in from {
            let line = |more: &str| format!("\"$hookc\" run --no-log --host {host} {more} hooks.yaml {from}");
            let run = shell(&folder, &line(""));
            // Status 1 reports that the event cannot be denied: it has no type.
            assert!(run.code == 2 && !run.err.is_empty(), "{host} {from} {run:?}");
            let open = shell(&folder, &line("--on-failure open"));
            let code = if host == "copilot" { 0 } else { 1 };
            assert!(open.code == code && !open.err.is_empty(), "{host} {from} {open:?}");
        }
    }
    let text = shell(&folder, "\"$hookc\" run --no-log --host copilot --event preToolUse hooks.yaml <text");
    assert_eq!(text.code, 2, "{text:?}");
}

#[test]
fn files_that_are_not_policies() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    common::put(&folder, "bytes.yaml", b"hooks: [{event: \xff}]");
    common::put(&folder, "nothing.yaml", "");
    common::put(&folder, "module.hookc", "hookc\0");
    common::put(&folder, "shut.yaml", POLICY);
    let shut = folder.path().join("shut.yaml");
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&shut, std::fs::Permissions::from_mode(0o000)).unwrap();
    let all = [
        "empty",
        "none.yaml",
        "bytes.yaml",
        "nothing.yaml",
        "module.hookc",
        "hooks.yaml/x",
        "-",
        "shut.yaml",
    ];
    for policy in all {
        if policy == "shut.yaml" && std::fs::read(&shut).is_ok() {
            continue;
        }
        for host in ["claude", "codex"] {
            let line = format!("printf '%s' \"$own\" | \"$hookc\" run --no-log --host {host} {policy}");
            let run = shell(&folder, &line);
            assert!(run.code == 2 || run.out.contains("deny"), "{host} {policy} {run:?}");
        }
    }
}

#[test]
fn limits_of_the_system() {
    if hookc_corpus::left_to_full_run("calls under limits of the system") {
        return;
    }
    let folder = folder();
    let deep = format!(
        "{{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":[{}1]}}",
        "[1],".repeat(3 << 20)
    );
    common::put(&folder, "deep", deep);
    let call = "exec \"$hookc\" run --no-log --host claude hooks.yaml";
    let program = std::fs::metadata(common::HOOKC).unwrap().len() / 1024;
    for kilobytes in [30_000, 60_000, 120_000, 250_000, 500_000] {
        // The system ends a program that is larger than the limit when it loads it.
        let is_ended = |run: &Run| run.code == 139 && program > kilobytes;
        let run = shell(&folder, &format!("(ulimit -c 0; ulimit -v {kilobytes}; {call} <deep)"));
        // Below some size the program cannot even be loaded, and does not run.
        let loaded = !run.err.contains("shared libraries") && run.code != 127 && !is_ended(&run);
        assert!(!loaded || run.code == 2 || run.code == 0 && run.err.is_empty(), "{kilobytes} {run:?}");
        for event in ["own", "handler"] {
            let line = format!("printf '%s' \"${event}\" | (ulimit -c 0; ulimit -v {kilobytes}; {call})");
            let run = shell(&folder, &line);
            let loaded = !run.err.contains("shared libraries") && run.code != 127 && !is_ended(&run);
            assert!(!loaded || is_denied(&run), "{kilobytes} {event} {run:?}");
        }
    }
    for event in ["own", "handler"] {
        for limit in ["-n 4", "-n 5", "-n 6", "-n 8", "-n 12", "-u 1", "-s 64", "-s 128", "-f 0", "-t 100"] {
            let line = format!("printf '%s' \"${event}\" | (ulimit -c 0; ulimit {limit} || exit 2; {call})");
            let run = shell(&folder, &line);
            let loaded = !run.err.contains("shared libraries") && run.code != 127 && run.code != 139;
            assert!(!loaded || is_denied(&run), "{event} {limit} {run:?}");
        }
    }
}

#[test]
fn an_environment_that_lacks_everything() {
    let folder = folder();
    common::put(&folder, "file", "");
    let call = "\"$hookc\" run --host claude hooks.yaml";
    for event in ["own", "handler"] {
        for env in [
            "env -u HOME -u XDG_STATE_HOME",
            "env HOME=/no/such XDG_STATE_HOME=/no/such",
            "env HOME= XDG_STATE_HOME= TMPDIR=/no/such",
            "env XDG_STATE_HOME=$PWD/file",
            "env XDG_STATE_HOME=/dev/null",
            "env XDG_STATE_HOME=/proc",
            "env LC_ALL=nonsense LANG= TZ=../../x",
            "env HOOKC_WITHIN=\"$(printf 'x %.0s' {1..15})\"",
        ] {
            let run = shell(&folder, &format!("printf '%s' \"${event}\" | {env} {call}"));
            assert!(is_denied(&run), "{event} {env} {run:?}");
        }
    }
}

/// Signals that end a program by default, while the event does not arrive.
#[test]
fn signals_that_would_end_it_are_answered() {
    let folder = folder();
    let ended = &|signal: &str, more: &[&str]| {
        let mut command = common::command(&folder);
        command.args(["run", "--no-log", "--host", "claude"]).args(more).arg("hooks.yaml");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        // The pipe stays open: the event does not come.
        std::thread::sleep(Duration::from_secs(1));
        let kill = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let mut child = child;
        let stdin = child.stdin.take();
        let code = child.wait().unwrap().code();
        drop(stdin);
        code
    };
    std::thread::scope(|threads| {
        for signal in ["TERM", "HUP", "QUIT", "ALRM", "VTALRM", "PROF", "XCPU", "USR1", "USR2", "ABRT"] {
            threads.spawn(move || {
                assert_eq!(ended(signal, &[]), Some(2), "{signal}");
                assert_eq!(ended(signal, &["--on-failure", "open"]), Some(1), "{signal}");
            });
        }
    });
}

/// The peak memory of a process of hookc in bytes. Until it has that name, its memory is that of the process that
/// started it.
#[cfg(target_os = "linux")]
pub(super) fn peak(process: u32) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().next().filter(|name| name.trim_end() == "Name:\thookc")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// An event whose tool input holds a text of some 16 MiB, and the answer that holds all of
/// it again: measured while the answer goes out, when all of it is there. All kinds
/// of text are measured at one agent.
#[test]
#[cfg(target_os = "linux")]
fn an_answer_with_the_whole_input_needs_four_times_the_event() {
    if hookc_corpus::left_to_full_run("answers to events of 16 MiB") {
        return;
    }
    use std::io::Read;
    let folder = tempfile::tempdir().unwrap();
    let policy = "hooks: [{event: PreToolUse, action: {type: modify, input: {command: ls2}}}]\n";
    common::put(&folder, "hooks.yaml", policy);
    let size = (16 << 20) - 600;
    let texts =
        ["x".repeat(size), "\\n".repeat(size / 2), "\u{9b}".repeat(size / 2), "\\u00e9".repeat(size / 6)];
    let hosts = [
        ("claude", "PreToolUse", "Bash"),
        ("gemini", "BeforeTool", "run_shell_command"),
        ("cursor", "preToolUse", "Shell"),
        ("copilot", "PreToolUse", "bash"),
    ];
    for ((host, event, tool), text) in hosts.iter().flat_map(|host| {
        texts.iter().skip(if host.0 == "claude" { 0 } else { 3 }).map(move |text| (host, text))
    }) {
        let event = format!(
            "{{\"hook_event_name\":\"{event}\",\"session_id\":\"s\",\"cwd\":\"/\",\"tool_name\":\"{tool}\",\
             \"tool_input\":{{\"command\":\"ls\",\"x\":\"{text}\"}}}}"
        );
        common::put(&folder, "event", &event);
        let mut command = common::program(common::HOOKC, &folder);
        command.args(["run", "--host", host, "--no-log", "hooks.yaml"]);
        command.stdin(std::fs::File::open(folder.path().join("event")).unwrap()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut out = child.stdout.take().unwrap();
        let mut answer = vec![0; 32 << 10];
        out.read_exact(&mut answer).unwrap();
        let peak = peak(child.id()).unwrap();
        let rest = out.read_to_end(&mut answer).unwrap();
        assert!(child.wait().unwrap().success() && rest > event.len() / 2);
        assert!(peak <= event.len() * 4, "{host}: {peak} bytes for an event of {}", event.len());
    }
}
