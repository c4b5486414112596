//! What `hookc run` reads: an event in the encodings of shells, from a pipe that nobody closes, as deep as an event may be.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use hookc_schema::agents::{self, Agent};

use super::shell::Shell;
use crate::common::{self, Run};

const POLICY: &str = "hooks: [{id: h, event: PreToolUse, when: \"tool_name == 'Bash'\", action: {type: deny, reason: 'Use a tool.'}}]";

/// The reason of the policy.
const REASON: &str = "Use a tool.";

/// An event of each agent that the policy denies.
const EVENTS: [(&str, &str); 5] = [
    ("claude", r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#),
    ("codex", r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#),
    (
        "gemini",
        r#"{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"ls"}}"#,
    ),
    ("cursor", r#"{"hook_event_name":"beforeShellExecution","command":"ls","cwd":"/r"}"#),
    ("copilot", r#"{"toolName":"bash","toolArgs":"{\"command\":\"ls\"}"}"#),
];

/// A call whose standard input stays open.
fn open_call(shell: &Shell, host: &str) -> Child {
    let mut command = common::command(&shell.folder);
    command.args(["run", "--no-log", "--host", host, "hooks.yaml"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn ended(mut child: Child) -> (i32, String) {
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut out).unwrap();
    (child.wait().unwrap().code().unwrap(), out)
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let shell = Shell::new(POLICY);
    for (host, event) in EVENTS {
        let run = |bytes: &[u8]| shell.run(&["--host", host], bytes, &[]);
        let plain = run(event.as_bytes());
        assert!(plain.out.contains(REASON) && !plain.out.contains("hookc"), "{host} {plain:?}");
        assert_eq!(run(format!("\u{feff}{event}").as_bytes()), plain, "{host}");
        for units in [[0xff, 0xfe], [0xfe, 0xff]] {
            let is_big = units == [0xfe, 0xff];
            let text = event
                .encode_utf16()
                .flat_map(|unit| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() });
            let bytes: Vec<u8> = units.into_iter().chain(text).collect();
            for bytes in [&bytes[..], &bytes[2..]] {
                let got = run(bytes);
                let text = format!("{}{}", got.out, got.err);
                assert!(text.contains("UTF-16") && text.contains("expected UTF-8"), "{host} {got:?}");
                assert!(got.code == 2 || got.out.contains("deny"), "{host} {got:?}");
            }
        }
    }
    let folder = &shell.folder;
    let marked = format!("\u{feff}{}", EVENTS[0].1);
    common::put(folder, "e.json", &marked);
    common::put(folder, "e.ndjson", format!("{marked}\n{marked}\n"));
    for file in ["e.json", "e.ndjson"] {
        let got = common::hookc(folder, &["eval", "hooks.yaml", file], "");
        assert!(got.code == 0 && got.out.contains("\"deny\""), "{file} {got:?}");
    }
    let got = common::hookc(folder, &["replay", "hooks.yaml", "e.ndjson"], "");
    assert!(got.code == 0 && got.out.contains("2 decided, 0 no opinion, 0 errors"), "{got:?}");
}

#[test]
fn an_event_from_a_pipe_that_stays_open_is_decided() {
    let shell = Shell::new(POLICY);
    for (host, event) in EVENTS {
        let mut child = open_call(&shell, host);
        let mut pipe = child.stdin.take().unwrap();
        // In two parts, the first of which ends within a string.
        let (first, second) = event.split_at(event.len() - 5);
        pipe.write_all(first.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(60));
        pipe.write_all(second.as_bytes()).unwrap();
        let (_, out) = ended(child);
        assert!(out.contains(REASON), "{host} {out}");
        drop(pipe);
    }
}

/// The event before `ls` of every agent with a process for each event, as the corpus has it.
fn events_of_all_agents() -> Vec<(&'static str, String)> {
    let one = |agent: &'static Agent| {
        let text = common::read(common::project().join("corpus/agents"), &format!("{}.json", agent.name));
        let samples: serde_json::Value = serde_json::from_str(&text.replace("$COMMAND", "ls")).unwrap();
        (agent.name.as_str(), samples["tools"]["Bash"].to_string())
    };
    agents::answered().filter(|agent| agent.settings.is_some()).map(one).collect()
}

#[test]
fn each_agent_is_answered_while_its_pipe_is_open() {
    let shell = Shell::new(POLICY);
    let calls = events_of_all_agents().into_iter().map(|(host, event)| {
        let mut child = open_call(&shell, host);
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(event.as_bytes()).unwrap();
        (host, pipe, child)
    });
    for (host, _pipe, child) in calls.collect::<Vec<_>>() {
        let (_, out) = ended(child);
        assert!(out.contains(REASON) && !out.contains("hookc"), "{host} {out}");
    }
}

/// Whitespace after the event that never ends, and a text that is no object, are not waited for.
#[test]
fn input_that_never_ends_is_answered() {
    let shell = Shell::new(POLICY);
    for (text, more, expected) in
        [(EVENTS[0].1, " ", REASON), ("null", "", "not an object"), ("x", "x", "not JSON")]
    {
        let mut child = open_call(&shell, "claude");
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(text.as_bytes()).unwrap();
        let writer = std::thread::spawn(move || {
            let start = Instant::now();
            while start.elapsed() < Duration::from_secs(60) && pipe.write_all(more.as_bytes()).is_ok() {
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let start = Instant::now();
        let (code, out) = ended(child);
        assert!(out.contains(expected), "{text} {code} {out}");
        assert!(start.elapsed() < Duration::from_secs(30), "{text} {:?}", start.elapsed());
        if !more.is_empty() {
            writer.join().unwrap();
        }
    }
}

#[test]
fn what_has_arrived_after_the_event_counts() {
    let shell = Shell::new(POLICY);
    let event = EVENTS[0].1;
    for (rest, is_denied_by) in [("\n", REASON), ("  \n\n", REASON), ("x", "not JSON"), (event, "not JSON")] {
        let mut child = open_call(&shell, "claude");
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(format!("{event}{rest}").as_bytes()).unwrap();
        let (code, out) = ended(child);
        assert!(out.contains(is_denied_by), "{rest:?} {code} {out}");
        drop(pipe);
    }
}

/// Copilot CLI waits 30 seconds for the answer.
#[test]
fn an_event_without_end_is_denied_before_the_agent_stops_waiting() {
    let shell = Shell::new(POLICY);
    let mut child = open_call(&shell, "copilot");
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(br#"{"toolName":"bash","toolArgs":"{}""#).unwrap();
    let start = Instant::now();
    let (code, out) = ended(child);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    assert!(out.contains("its object has no end after 25 seconds"), "{code} {out}");
    assert!(out.contains("deny"), "{code} {out}");
    drop(pipe);
}

#[test]
fn run_reads_what_eval_reads() {
    let shell = Shell::new(POLICY);
    let deep = |depth: usize| {
        let inner = format!("{}{}", "[".repeat(depth - 1), "]".repeat(depth - 1));
        EVENTS[0].1.replacen('{', &format!("{{\"x\":{inner},"), 1)
    };
    for (depth, is_read) in [(127, true), (128, true), (129, false)] {
        let event = deep(depth);
        let eval = common::hookc(&shell.folder, &["eval", "hooks.yaml"], &event);
        assert_eq!(eval.code == 0, is_read, "{depth} {eval:?}");
        let run =
            shell.run(&["--host", "claude", "--log", "log.jsonl", "--log-payload"], event.as_bytes(), &[]);
        assert_eq!(run.out.contains(REASON), is_read, "{depth} {run:?}");
        if !is_read {
            assert_eq!((run.code, run.err.as_str()), (2, "hookc: the event is nested deeper than 128\n"));
        }
    }
    let got = common::hookc(&shell.folder, &["replay", "hooks.yaml", "log.jsonl"], "");
    assert!(got.code == 0 && got.out.contains('2'), "{got:?}");
    let lines = common::read(&shell.folder, "log.jsonl");
    assert_eq!(lines.lines().filter(|line| line.contains("\"payload\":{")).count(), 2, "{lines:.300}");
}

/// A handler gets the whole event, as deep as it may be.
#[test]
fn a_handler_reads_the_deepest_event() {
    let shell = Shell::new("hooks: [{event: PreToolUse, action: {type: run, command: 'cat > got'}}]");
    let inner = format!("{}{}", "[".repeat(127), "]".repeat(127));
    let event = format!(
        "\u{feff}{{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"B\",\"tool_input\":{{}},\"x\":{inner}}}"
    );
    assert_eq!(
        shell.run(&["--host", "claude"], event.as_bytes(), &[]),
        Run { code: 0, out: String::new(), err: String::new() }
    );
    assert_eq!(common::read(&shell.folder, "got"), event.trim_start_matches('\u{feff}'));
}

/// The answer is written, and then something fails: the status stays that of the answer.
#[cfg(target_os = "linux")]
#[test]
fn nothing_after_the_answer_changes_its_status() {
    let shell = Shell::new(
        "hooks: [{event: PreToolUse, action: {type: deny, reason: no}}, {event: Stop, action: {type: deny, reason: no}}]",
    );
    common::put(&shell.folder, "event.json", EVENTS[0].1);
    let can_trace =
        common::run(common::program("strace", &shell.folder).args(["-o", "/dev/null", "true"]), "");
    if can_trace.code != 0 {
        let _ = std::io::stderr().write_all(b"skipped: strace cannot run here\n");
        return;
    }
    let plain = shell.run(&["--host", "claude"], EVENTS[0].1.as_bytes(), &[]);
    for fault in [
        "recvfrom:error=EIO:when=2",
        "recvfrom:error=EIO:when=1+",
        "sendto:error=EIO:when=1+",
        "futex:error=EINVAL:when=3+",
        "munmap:error=EINVAL:when=1+",
        "flock:error=EIO",
        "close:error=EIO:when=5+",
    ] {
        let mut command = common::program("timeout", &shell.folder);
        command.args([
            "20",
            "strace",
            "-f",
            "-o",
            "/dev/null",
            "-e",
            &format!("inject={fault}"),
            common::HOOKC,
        ]);
        command.args(["run", "--log", "log.jsonl", "--host", "claude", "hooks.yaml"]);
        command.stdin(File::open(shell.folder.path().join("event.json")).unwrap());
        let done = command.output().unwrap();
        let out = String::from_utf8_lossy(&done.stdout).into_owned();
        assert_eq!((done.status.code(), out), (Some(plain.code), plain.out.clone()), "{fault} {done:?}");
    }
}
