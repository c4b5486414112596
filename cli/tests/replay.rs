//! `hookc replay`: events and decision logs, what would have been decided and
//! what changed.

use crate::common;

use std::fmt::Write as _;

use common::{hookc, put};
use serde_json::{Value, json};

const NEW: &str = "\
hooks:
  - {id: rm, event: PreToolUse, when: \"tool_input.command contains 'rm'\", action: {type: deny, reason: 'no'}}
  - {id: ls, event: PreToolUse, mode: shadow, when: \"some(c in shell(tool_input.command).commands: c.name == 'ls')\", action: {type: ask}}
  - {id: never, event: PreToolUse, when: \"tool_name == 'Nothing'\", action: {type: ask}}
  - {event: Stop, when: exists(hook_event_name), action: {type: deny, reason: go on}}
";
const OLD: &str = "\
hooks:
  - {event: Stop, when: \"stop_hook_active == false\", action: {type: deny, reason: go on}}
  - {id: rm, event: PreToolUse, when: \"tool_input.command contains 'rm -rf'\", action: {type: deny, reason: 'no'}}
";
const LOG: &str = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf x"}}
{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm x"}}

{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}
{"hook_event_name":"Stop","stop_hook_active":false}
not json
{"no":"type"}
{"hook_event_name":"Notification"}
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("new.yaml", NEW), ("old.yaml", OLD), ("log.ndjson", LOG)] {
        put(&folder, name, text);
    }
    folder
}

#[test]
fn replayed_decisions() {
    let folder = folder();
    let got = hookc(folder.path(), &["replay", "-q", "--no-builtin", "new.yaml", "log.ndjson"], b"");
    assert_eq!((got.code, got.err.as_str()), (1, ""));
    let expected = "\
7 events: 3 decided, 2 no opinion, 2 errors

 event         events  decided 
 Notification  1       0       
 PreToolUse    3       2       
 Stop          1       1       
";
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    let out = lines(&got.out);
    assert_eq!(out[..6], lines(expected)[..6], "{}", got.out);
    for line in [
        " hook    mode     hits  share   first  last",
        " rm      enforce  2     28.6 %  1      2",
        " Stop#1  enforce  1     14.3 %  5      5",
        " ls      shadow   1     14.3 %  4      4",
        "never fired: never",
    ] {
        assert!(out.iter().any(|found| found == line), "{line}\n{}", got.out);
    }
    assert!(
        got.out.contains(" no_type   1       7") && got.out.contains(" not_json  1       6"),
        "{}",
        got.out
    );
}

#[test]
fn json_standard_input_and_several_logs() {
    let folder = folder();
    let args = ["replay", "--format", "json", "--no-builtin", "new.yaml", "log.ndjson", "-"];
    let got = hookc(folder.path(), &args, b"{\"hook_event_name\":\"Stop\"}\n");
    let told: Value = serde_json::from_str(&got.out).unwrap();
    assert_eq!((told["events"].clone(), told["decided"].clone()), (json!(8), json!(4)));
    assert_eq!(told["types"]["Stop"], json!({"events": 2, "decided": 2}));
    let stop = told["hooks"].as_array().unwrap().iter().find(|hook| hook["hook"] == "Stop#1").unwrap();
    assert_eq!(stop["first"], json!({"file": "log.ndjson", "line": 5}));
    assert_eq!(stop["last"], json!({"file": "<stdin>", "line": 1}));
    assert_eq!(told["never"], json!(["never"]));
    assert_eq!(told["errors"]["not_json"]["events"], 1);
    assert_eq!(hookc(folder.path(), &["replay", "new.yaml", "-", "-"], b"").code, 2);
    assert_eq!(hookc(folder.path(), &["replay", "new.yaml", "gone.ndjson"], b"").code, 2);
    assert_eq!(hookc(folder.path(), &["replay", "new.yaml"], b"").code, 2);
}

#[test]
fn against_another_policy_or_module() {
    let folder = folder();
    let compiled = hookc(folder.path(), &["compile", "--no-builtin", "old.yaml", "-o", "old.hookc"], b"");
    assert_eq!(compiled.code, 0);
    for old in ["old.yaml", "old.hookc"] {
        let args = ["replay", "--no-builtin", "new.yaml", "log.ndjson", "--against", old];
        let got = hookc(folder.path(), &args, b"");
        assert_eq!(got.code, 3, "{}", got.err);
        let change = "line 2, PreToolUse\n  - no opinion\n  + rm {\"type\":\"deny\",\"reason\":\"no\"}\n1 of 7 events decided differently\n";
        assert!(got.out.ends_with(change), "{}", got.out);
    }
    let args = ["replay", "--format=json", "new.yaml", "log.ndjson", "--against", "old.yaml", "--limit", "0"];
    let told: Value = serde_json::from_str(&hookc(folder.path(), &args, b"").out).unwrap();
    assert_eq!((&told["changed"], &told["changes"]), (&json!(1), &json!([])));
    let same = ["replay", "new.yaml", "log.ndjson", "--against", "new.yaml"];
    assert_eq!(hookc(folder.path(), &same, b"").code, 1, "the lines that are no events");
}

#[test]
fn a_decision_log_is_compared_with_its_recorded_decisions() {
    let folder = folder();
    let events: Vec<&str> = LOG.lines().filter(|line| line.contains("hook_event_name")).collect();
    for (n, event) in events.iter().enumerate() {
        let mut args =
            vec!["run", "--host", "claude", "--no-builtin", "--log", "decisions.jsonl", "old.yaml"];
        if n > 0 {
            args.push("--log-payload");
        }
        assert_eq!(hookc(folder.path(), &args, event.as_bytes()).code, 0);
    }
    let run = |policy: &str| {
        let args = ["replay", "--no-builtin", policy, "decisions.jsonl", "--against", "log"];
        hookc(folder.path(), &args, b"")
    };
    let got = run("old.yaml");
    assert!(
        got.code == 0 && got.out.ends_with("0 of 4 events decided differently\n"),
        "{}{}",
        got.out,
        got.err
    );
    assert!(got.out.contains("1 line of a decision log without the event"), "{}", got.out);
    let got = run("new.yaml");
    assert_eq!(got.code, 3);
    assert!(got.out.contains("line 2, PreToolUse\n  - no opinion\n  + rm deny\n"), "{}", got.out);
    // Events without a decision to compare with.
    let args = ["replay", "--no-builtin", "new.yaml", "log.ndjson", "--against", "log"];
    let got = hookc(folder.path(), &args, b"");
    assert!(
        got.code == 1
            && got
                .out
                .contains("not compared, because the decision log contains no decision for them: 7 events"),
        "{}",
        got.out
    );
}

#[test]
fn long_logs_and_long_lines() {
    let folder = folder();
    let mut log = String::new();
    for n in 0..50_000 {
        let _ = writeln!(log, "{{\"hook_event_name\":\"made-up-{}\",\"n\":{n}}}", n % 3000);
    }
    let mut bytes = log.into_bytes();
    bytes.extend(std::iter::repeat_n(b'x', 40 << 20));
    bytes.extend(b"\n{\"hook_event_name\":\"Stop\"}");
    let got = hookc(folder.path(), &["replay", "--format=json", "new.yaml", "-"], &bytes);
    let told: Value = serde_json::from_str(&got.out).unwrap();
    assert_eq!(got.code, 1);
    assert_eq!(told["events"], 50_002);
    assert_eq!(
        told["errors"]["too_large"],
        json!({"events": 1, "first": {"line": 50_001}, "message": "the line is longer than the limit of \
            an event"})
    );
    assert!(told["types"].as_object().unwrap().len() <= 1001);
    assert_eq!(told["hooks"][0]["last"]["line"], 50_002);
}

#[test]
fn a_stripped_module_has_ranks_for_names() {
    let folder = folder();
    let args = ["compile", "--strip", "--no-builtin", "new.yaml", "-o", "new.hookc"];
    assert_eq!(hookc(folder.path(), &args, b"").code, 0);
    let got = hookc(folder.path(), &["replay", "new.hookc", "log.ndjson"], b"");
    assert!(got.out.contains(" PreToolUse rank 0  enforce  2"), "{}", got.out);
    let got = hookc(folder.path(), &["replay", "new.hookc", "log.ndjson", "--against", "new.hookc"], b"");
    assert!(got.out.ends_with("0 of 7 events decided differently\n"), "{}", got.out);
}

#[test]
fn an_incomplete_line_is_skipped_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("new.yaml"), NEW).unwrap();
    let event = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm"}}"#;
    let line = format!(
        r#"{{"time":"t","host":"claude","event":"PreToolUse","outcome":"deny","hooks":[],"payload":{event}}}"#
    );
    let piece = |bytes: usize| line.get(..bytes).unwrap();
    let log = format!("{line}\n{}\n{line}\n{}", piece(20), piece(100));
    std::fs::write(folder.path().join("log"), log).unwrap();
    let got = hookc(folder.path(), &["replay", "new.yaml", "log"], b"");
    assert_eq!(got.code, 0, "{}{}", got.out, got.err);
    let said = "2 events: 2 decided, 0 no opinion, 0 errors\nskipped 2 fragments of lines of a decision log, the first at line 2\n";
    assert!(got.out.starts_with(said), "{}", got.out);
    let got = hookc(folder.path(), &["--format", "json", "replay", "new.yaml", "log"], b"");
    assert_eq!(serde_json::from_str::<Value>(&got.out).unwrap()["torn"], 2);
}

#[test]
fn events_as_an_agent_sent_them() {
    let folder = folder();
    let log = r#"{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"rm x"}}
{"hook_event_name":"AfterAgent"}
not json
"#;
    put(&folder, "gemini.ndjson", log);
    let told = |args: &[&str]| -> Value {
        let args = [&["replay", "--format=json", "new.yaml", "gemini.ndjson"], args].concat();
        serde_json::from_str(&hookc(folder.path(), &args, b"").out).unwrap()
    };
    assert_eq!(told(&[])["decided"], 0);
    let read = told(&["--host", "gemini"]);
    assert_eq!((&read["decided"], &read["types"]["PreToolUse"]["decided"]), (&json!(2), &json!(1)));
    assert_eq!(read["errors"]["no_event"]["first"], json!({"line": 3}));
    let cursor = r#"{"hook_event_name":"beforeShellExecution","command":"rm x","cwd":"/"}"#;
    let args = ["replay", "new.yaml", "-", "--host", "cursor"];
    assert!(hookc(folder.path(), &args, cursor).out.starts_with("1 event: 1 decided"));
    let copilot = r#"{"toolName":"bash","toolArgs":"{\"command\":\"rm x\"}"}"#;
    let args = ["replay", "new.yaml", "-", "--host", "copilot", "--event", "preToolUse"];
    assert!(hookc(folder.path(), &args, copilot).out.starts_with("1 event: 1 decided"));
    let got = hookc(folder.path(), &["replay", "new.yaml", "-", "--host", "gemni"], b"");
    assert!(got.code == 2 && got.err.contains("did you mean `gemini`"), "{}", got.err);
    // A decision log contains events as they were decided.
    let args = ["run", "--host", "gemini", "--log", "log.jsonl", "--log-payload", "new.yaml"];
    assert_eq!(hookc(folder.path(), &args, log.lines().next().unwrap()).code, 0);
    let args = ["replay", "new.yaml", "log.jsonl", "--host", "gemini", "--against", "log"];
    let got = hookc(folder.path(), &args, b"");
    assert!(got.code == 0 && got.out.ends_with("0 of 1 event decided differently\n"), "{}", got.out);
}

#[test]
fn several_policies_and_several_old_ones() {
    let folder = folder();
    put(
        &folder,
        "more.yaml",
        "hooks: [{id: more, event: Notification, action: {type: deny, reason: 'no'}}]\n",
    );
    put(&folder, "layer/x.yaml", "hooks: [{id: x, event: SessionEnd, action: {type: deny, reason: 'no'}}]\n");
    let told = |args: &[&str]| -> Value {
        let args = [&["replay", "--format=json"], args].concat();
        let got = hookc(folder.path(), &args, b"");
        serde_json::from_str(&got.out).unwrap_or_else(|_| panic!("{}", got.err))
    };
    let both = told(&["new.yaml", "more.yaml", "layer", "log.ndjson", "log.ndjson"]);
    assert_eq!((&both["types"]["Notification"]["decided"], &both["decided"]), (&json!(2), &json!(8)));
    let args = ["new.yaml", "more.yaml", "log.ndjson", "--against", "new.yaml", "--against", "more.yaml"];
    assert_eq!(told(&args)["changed"], 0);
    assert_eq!(told(&args[..5])["changed"], 1);
    let args = ["replay", "new.yaml", "log.ndjson", "--against", "log", "--against", "old.yaml"];
    assert_eq!(hookc(folder.path(), &args, b"").code, 2);
    assert_eq!(hookc(folder.path(), &["replay", "new.yaml", "more.yaml"], b"").code, 2);
}

#[test]
fn an_event_with_a_key_twice_is_the_same_error_again() {
    let folder = folder();
    let event = r#"{"hook_event_name":"PreToolUse","tool_input":{"command":"ls","command":"rm x"}}"#;
    let args = ["run", "--host", "claude", "--log", "log.jsonl", "--log-payload", "new.yaml"];
    assert_eq!(hookc(folder.path(), &args, event).code, 2);
    let got = hookc(folder.path(), &["replay", "new.yaml", "log.jsonl", "--against", "log"], b"");
    assert!(got.out.ends_with("0 of 1 event decided differently\n"), "{}", got.out);
    assert!(got.code == 1 && got.out.contains("duplicate_key"), "{}", got.out);
}

#[test]
fn shipped_hooks_and_events_of_one_line() {
    let folder = folder();
    let stop = r#"{"hook_event_name":"Stop"}"#;
    put(&folder, "one.json", format!("[{stop}, {stop}]"));
    let got = hookc(folder.path(), &["replay", "new.yaml", "one.json"], b"");
    let out: Vec<String> = got.out.lines().map(|line| line.trim_end().to_owned()).collect();
    assert!(out.iter().any(|line| line.ends_with("1 event 1  1 event 2")), "{}", got.out);
    assert_eq!(out.last().unwrap(), "never fired: rm, ls, never");
    let args = ["replay", "--format=json", "new.yaml", "one.json"];
    let told: Value = serde_json::from_str(&hookc(folder.path(), &args, b"").out).unwrap();
    assert_eq!(told["hooks"][0]["last"], json!({"line": 1, "event": 2}));
    put(&folder, "two.json", format!("[{stop},\n {stop}]"));
    let args = ["replay", "--format=json", "new.yaml", "two.json"];
    let told: Value = serde_json::from_str(&hookc(folder.path(), &args, b"").out).unwrap();
    assert_eq!(told["hooks"][0]["last"], json!({"line": 2}));
}
