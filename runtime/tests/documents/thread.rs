//! Thread policy: the builtin hooks, a project's, and a directive's.

use hookc_compiler::Builtin;
use hookc_runtime::host::Recorder;
use hookc_runtime::thread::{Returns, State, Step, Thread};
use hookc_runtime::{Event, PolicySet};
use hookc_schema::tree::Layer;
use serde_json::{Value, json};

use super::{Folder, engine};

const DIRECTIVE: &str = r#"# Review
```xml
<directive name="review">
  <hooks>
    <hook event="error" when="classification.category == 'rate_limited'">
      <directive>ops/back_off</directive>
    </hook>
  </hooks>
</directive>
```
"#;

const THREAD: &str = r#"
hooks:
  - event: limit
    condition: {all: [{path: limit_code, op: eq, value: spend_exceeded}, {path: cost.spend, op: gt, value: 10}]}
    action: {type: escalate, target: user_approval, timeout_seconds: 7200}
  - event: context_window_pressure
    condition: {path: pressure_ratio, op: gt, value: 0.85}
    action: {type: call_directive, directive: ops/summarize}
  - event: error
    condition: {path: classification.category, op: eq, value: permanent}
    action: {type: emit_event, event_type: ops/gone, payload: {kind: "${error.type}", text: "${error.message}"}}
"#;

#[test]
fn thread_policy_walks_through() {
    let folder = Folder::new().with("review.md", DIRECTIVE).with("hooks.yaml", THREAD);
    let layers = PolicySet::new()
        .with_builtin(Builtin::Threads)
        .with(Layer::Directive, folder.path().join("review.md"), None)
        .with(Layer::Project, folder.path().join("hooks.yaml"), None);
    let (engine, returns) = (engine(&layers), Returns::builtin().unwrap());
    let on = |kind: &str, rest: Value, host: &Recorder| {
        let mut value = rest;
        value["event"]["type"] = kind.into();
        Thread::new(&engine, &returns).on(&Event::from_value(value), host).unwrap().step
    };
    let host = || Recorder::new().with_reply("call_directive", json!({"action": "CONTINUE"}));

    let asked = host();
    let limited = json!({"classification": {"category": "rate_limited"}});
    assert_eq!(on("error", limited, &asked), Step::Continue);
    assert_eq!(asked.asked()[0].params["directive"], "ops/back_off");

    let transient = json!({"classification": {"category": "transient"}});
    assert!(matches!(on("error", transient, &host()), Step::Retry { attempt: 1, .. }));

    let emits = host().with_reply("emit_event", Value::Null);
    let permanent = json!({"classification": {"category": "permanent"},
        "error": {"type": "auth", "message": "no key"}});
    on("error", permanent, &emits);
    assert_eq!(emits.asked()[0].params["payload"], json!({"kind": "auth", "text": "no key"}));

    for (spend, seconds) in [(11.5, 7200), (9.0, 3600)] {
        let open = host().with_reply("escalate", Value::Null);
        let over = json!({"limit_code": "spend_exceeded", "cost": {"spend": spend}});
        let step = on("limit", over, &open);
        assert!(matches!(&step, Step::Escalate(open) if open.timeout_seconds == seconds), "{step:?}");
    }

    // The builtin hook handles what the project's hooks leave.
    for (ratio, directive) in [(0.9, "ops/summarize"), (0.82, "rye/agent/threads/default_compaction")] {
        let compacts = json!({"compaction": {"summary": "s", "prune_before_turn": 4}});
        let asked = Recorder::new().with_reply("call_directive", compacts);
        let step = on("context_window_pressure", json!({"pressure_ratio": ratio}), &asked);
        assert!(format!("{step:?}").contains("Compact"), "{step:?}");
        assert_eq!(asked.asked()[0].params["directive"], directive);
    }
    assert_eq!(on("context_window_pressure", json!({"pressure_ratio": 0.5}), &host()), Step::NoOpinion);
}

/// The outcome of one event under the project's policy and the builtin hooks.
fn on(policy: &str, event: &Event, host: &Recorder) -> (Step, State) {
    let folder = Folder::new().with("hooks.yaml", policy);
    let layers = PolicySet::new().with_builtin(Builtin::Always).with(
        Layer::Project,
        folder.path().join("hooks.yaml"),
        None,
    );
    let (engine, returns) = (engine(&layers), Returns::builtin().unwrap());
    let mut thread = Thread::new(&engine, &returns);
    let step = thread.on(event, host).unwrap().step;
    let saved = thread.state().to_json();
    (step, State::from_json(&saved).unwrap())
}

fn going_on() -> Recorder {
    Recorder::new().with_reply("call_directive", json!({"action": "CONTINUE"}))
}

