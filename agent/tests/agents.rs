//! Sub-agents.

use serde_json::{Value, json};

use super::world::{World, group, lines};

fn agent(prompt: &str, background: bool) -> Value {
    json!({"tool_calls": [{"name": "Agent", "input": {"prompt": prompt, "subagent_type": "tester",
        "run_in_background": background}}]})
}

const LOG: &str = "cat >> events.jsonl; echo >> events.jsonl";

#[test]
fn a_sub_agent_has_the_hooks_of_the_session() {
    let world = World::new();
    world.hooks(json!({"SubagentStart": [group("tester", LOG)], "SubagentStop": [group("tester", LOG)],
        "PreToolUse": [group("Bash", LOG)], "Stop": [group("", LOG)]}));
    world.script(&[
        agent("look", false),
        json!({"tool_calls": [{"name": "Bash", "input": {"command": "echo in"}}]}),
        json!({"text": "found"}),
        json!({"text": "done"}),
    ]);
    let run = world.ask("go", &["--output-format", "stream-json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let events = lines(&world.read("project/events.jsonl"));
    let seen: Vec<_> = events
        .iter()
        .map(|event| (event["hook_event_name"].as_str().unwrap(), event["agent_id"].as_str()))
        .collect();
    let sub_agent = Some("agent-1");
    assert_eq!(
        seen,
        [
            ("SubagentStart", sub_agent),
            ("PreToolUse", sub_agent),
            ("SubagentStop", sub_agent),
            ("Stop", None)
        ]
    );
    assert_eq!(
        (&events[1]["agent_type"], &events[2]["last_assistant_message"]),
        (&json!("tester"), &json!("found"))
    );
    let posted = world.steps("tool_posted");
    assert_eq!(posted.last().unwrap()["content"], "found");
    let marked = lines(&run.out).iter().filter(|event| event["agent_id"] == "agent-1").count();
    assert!(marked > 5, "{}", run.out);
}

#[test]
fn the_depth_is_limited() {
    let world = World::new();
    world.hooks(json!({}));
    world.script(&[
        agent("one", false),
        agent("two", false),
        json!({"text": "inner"}),
        json!({"text": "middle"}),
        json!({"text": "done"}),
    ]);
    let run = world.ask("go", &["--max-depth", "1"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "middle\n"), "{}", run.err);
    assert!(world.steps("tool_posted")[0]["content"].as_str().unwrap().contains("deeper than 1"));
}

#[test]
fn a_background_agent_reports_before_the_session_ends() {
    let world = World::new();
    world.hooks(json!({}));
    let mut slow = json!({"text": "found"});
    slow["delay_ms"] = json!(300);
    world.script(&[
        agent("look", true),
        slow,
        json!({"text": "meanwhile", "delay_ms": 50}),
        json!({"text": "done"}),
    ]);
    let run = world.ask("go", &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(world.steps("note").len(), 1);
    assert_eq!(world.steps("reply").len(), 4);
    assert!(run.out.ends_with("done\n"), "{}", run.out);
}
