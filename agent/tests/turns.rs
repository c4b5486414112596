//! Many turns with hooks at every point: memory, orphans, and what the hooks cost.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::world::{World, group, run};

/// Handlers per turn: two of tools, two of steps, two of abilities, one of the answer.
const HANDLERS: u32 = 7;

/// Resident memory at its peak in KiB, and the time, of a session with so many turns.
fn session(turns: usize, has_hooks: bool) -> (u64, Duration) {
    let world = World::new();
    let events: &[&str] = if has_hooks {
        &["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionStart"]
    } else {
        &[]
    };
    let mut hooks: serde_json::Map<String, Value> =
        events.iter().map(|name| ((*name).to_owned(), json!([group("", "true")]))).collect();
    // The last command shows the agent's peak.
    hooks.insert("SessionEnd".to_owned(), json!([group("", "grep VmHWM /proc/$PPID/status > peak")]));
    world.hooks(Value::Object(hooks));
    if has_hooks {
        let step = |event: &str| json!({"event": event, "action": {"type": "run", "command": "true"}});
        let steps = json!({"hooks": [step("before_step"), step("after_step")]});
        world.write("project/.ai/config/hooks.yaml", &steps.to_string());
        for (id, event) in [
            ("prompt", "PromptSubmit"),
            ("before", "PreAbilityCall"),
            ("after", "PostAbilityCall"),
            ("output", "ModelOutput"),
            ("stop", "SessionStop"),
        ] {
            let text = format!(
                "id: {id}\nevent_type: {event}\nenabled: true\nblocking: true\nhandler:\n  kind: script\n  command: ./hook.sh\n"
            );
            world.write(&format!("project/.system/hooks/{id}.yaml"), &text);
        }
        let path = world.path("project/hook.sh");
        hookc_corpus::write_program(&path, b"#!/bin/sh\necho '{}'\n").unwrap();
    }
    world.write("project/a.txt", "content");
    let mut script = vec![json!({"tool_calls": [{"name": "Read", "input": {"file_path": "a.txt"}}]}); turns];
    script.push(json!({"text": "done"}));
    world.script(&script);
    let marker = world.path("project").to_string_lossy().into_owned();
    let mut command = world.command(&["-p", "go", "--output-format", "json"]);
    command.env("HOOKC_TEST_MARKER", &marker);
    let start = Instant::now();
    let ran = run(command);
    let took = start.elapsed();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(world.steps("tool_posted").len(), turns);
    assert_eq!(processes_with(&marker), Vec::<String>::new(), "orphans");
    let text = world.read("project/peak");
    let peak = text.split_whitespace().nth(1).and_then(|number| number.parse().ok());
    (peak.unwrap_or_else(|| panic!("{text}")), took)
}

/// The processes that have a variable with this value, which handlers and commands inherit.
fn processes_with(marker: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok).map(|entry| entry.path());
    let has_marker = |path: &std::path::PathBuf| {
        let text = std::fs::read(path.join("environ")).unwrap_or_default();
        let wanted = format!("HOOKC_TEST_MARKER={marker}");
        text.split(|byte| *byte == 0).any(|part| part == wanted.as_bytes())
    };
    processes.filter(has_marker).map(|path| path.display().to_string()).collect()
}

/// 1,000 turns: `HOOKC_AGENT_TURNS=1000 cargo test --release -p hookc-agent turns -- --nocapture`.
#[test]
fn memory_grows_with_the_conversation_only() {
    let turns = std::env::var("HOOKC_AGENT_TURNS").ok().and_then(|turns| turns.parse().ok()).unwrap_or(60);
    let ((few, _), (many, with)) = (session(turns / 10, true), session(turns, true));
    let (_, without) = session(turns, false);
    // A turn is a call, its result and their lines of the script: a few KiB.
    let most = few + 16 * turns as u64 + 4096;
    let per = with.saturating_sub(without).as_secs_f64() * 1e3 / turns as f64;
    eprintln!("{few} KiB with {} turns, {many} KiB with {turns}", turns / 10);
    eprintln!("{per:.1} ms a turn for {HANDLERS} handlers; {without:.1?} without them, {with:.1?} with them");
    assert!(many < most, "{few} KiB with {} turns, {many} KiB with {turns}", turns / 10);
}
