//! The interceptor gives the verdicts that the conformance kit of AGENT-HOOKS 0.1 scripts: each rule of an interceptor
//! becomes a policy. The tests of the binding for Python run whole scenarios.

use std::fs;
use std::path::Path;

use hookc::{Engine, Interceptor, Policy};
use serde_json::{Map, Value, json};

const EVENTS: [(&str, &str); 6] = [
    ("agent_startup", "SessionStart"),
    ("input", "UserPromptSubmit"),
    ("pre_tool_call", "PreToolUse"),
    ("post_tool_call", "PostToolUse"),
    ("output", "Stop"),
    ("agent_shutdown", "SessionEnd"),
];

fn intercept(policy: &Value, context: &Value) -> Value {
    let policy = Policy::from_yaml(&policy.to_string()).unwrap_or_else(|error| panic!("{error}"));
    Interceptor::new(Engine::new(policy)).intercept(context).unwrap()
}

/// The policy of a rule, or why a policy cannot say that.
fn policy(rule: &Value) -> Result<Value, &'static str> {
    let (point, verdict) = (rule["at"].as_str().unwrap(), &rule["return"]);
    if verdict.is_null() {
        return Err("the interceptor itself has a fault");
    }
    if verdict.get("evidence").is_some() || verdict.get("result_labels").is_some() {
        return Err("a policy gives no evidence and no labels");
    }
    let event = EVENTS.iter().find(|(name, _)| *name == point).map_or(point, |(_, event)| event);
    let mut action = match verdict["decision"].as_str().unwrap() {
        "deny" if verdict.get("approval").is_some() => json!({"type": "ask"}),
        "transform" => {
            let transform = &verdict["transform"];
            let (_, field) = transform["path"].as_str().unwrap().split_once('.').unwrap();
            if field.contains('.') {
                return Err("a policy changes fields of the target, not nested ones");
            }
            json!({"type": "modify", "input": {field: transform["value"]}})
        }
        decision => json!({"type": decision}),
    };
    if let Some(message) = verdict.get("message") {
        action["reason"] = message.clone();
    }
    let mut hook = json!({"event": event, "action": action});
    if let Some(reason) = verdict.get("reason") {
        hook["id"] = reason.clone();
    }
    let matches = rule["match"].as_object().cloned().unwrap_or_default();
    let tests = matches.iter().map(|(path, value)| json!({"path": path, "op": "eq", "value": value}));
    let tests: Vec<Value> = tests.collect();
    if !tests.is_empty() {
        hook["condition"] = json!({"all": tests});
    }
    let mut hooks = vec![hook];
    for warning in verdict["warnings"].as_array().into_iter().flatten() {
        let text = warning.get("message").unwrap_or(&warning["reason"]);
        hooks.push(
            json!({"id": warning["reason"], "event": event, "action": {"type": "log", "message": text}}),
        );
    }
    Ok(json!({"hooks": hooks, "events": {"post_model_call": {"family": "agent"}}}))
}

/// A context that a rule matches, or another one if `matching` is false.
fn context(rule: &Value, matching: bool) -> Value {
    let mut context = json!({
        "spec": "agent-hooks/0.1", "interception_point": rule["at"], "timestamp": "2026-01-01T00:00:00Z", "sequence": 4,
        "agent": {"id": "a", "framework": "test"}, "session": {"id": "s"}, "target": {"url": "old", "kept": 1},
        "tool_call": {"id": "1", "name": "tool", "args": {"url": "old", "kept": 1}},
    });
    for (path, value) in rule["match"].as_object().into_iter().flatten() {
        let mut at = &mut context;
        for member in path.split('.') {
            if !at.is_object() {
                *at = Value::Object(Map::new());
            }
            at = &mut at[member];
        }
        *at = if matching { value.clone() } else { json!("other") };
    }
    context
}

#[test]
fn rules_of_the_conformance_kit_are_policies() {
    let Some(suite) = hookc_corpus::suite("agent-hooks/conformance/vectors") else { return };
    let (mut same, mut left_out) = (0, Vec::new());
    for path in hookc_corpus::files(&suite) {
        let vector: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let scripts = vector["interceptor_scripts"].as_array().cloned().unwrap_or_default();
        let rules =
            scripts.iter().chain([&vector["interceptor_script"]]).filter_map(Value::as_array).flatten();
        for rule in rules {
            match check(&path, rule) {
                Ok(()) => same += 1,
                Err(reason) => left_out.push(format!("{}: {reason}", vector["id"])),
            }
        }
    }
    println!("{same} rules of interceptors; left out:\n{}", left_out.join("\n"));
    assert!(same >= 40 && left_out.len() <= 14, "{same} {left_out:#?}");
}

fn check(path: &Path, rule: &Value) -> Result<(), &'static str> {
    let policy = policy(rule)?;
    if rule["return"]["decision"] == "transform" && rule["at"] == "agent_startup" {
        return Err("the host rejects it: a policy has no `modify` at SessionStart");
    }
    let mut expected = rule["return"].clone();
    let found = intercept(&policy, &context(rule, true));
    if expected.get("reason").is_none() {
        expected["reason"] = found["reason"].clone();
    }
    for warning in expected["warnings"].as_array_mut().into_iter().flatten() {
        if warning.get("message").is_none() {
            warning["message"] = warning["reason"].clone();
        }
    }
    if let Some(path) = expected.pointer_mut("/transform/path") {
        *path = path.as_str().unwrap().replace("$policy_target", "$target").into();
    }
    if expected.get("warnings").is_none_or(Value::is_null) {
        expected.as_object_mut().unwrap().remove("warnings");
    }
    assert_eq!(found, expected, "{}", path.display());
    if rule.get("match").is_some() {
        assert_eq!(
            intercept(&policy, &context(rule, false)),
            json!({"decision": "allow"}),
            "{}",
            path.display()
        );
    }
    Ok(())
}

