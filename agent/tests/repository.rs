//! Repository hooks around prompts, calls and the end of a session.

use serde_json::{Value, json};

use super::world::{World, bash, lines};

fn hook(world: &World, id: &str, event: &str, blocking: bool, script: &str) {
    let text = format!(
        "id: {id}\nevent_type: {event}\nenabled: true\nblocking: {blocking}\nsummary: A test.\nhandler:\n  kind: script\n  command: ./scripts/{id}.sh\n"
    );
    world.write(&format!("project/.system/hooks/{id}.yaml"), &text);
    let path = world.path(&format!("project/scripts/{id}.sh"));
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    hookc_corpus::write_program(&path, format!("#!/bin/sh\n{script}\n").as_bytes()).unwrap();
}

fn guard(human: bool) -> Value {
    json!({"hook_signals": [{"source_event": "PreAbilityCall", "hook_id": "guard", "kind": "ability_guard",
        "code": "ABILITY_DENIED", "severity": "error",
        "payload": {"ability_id": "Bash", "reason": "not here", "require_human": human}}]})
}

#[test]
fn signals_guards_and_reports() {
    let world = World::new();
    world.hooks(json!({}));
    let hint = json!({"hook_signals": [{"source_event": "PromptSubmit", "hook_id": "hint", "kind": "routing_hint",
        "code": "ROUTE_SUGGESTION", "payload": {"suggested_abilities": [{"id": "Read", "reason": "r", "confidence": 0.9}]}}]});
    hook(&world, "hint", "PromptSubmit", true, &format!("cat <<'E'\n{hint}\nE"));
    hook(
        &world,
        "guard",
        "PreAbilityCall",
        true,
        &format!("grep -q '\"ability_id\":\"Bash\"' && cat <<'E'\n{}\nE\ntrue", guard(false)),
    );
    hook(
        &world,
        "usage",
        "PostAbilityCall",
        false,
        "cat >> usage.jsonl; echo >> usage.jsonl; echo '{\"logs\": [\"counted\"]}'",
    );
    hook(&world, "ending", "SessionStop", false, "cat > stop.json");
    world.script(&[
        bash("touch a"),
        bash("touch b"),
        json!({"tool_calls": [{"name": "Write", "input": {"file_path": "c", "content": ""}}]}),
        json!({"text": "done"}),
    ]);
    let run = world.ask("go", &["--output-format", "stream-json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let control = lines(&run.out).into_iter().find(|event| event["turn_ready"] == true).unwrap();
    assert_eq!(control["hook_signals"][0]["kind"], "routing_hint");
    let prompt = world.steps("prompt")[0]["content"][1]["text"].as_str().unwrap().to_owned();
    assert!(prompt.contains("\"turn_ready\":true") && prompt.contains("ROUTE_SUGGESTION"), "{prompt}");
    assert!(!world.path("project/a").exists() && world.path("project/c").exists());
    let posted = world.steps("tool_posted");
    assert!(posted[0]["content"].as_str().unwrap().contains("not here"), "{posted:?}");
    assert!(posted[1]["content"].as_str().unwrap().contains("disabled for this session"), "{posted:?}");
    std::thread::sleep(std::time::Duration::from_millis(300));
    let stop: Value = serde_json::from_str(&world.read("project/stop.json")).unwrap();
    assert_eq!((&stop["changed_files"], &stop["abilities_used"]), (&json!(["c"]), &json!(["Write"])));
    let usage = lines(&world.read("project/usage.jsonl"));
    assert_eq!((&usage[0]["ability_id"], &usage[0]["status"]), (&json!("Write"), &json!("success")));
}

#[test]
fn a_guard_that_wants_a_person_stops_the_run() {
    let world = World::new();
    world.hooks(json!({}));
    hook(&world, "guard", "PreAbilityCall", true, &format!("cat <<'E'\n{}\nE", guard(true)));
    world.script(&[bash("touch a"), json!({"text": "never"})]);
    let run = world.ask("go", &[]);
    assert_eq!(run.code, Some(3), "{}", run.err);
    assert!(run.err.contains("a person must look at this call: not here"), "{}", run.err);
    assert!(!world.path("project/a").exists());
}
