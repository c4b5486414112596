//! Where hooks fire, and what they are given.

use serde_json::{Value, json};

use super::world::{World, bash, group, handler, lines};

/// The events that a handler has logged, by name.
fn logged(world: &World) -> Vec<Value> {
    lines(&world.read("project/events.jsonl"))
}

fn names(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["hook_event_name"].as_str().unwrap()).collect()
}

const LOG: &str = "cat >> events.jsonl; echo >> events.jsonl";

#[test]
fn every_event_fires_where_it_belongs() {
    let world = World::new();
    let events = [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "Stop",
        "SessionEnd",
    ];
    let hooks: serde_json::Map<String, Value> =
        events.iter().map(|name| ((*name).to_owned(), json!([group("", LOG)]))).collect();
    world.hooks(Value::Object(hooks));
    world.script(&[bash("echo out"), bash("exit 7"), json!({"text": "done"})]);
    let run = world.ask("go", &["--session-id", "s1"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let events = logged(&world);
    assert_eq!(
        names(&events),
        [
            "SessionStart",
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "PreToolUse",
            "PostToolUseFailure",
            "Stop",
            "SessionEnd"
        ]
    );
    for event in &events {
        assert_eq!(event["session_id"], "s1");
        assert!(event["cwd"].is_string() && event["transcript_path"].is_string(), "{event}");
    }
    assert_eq!((&events[0]["source"], &events[1]["prompt"]), (&json!("startup"), &json!("go")));
    assert_eq!(
        (&events[2]["tool_name"], &events[2]["tool_input"]["command"]),
        (&json!("Bash"), &json!("echo out"))
    );
    assert_eq!(events[3]["tool_response"], "out");
    assert_eq!(events[5]["error"], "exit status 7");
    assert_eq!(
        (&events[6]["stop_hook_active"], &events[6]["last_assistant_message"]),
        (&json!(false), &json!("done"))
    );
}

#[test]
fn flat_handlers_have_variables_and_see_failures() {
    let world = World::new();
    world.hooks(json!({"PostToolUse": [
        handler("echo \"$HOOK_EVENT $TOOL_NAME $TOOL_INPUT $TOOL_OUTPUT $TOOL_IS_ERROR\" >> log"),
    ]}));
    world.script(&[bash("echo out"), bash("exit 7"), json!({"text": "done"})]);
    assert_eq!(world.ask("go", &[]).code, Some(0));
    let log = world.read("project/log");
    assert_eq!(
        log,
        "PostToolUse Bash {\"command\":\"echo out\"} out false\nPostToolUse Bash {\"command\":\"exit 7\"} exit status 7 true\n"
    );
}

#[test]
fn a_hook_changes_the_input_and_the_output() {
    let world = World::new();
    let pre = json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow",
        "updatedInput": {"command": "echo changed"}}});
    let post =
        json!({"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "note this"}});
    world.write("project/pre.json", &pre.to_string());
    world.write("project/post.json", &post.to_string());
    world.settings(json!({"hooks": {"PreToolUse": [group("Bash", "cat pre.json")],
        "PostToolUse": [group("Bash", "cat post.json")]}}));
    world.script(&[bash("echo original"), json!({"text": "done"})]);
    let run = world.ask("go", &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let posted = &world.steps("tool_posted")[0];
    assert_eq!((&posted["content"], &posted["contexts"]), (&json!("changed"), &json!(["note this"])));
}

#[test]
fn continue_false_stops_the_agent() {
    let world = World::new();
    world.hooks(
        json!({"PreToolUse": [group("Bash", "echo '{\"continue\": false, \"stopReason\": \"enough\"}'")]}),
    );
    let two = json!({"tool_calls": [{"name": "Bash", "input": {"command": "touch a"}},
        {"name": "Bash", "input": {"command": "touch b"}}]});
    world.script(&[two, json!({"text": "never"})]);
    let run = world.ask("go", &["--output-format", "stream-json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let last = lines(&run.out).pop().unwrap();
    assert_eq!((&last["subtype"], &last["result"]), (&json!("stopped"), &json!("enough")));
    assert!(!world.path("project/a").exists() && !world.path("project/b").exists());
}

#[test]
fn a_failing_policy_starts_no_session() {
    let world = World::new();
    world.write("project/.claude/settings.json", "{\"hooks\": {\"PreToolUse\": [{\"type\": \"nothing\"}]}}");
    world.write(
        "project/.ai/config/hooks.yaml",
        "hooks: [{event: limit, when: limit_code ==, action: {type: fail}}]",
    );
    world.script(&[json!({"text": "never"})]);
    let run = world.ask("go", &[]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(run.err.contains("hooks.yaml:1:"), "{}", run.err);
    std::fs::remove_file(world.path("project/.ai/config/hooks.yaml")).unwrap();
    let run = world.ask("go", &[]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(run.err.contains("settings.json:1:"), "the unknown type of a handler: {}", run.err);
}

#[test]
fn a_prompt_hook_asks_the_model() {
    let world = World::new();
    world.hooks(json!({"PreToolUse": [{"matcher": "Bash", "hooks": [
        {"type": "prompt", "prompt": "Is this safe? $ARGUMENTS", "continueOnBlock": true}]}]}));
    world.script(&[
        bash("touch a"),
        json!({"text": "{\"ok\": false, \"reason\": \"not safe\"}"}),
        bash("touch b"),
        json!({"text": "```json\n{\"ok\": true}\n```"}),
        bash("touch c"),
        json!({"text": "I think it is fine"}),
        json!({"text": "done"}),
    ]);
    let run = world.ask("go", &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let done = ["a", "b", "c"].map(|name| world.path(&format!("project/{name}")).exists());
    assert_eq!(done, [false, true, false]);
    assert_eq!(world.steps("tool_posted")[0]["content"], "Hook blocked tool execution: not safe");
    assert_eq!(world.steps("spent").len(), 3);
}

#[test]
fn an_agent_hook_starts_a_sub_agent() {
    let world = World::new();
    world.write("project/rules.txt", "everything is fine");
    world.hooks(json!({"Stop": [{"hooks": [{"type": "agent", "prompt": "Read rules.txt and decide."}]}]}));
    world.script(&[
        json!({"text": "finished"}),
        json!({"tool_calls": [{"name": "Read", "input": {"file_path": "rules.txt"}}]}),
        json!({"text": "{\"ok\": true}"}),
    ]);
    let run = world.ask("go", &[]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "finished\n"), "{}", run.err);
    assert_eq!(world.steps("agent")[0]["depth"], 1);
}

#[test]
fn settings_of_user_and_project_add_up_or_replace() {
    let world = World::new();
    let hook = |name: &str| json!({"hooks": {"SessionStart": [handler(&format!("echo {name} >> log"))]}});
    world.write("home/.claude/settings.json", &hook("user").to_string());
    world.write("project/.claude/settings.json", &hook("project").to_string());
    world.write("project/.claude/settings.local.json", &hook("local").to_string());
    world.script(&[json!({"text": "ok"})]);
    assert_eq!(world.ask("go", &[]).code, Some(0));
    let mut log: Vec<String> = world.read("project/log").lines().map(str::to_owned).collect();
    log.sort();
    assert_eq!(log, ["local", "project", "user"]);
    std::fs::remove_file(world.path("project/log")).unwrap();
    assert_eq!(world.ask("go", &["--merge", "replace"]).code, Some(0));
    assert_eq!(world.read("project/log"), "local\n");
}

#[test]
fn hooks_can_be_off() {
    let world = World::new();
    world.hooks(json!({"PreToolUse": [handler("exit 1")]}));
    world.script(&[bash("touch a"), json!({"text": "ok"})]);
    let mut command = world.command(&["-p", "go"]);
    command.env("HOOKC_DISABLE", "1");
    assert_eq!(super::world::run(command).code, Some(0));
    assert!(world.path("project/a").exists());
}

#[test]
fn decisions_are_logged_and_shown() {
    let world = World::new();
    world.hooks(json!({"PreToolUse": [handler("echo no >&2; exit 1")]}));
    world.script(&[bash("ls"), json!({"text": "ok"})]);
    let log = world.path("log.jsonl");
    let run = world.ask("go", &["-v", "--log", log.to_str().unwrap()]);
    let lines = lines(&std::fs::read_to_string(log).unwrap());
    let denied = lines.iter().find(|line| line["event"] == "PreToolUse").unwrap();
    assert_eq!((&denied["outcome"], &denied["host"]), (&json!("deny"), &json!("agent")));
    assert!(run.err.contains("PreToolUse: hook") && run.err.contains("deny"), "{}", run.err);
}
