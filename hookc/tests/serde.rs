//! Decisions and diagnostics as data.

use hookc::{Engine, Policy};
use serde_json::{Value, json};

#[test]
fn a_decision_is_one_object() {
    let yaml = "hooks: [{id: a, event: Stop, action: {type: deny, reason: \"${why}\"}}]";
    let engine = Engine::new(Policy::from_yaml(yaml).unwrap());
    let decision = engine.decide(r#"{"hook_event_name": "Stop", "why": "no"}"#).unwrap();
    let expected = json!({
        "event": "Stop", "family": "agent", "strategy": "all",
        "decision": [{
            "hook": "a", "rank": 0, "source": "policy.yaml:1:9", "mode": "enforce", "layer": "directive",
            "action": {"type": "deny", "reason": "no"},
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
    let value = serde_json::to_value(&error).unwrap();
    assert_eq!(value[0]["code"], "E0406");
    assert_eq!(value.as_array().map(Vec::len), Some(error.len()));
    assert_eq!(value[0]["labels"][0]["start"]["line"], Value::from(1));
}

/// The JSON of a decision is one text: the virtual machine's, the facade's, and the one of `Serialize`.
#[test]
fn the_json_of_a_decision_is_one_text() {
    let yaml = r#"
events: {my_event: {strategy: all}}
hooks:
  - {id: typed, event: limit, action: {type: escalate, target: both, timeout_seconds: "${limit_value}"}}
  - {id: "q\"\n", event: my_event, mode: warn, action: {type: emit_event, event_type: e, payload: {v: "${v}"}}}
  - {id: plain, event: my_event, on_error: fail, action: {type: emit_event, event_type: e, payload: {}}}
"#;
    let policy = Policy::from_yaml(yaml).unwrap();
    let engine = Engine::new(policy.clone());
    let texts = [
        r#"{"event": {"type": "limit"}, "limit_value": "no number"}"#,
        r#"{"event_type": "my_event", "v": [1, "x"]}"#,
        r#"{"event_type": "Stop"}"#,
    ];
    for event in texts {
        let decision = engine.decide(event).unwrap();
        let mut scratch = hookc::Scratch::new();
        let mut of_vm = String::new();
        let options = hookc::DecideOptions::default();
        policy.module().decide(&mut scratch, event.as_bytes(), &options).unwrap().write_json(&mut of_vm);
        assert_eq!(decision.to_json(), of_vm);
        assert_eq!(serde_json::to_string(&decision).unwrap(), of_vm);
    }
    // A `Value` cannot represent this number; the text of a decision has it.
    let exact = r#"{"event_type": "my_event", "v": 12345678901234567890.5}"#;
    assert!(engine.decide(exact).unwrap().to_json().contains(r#"{"v":12345678901234567890.5}"#));
    // An action as deep as a parser reads is valid within a decision, and a deeper one is a failure of its hook.
    for (depth, is_valid) in [(120, true), (125, true), (126, false)] {
        let event =
            format!(r#"{{"event_type": "my_event", "v": {}{}}}"#, "[".repeat(depth), "]".repeat(depth));
        let decision = engine.decide(&event).unwrap();
        let value = serde_json::to_value(&decision).unwrap();
        let (plain, deep) = (&value["decision"][0], &value["reported"][0]);
        assert_eq!(
            (&plain["hook"], &plain["action"]["type"]),
            (&json!("plain"), &json!("emit_event")),
            "{depth}"
        );
        assert_eq!(deep.get("action_error").is_none(), is_valid, "{depth}: {deep}");
        assert_eq!(&serde_json::to_value(&decision.reported()[0]).unwrap(), deep, "{depth}");
        assert_eq!(decision.reported()[0].to_value().is_ok(), is_valid, "{depth}");
        if is_valid {
            assert_eq!(serde_json::to_string(&decision).unwrap(), decision.to_json(), "{depth}");
        }
    }
    let failed = engine.decide(texts[0]).unwrap().to_json();
    assert!(failed.contains("\"action\":{\"type\":\"escalate\"},\"action_error\":\""), "{failed}");
}
