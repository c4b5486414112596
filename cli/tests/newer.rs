//! Events and settings of versions that hookc does not know, at every agent: what is new is reported, and a guard goes on.
#![cfg(unix)]

use crate::common;

use std::path::Path;

use common::{Run, hookc, put};
use hookc_schema::agents::{self, Agent};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

const GUARD: &str =
    "hooks:\n  - {id: push, event: PreToolUse, when: pushes(), action: {type: deny, reason: guard-push}}\n";

/// An event of the corpus before `git push`, and the name of its type. Messages around events have tests of their own.
fn sample(agent: &Agent) -> Option<(Value, String)> {
    if agent.protocol.rpc.is_some() {
        return None;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/agents");
    let text = std::fs::read_to_string(folder.join(format!("{}.json", agent.name))).ok()?;
    let samples: Value = serde_json::from_str(&text.replace("$COMMAND", "git push")).unwrap();
    let event = agent.native("PreToolUse").unwrap().name.clone();
    Some((samples["tools"]["Bash"].clone(), event))
}

fn place() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(&folder, "guard.yaml", GUARD);
    folder
}

fn run(folder: &TempDir, agent: &Agent, event: &Value, more: &[&str]) -> Run {
    let args = [&["run", "--no-log", "--host", &agent.name, "guard.yaml"], more].concat();
    hookc(folder, &args, event.to_string())
}

fn denies(run: &Run) -> bool {
    run.out.contains("guard-push") || run.err.contains("guard-push")
}

/// Members that a later version may add.
fn newer(event: &Value) -> Value {
    let mut event = event.clone();
    let members = event.as_object_mut().unwrap();
    members.insert("schema_version".to_owned(), json!("99.0"));
    members.insert("brand_new".to_owned(), json!({"list": [1, {"deep": null}]}));
    for member in ["tool_input", "tool_info", "args"] {
        if let Some(Value::Object(input)) = members.get_mut(member) {
            input.insert("brand_new".to_owned(), json!([{"a": 1}]));
        }
    }
    event
}

#[test]
fn what_later_versions_add_to_events_does_not_stop_a_guard() {
    let (folder, mut tried) = (place(), 0);
    for agent in agents::answered() {
        let Some((event, native)) = sample(agent) else { continue };
        for more in [vec![], vec!["--event", &native]] {
            let is_unnamed = agent.settings.as_ref().is_some_and(|settings| settings.unnamed_events);
            if more.is_empty() && is_unnamed {
                continue;
            }
            let found = run(&folder, agent, &newer(&event), &more);
            assert!(denies(&found), "{} {more:?}: {found:?}", agent.name);
        }
        tried += 1;
    }
    assert!(tried > 15, "{tried} agents");
}

/// An event of an unknown type says that it has no hooks; a type that is only spelled in another way, or that the call
/// does not name, is denied.
#[test]
fn unknown_types_of_events_are_reported() {
    let folder = place();
    for agent in agents::answered() {
        let Some((event, native)) = sample(agent) else { continue };
        let Some(member) = agent.protocol.names.iter().find(|name| event.get(name).is_some()) else {
            continue;
        };
        let named = |name: &str| {
            let mut event = event.clone();
            event[member] = json!(name);
            event
        };
        let found = run(&folder, agent, &named("BrandNewEvent"), &[]);
        let report =
            format!("{} has no known event `BrandNewEvent`, and the policy has no hooks", agent.label);
        assert!(found.code == 0 && found.err.contains(&report), "{}: {found:?}", agent.name);
        let closed = |event: &Value, more: &[&str]| {
            let found = run(&folder, agent, event, more);
            assert!(found.code == 2 && !found.err.is_empty(), "{} {event} {more:?}: {found:?}", agent.name);
        };
        closed(&named("BrandNewEvent"), &["--event", &native]);
        closed(&named(&native.to_uppercase()), &[]);
        closed(&named(&native.to_lowercase()), &["--event", "BrandNewEvent"]);
    }
}

/// The objects with a call of hookc.
fn handlers<'v>(value: &'v mut Value, see: &mut dyn FnMut(&'v mut Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            let is_call = |value: &Value| value.as_str().is_some_and(|text| text.contains(" run --host "));
            if members.values().any(is_call) {
                return see(members);
            }
            members.values_mut().for_each(|member| handlers(member, see));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| handlers(item, see)),
        _ => {}
    }
}

/// The settings with a hook for an unknown event next to the one that `install` wrote.
fn with_event(agent: &Agent, settings: &Value) -> Value {
    let mut settings = settings.clone();
    let form = agent.form.as_ref();
    let set = form.and_then(|form| form.named.as_deref()).unwrap_or("hooks");
    let is_bare = settings.get(set).is_none();
    let hooks = if is_bare { &mut settings } else { &mut settings[set] };
    match (hooks, form.and_then(|form| form.listed.as_ref())) {
        (Value::Array(list), Some(listed)) => {
            let mut hook = list[0].clone();
            hook[&listed.event] = json!("BrandNewEvent");
            list.push(hook);
        }
        (hooks, _) => {
            let event = agent.native("PreToolUse").unwrap();
            hooks["BrandNewEvent"] = hooks[&event.name].clone();
        }
    }
    settings
}

/// What is new in settings is a finding of `doctor`, and of `check` where the file is the agent's.
#[test]
fn what_later_versions_add_to_settings_is_reported() {
    for agent in agents::answered().step_by(hookc_corpus::effort(1, 3)) {
        let Some(settings) = agent.settings.as_ref().filter(|settings| !settings.scripts) else { continue };
        let (folder, host) = (place(), agent.name.as_str());
        assert_eq!(hookc(&folder, &["install", host, "guard.yaml"], "").code, 0, "{host}");
        let file = folder.path().join(&settings.project);
        let written: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let found = |settings: &Value, name: &str| {
            put(&folder, file.to_str().unwrap(), settings.to_string());
            let doctor = hookc(&folder, &["doctor", "."], "");
            assert!(doctor.out.contains(name), "{host}: {doctor:?}");
            let check =
                hookc(&folder, &["check", "--no-builtin", "--host", host, file.to_str().unwrap()], "");
            assert!(check.err.contains(name), "{host}: {check:?}");
            doctor.code
        };
        assert_eq!(found(&with_event(agent, &written), "BrandNewEvent"), 1, "{host}");
        let mut with_key = written.clone();
        handlers(&mut with_key, &mut |handler| {
            handler.insert("brandNewKey".to_owned(), json!(true));
        });
        assert_eq!(found(&with_key, "brandNewKey"), 0, "{host}: the guard goes on");
        if settings.version.json().is_some() {
            let mut other = written.clone();
            other["version"] = json!(99);
            found(&other, "version");
        }
    }
}