fn tool_call(args: Value) -> Value {
    json!({
        "interception_point": "pre_tool_call", "session": {"id": "s"}, "target": args,
        "tool_call": {"id": "1", "name": "Bash", "args": args},
    })
}

#[test]
fn hooks_are_composed() {
    let hooks = json!({"hooks": [
        {"id": "log", "event": "PreToolUse", "action": {"type": "log", "message": "seen"}},
        {"id": "a", "event": "PreToolUse", "action": {"type": "modify", "input": {"x": 1, "y z": 2}}},
        {"id": "b", "event": "PreToolUse", "action": {"type": "modify", "input": {"x": 3, "w": 4}}},
        {"id": "ask", "event": "PreToolUse", "when": "tool_input.ask == true", "action": {"type": "ask", "reason": "Really?"}},
        {"id": "warns", "event": "PreToolUse", "mode": "warn", "action": {"type": "deny"}},
    ]});
    let warnings =
        json!([{"reason": "log", "message": "seen"}, {"reason": "warns", "message": "would deny"}]);
    let expected = json!({
        "decision": "transform", "reason": "a", "warnings": warnings,
        "transform": {"path": "$target", "value": {"old": 0, "x": 1, "y z": 2, "w": 4}},
    });
    assert_eq!(intercept(&hooks, &tool_call(json!({"old": 0}))), expected);
    let expected = json!({"decision": "deny", "reason": "ask", "message": "Really?", "approval": {}, "warnings": warnings});
    assert_eq!(intercept(&hooks, &tool_call(json!({"ask": true}))), expected);
}

#[test]
fn a_hook_that_fails_denies() {
    let needs_handler = |more: Value| {
        let mut hook =
            json!({"id": "judge", "event": "PreToolUse", "action": {"type": "prompt", "prompt": "?"}});
        hook.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        intercept(&json!({"hooks": [hook]}), &tool_call(json!({})))
    };
    let message = "an interceptor executes no handlers";
    assert_eq!(needs_handler(json!({})), json!({"decision": "deny", "reason": "judge", "message": message}));
    let warned = json!({"decision": "allow", "warnings": [{"reason": "judge", "message": message}]});
    assert_eq!(needs_handler(json!({"on_failure": "open"})), warned);
    // Nothing says which project it is.
    let per_project = json!({"hooks": [{"id": "project", "event": "PreToolUse",
        "when": "count(PreToolUse within 1h per project) >= 1", "action": {"type": "deny"}}]});
    assert_eq!(intercept(&per_project, &tool_call(json!({})))["decision"], "deny");
}

#[test]
fn what_was_answered_is_recorded() {
    let policy = "hooks:\n  - {id: once, event: PreToolUse, when: count(PreToolUse) >= 1, action: {type: ask}}\n  - \
                  {id: change, event: PreToolUse, when: tool_input.file_path == 'a', action: {type: modify, input: {file_path: b}}}\n  - \
                  {id: large, event: PreToolUse, when: exists(tool_input.command), on_failure: open, action: {type: deny, \
                  reason: '${tool_input.command} ${tool_input.command} ${tool_input.command}'}}\n";
    let decides = |target: Value, args: Value| {
        let interceptor = Interceptor::new(Engine::new(Policy::from_yaml(policy).unwrap()));
        let mut first = tool_call(args);
        first["target"] = target;
        [first, tool_call(json!({}))]
            .map(|context| interceptor.intercept(&context).unwrap()["decision"].clone())
    };
    assert_eq!(decides(json!({"file_path": "a"}), json!({"file_path": "a"})), ["transform", "deny"]);
    // A change that cannot be applied denies, so the call did not happen.
    assert_eq!(decides(json!("text"), json!({"file_path": "a"})), ["deny", "allow"]);
    // A denial that cannot be rendered and fails open did not deny.
    assert_eq!(decides(json!({}), json!({"command": "a".repeat(1 << 20)})), ["allow", "deny"]);
}

#[test]
fn sessions_remember_and_a_context_without_a_point_is_an_error() {
    let policy =
        "hooks: [{id: again, event: PreToolUse, when: count(PreToolUse) >= 1, action: {type: deny}}]";
    let interceptor = Interceptor::new(Engine::new(Policy::from_yaml(policy).unwrap())).directory("/srv");
    let decide = |context: &Value| interceptor.intercept(context).map(|verdict| verdict["decision"].clone());
    let (one, mut other) = (tool_call(json!({})), tool_call(json!({})));
    other["session"]["id"] = json!("t");
    assert_eq!([&one, &other, &one].map(|context| decide(context).unwrap()), ["allow", "allow", "deny"]);
    for context in [json!({}), json!([]), json!(7), json!({"interception_point": 7})] {
        assert_eq!(decide(&context).unwrap_err().code(), "no_type", "{context}");
    }
}
