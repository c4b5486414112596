//! The memory that an event takes while it is read and logged, as a multiple of its size.

use std::time::Duration;

use allocation_counter::measure;
use hookc_runtime::adapter::{self, Incoming};
use hookc_runtime::log::{Entry, Log, Redaction};
use serde_json::{Value, json};

/// Bytes of the text in an event.
const SIZE: usize = 1 << 20;
/// Bytes next to an event: the parts of it that are not its text, and buffers of its chunks.
const BESIDE: u64 = 512 << 10;

fn lines(start: &str) -> String {
    format!("{start}{}\n", "x".repeat(78)).repeat(SIZE / 80)
}

fn patch(body: &str) -> String {
    format!("*** Begin Patch\n{body}*** End Patch\n")
}

fn event(name: &str, tool: &str, input: Value) -> Value {
    json!({"hook_event_name": name, "session_id": "s", "cwd": "/", "tool_name": tool, "tool_input": input})
}

/// An agent, an event of it, and how often the event has its text under the names of the vocabulary.
fn events() -> Vec<(&'static str, Value, u64)> {
    let text = lines("y");
    let update = patch(&format!("*** Update File: a\n@@\n{}-old\n+new\n", lines(" ")));
    let add = patch(&format!("*** Add File: a\n{}", lines("+")));
    let two = patch(&format!("*** Delete File: b\n*** Update File: a\n@@\n{}-old\n+new\n", lines(" ")));
    let codex = |patch: String| event("PreToolUse", "apply_patch", json!({"command": patch}));
    let copilot =
        |input: Value| json!({"sessionId": "s", "cwd": "/", "toolName": "create", "toolArgs": input});
    vec![
        ("claude", event("PreToolUse", "Write", json!({"file_path": "/a", "content": text})), 1),
        ("codex", codex(update), 3),
        ("codex", codex(add), 2),
        ("codex", codex(two), 3),
        ("gemini", event("BeforeTool", "write_file", json!({"file_path": "/a", "content": text})), 1),
        ("cursor", event("preToolUse", "Write", json!({"path": "/a", "contents": text})), 2),
        ("copilot", copilot(json!({"path": "/a", "file_text": text})), 3),
    ]
}

fn read(host: &str, bytes: Vec<u8>) -> Incoming {
    let name = (host == "copilot").then_some("preToolUse");
    adapter::by_name(host).unwrap().read(bytes, name).unwrap()
}

#[test]
fn reading_takes_four_times_the_event() {
    for (host, event, times) in events() {
        let text = event.to_string();
        let (size, mut made) = (text.len() as u64, 0);
        let info = measure(|| {
            let mut incoming = read(host, text.as_bytes().to_vec());
            let sizes = (0..incoming.count()).map(|at| {
                incoming.select(at);
                incoming.event.bytes().len() as u64
            });
            made = sizes.max().unwrap();
        });
        assert!(made >= times * SIZE as u64 * 9 / 10, "{host}: an event of {made} bytes");
        assert!(info.bytes_max <= 4 * size + BESIDE, "{host}: {} bytes for {size}", info.bytes_max);
    }
}

#[test]
fn a_line_of_the_log_takes_no_copy_of_the_event() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let log = Log::open(&path).unwrap().with_payload(Redaction::new(["tool_input.none"]));
    let dense =
        format!("{{\"a\":[{}0],\"b\":\"\u{9b}{}\"}}", "[],".repeat(60_000), "\u{9b}".repeat(SIZE / 2));
    let all = events().into_iter().map(|(host, event, _)| (host, event.to_string()));
    for (host, text) in all.chain([("flat", dense)]) {
        std::fs::write(&path, "").unwrap();
        let event = hookc_runtime::Event::new(text.as_str());
        let entry = Entry::new(host, &event, Err("why"), Duration::ZERO);
        let info = measure(|| log.write(&entry).unwrap());
        assert!(info.bytes_max <= BESIDE, "{host}: {} bytes for {}", info.bytes_max, text.len());
        let line: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let sent: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(line["payload"], sent, "{host}");
    }
}
