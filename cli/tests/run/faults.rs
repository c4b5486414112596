//! Faults of the system around a call: a full disk, a disk that cannot be written, no more processes,
//! `kill -9` at any moment. A guard denies, and logs and state stay readable.

use std::process::Stdio;
use std::time::Duration;

use hookc_corpus::effort;
use serde_json::Value;

use super::shell::tool;
use crate::common::{self, Run};

/// A guard without a handler, one with, and one that runs once in a session.
const POLICY: &str = r#"
hooks:
  - {id: own, event: PreToolUse, when: "tool_input.command == 'own'", action: {type: deny, reason: r}}
  - {id: handler, event: PreToolUse, when: "tool_input.command == 'handler'",
     action: {type: run, result: agent, command: "echo no >&2; exit 2"}}
  - {id: once, event: PreToolUse, when: "tool_input.command == 'once'",
     action: {type: run, result: agent, once: true, command: "echo no >&2; exit 2"}}
"#;

const EVENTS: [&str; 3] = ["own", "handler", "once"];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    common::put(&folder, "hooks.yaml", POLICY);
    for name in EVENTS {
        common::put(&folder, name, tool("PreToolUse", name).to_string());
    }
    folder
}

fn bash(folder: &tempfile::TempDir, line: &str) -> Run {
    let mut command = common::program("bash", folder);
    command.args(["-c", line]).env("hookc", common::HOOKC);
    common::run(&mut command, "")
}

fn is_denied(run: &Run) -> bool {
    run.code == 2 || run.code == 0 && run.out.contains(r#""permissionDecision":"deny""#)
}

/// Whether a mount of one's own is possible here; a container may forbid it.
fn can_mount(folder: &tempfile::TempDir) -> bool {
    bash(folder, "unshare -rm sh -c 'mkdir -p m && mount -t tmpfs -o size=64k t m'").code == 0
}

#[test]
fn full_and_read_only_disks() {
    let folder = folder();
    if !can_mount(&folder) {
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"skipped: no mounts are possible here\n");
        return;
    }
    let full = "cat /dev/zero > m/zeros 2>/dev/null";
    // The log has some lines, then the disk is full.
    let later = "for i in 1 2 3; do $call <own >/dev/null 2>&1; done; cat /dev/zero > m/zeros 2>/dev/null";
    let read_only = "mkdir -p m/state; mount -o remount,ro m";
    for before in [full, later, read_only] {
        for event in EVENTS {
            let call = r#""$hookc" run --host claude --log m/log.jsonl hooks.yaml"#;
            let line = format!(
                "export XDG_STATE_HOME=$PWD/m/state TMPDIR=$PWD/m; export call='{call}'; rm -f lines; \
                 unshare -rm bash -c 'mkdir -p m; mount -t tmpfs -o size=64k t m; {}; eval \"$call\" <{event}; code=$?; \
                 cat m/log.jsonl >lines 2>/dev/null; exit $code'",
                before.replace("$call", "eval \"$call\"")
            );
            let run = bash(&folder, &line);
            assert!(is_denied(&run), "{before}, {event}: {run:?}");
            let lines = common::read(&folder, "lines");
            let whole = lines.lines().all(|line| serde_json::from_str::<Value>(line).is_ok());
            assert!(whole, "{before}, {event}: {lines:?}");
            assert!(before != later || lines.lines().count() >= 3, "{event}: lines are lost: {lines:?}");
        }
    }
}

