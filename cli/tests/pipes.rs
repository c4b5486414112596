//! Pipes, sockets, devices and directories instead of files: nothing waits for them, and an
//! intended pipe is read.
#![cfg(unix)]

use crate::common;

use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::put;

const POLICY: &str = "hooks: [{event: Stop, action: {type: allow}}]\n";
const EVENT: &str = "{\"hook_event_name\": \"Stop\"}";

fn fifo(folder: &Path, name: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Exit code and standard error of a call that ends within some seconds.
fn ends(folder: &Path, args: &[&str]) -> (i32, String) {
    let start = Instant::now();
    let mut command = common::command(folder);
    command.args(args).env("HOME", folder.join("home")).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdin.take());
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("{args:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let done = child.wait_with_output().unwrap();
    (done.status.code().unwrap(), String::from_utf8(done.stderr).unwrap())
}

#[test]
fn a_found_pipe_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    put(root, "ok.yaml", POLICY);
    fifo(root, "p/.claude/settings.json");
    fifo(root, "p/hooks.yaml");
    fifo(root, "p/x.test.yaml");
    for args in [
        &["check", "p"][..],
        &["list", "p"],
        &["test", "p"],
        &["test", "p/x.test.yaml"],
        &["test", "p/hooks.yaml"],
    ] {
        let (code, err) = ends(root, args);
        assert!(code == 2 && err.contains("it is a pipe, not a regular file"), "{args:?}: {code} {err}");
    }
    let (code, _) = ends(root, &["doctor", "p"]);
    assert_eq!(code, 1);
    for args in [&["install", "claude", "../ok.yaml"][..], &["uninstall", "claude"], &["fmt", "hooks.yaml"]] {
        let (code, err) = ends(&root.join("p"), args);
        assert!(code == 2 && err.contains("it is a pipe, not a regular file"), "{args:?}: {code} {err}");
    }
    let layer = "--layer=user=p";
    let (code, err) = ends(root, &["run", "--host", "claude", "--no-log", layer, "ok.yaml"]);
    assert!(code == 2 && err.contains("hookc:"), "{code} {err}");
}

#[test]
fn a_pipe_that_was_named_is_given_some_time() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    put(root, "ok.yaml", POLICY);
    for name in ["pipe.yaml", "pipe.json", "pipe.jsonl"] {
        fifo(root, name);
    }
    let calls = [
        &["check", "pipe.yaml"][..],
        &["compile", "pipe.yaml", "-o", "x.hookc"],
        &["convert", "pipe.yaml", "--to", "settings"],
        &["fmt", "--check", "pipe.yaml"],
        &["eval", "ok.yaml", "pipe.json"],
        &["bench", "ok.yaml", "pipe.json"],
        &["replay", "ok.yaml", "pipe.jsonl"],
        &["disasm", "pipe.yaml"],
        &["path", "a", "pipe.yaml"],
        &[
            "ability",
            "run",
            "--ability",
            "x",
            "--source",
            "ci_pipeline",
            "--no-log",
            "--policy",
            "pipe.yaml",
            "--",
            "true",
        ],
    ];
    // Each waits for some seconds, so all wait together.
    std::thread::scope(|threads| {
        for args in calls {
            threads.spawn(move || {
                let (code, err) = ends(root, args);
                assert!(
                    code != 0 && err.contains("no program writes to this pipe"),
                    "{args:?}: {code} {err}"
                );
            });
        }
    });
    let (code, err) = ends(root, &["compile", "ok.yaml", "-o", "pipe.yaml"]);
    assert!(code == 2 && err.contains("no program reads this pipe"), "{code} {err}");
    let script = "set -e; \"$0\" check <(sleep 0.3; cat ok.yaml); \"$0\" fmt --stdout <(cat ok.yaml); \
                  \"$0\" replay ok.yaml <(sleep 0.3; printf '%s' \"$1\"); (sleep 0.3; cat ok.yaml > pipe.yaml) & \
                  \"$0\" check pipe.yaml; \"$0\" compile ok.yaml -o >(cat > out.hookc); wait";
    let mut bash = common::program("bash", root);
    bash.args(["-c", script, common::HOOKC, EVENT]);
    let run = common::run(&mut bash, "");
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn non_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    put(root, "ok.yaml", POLICY);
    let _listener = UnixListener::bind(root.join("socket.yaml")).unwrap();
    std::fs::create_dir_all(root.join("p/.claude")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", root.join("p/.claude/settings.json")).unwrap();
    for (args, what) in [
        (&["check", "socket.yaml"][..], "it is a socket"),
        (&["check", "/dev/zero"], "it is a device"),
        (&["fmt", "/dev/zero"], "it is a device"),
        (&["fmt", "p"], "is a directory"),
        (&["replay", "ok.yaml", "/dev/zero"], "it is a device"),
        (&["check", "p"], "it is a device"),
        (&["test", "/dev/zero"], "it is a device"),
    ] {
        let (code, err) = ends(root, args);
        assert!(code == 2 && err.contains(what), "{args:?}: {code} {err}");
    }
    for verb in [&["install", "claude", "../ok.yaml"][..], &["uninstall", "claude"]] {
        let (code, err) = ends(&root.join("p"), verb);
        assert!(code == 2 && err.contains("it is a device"), "{verb:?}: {code} {err}");
    }
    // The null device is an empty file.
    let (_, err) = ends(root, &["check", "--layer=user=/dev/null", "ok.yaml"]);
    assert!(err.contains("is empty"), "{err}");
}
