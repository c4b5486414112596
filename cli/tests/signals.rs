//! `hookc` is terminated while handlers run: none is left, and the answer is not a silent approval.
#![cfg(target_os = "linux")]

use crate::common;
use crate::support;

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use common::HOOKC;
use serde_json::{Value, json};

/// Each writes the numbers of its processes into `pids`.
const POLICY: &str = r#"
hooks:
  - {id: stubborn, event: PreToolUse, when: "tool_name == 'Bash'", action: {type: run, result: agent, command:
     "trap '' TERM INT HUP; (trap '' TERM; sleep 100) & echo $! >> pids; sleep 100 & echo $! >> pids; echo $$ >> pids; while :; do sleep 1; done"}}
  - {id: polite, event: PreToolUse, when: "tool_name == 'Bash'", action: {type: run, result: agent, command:
     "trap 'exit 0' TERM; echo $$ >> pids; sleep 100 & echo $! >> pids; wait"}}
  - {id: never, event: PreToolUse, on_error: retry, when: "tool_name == 'Read'", action: {type: run, command: "echo $$ >> pids; exec sleep 100"}}
  - {id: after, event: PreToolUse, when: "tool_name == 'Read'", action: {type: run, command: "echo ran > after"}}
  - {id: async, event: Stop, action: {type: run, async: true, command:
     "trap '' TERM; echo $PPID >> pids; echo $$ >> pids; while :; do sleep 1; done"}}
  - {id: guard, event: PreAbilityCall, when: "ability_id == 'guarded'", action: {type: run, result: signals, command:
     "trap '' TERM; echo $$ >> pids; while :; do sleep 1; done"}}
  - {id: post, event: PostAbilityCall, when: "ability_id == 'slow'", action: {type: run, result: signals, command:
     "echo $$ >> pids; exec sleep 100"}}
  - {id: note, event: PostAbilityCall, when: "ability_id == 'told'", action: {type: run, result: signals, command: "cat > post.json"}}
"#;

struct Started {
    folder: tempfile::TempDir,
    child: Child,
    stdin: Option<ChildStdin>,
}

struct Got {
    code: i32,
    out: String,
    err: String,
    log: Vec<Value>,
}

fn command(folder: &Path, program: &str, args: &[&str]) -> Command {
    common::put(folder, "hooks.yaml", POLICY);
    let mut command = common::program(program, folder);
    // In its own group it is not a foreground command of the terminal.
    command.args(args).process_group(0);
    command
}

fn start(args: &[&str], input: Option<&Value>) -> Started {
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(folder.path(), HOOKC, args);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take();
    if let (Some(input), Some(mut stdin)) = (input, stdin.take_if(|_| input.is_some())) {
        stdin.write_all(input.to_string().as_bytes()).unwrap();
    }
    Started { folder, child, stdin }
}

fn send(signal: &str, pid: &str) {
    assert!(Command::new("kill").args(["-s", signal, pid]).status().unwrap().success());
}

impl Started {
    /// The numbers in `file`, once there are this many.
    fn pids(&self, file: &str, count: usize) -> Vec<String> {
        support::lines(&self.folder.path().join(file), count)
    }

    /// Waits until it handles SIGTERM.
    fn heeds(&self) {
        support::within(30, || {
            let caught = self.signals("SigCgt:");
            if caught >> 14 & 1 == 1 { Ok(()) } else { Err(format!("{caught:x}")) }
        });
    }

    /// Those that it catches (`SigCgt:`) or ignores (`SigIgn:`), as bits.
    fn signals(&self, which: &str) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let mask = text.lines().find_map(|line| line.strip_prefix(which)).unwrap();
        u64::from_str_radix(mask.trim(), 16).unwrap()
    }

    /// Sends the signal, and waits for the end.
    fn end(self, signal: &str) -> Got {
        send(signal, &self.child.id().to_string());
        self.done()
    }

    /// Waits until it has ended.
    fn done(self) -> Got {
        let start = Instant::now();
        let Self { folder, child, stdin } = self;
        let done = child.wait_with_output().unwrap();
        drop(stdin);
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let log = std::fs::read_to_string(folder.path().join("log")).unwrap_or_default();
        assert!(log.is_empty() || log.ends_with('\n'), "{log}");
        let log = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (out, err) = (text(done.stdout), text(done.stderr));
        Got { code: done.status.code().unwrap_or(-1), out, err, log }
    }
}