/// The example of a rate limit: the delay that the server requests reaches the directive unchanged,
/// and is absent if the server requests none.
#[test]
fn a_rate_limit_hands_on_how_long_to_wait() {
    let policy = r#"
hooks:
  - event: error
    condition: {path: classification.category, op: eq, value: rate_limited}
    action: {type: call_directive, directive: ops/back_off, parameters: {retry_after: "${error.headers['retry-after']}"}}
"#;
    for (headers, expected) in [
        (json!({"retry-after": 30}), json!(30)),
        (json!({"retry-after": "Wed, 21 Oct"}), json!("Wed, 21 Oct")),
        (json!({"Retry-After": 30}), Value::Null),
        (Value::Null, Value::Null),
    ] {
        let host = going_on();
        let event = json!({"event": {"type": "error"}, "error": {"headers": headers},
            "classification": {"category": "rate_limited"}});
        assert_eq!(on(policy, &Event::from_value(event), &host).0, Step::Continue);
        assert_eq!(host.asked()[0].params["parameters"], json!({"retry_after": expected}), "{headers}");
    }
}

/// The builtin compaction passes the fill level of the window to its directive, from either
/// location in the event.
#[test]
fn compaction_receives_the_fill_level() {
    let value = json!({"pressure_ratio": 0.9, "tokens_used": 900, "max_tokens": 1000});
    let mut flat = value.clone();
    flat["event"] = json!({"type": "context_window_pressure"});
    let mut nested = value.clone();
    nested["type"] = "context_window_pressure".into();
    for event in [flat, json!({"event": nested})] {
        let compacts = json!({"compaction": {"summary": "s", "prune_before_turn": 4}});
        let host = Recorder::new().with_reply("call_directive", compacts);
        let (step, _) = on("hooks: []", &Event::from_value(event), &host);
        assert_eq!(step, Step::Compact { summary: "s".into(), prune_before_turn: Some(4) });
        let asked = host.asked();
        assert_eq!(asked[0].params["directive"], "rye/agent/threads/default_compaction");
        assert_eq!(asked[0].params["parameters"], value);
    }
}

/// The target of an escalation reaches the host and the saved state.
#[test]
fn an_escalation_has_a_target() {
    for target in ["user_approval", "parent_notification", "both"] {
        let policy = format!("hooks: [{{event: limit, action: {{type: escalate, target: {target}}}}}]");
        let host = Recorder::new().with_reply("escalate", Value::Null);
        let event = Event::from_value(json!({"event": {"type": "limit"}, "limit_code": "turns_exceeded"}));
        let (step, state) = on(&policy, &event, &host);
        assert_eq!(host.asked()[0].params["target"], target);
        let open = state.escalation.unwrap();
        assert_eq!((open.target.as_str(), open.timeout_seconds), (target, 3600));
        assert_eq!(step, Step::Escalate(open));
    }
}

/// Whether a directive has the permissions of its thread reaches the host; the default is yes.
#[test]
fn a_directive_inherits_the_token_by_default() {
    for (said, inherits) in [("", true), (", inherit_token: true", true), (", inherit_token: false", false)] {
        let policy =
            format!("hooks: [{{event: error, action: {{type: call_directive, directive: d{said}}}}}]");
        let host = going_on();
        on(&policy, &Event::from_value(json!({"event": {"type": "error"}})), &host);
        assert_eq!(host.asked()[0].params["inherit_token"], inherits, "{said}");
    }
}

/// The budget alert applies above 10, not to 10, in any spelling.
#[test]
fn a_budget_alert_begins_above_its_budget() {
    for (spend, alerted) in
        [("10", false), ("10.0", false), ("1e1", false), ("10.000000000000000001", true), ("9.99", false)]
    {
        let event = format!(
            r#"{{"event": {{"type": "limit"}}, "limit_code": "spend_exceeded", "cost": {{"spend": {spend}}}}}"#
        );
        let host = Recorder::new().with_reply("escalate", Value::Null);
        let (_, state) = on(THREAD, &Event::new(event), &host);
        let seconds = state.escalation.unwrap().timeout_seconds;
        assert_eq!(seconds, if alerted { 7200 } else { 3600 }, "{spend}");
    }
}

/// A result of a directive that is not a return object fails its hook, with the failure mode of the
/// hook.
#[test]
fn results_must_be_return_objects() {
    for (said, continues) in [("", false), (", on_error: skip", true), (", on_failure: open", true)] {
        let policy =
            format!("hooks: [{{event: error, action: {{type: call_directive, directive: d}}{said}}}]");
        let host = Recorder::new().with_reply("call_directive", json!({"action": "SUSPEND"}));
        let (step, _) = on(&policy, &Event::from_value(json!({"event": {"type": "error"}})), &host);
        assert_eq!(step == Step::Continue, continues, "{said}: {step:?}");
        assert!(continues || matches!(step, Step::Fail(_)), "{step:?}");
    }
}