/// What was recorded before is right; what cannot be recorded, or read, denies.
#[test]
fn a_history_on_a_full_or_read_only_disk_is_right_or_unknown() {
    let folder = tempfile::tempdir().unwrap();
    common::put(
        &folder,
        "hooks.yaml",
        "hooks:\n  - {event: PreToolUse, when: \"tool_input.command == 'own' and count(PreToolUse where tool_input.command == \
         'own') >= 2\", action: {type: deny, reason: twice}}\n",
    );
    if !can_mount(&folder) {
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"skipped: no mounts are possible here\n");
        return;
    }
    let call = |command: &str, number: usize| {
        let mut event = tool("PreToolUse", command);
        event["tool_use_id"] = number.to_string().into();
        common::put(&folder, &format!("{command}{number}"), event.to_string());
        format!("\"$hookc\" run --host claude --no-log hooks.yaml <{command}{number}")
    };
    let in_mount = |lines: &[String]| {
        let line = format!(
            "export XDG_STATE_HOME=$PWD/m/state; unshare -rm bash -c 'mkdir -p m; mount -t tmpfs -o size=64k t m; {}'",
            lines.join("; ")
        );
        bash(&folder, &line)
    };
    let full = "cat /dev/zero > m/zeros 2>/dev/null".to_owned();
    let read_only = "mount -o remount,ro m".to_owned();
    for before in [&full, &read_only] {
        // Without a file, and with one that has two events.
        let first = in_mount(&[before.clone(), call("own", 0)]);
        assert!(is_denied(&first) && first.out.contains("history"), "{before}: {first:?}");
        let next = in_mount(&[call("own", 0), call("own", 1), before.clone(), call("own", 2)]);
        assert!(is_denied(&next), "{before}: {next:?}");
        let other = in_mount(&[call("own", 0), before.clone(), call("other", 1)]);
        assert!(!is_denied(&other), "{before}: another event needs no history: {other:?}");
    }
    let again = in_mount(&[
        call("own", 0),
        full,
        call("own", 1),
        "rm m/zeros".to_owned(),
        call("own", 2),
        call("own", 3),
    ]);
    let denied = again.out.matches("\"permissionDecision\":\"deny\"").count();
    assert_eq!(denied, 2, "two are allowed, whether or not the second could be recorded: {again:?}");
}

/// For root, there is no limit of processes; another user has one.
#[test]
fn no_more_processes() {
    let folder = folder();
    let is_root = bash(&folder, "[ $(id -u) = 0 ]").code == 0;
    let user = if is_root { "setpriv --reuid=65534 --regid=65534 --clear-groups " } else { "" };
    bash(&folder, "chmod -R a+rX .; mkdir state; chmod a+rwx . state");
    let able = bash(&folder, &format!("{user}bash -c '\"$hookc\" --version'")).code == 0;
    if !able {
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            b"skipped: another user cannot run this program\n",
        );
        return;
    }
    for event in EVENTS {
        let call = format!("exec \"$hookc\" run --host claude --no-log hooks.yaml <{event}");
        let line = format!("export XDG_STATE_HOME=$PWD/state; {user}bash -c 'ulimit -u 0; {call}'");
        let run = bash(&folder, &line);
        assert!(is_denied(&run), "{event}: {run:?}");
    }
}

/// Calls that write the log and the store of what ran once are killed; later ones find both readable.
#[test]
fn kill_9_at_any_moment_leaves_logs_and_state_whole() {
    let folder = folder();
    let state = folder.path().join("state");
    let call = |event: &str| {
        let mut command = common::command(&folder);
        command.args(["run", "--host", "claude", "--log", "log.jsonl", "--log-payload", "hooks.yaml"]);
        command.env("XDG_STATE_HOME", &state);
        command.stdin(std::fs::File::open(folder.path().join(event)).unwrap());
        command
    };
    let mut killed = 0;
    for n in 0..effort(90, 30) as u64 {
        let mut child =
            call(EVENTS[n as usize % 3]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(n * 7_919 % 30_000));
        child.kill().unwrap();
        killed += usize::from(child.wait().unwrap().code().is_none());
        if n % 15 == 14 {
            for event in ["own", "handler"] {
                let output = call(event).output().unwrap();
                let run = Run {
                    code: output.status.code().unwrap_or(-1),
                    out: String::from_utf8_lossy(&output.stdout).into_owned(),
                    err: String::from_utf8_lossy(&output.stderr).into_owned(),
                };
                assert!(is_denied(&run), "after {n}: {run:?}");
            }
            // Another session: the store of this one is fresh or readable.
            common::put(
                &folder,
                "other",
                tool("PreToolUse", "once").to_string().replace("\"s\"", &format!("\"s{n}\"")),
            );
            let output = call("other").output().unwrap();
            let out = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(output.status.code() == Some(2) || out.contains("deny"), "after {n}: {output:?}");
            let text = common::read(&folder, "log.jsonl");
            assert!(
                text.ends_with('\n') && text.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()),
                "{text}"
            );
        }
    }
    assert!(killed > effort(20, 6), "only {killed} calls were killed in time");
}