fn tool(name: &str) -> Value {
    json!({"session_id": "s", "cwd": "/nowhere", "hook_event_name": "PreToolUse", "tool_name": name, "tool_input": {}})
}

fn all_gone(pids: &[String]) {
    pids.iter().for_each(|pid| support::gone(pid));
}

const RUN: [&str; 6] = ["run", "--host", "claude", "--log", "log", "hooks.yaml"];

#[test]
fn each_signal_ends_the_handlers_and_denies() {
    let one = |signal: &'static str| {
        let started = start(&RUN, Some(&tool("Bash")));
        let pids = started.pids("pids", 5);
        let got = started.end(signal);
        all_gone(&pids);
        let reason = "stopped, because this process is terminating";
        let reason = format!("hook stubborn failed: {reason}\\nhook polite failed: {reason}");
        let answer = format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"{reason}"}}}}"#
        );
        assert_eq!((got.code, got.out.trim(), got.err.as_str()), (0, answer.as_str(), ""), "{signal}");
        assert_eq!((got.log.len(), &got.log[0]["outcome"]), (1, &json!("deny")));
        assert_eq!(got.log[0]["hooks"][1]["status"], "stopped, because this process is terminating");
    };
    std::thread::scope(|scope| {
        for signal in ["TERM", "INT", "HUP"] {
            scope.spawn(move || one(signal));
        }
    });
}

