//! Decisions and diagnostics as data.

use hookc::{Engine, Policy};
use serde_json::{Value, json};

#[test]
fn a_decision_is_one_object() {
    let yaml = "hooks: [{id: a, event: Stop, action: {type: deny, reason: \"${why}\"}}]";
    let engine = Engine::new(Policy::from_yaml(yaml).unwrap());
    let decision = engine.decide(r#"{"hook_event_name": "Stop", "why": "no"}"#).unwrap();
    let expected = json!({
        "event": "Stop", "family": "agent", "strategy": "all", "reported": [],
        "hooks": [{
            "id": "a", "rank": 0, "mode": "enforce", "layer": "directive", "on_error": null, "on_failure": null,
            "location": {"file": "policy.yaml", "line": 1, "column": 9},
            "action": {"type": "deny", "reason": "no"}, "error": null,
        }],
    });
    assert_eq!(serde_json::to_value(&decision).unwrap(), expected);
}

#[test]
fn an_action_becomes_a_type_of_the_program() {
    #[derive(serde::Deserialize)]
    struct Deny<'a> {
        reason: &'a str,
    }
    let yaml = "hooks: [{event: Stop, action: {type: deny, reason: no}}]";
    let decision =
        Engine::new(Policy::from_yaml(yaml).unwrap()).decide(r#"{"hook_event_name": "Stop"}"#).unwrap();
    assert_eq!(decision.hooks()[0].deserialize::<Deny<'_>>().unwrap().reason, "no");
    assert!(decision.hooks()[0].deserialize::<Vec<u8>>().is_err());
}

#[test]
fn diagnostics_are_a_list() {
    let error = Policy::from_yaml("hooks: [{event: Stop, action: {type: dney}}]").unwrap_err();
    let all = serde_json::to_value(&error).unwrap();
    assert_eq!(all[0]["code"], "E0406");
    assert_eq!(all.as_array().map(Vec::len), Some(error.len()));
    assert_eq!(all[0]["labels"][0]["start"]["line"], Value::from(1));
}
