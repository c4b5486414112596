//! The policies of `corpus/history`: the VM and the oracle decide as the file says.

use hookc_compiler::Dialect;
use hookc_history::Limits;
use hookc_oracle::{Keys, Verdict};
use hookc_schema::tree::Layer;
use serde_json::{Value, json};

use super::sessions::{Event, Sessions};
use crate::common;

fn corpus() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/history/policies.yaml");
    serde_yaml_ng::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The file with one hook, and the facts.
fn text(facts: &Value, policy: &Value) -> String {
    let mut action = policy["action"].clone();
    if action.is_null() {
        action = json!({"type": "deny", "reason": "no"});
    }
    let hook =
        json!({"id": policy["id"], "event": policy["event"], "when": policy["when"], "action": action});
    serde_yaml_ng::to_string(&json!({"facts": facts, "hooks": [hook]})).unwrap()
}

/// The event of a step.
fn event(step: &Value) -> Value {
    let call = |name: &str, tool: &Value, input: Value, is_success: Option<bool>| {
        let mut event = json!({"hook_event_name": name, "tool_name": tool, "tool_input": input, "cwd": "/r"});
        if let Some(truth) = is_success {
            event["tool_ok"] = truth.into();
        }
        event
    };
    let bash = json!("Bash");
    let line = |key: &str| json!({"command": step[key]});
    let mut event = if step.get("run").is_some() {
        call("PreToolUse", &bash, line("run"), None)
    } else if step.get("ran").is_some() {
        call("PostToolUse", &bash, line("ran"), Some(true))
    } else if step.get("failed").is_some() {
        call("PostToolUseFailure", &bash, line("failed"), Some(false))
    } else if let Some(tool) = step.get("call") {
        call("PreToolUse", tool, step["input"].clone(), None)
    } else if let Some(tool) = step.get("called") {
        call("PostToolUse", tool, step["input"].clone(), Some(true))
    } else {
        json!({})
    };
    for (key, value) in step.get("event").and_then(Value::as_object).into_iter().flatten() {
        event[key] = value.clone();
    }
    event
}

fn keys(step: &Value) -> Keys {
    let given = |at: usize| step["in"][at].as_str().map(str::to_owned);
    let usual = ["s", "a", "p", "u"];
    let key = |at: usize| Some(given(at).unwrap_or_else(|| usual[at].to_owned()));
    [key(0), key(1), key(2), key(3)]
}

/// What the step says, else what the hook does.
fn verdict(step: &Value, action: Option<&str>) -> Verdict {
    match step["verdict"].as_str().or(action) {
        Some("deny") => Verdict::Deny,
        Some("ask") => Verdict::Ask,
        Some("allow") => Verdict::Allow,
        _ => Verdict::None,
    }
}

#[test]
fn policies_that_people_ask_for() {
    let corpus = corpus();
    let (mut failures, mut count) = (Vec::new(), 0);
    for policy in corpus["policies"].as_array().unwrap() {
        let name = policy["id"].as_str().unwrap();
        let text = text(&corpus["facts"], policy);
        let built = match common::build(&[(text.clone(), Layer::Project)], Dialect::HooksYaml, false, false) {
            Ok(built) => built,
            Err(why) => {
                failures.push(format!("{name} does not compile:\n{why}"));
                continue;
            }
        };
        let module = common::load(built.bytes);
        let oracle = common::oracle(&vec![(built.policies[0].clone(), Layer::Project)], None);
        let mut sessions = Sessions::new(Some(&module), &oracle, Limits::default());
        let kind = policy["action"]["type"].as_str().unwrap_or("deny");
        let (mut at, mut wanted) = (1_000_000, [0, 0]);
        for (number, step) in policy["steps"].as_array().unwrap().iter().enumerate() {
            at += step["after"].as_u64().unwrap_or(1) * 1_000;
            let event = Event { text: event(step).to_string(), at, keys: keys(step) };
            let decide = |seen: &common::Seen| verdict(step, (!seen.1.is_empty()).then_some(kind));
            let (vm, judge) = sessions.step(&event, true, false, decide);
            if vm.as_ref() != Some(&judge) {
                failures
                    .push(format!("{name}, step {number}: {}\n vm {vm:?}\n oracle {judge:?}", event.text));
            }
            let matches = judge.is_ok_and(|answer| !answer.seen.1.is_empty());
            if let Some(expected) = step["matches"].as_bool() {
                wanted[usize::from(expected)] += 1;
                count += 1;
                if matches != expected {
                    failures.push(format!("{name}, step {number}: {} is {matches}", event.text));
                }
            }
        }
        assert!(wanted.iter().all(|count| *count >= 2), "{name}: two steps each way, not {wanted:?}");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count > 180, "{count} steps");
}