#[test]
fn nothing_starts_after_the_signal() {
    let started = start(&RUN, Some(&tool("Read")));
    let pids = started.pids("pids", 1);
    let after = started.folder.path().join("after");
    let got = started.end("TERM");
    all_gone(&pids);
    assert!(got.code == 0 && got.out.contains(r#""permissionDecision":"deny""#), "{}", got.out);
    assert!(!after.exists() && got.log[0]["hooks"][0]["outcome"] == "failed");
    assert_eq!(got.log[0]["hooks"][1]["error"], "not started, because this process is terminating");
}

#[test]
fn fail_open_passes_and_reports() {
    let args = ["run", "--host", "claude", "--log", "log", "--on-failure", "open", "hooks.yaml"];
    let started = start(&args, Some(&tool("Read")));
    let pids = started.pids("pids", 1);
    let got = started.end("TERM");
    all_gone(&pids);
    assert!(got.out.starts_with(r#"{"systemMessage":"hook never failed: stopped"#), "{}", got.out);
}

#[test]
fn an_event_that_never_comes() {
    for (way, code) in [("closed", 2), ("open", 1)] {
        let args = ["run", "--host", "claude", "--log", "log", "--on-failure", way, "hooks.yaml"];
        let started = start(&args, None);
        started.heeds();
        let got = started.end("TERM");
        assert_eq!(
            (got.code, got.out.as_str(), got.err.as_str()),
            (code, "", "hookc: terminated by SIGTERM\n")
        );
        assert_eq!(got.log[0]["error"], "terminated by SIGTERM");
    }
}

/// A background handler continues without the process that started it, but ends with its
/// supervisor.
#[test]
fn background_handlers() {
    let stop = json!({"session_id": "s", "hook_event_name": "Stop"});
    let mut started = start(&RUN, Some(&stop));
    let pids = started.pids("pids", 2);
    // Not reaped yet, so the id is still its own. A signal to its group does not reach other
    // groups.
    let group = started.child.id();
    assert!(pids.iter().all(|pid| support::group(pid) != group.to_string()));
    let told = Command::new("kill").args(["-s", "INT", "--", &format!("-{group}")]).status();
    assert!(told.unwrap().success() && started.child.wait().unwrap().success());
    assert!(pids.iter().all(|pid| support::alive(pid)));
    send("TERM", &pids[0]);
    all_gone(&pids);
}

fn ability<'a>(ability: &'a str, line: &'a str) -> Vec<&'a str> {
    let mut args = vec!["ability", "run", "--policy", "hooks.yaml", "--log", "log", "--ability", ability];
    args.extend(["--source", "ci_pipeline", "--", "sh", "-c", line]);
    args
}

#[test]
fn an_ability_gets_the_signal_and_ends_as_it_sees_fit() {
    let line = "trap 'echo got; exit 3' TERM INT HUP; echo $$ > command; while :; do sleep 0.05; done";
    for (signal, number) in [("TERM", 15), ("INT", 2), ("HUP", 1)] {
        let started = start(&ability("told", line), None);
        let pids = started.pids("command", 1);
        let post = started.folder.path().join("post.json");
        let got = started.end(signal);
        all_gone(&pids);
        let said = format!("terminated by SIG{signal}: the hooks after the ability did not run");
        assert_eq!(
            (got.code, got.out.as_str(), got.err),
            (128 + number, "got\n", format!("hookc: {said}\n"))
        );
        assert!(!post.exists() && got.log.len() == 2 && got.log[1]["error"] == said.as_str());
    }
}

#[test]
fn guards_and_hooks_after_an_ability_end_too() {
    let guarded = start(&ability("guarded", "echo ran"), None);
    let slow = start(&ability("slow", "echo ran"), None);
    let mut pids = guarded.pids("pids", 1);
    pids.extend(slow.pids("pids", 1));
    let (guarded, slow) = (guarded.end("INT"), slow.end("TERM"));
    all_gone(&pids);
    assert_eq!((guarded.code, guarded.out.as_str()), (130, ""));
    assert!(
        guarded.err.ends_with("hookc: terminated by SIGINT: the command did not run\n"),
        "{}",
        guarded.err
    );
    assert_eq!((slow.code, slow.out.as_str()), (143, "ran\n"));
    assert_eq!(slow.log[1]["hooks"][0]["status"], "stopped, because this process is terminating");
}

#[test]
fn inherited_ignored_signals_stay_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let mut args = vec!["-c", "trap '' HUP; exec \"$@\"", "sh", HOOKC];
    let line = "echo $$ > command; until [ -e told ]; do sleep 0.01; done; exit 7";
    args.extend(ability("told", line));
    let mut child = command(folder.path(), "sh", &args);
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let started = Started { folder, child, stdin: None };
    started.pids("command", 1);
    assert!(started.signals("SigIgn:") & 1 == 1 && started.signals("SigCgt:") & 1 == 0);
    send("HUP", &started.child.id().to_string());
    common::put(&started.folder, "told", "");
    assert_eq!(started.done().code, 7);
}

/// A program that handles Ctrl-C itself, and one that does not.
#[test]
fn at_a_terminal_ctrl_c_is_the_commands_own() {
    let run = |line: &str, steps: &[(&str, &str)]| {
        let folder = tempfile::tempdir().unwrap();
        common::put(&folder, "hooks.yaml", POLICY);
        let args = ["ability", "run", "--policy", "hooks.yaml", "--no-log", "--ability", "told"];
        let args = [&args[..], &["--source", "manual_cli", "--", "sh", "-c", line]].concat();
        let (out, err) = common::terminal(&folder, steps, &args)?;
        Some((out, folder.path().join("post.json").exists(), err))
    };
    let handles = "trap 'echo caught' INT; test -t 0 && test -t 1 && echo ready; read line; read line; echo \"got $line\"; exit 5";
    let Some((out, post, err)) = run(handles, &[("ready", "\x03"), ("caught", "x\n")]) else { return };
    assert!(
        out.starts_with("5\n") && out.matches("caught").count() == 1 && out.ends_with("got x\n"),
        "{out} {err}"
    );
    assert!(post);
    let ctrl_c = [("ready", "\x03")];
    let quits = "trap 'exit 0' INT; echo ready; while :; do sleep 0.01; done";
    let (out, post, err) = run(quits, &ctrl_c).unwrap();
    assert!(out.starts_with("0\n") && post, "{out} {err}");
    let (out, post, _) = run("echo ready; exec sleep 100", &ctrl_c).unwrap();
    assert!(out.starts_with("130\n") && !post, "{out}");
}
