//! The formats of the output.

use std::process::Command;

use serde_json::{Value, json};

use super::world::{World, bash, handler, lines};

fn session() -> World {
    let world = World::new();
    world.hooks(json!({"PreToolUse": [handler("true")]}));
    let mut first = bash("echo hi");
    first["text"] = json!("I run it.");
    first["usage"] = json!({"input_tokens": 10, "output_tokens": 5});
    let last = json!({"text": "It says hi.", "usage": {"input_tokens": 20, "output_tokens": 6}});
    world.script(&[first, last]);
    world
}

#[test]
fn json_is_one_message() {
    let run = session().ask("go", &["--output-format", "json"]);
    let [value] = &lines(&run.out)[..] else { panic!("{}", run.out) };
    assert_eq!((&value["type"], &value["role"]), (&json!("message"), &json!("assistant")));
    assert_eq!(value["content"], json!([{"type": "text", "text": "It says hi."}]));
    assert_eq!((&value["stop_reason"], &value["model"]), (&json!("end_turn"), &json!("script")));
    assert_eq!(value["usage"], json!({"input_tokens": 30, "output_tokens": 11}));
}

#[test]
fn stream_json_is_a_line_per_event() {
    let run = session().ask("go", &["--output-format", "stream-json"]);
    let types: Vec<Value> = lines(&run.out).iter().map(|event| event["type"].clone()).collect();
    let expected = [
        "session_start",
        "message_start",
        "content_block_start",
        "text_delta",
        "text_delta",
        "content_block_stop",
        "content_block_start",
        "input_json_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "hook_started",
        "hook_response",
        "tool_start",
        "tool_result",
        "message_start",
        "content_block_start",
        "text_delta",
        "text_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "result",
    ];
    assert_eq!(types, expected);
}

#[test]
fn the_stream_of_claude_code() {
    let run = session().ask("go", &["--output-format", "stream-json", "--compat", "claude"]);
    let events = lines(&run.out);
    let kinds: Vec<String> = events
        .iter()
        .map(|event| {
            format!("{} {}", event["type"].as_str().unwrap(), event["subtype"].as_str().unwrap_or(""))
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "system init",
            "assistant ",
            "system hook_started",
            "system hook_response",
            "user ",
            "assistant ",
            "result success"
        ]
    );
    assert!(
        events
            .iter()
            .all(|event| event["session_id"] == events[0]["session_id"] && event["uuid"].is_string())
    );
    assert_eq!(events[1]["message"]["content"][1]["name"], "Bash");
    assert_eq!(events[4]["message"]["content"][0]["content"], "hi");
    let last = events.last().unwrap();
    assert_eq!(
        (&last["result"], &last["num_turns"], &last["is_error"]),
        (&json!("It says hi."), &json!(2), &json!(false))
    );
}

/// The public client of Claude Code's format reads the stream, if it is installed:
/// `python3 -m pip install claude-agent-sdk`.
#[test]
fn a_public_client_reads_the_stream() {
    const READ: &str = "
import json, sys
from claude_agent_sdk._internal.message_parser import parse_message
for line in sys.stdin:
    message = parse_message(json.loads(line))
    print(type(message).__name__)
";
    let python = std::env::var("HOOKC_SDK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let there = Command::new(&python).args(["-c", "import claude_agent_sdk"]).output();
    if !there.is_ok_and(|output| output.status.success()) {
        eprintln!(
            "skipped: `claude-agent-sdk` is not installed (HOOKC_SDK_PYTHON names a Python that has it)"
        );
        return;
    }
    let stream = session().ask("go", &["--output-format", "stream-json", "--compat", "claude"]).out;
    let mut command = Command::new(python);
    command.args(["-c", READ]).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let read = super::world::run_with(command, &stream);
    assert_eq!(read.code, Some(0), "{}", read.err);
    let names: Vec<&str> = read.out.lines().collect();
    let others =
        names.iter().filter(|name| !["AssistantMessage", "UserMessage", "ResultMessage"].contains(name));
    assert_eq!(
        (names[1], names[4], *names.last().unwrap()),
        ("AssistantMessage", "UserMessage", "ResultMessage")
    );
    assert_eq!(others.count(), 3, "{names:?}");
}

#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let world = session();
    let script = format!("script:{}", world.path("script.jsonl").display());
    let program = env!("CARGO_BIN_EXE_hookc-agent");
    let line = format!("{program} -p go --model {script} --output-format stream-json >/dev/full");
    let mut command = Command::new("sh");
    command.args(["-c", &line]).current_dir(world.path("project"));
    command.env("HOME", world.path("home")).env("HOOKC_AGENT_STATE", world.path("state"));
    let run = super::world::run(command);
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("the output cannot be written"), "{}", run.err);
}
