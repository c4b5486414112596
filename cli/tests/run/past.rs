//! Sessions that agents have played (`corpus/agents/past`): each event gets the answer that it got then.

use serde_json::Value;

use super::shell::{Shell, prompt, tool};
use crate::common;

#[test]
fn sessions_of_agents_are_decided_by_what_happened_before() {
    let folder = common::project().join("corpus/agents/past");
    let policy = std::fs::read_to_string(folder.join("hooks.yaml")).unwrap();
    for agent in ["claude", "codex", "copilot", "cursor", "droid", "gemini", "opencode", "qwen"] {
        let shell = Shell::new(&policy);
        let text = std::fs::read_to_string(folder.join(format!("{agent}.jsonl"))).unwrap();
        let mut denied = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line: Value = serde_json::from_str(line).unwrap();
            let name = line["name"].as_str().map(|name| ["--event", name]);
            let args = [&["--host", agent][..], name.as_ref().map_or(&[], |name| &name[..])].concat();
            let run = shell.run(&args, line["event"].to_string().as_bytes(), &[]);
            let denies = run.out.contains("\"deny\"");
            assert_eq!(denies, line["denies"] == true, "{agent}, event {number}: {run:?}");
            denied.extend(denies.then_some(run.out));
        }
        let reasons = ["run the tests first", "twice already", "a secret was read"];
        assert_eq!(denied.len(), reasons.len(), "{agent}: {denied:?}");
        for (out, reason) in denied.iter().zip(reasons) {
            assert!(out.contains(reason), "{agent}: {out}");
        }
    }
}

#[test]
fn a_replay_of_what_an_agent_sent_gives_its_answers() {
    let folder = common::project().join("corpus/agents/past");
    let policy = std::fs::read_to_string(folder.join("hooks.yaml")).unwrap();
    for agent in ["claude", "qwen"] {
        let shell = Shell::new(&policy);
        let text = std::fs::read_to_string(folder.join(format!("{agent}.jsonl"))).unwrap();
        let events: Vec<Value> =
            text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["event"].take()).collect();
        let lines: String = events.iter().map(|event| format!("{event}\n")).collect();
        common::put(&shell.folder, "events.ndjson", lines);
        let mut command = common::command(&shell.folder);
        command.args(["replay", "hooks.yaml", "events.ndjson", "--host", agent]);
        let run = common::run(&mut command, b"");
        let decided = events.iter().filter(|event| event["prompt"] != "").count();
        let head = format!("{decided} events: 3 decided, {} no opinion, 0 errors\n\n", decided - 3);
        assert!(run.out.starts_with(&head), "{agent}: {run:?}");
    }
}

/// Qwen Code sends an empty prompt after each result of a tool: the turn goes on, and hookc runs no hook.
#[test]
fn a_prompt_without_a_text_continues_the_turn() {
    let policy = "hooks:\n\
         - {event: PreToolUse, when: count(PreToolUse within turn) >= 2, action: {type: deny, reason: the third call}}\n\
         - {event: UserPromptSubmit, when: prompt != 'go', action: {type: inject, text: another prompt}}\n";
    let empty = prompt("");
    let mut submitted = prompt("");
    submitted["submitted_prompt"] = "see a.png".into();
    for (host, middle, expected) in [
        ("qwen", &empty, [false, false, false, false, false, true]),
        ("qwen", &submitted, [false, false, true, false, true, false]),
        ("claude", &empty, [false, false, true, false, true, false]),
    ] {
        let shell = Shell::new(policy);
        let call = |number: u8| {
            let mut call = tool("PreToolUse", "ls");
            call["tool_use_id"] = number.to_string().into();
            call
        };
        let events = [prompt("go"), call(1), middle.clone(), call(2), middle.clone(), call(3)];
        let denied = events.map(|event| {
            let run = shell.host(host, &event);
            assert_eq!(run.err, "", "{host}");
            run.out.contains("the third call") || run.out.contains("another prompt")
        });
        assert_eq!(denied, expected, "{host}, {middle}");
    }
}
