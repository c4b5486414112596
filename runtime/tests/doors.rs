//! The events of each agent in a call that names another one: decided like at the call of their agent, and never denied
//! because they are foreign.

use std::sync::LazyLock;

use hookc_runtime::adapter::{self, Adapter, Answer};
use hookc_runtime::bridge::{Invocation, run};
use hookc_vm::Module;
use serde_json::{Map, Value, json};

use crate::deeds::{base, compiled, filled, samples};

/// Guards that ask for the names of the vocabulary, and hooks for further events.
const POLICY: &str = r#"
hooks:
  - {event: PreToolUse, when: "tool_name == 'Bash' and tool_input.command contains 'push'", action: {type: deny, reason: guard-push}}
  - {event: PreToolUse, when: "tool_name in ['Read', 'Write', 'Edit'] and tool_input.file_path ends_with '.env'",
     action: {type: deny, reason: guard-env}}
  - {event: [PostToolUse, UserPromptSubmit, Stop, SessionStart, SessionEnd, PreCompact, SubagentStop],
     when: "cwd == '/elsewhere'", action: {type: deny, reason: guard-elsewhere}}
"#;

static MODULE: LazyLock<Vec<u8>> = LazyLock::new(|| compiled(POLICY));

/// Agents whose events are the whole input of a call.
fn agents() -> impl Iterator<Item = &'static dyn Adapter> {
    adapter::all().filter(|agent| agent.agent().protocol.rpc.is_none())
}

fn answer(door: &'static dyn Adapter, event: &Value, name: Option<&str>) -> Answer {
    let mut invocation = Invocation::new(door);
    invocation.event = name.map(str::to_owned);
    run(invocation, event.to_string().into_bytes(), || Module::load(MODULE.clone()))
}

/// The name of an event that the calls of an agent state, if its events do not have it.
fn stated(agent: &dyn Adapter, name: &str) -> Option<String> {
    let is_unnamed = agent.agent().settings.as_ref().is_some_and(|settings| settings.unnamed_events);
    agent.agent().native(name).filter(|_| is_unnamed).map(|event| event.name.clone())
}

/// Calls of tools that the policy denies and permits.
const INPUTS: [(&str, &str, &str, &str); 4] = [
    ("Bash", "$COMMAND", "git push", "ls"),
    ("Read", "$PATH", "/p/.env", "/p/a"),
    ("Write", "$PATH", "/p/.env", "/p/a"),
    ("Edit", "$PATH", "/p/.env", "/p/a"),
];

/// Whether both agents have a tool of this name, with inputs that differ, and nothing else distinguishes their events.
fn is_misread(sender: &dyn Adapter, door: &dyn Adapter, tool: &str) -> bool {
    (sender.name(), door.name()) == ("kiro", "devin") && base(tool) == "Read"
}

/// Whether the agent of the call has the tool of Devin CLI too, and takes its event for one of its own.
fn is_taken(sender: &dyn Adapter, door: &dyn Adapter, event: &Value) -> bool {
    sender.name() == "devin"
        && event["tool_name"].as_str().is_some_and(|tool| door.id().marks().has_tool(tool))
}

#[test]
fn calls_of_tools_are_decided_alike_at_every_door() {
    let mut tried = 0;
    for sender in agents() {
        let Some(samples) = samples(sender) else { continue };
        for ((name, sample), (_, place, denied, permitted)) in samples.tools.iter().flat_map(|tool| {
            INPUTS.iter().filter(|input| input.0 == base(tool.0)).map(move |input| (tool, input))
        }) {
            let event = |input| filled(sample, &[(place, input)]);
            let home = answer(sender, &event(denied), stated(sender, "PreToolUse").as_deref());
            for door in agents() {
                for stated in [None, stated(door, "PreToolUse")] {
                    if stated.is_none() && door.id() == sender.id() || is_misread(sender, door, name) {
                        continue;
                    }
                    let what = format!("{name} of {} at {} {stated:?}", sender.name(), door.name());
                    let found = answer(door, &event(denied), stated.as_deref());
                    let text = format!("{}{}", found.stdout, found.stderr);
                    let is_read = is_taken(sender, door, sample)
                        || found.code == 2
                        || (found.code, found.stdout.to_string()) == (home.code, home.stdout.to_string());
                    assert!(text.contains("guard-") && is_read, "{what}: {found:?}, not {home:?}");
                    let found = answer(door, &event(permitted), stated.as_deref());
                    let text = format!("{}{}", found.stdout, found.stderr);
                    assert!(found.code == 0 && !text.contains("deny"), "{what}: {found:?}");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 1_000, "{tried}");
}

/// An event in another directory.
fn elsewhere(event: &Value) -> Value {
    match event {
        Value::String(text) if text == "/p" => "/elsewhere".into(),
        Value::Array(items) => items.iter().map(elsewhere).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), elsewhere(value))).collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

/// Events without a member that tells their sender, which some doors answer in their own form.
const UNCERTAIN: [(&str, &str); 4] =
    [("droid", "Stop"), ("droid", "UserPromptSubmit"), ("kiro", "UserPromptSubmit"), ("qwen", "Stop")];

#[test]
fn other_events_are_decided_alike_at_every_door() {
    let (mut passed, mut denied) = (0, 0);
    for sender in agents() {
        let Some(samples) = samples(sender) else { continue };
        for (name, event) in &samples.events {
            let there = elsewhere(event);
            let home = answer(sender, &there, Some(name));
            // Some events can only be reported.
            let text = format!("{}{}", home.stdout, home.stderr);
            let is_denied = text.contains("guard-elsewhere") && !text.contains("cannot be denied");
            for door in agents() {
                let what = format!("{name} of {} at {}", sender.name(), door.name());
                let found = answer(door, event, None);
                let text = format!("{}{}", found.stdout, found.stderr);
                assert!(found.code == 0 && !text.contains("guard-"), "{what}: {found:?}");
                passed += 1;
                if !is_denied {
                    continue;
                }
                let found = answer(door, &there, None);
                let text = format!("{}{}", found.stdout, found.stderr);
                let is_read = found.code == 2
                    || (found.code, found.stdout.to_string()) == (home.code, home.stdout.to_string());
                let is_uncertain = UNCERTAIN.contains(&(sender.name(), base(name)));
                assert!(
                    text.contains("guard-elsewhere") && (is_read || is_uncertain),
                    "{what}: {found:?}, not {home:?}"
                );
                denied += 1;
            }
        }
    }
    assert!(passed > 500 && denied > 100, "{passed} {denied}");
}

/// What is not certain stays with the agent that the call names.
#[test]
fn tools_that_no_agent_lists_stay_with_the_named_agent() {
    let guard = r#"hooks: [{event: PreToolUse, when: "tool_name == 'mcp__mail__send'", action: {type: deny, reason: mail}}]"#;
    let module = compiled(guard);
    let event = json!({"session_id": "s", "cwd": "/p", "hook_event_name": "PreToolUse", "tool_name": "mcp__mail__send",
        "tool_input": {}});
    for (door, form) in [
        ("claude", r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny""#),
        ("devin", r#"{"decision":"block""#),
        ("gemini", r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny""#),
        ("goose", r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny""#),
    ] {
        let door = adapter::by_name(door).unwrap();
        let found =
            run(Invocation::new(door), event.to_string().into_bytes(), || Module::load(module.clone()));
        assert!(found.stdout.to_string().starts_with(form), "{}: {found:?}", door.name());
        assert_eq!(found.code, if door.name() == "claude" { 0 } else { 2 }, "{}: {found:?}", door.name());
    }
}
