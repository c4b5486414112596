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

/// The contexts of the four events, in a session with a sub-agent.
#[test]
fn events_have_the_fields_of_the_document() {
    let world = World::new();
    world.hooks(json!({}));
    for (id, event, blocking) in [
        ("p", "PromptSubmit", true),
        ("b", "PreAbilityCall", true),
        ("a", "PostAbilityCall", true),
        ("s", "SessionStop", true),
    ] {
        hook(&world, id, event, blocking, &format!("cat >> {id}.jsonl; echo >> {id}.jsonl"));
    }
    world.script(&[
        bash("echo out"),
        bash("exit 3"),
        json!({"tool_calls": [{"name": "Agent", "input": {"prompt": "look"}}]}),
        json!({"tool_calls": [{"name": "Write", "input": {"file_path": "w.txt", "content": "x"}}]}),
        json!({"text": "looked"}),
        json!({"text": "done"}),
    ]);
    let run = world.ask("go", &["--session-id", "s1"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let records = |id: &str| lines(&world.read(&format!("project/{id}.jsonl")));
    let prompt = json!({"event_type": "PromptSubmit", "session_id": "s1", "user_raw_input": "go"});
    assert_eq!(records("p"), [prompt]);
    let before = records("b");
    assert_eq!(
        (&before[0]["event_type"], &before[0]["session_id"], &before[0]["ability_id"]),
        (&json!("PreAbilityCall"), &json!("s1"), &json!("Bash"))
    );
    assert_eq!(before[0]["args_summary"], "{\"command\":\"echo out\"}");
    assert_eq!(before[0]["caller"], json!({"source": "ai_session", "session_id": "s1"}));
    let write = before.iter().find(|one| one["ability_id"] == "Write").unwrap();
    assert_eq!(write["caller"]["triggered_by"], "agent-1");
    assert!(write["target_path"].as_str().unwrap().ends_with("project/w.txt"), "{write}");
    let after = records("a");
    assert_eq!((&after[0]["status"], &after[0]["output_summary"]), (&json!("success"), &json!("out")));
    assert!(after[0]["duration_ms"].is_u64() && after[0].get("tool_call_path").is_none(), "{}", after[0]);
    assert_eq!(after[0]["input_summary"], "{\"command\":\"echo out\"}");
    assert_eq!(
        (&after[1]["status"], &after[1]["error_message"]),
        (&json!("failure"), &json!("exit status 3"))
    );
    let inner = after.iter().find(|one| one["ability_id"] == "Write").unwrap();
    assert_eq!(inner["tool_call_path"], json!(["Agent", "Write"]));
    let stop = &records("s")[0];
    assert_eq!((&stop["session_id"], &stop["changed_files"]), (&json!("s1"), &json!(["w.txt"])));
    assert_eq!(stop["abilities_used"], json!(["Agent", "Bash", "Write"]));
}
