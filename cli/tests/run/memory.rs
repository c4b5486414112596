//! The memory of a call: at most four times the size of its event and half a megabyte, for every
//! agent, whatever a policy reads. What a call with a small event needs is not counted.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use hookc_corpus::{effort, is_full};
use serde_json::{Value, json};

use crate::common;

/// An event of an agent.
struct Sent {
    host: &'static str,
    name: String,
    event: String,
}

/// A kind of text, and the text with so many bytes in JSON, each line after `start`.
type Text = (&'static str, fn(&str, usize) -> String);

const TEXTS: [Text; 4] = [
    ("lines", |start, size| format!("{start}{}\n", "x".repeat(78)).repeat(size / (80 + start.len()))),
    ("short lines", |start, size| format!("{start}a\n").repeat(size / (3 + start.len()))),
    ("escapes", |start, size| format!("{start}{}\n", "\u{9b}".repeat(40)).repeat(size / (242 + start.len()))),
    ("one line", |start, size| format!("{start}{}\n", "x".repeat(size - 3 - start.len()))),
];

/// JSON in ASCII, as several agents write it.
fn ascii(value: &Value) -> String {
    let text = value.to_string();
    text.chars()
        .map(|c| if c.is_ascii() { c.to_string() } else { format!("\\u{:04x}", u32::from(c)) })
        .collect()
}

fn events((kind, text): &Text, size: usize) -> Vec<Sent> {
    let patch = |body: &str| format!("*** Begin Patch\n{body}*** End Patch\n");
    let changed = |files: usize, start: &str| {
        let part = text(start, size / files);
        let file = |n| format!("*** Update File: a{n}\n@@\n{part}-old\n+new\n");
        patch(&(0..files).map(file).collect::<String>())
    };
    let added = patch(&format!("*** Add File: a\n{}", text("+", size)));
    let two = patch(&format!(
        "*** Delete File: b\n*** Update File: a\n@@\n{}-old\n+new\n*** Delete File: c\n",
        text(" ", size)
    ));
    let tool = |event: &str, tool: &str, input: Value| json!({"hook_event_name": event, "session_id": "s", "cwd": "/", "tool_name": tool, "tool_input": input});
    let copilot =
        |tool: &str, input: Value| json!({"sessionId": "s", "cwd": "/", "toolName": tool, "toolArgs": input});
    let edit = |size: usize| json!({"old_string": text("", size / 2), "new_string": text("", size / 2)});
    let mut one = edit(size);
    one["file_path"] = "/a".into();
    let claude = |name: &str, input: Value| ("claude", tool("PreToolUse", name, input));
    let codex = |patch: &str| ("codex", tool("PreToolUse", "apply_patch", json!({"command": patch})));
    let created = json!({"path": "/a", "file_text": text("", size)});
    let all = [
        claude("Write", json!({"file_path": "/a", "content": text("", size)})),
        claude("Edit", one),
        claude("MultiEdit", json!({"file_path": "/a", "edits": vec![edit(size / 10); 10]})),
        codex(&changed(1, " ")),
        codex(&changed(1, "-")),
        codex(&added),
        codex(&two),
        ("gemini", tool("BeforeTool", "write_file", json!({"file_path": "/a", "content": text("", size)}))),
        ("cursor", tool("preToolUse", "Write", json!({"path": "/a", "contents": text("", size)}))),
        ("copilot", copilot("create", created.clone())),
        ("copilot", copilot("create", ascii(&created).into())),
        (
            "copilot",
            copilot(
                "str_replace",
                json!({"path": "/a", "old_str": text("", size / 2), "new_str": text("", size / 2)}),
            ),
        ),
        ("copilot", copilot("apply_patch", json!({"input": added}))),
    ];
    let sent = |(host, event): (&'static str, Value)| {
        let name = event.get("tool_name").or_else(|| event.get("toolName")).unwrap();
        Sent { host, name: format!("{host} {name}, {kind}"), event: ascii(&event) }
    };
    let many = codex(&changed(100, " "));
    all.into_iter().chain((size <= MANY).then_some(many)).map(sent).collect()
}

/// The largest patch for a hundred files: all their events together have a limit.
const MANY: usize = 600 << 10;

const FIELDS: [&str; 5] = ["command", "old_string", "new_string", "content", "file_text"];

/// A policy that reads these fields, and denies a call because of none of them.
fn policy(read: &[&str]) -> String {
    let mut hooks: String = read
        .iter()
        .flat_map(|field| {
            ["=~ 'qq+'", "contains 'qqqq'", "contains 'qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq' nocase"]
                .map(|test| format!("  - {{event: PreToolUse, when: \"tool_input.{field} {test}\", action: {{type: deny, reason: no}}}}\n"))
        })
        .collect();
    if !read.is_empty() {
        hooks.push_str("  - {event: PreToolUse, when: \"$.tool_input.edits[*].new_string =~ 'qq+'\", action: {type: deny, reason: no}}\n");
        hooks.push_str("  - {event: PreToolUse, when: \"tool_input.old_string == tool_input.command\", action: {type: deny, reason: no}}\n");
        hooks.push_str("  - {event: PreToolUse, when: \"tool_input.new_string contains tool_input.command\", action: {type: deny, reason: no}}\n");
    }
    format!(
        "hooks:\n{hooks}  - {{event: PreToolUse, when: \"session_id == 's'\", action: {{type: inject, text: read}}}}\n"
    )
}

/// The largest memory of a call, in bytes, and what it printed.
fn call(folder: &Path, host: &str, event: &str, log: bool) -> (usize, String) {
    common::put(folder, "event", event);
    let mut command = common::program(common::HOOKC, folder);
    command.args(["run", "--host", host, "hooks.yaml"]);
    command.args(if host == "copilot" { &["--event", "preToolUse"][..] } else { &[] });
    command.args([if log { "--log-payload" } else { "--no-log" }]).env("XDG_STATE_HOME", folder);
    command.stdin(std::fs::File::open(folder.join("event")).unwrap());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut most = 0;
    // The mark of the system only grows, and the largest part of a long call is over when it ends.
    let pause = Duration::from_micros(if event.len() < SMALL { 100 } else { 2_000 });
    while child.try_wait().unwrap().is_none() {
        most = super::limits::peak(child.id()).unwrap_or(0).max(most);
        std::thread::sleep(pause);
    }
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (most, String::from_utf8_lossy(&text).into_owned())
}

/// A call with an event of this size ends within milliseconds.
const SMALL: usize = 64 << 10;

/// What a large event needs whatever its size: buffers, and regular expressions that are built when a
/// long text is first searched.
const FIXED: usize = 768 << 10;

fn measure(read: &[&str], log: bool, size: usize, texts: &[Text]) {
    measure_policy(&policy(read), log, size, texts);
}

fn measure_policy(policy: &str, log: bool, size: usize, texts: &[Text]) {
    let folder = tempfile::tempdir().unwrap();
    common::put(&folder, "hooks.yaml", policy);
    let mut wrong = String::new();
    let mut leasts = HashMap::new();
    // A short run measures one event of each agent, with one kind of text.
    for text in texts.iter().take(effort(texts.len(), 1)) {
        let mut hosts = HashSet::new();
        for (sent, small) in events(text, size).iter().zip(events(text, 2_000)) {
            if (size > LARGE || !is_full()) && !hosts.insert(sent.host) {
                continue;
            }
            // A short call may end between two looks at it, on a busy machine always.
            let smallest = || {
                let calls = (0..50).map(|_| call(folder.path(), small.host, &small.event, log).0);
                calls.filter(|least| *least > 0).take(5).max().unwrap_or(0)
            };
            let mut least = *leasts.entry(small.host).or_insert_with(smallest);
            let (mut most, out) = call(folder.path(), sent.host, &sent.event, log);
            let bound = sent.event.len().saturating_mul(4).saturating_add(FIXED);
            if most.saturating_sub(least) > bound {
                // Too little may have been seen of the short calls, and threads do not always share memory alike.
                least = least.max(smallest());
                leasts.insert(small.host, least);
                most = most.min(call(folder.path(), sent.host, &sent.event, log).0);
            }
            let times = most.saturating_sub(least) as f64 / sent.event.len() as f64;
            // Of the largest events, some would be too large under the names of the vocabulary.
            let is_decided = match size > LARGE {
                true => !out.contains("does not compile"),
                false => !out.contains("hookc:") && !out.contains("deny"),
            };
            if most.saturating_sub(least) > bound || !is_decided {
                let out: String = out.chars().take(200).collect();
                wrong.push_str(&format!(
                    "{}: {times:.2} times {} bytes: {out}\n",
                    sent.name,
                    sent.event.len()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Far above what a call needs for any event. Texts of 5 MiB take as many times their size, and minutes.
const LARGE: usize = 1 << 20;

#[test]
fn a_call_takes_four_times_its_event() {
    measure(&[], false, LARGE, &TEXTS[..1]);
}

#[test]
fn a_call_takes_four_times_its_event_if_one_text_is_read() {
    if hookc_corpus::left_to_full_run("the memory of calls, for a text that is read") {
        return;
    }
    measure(&["content"], false, LARGE, &TEXTS[..1]);
}

#[test]
fn a_call_takes_four_times_its_event_if_all_texts_are_read() {
    measure(&FIELDS, false, LARGE, &TEXTS);
}

#[test]
fn a_call_takes_four_times_its_event_if_it_is_logged() {
    if hookc_corpus::left_to_full_run("the memory of calls, for events that are logged") {
        return;
    }
    measure(&FIELDS, true, LARGE, &TEXTS[..1]);
}

/// The bytes of a very large event. `HOOKC_EVENT_BYTES=16777216` takes the largest that a call reads.
fn very_large() -> usize {
    match std::env::var("HOOKC_EVENT_BYTES") {
        Ok(bytes) => bytes.parse().expect("HOOKC_EVENT_BYTES is a number of bytes"),
        Err(_) => 4 << 20,
    }
}

/// One event of each agent.
#[test]
fn a_call_with_a_very_large_event_takes_four_times_its_size() {
    if hookc_corpus::left_to_full_run("events of 4 MiB") {
        return;
    }
    measure(&FIELDS, false, very_large() - 4_000, &TEXTS[..1]);
}

#[test]
fn a_call_about_a_hundred_files_takes_four_times_its_event() {
    if hookc_corpus::left_to_full_run("the memory of calls, for a hundred files") {
        return;
    }
    measure(&FIELDS, false, MANY, &TEXTS[..1]);
}

/// A policy with these conditions, and a hook that matches.
fn conditions(all: &[&str]) -> String {
    let hook =
        |when: &&str| format!("  - {{event: PreToolUse, {when}, action: {{type: deny, reason: no}}}}\n");
    let hooks: String = all.iter().map(hook).collect();
    format!("{}{}", policy(&[]), hooks)
}

#[test]
fn a_call_takes_four_times_its_event_if_queries_overlap() {
    if hookc_corpus::left_to_full_run("the memory of calls, for queries that overlap") {
        return;
    }
    let all = conditions(&[
        "when: \"$.tool_input.edits[*].new_string =~ 'qq+'\"",
        "when: \"$.tool_input.edits[*][*] =~ 'qq+'\"",
        "when: \"$.tool_input[*] =~ 'qq+'\"",
        "when: \"$.tool_input.*.* =~ 'qq+'\"",
        "when: \"$..content =~ 'qq+'\"",
        "when: \"$[*][*] =~ 'qq+'\"",
        "when: \"some(x in tool_input: x =~ 'qq+')\"",
        "when: \"tool_input.content contains tool_input.command\"",
    ]);
    measure_policy(&all, false, LARGE, &[TEXTS[0], TEXTS[2]]);
}

#[test]
fn a_call_takes_four_times_its_event_if_objects_are_compared() {
    if hookc_corpus::left_to_full_run("the memory of calls, for objects that are compared") {
        return;
    }
    let all = conditions(&[
        "condition: {path: tool_input, op: eq, value: {command: x}}",
        "condition: {path: tool_input, op: in, value: [{command: x}, {content: y}, 1]}",
        "condition: {path: tool_input, op: eq, value_path: tool_input.edits}",
        "condition: {path: $, op: eq, value_path: $.tool_input}",
        "condition: {path: tool_input, op: matches, value: {required: [nothing]}}",
        "condition: {path: tool_input, op: matches, value: {const: {command: x}}}",
        "condition: {path: tool_input, op: matches, value: {properties: {content: {maxLength: 3}, command: {maxLength: 3}}, required: [nothing]}}",
    ]);
    measure_policy(&all, false, LARGE, &[TEXTS[0], TEXTS[2]]);
}

#[test]
fn a_call_takes_four_times_its_event_if_two_texts_are_compared() {
    if hookc_corpus::left_to_full_run("the memory of calls, for texts that are compared") {
        return;
    }
    let pairs = ["old_string", "content", "command", "new_string"];
    let mut all = Vec::new();
    for test in ["==", "starts_with", "ends_with", "contains"] {
        for left in pairs {
            for right in pairs.iter().filter(|right| **right != left) {
                all.push(format!(
                    "when: \"tool_input.{left} {test} tool_input.{right} and session_id == 'other'\""
                ));
            }
        }
    }
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    measure_policy(&conditions(&all), false, LARGE, &[TEXTS[0], TEXTS[2]]);
}
