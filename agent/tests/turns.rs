//! Many turns with hooks at every point.

use serde_json::{Value, json};

use super::world::{World, group};

/// Resident memory at its peak, in KiB, of a session with so many turns.
fn peak(turns: usize) -> u64 {
    let world = World::new();
    let events = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionStart", "SessionEnd"];
    let mut hooks: serde_json::Map<String, Value> =
        events.iter().map(|name| ((*name).to_owned(), json!([group("", "true")]))).collect();
    // The last command shows the agent's peak.
    hooks.insert("SessionEnd".to_owned(), json!([group("", "grep VmHWM /proc/$PPID/status > peak")]));
    world.hooks(Value::Object(hooks));
    world.write("project/a.txt", "content");
    let mut script = vec![json!({"tool_calls": [{"name": "Read", "input": {"file_path": "a.txt"}}]}); turns];
    script.push(json!({"text": "done"}));
    world.script(&script);
    let run = world.ask("go", &["--output-format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(world.steps("tool_posted").len(), turns);
    let text = world.read("project/peak");
    text.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{text}"))
}

/// 1,000 turns: `HOOKC_AGENT_TURNS=1000 cargo test --release -p hookc-agent turns`.
#[test]
fn memory_grows_with_the_conversation_only() {
    let turns = std::env::var("HOOKC_AGENT_TURNS").ok().and_then(|turns| turns.parse().ok()).unwrap_or(60);
    let (few, many) = (peak(turns / 10), peak(turns));
    // A turn is a call, its result and their lines of the script: a few KiB.
    let most = few + 16 * turns as u64 + 4096;
    assert!(many < most, "{few} KiB with {} turns, {many} KiB with {turns}", turns / 10);
    eprintln!("{few} KiB with {} turns, {many} KiB with {turns}", turns / 10);
}
