//! Limits, thread policies, suspension and resumption, compaction.

use serde_json::{Value, json};

use super::world::{World, bash, lines, run};

fn subtype(out: &str) -> String {
    lines(out).pop().unwrap()["subtype"].as_str().unwrap().to_owned()
}

#[test]
fn turns_tokens_and_budget() {
    let usage = json!({"input_tokens": 100_000, "output_tokens": 1000});
    let line = |mut line: Value| {
        line["usage"] = usage.clone();
        line
    };
    let table: [(&[&str], &str); 3] = [
        (&["--max-turns", "2"], "error_max_turns"),
        (&["--max-tokens", "200000"], "error_max_tokens"),
        (&["--max-budget", "0.6", "--price", "3/15"], "error_max_budget_usd"),
    ];
    for (args, expected) in table {
        let world = World::new();
        world.hooks(json!({}));
        world.script(&vec![line(bash("true")); 9]);
        let run = world
            .ask("go", &[args, &["--output-format", "stream-json", "--context-window", "10000000"]].concat());
        assert_eq!((run.code, subtype(&run.out).as_str()), (Some(1), expected), "{}", run.err);
        assert_eq!(world.steps("reply").len(), 2);
    }
    let world = World::new();
    world.script(&[]);
    let run = world.ask("go", &["--max-budget", "1"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("--price"), "{}", run.err);
}

/// Without prices the spend is 0, and a hook about it would never match in silence.
#[test]
fn a_hook_about_the_spend_needs_prices() {
    let is_reported = |when: &str, args: &[&str]| {
        let world = World::new();
        world.hooks(json!({}));
        let policy = format!("hooks: [{{event: limit, when: {when}, action: {{type: abort}}}}]");
        world.write("project/.ai/config/hooks.yaml", &policy);
        world.script(&[json!({"text": "done"})]);
        world.ask("go", args).err.contains("give `--price`")
    };
    assert!(is_reported("cost.spend > 10", &[]));
    assert!(!is_reported("cost.spend > 10", &["--price", "3/15"]));
    assert!(!is_reported("cost.turns > 10", &[]));
}

/// A policy of threads.
const ESCALATES: &str = "
hooks:
  - id: more_turns
    event: limit
    when: limit_code == 'turns_exceeded'
    action: {type: escalate, target: user_approval}
";

#[test]
fn an_escalation_waits_for_its_answer() {
    for (answer, code, replies) in [("yes", 0, 3), ("no", 1, 1)] {
        let world = World::new();
        world.hooks(json!({}));
        world.write("project/.ai/config/hooks.yaml", ESCALATES);
        world.script(&[bash("echo 1 >> ran"), bash("echo 2 >> ran"), json!({"text": "done"})]);
        let first = world.ask("go", &["--max-turns", "1", "--session-id", "s"]);
        assert_eq!(first.code, Some(3), "{}", first.err);
        assert!(first.err.contains("hookc-agent answer s yes"), "{}", first.err);
        let still = run(world.command(&["--resume", "s", "--max-turns", "2"]));
        assert_eq!(still.code, Some(3), "{}", still.err);
        assert_eq!(run(world.bare(&["answer", "s", answer])).code, Some(0));
        let twice = run(world.bare(&["answer", "s", answer]));
        assert_eq!(twice.code, Some(2), "{}", twice.err);
        let resumed = run(world.command(&["--resume", "s", "--max-turns", "2"]));
        assert_eq!(resumed.code, Some(code), "{answer}: {}", resumed.err);
        assert_eq!(world.steps("reply").len(), replies, "{answer}");
    }
}

#[test]
fn a_suspension_ends_when_the_session_is_resumed() {
    let world = World::new();
    world.hooks(json!({}));
    world.write(
        "project/.ai/config/hooks.yaml",
        "hooks: [{event: before_step, when: turn_number == 2, action: {type: suspend, suspend_reason: budget}}]",
    );
    world.script(&[bash("echo 1 >> ran"), json!({"text": "done"})]);
    let first = world.ask("go", &["--session-id", "s"]);
    assert_eq!(first.code, Some(3), "{}", first.err);
    world.write("project/.ai/config/hooks.yaml", "hooks: [{event: limit, action: {type: fail}}]");
    let resumed = run(world.command(&["--resume", "s"]));
    assert_eq!((resumed.code, resumed.out.as_str()), (Some(0), "done\n"), "{}", resumed.err);
    assert_eq!(world.read("project/ran"), "1\n");
}

#[test]
fn errors_are_retried_by_the_policy() {
    let world = World::new();
    world.write(
        "project/.ai/config/hooks.yaml",
        "hooks: [{id: again, event: error, when: error.type == 'odd', action: {type: retry, max_attempts: 2, backoff_policy: fixed, delay: 0.01}}]",
    );
    let value = json!({"error": {"type": "odd", "message": "strange"}});
    world.script(&[value.clone(), value.clone(), json!({"text": "done"})]);
    let ok = world.ask("go", &[]);
    assert_eq!((ok.code, ok.out.as_str()), (Some(0), "done\n"), "{}", ok.err);
    let other = World::new();
    other.write("project/.ai/config/hooks.yaml", &world.read("project/.ai/config/hooks.yaml"));
    other.script(&[value.clone(), value.clone(), value]);
    let failed = other.ask("go", &["--output-format", "stream-json"]);
    assert_eq!(failed.code, Some(1));
    let events = lines(&failed.out);
    let errors = events.iter().filter(|event| event["type"] == "error").count();
    assert_eq!((errors, subtype(&failed.out).as_str()), (3, "error_during_execution"));
}

#[test]
fn pressure_leads_to_a_summary() {
    let world = World::new();
    world.hooks(json!({"PreCompact": [{"type": "command", "command": "echo pre >> log"}],
        "PostCompact": [{"hooks": [{"type": "command", "command": "cat >> log"}]}]}));
    let mut first = bash("echo 1");
    first["usage"] = json!({"input_tokens": 890, "output_tokens": 10});
    world.script(&[first, json!({"text": "All was done."}), json!({"text": "done"})]);
    let run = world.ask("go", &["--context-window", "1000"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "done\n"), "{}", run.err);
    assert_eq!(world.steps("compacted")[0]["summary"], "All was done.");
    let log = world.read("project/log");
    assert!(log.starts_with("pre\n") && log.contains("\"compact_summary\":\"All was done.\""), "{log}");
}
