//! Conditions about earlier events: of a session, of its sub-agents, and after it was resumed.

use serde_json::json;

use super::world::{World, bash, run};

/// What became of the calls of a session: the texts of the results that the model got.
fn results(world: &World) -> Vec<String> {
    let posted = world.steps("tool_posted");
    posted.iter().map(|step| step["content"].as_str().unwrap_or_default().to_owned()).collect()
}

fn world(policy: &str) -> World {
    let world = World::new();
    world.hooks(json!({}));
    world.write("project/.ai/config/hooks.yaml", policy);
    world
}

const TWO: &str = r#"
hooks:
  - id: two_commands
    event: PreToolUse
    when: "tool_name == 'Bash' and count(PreToolUse where tool_name == 'Bash') >= 2"
    action: {type: deny, reason: "two commands are enough"}
"#;

#[test]
fn a_session_that_is_resumed_has_its_history() {
    let world = world(TWO);
    world.script(&[bash("echo one"), json!({"text": "done"})]);
    assert_eq!(world.ask("go", &["--session-id", "s"]).code, Some(0));
    world.script(&[
        json!({"text": ""}),
        json!({"text": ""}),
        bash("echo two"),
        bash("echo three"),
        json!({"text": "done"}),
    ]);
    let resumed = run(world.command(&["--resume", "s", "-p", "more"]));
    assert_eq!(resumed.code, Some(0), "{}", resumed.err);
    let seen = results(&world);
    assert_eq!(seen[..2], ["one", "two"], "{seen:?}");
    assert!(!seen.contains(&"three".to_owned()), "{seen:?}");
}

#[test]
fn events_of_threads_and_of_tools_are_one_history() {
    let policy = r#"
hooks:
  - id: three_steps
    event: before_step
    when: count(before_step) >= 3
    action: {type: fail, error_message: "three steps are enough"}
  - id: after_a_step
    event: PreToolUse
    when: not formerly(before_step)
    action: {type: deny, reason: "no step was seen"}
"#;
    let world = world(policy);
    world.script(&[bash("echo 1"), bash("echo 2"), bash("echo 3"), bash("echo 4"), json!({"text": "done"})]);
    let ran = world.ask("go", &[]);
    assert!(
        ran.err.contains("three steps are enough") || ran.out.contains("three steps are enough"),
        "{} {}",
        ran.out,
        ran.err
    );
    assert_eq!(results(&world), ["1", "2", "3"]);
}

#[test]
fn a_sub_agent_has_a_history_of_its_own() {
    let policy = TWO.replace(
        "count(PreToolUse where tool_name == 'Bash') >= 2",
        "formerly(PreToolUse where tool_name == 'Bash' per agent)",
    );
    let world = world(&policy);
    let agent =
        json!({"tool_calls": [{"name": "Agent", "input": {"prompt": "look", "subagent_type": "tester"}}]});
    world.script(&[
        bash("echo out"),
        agent,
        bash("echo in"),
        bash("echo again"),
        json!({"text": "found"}),
        json!({"text": "done"}),
    ]);
    let ran = world.ask("go", &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let seen: Vec<String> = results(&world);
    assert!(
        seen.contains(&"out".to_owned())
            && seen.contains(&"in".to_owned())
            && !seen.contains(&"again".to_owned()),
        "{seen:?}"
    );
}

#[test]
fn a_history_that_cannot_be_kept_is_unknown() {
    let world = world(TWO);
    world.write("state/history", "a file in place of the directory");
    world.script(&[bash("echo one"), json!({"text": "done"})]);
    let ran = world.ask("go", &[]);
    assert!(ran.err.contains("conditions about earlier events are unknown"), "{}", ran.err);
    assert!(!results(&world).contains(&"one".to_owned()), "the hook fails closed");
}
