//! The answers that the data list for each agent, compared with those that its
//! adapter makes of every verdict at every event.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hookc_compiler::{Input, Options, compile};
use hookc_runtime::adapter::{self, Adapter, Answer};
use hookc_runtime::bridge::{Invocation, run};
use hookc_runtime::verdict::{Change, Permission, Verdict as Merged};
use hookc_schema::agents::{self, Agent, Capability};
use hookc_vm::Module;
use serde_json::{Map, Value, json};

/// A word that is in an answer only if the hook's verdict is in it.
const MARK: &str = "mark-of-the-hook";

/// An event of an agent, with all that any of them has.
fn event(native: &str) -> Value {
    json!({
        "hook_event_name": native,
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "command": "ls",
        "tool_response": "out",
        "prompt": "hello",
        "file_path": "/a",
    })
}

/// What the runtime has for a verdict of the table.
fn merged(capability: Capability) -> Merged {
    let of = |permission| Merged::new(permission, Some(MARK.to_owned()));
    let mut merged = Merged::default();
    match capability {
        Capability::Allow => return of(Permission::Allow),
        Capability::Deny => return of(Permission::Deny),
        Capability::Ask => return of(Permission::Ask),
        Capability::Defer => return of(Permission::Defer),
        Capability::Modify => {
            let fields = Map::from_iter([("command".to_owned(), Value::from(MARK))]);
            merged.change = Some(Change::of_fields(fields));
        }
        Capability::Inject => merged.contexts.push(MARK.to_owned()),
        Capability::Output => merged.output = Some(Value::from(MARK)),
        Capability::Prompt => merged.prompt = Some(MARK.to_owned()),
        Capability::Stop => merged.stop = Some(MARK.to_owned()),
    }
    merged
}

/// Whether an answer carries a verdict: it says something, and nothing of what an
/// adapter says of a thing that the agent has no way to do.
fn carries(answer: &Answer, capability: Capability) -> bool {
    let text = format!("{}{}", answer.stdout, answer.stderr);
    if text.contains("this agent does not support") || text.contains("cannot be denied") {
        return false;
    }
    match capability {
        Capability::Allow => (text.contains("allow") || text.contains("approve")) && answer.code == 0,
        Capability::Ask => text.contains("\"ask\"") || text.contains("\"force_ask\""),
        Capability::Defer => text.contains("\"defer\""),
        Capability::Stop => {
            let text = answer.stdout.to_string();
            ["\"stopReason\"", "\"halt\""].iter().any(|member| text.contains(member))
        }
        Capability::Deny => {
            text.contains(MARK) && (answer.code != 0 || answer.stdout.to_string().contains(MARK))
        }
        _ => answer.code == 0 && answer.stdout.to_string().contains(MARK),
    }
}

fn observed(host: &dyn Adapter, native: &str) -> Vec<&'static str> {
    let incoming = host.read(event(native).to_string().into_bytes(), Some(native)).unwrap();
    let can = |verdict: &&Capability| carries(&host.answer(&incoming, &merged(**verdict)), **verdict);
    Capability::ALL.iter().filter(can).map(|verdict| verdict.name()).collect()
}

fn declared(agent: &Agent, native: &str) -> Vec<&'static str> {
    let event = agent.event(native).unwrap();
    Capability::ALL
        .iter()
        .filter(|verdict| event.is_written(**verdict))
        .map(|verdict| verdict.name())
        .collect()
}

/// What a call of Codex CLI with a recorded project decides about an event.
fn decided(policy: &str, event: &str) -> String {
    let mut sources = hookc_schema::Sources::new();
    let input = Input::new(sources.add("hooks.yaml", policy));
    let module = compile(&mut sources, &[input], &Options::default()).module.unwrap();
    let mut invocation = Invocation::new(adapter::by_name("codex").unwrap());
    invocation.project = Some(PathBuf::from("/p"));
    let answer = run(invocation, event.as_bytes().to_vec(), || Module::load(module));
    format!("{}{}", answer.stdout, answer.stderr)
}

#[test]
fn a_policy_that_asks_for_the_project_gets_it() {
    let event = r#"{"hook_event_name": "PreToolUse", "cwd": "/p/a", "tool_name": "Bash", "tool_input": {}}"#;
    let policy = |condition: &str| {
        format!(
            "hooks: [{{event: PreToolUse, when: \"{condition}\", action: {{type: deny, reason: {MARK}}}}}]"
        )
    };
    assert!(decided(&policy("project_dir == '/p'"), event).contains(MARK));
    assert!(!decided(&policy("project_dir == '/p/a'"), event).contains(MARK));
    let with_project = event.replace("\"cwd\"", "\"project_dir\": \"/own\", \"cwd\"");
    assert!(decided(&policy("project_dir == '/own'"), &with_project).contains(MARK));
}

#[test]
fn handlers_read_what_the_agent_sent_if_no_policy_asks_for_the_project() {
    let event = r#"{"hook_event_name": "PreToolUse", "cwd": "/p/a", "tool_name": "Bash", "tool_input": {}}"#;
    let policy = "hooks: [{event: PreToolUse, action: {type: run, command: 'cat >&2; exit 2'}}]";
    let answer = decided(policy, event);
    assert!(!answer.contains("project_dir"), "{answer}");
    assert!(answer.contains("hook_event_name"), "{answer}");
}

#[test]
fn every_adapter_matches_its_data() {
    let mut wrong = BTreeMap::new();
    let mut checked = 0;
    for host in adapter::all() {
        let agent = agents::by_name(host.name()).unwrap_or_else(|| panic!("{} has no data", host.name()));
        assert!(agent.answered, "{}", agent.name);
        for event in &agent.events {
            let (seen, said) = (observed(host, &event.name), declared(agent, &event.name));
            checked += Capability::ALL.len();
            if seen != said {
                wrong.insert(format!("{} {}", agent.name, event.name), (seen, said));
            }
        }
    }
    assert!(wrong.is_empty(), "what it does, and what the data say: {wrong:#?}");
    assert!(checked > 800, "{checked}");
    let known = |agent: &Agent| adapter::by_name(&agent.name).is_some();
    assert!(agents::answered().all(known) && agents::answered().count() == adapter::all().count());
}
