//! Sessions with repository hooks, their handlers real processes.

use crate::common;

use hookc_runtime::host::NoopHost;
use hookc_runtime::turn::{Guard, HookResult, Session};
use hookc_runtime::verdict::Permission;
use hookc_runtime::{Engine, Event};
use hookc_vm::DecideOptions;
use serde_json::{Map, Value, json};

/// Hooks whose handlers print these results.
fn engine(hooks: &[(&str, &str, Value)]) -> Engine {
    let hook = |(id, event, result): &(&str, &str, Value)| prints(id, event, &result.to_string());
    policy(hooks.iter().map(hook).collect())
}

/// A hook whose handler prints this text.
fn prints(id: &str, event: &str, text: &str) -> Value {
    let argv = json!(["printf", "%s", text]);
    json!({"id": id, "event": event, "action": {"type": "run", "result": "signals", "argv": argv}})
}

fn policy(hooks: Vec<Value>) -> Engine {
    let policy = json!({"hooks": hooks}).to_string();
    common::engine(&policy)
}

fn map(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn deny(id: &str, reason: &str, human: bool) -> Value {
    json!({"hook_signals": [{"source_event": "PreAbilityCall", "hook_id": id, "kind": "ability_guard",
        "code": "ABILITY_DENIED", "severity": "error",
        "payload": {"ability_id": "edit_file", "reason": reason, "require_human": human}}]})
}

fn hint() -> Value {
    json!({"logs": ["seen"], "hook_signals": [{"source_event": "PromptSubmit", "hook_id": "route",
        "kind": "routing_hint", "code": "ROUTE",
        "payload": {"suggested_abilities": [{"id": "refactor", "confidence": 0.9}]}}]})
}

#[test]
fn a_turn_is_ready_with_its_signals() {
    let engine =
        engine(&[("route", "PromptSubmit", hint()), ("bad", "PromptSubmit", json!({"hook_signals": 1}))]);
    let session = Session::new(&engine, "s");
    let (control, turn) = session.prompt_submit(map(json!({"user_raw_input": "x"})), &NoopHost).unwrap();
    assert_eq!(control["turn_ready"], true);
    assert_eq!(control["hook_signals"][0]["code"], "ROUTE");
    assert_eq!((turn.signals.len(), turn.logs), (1, vec!["seen".to_owned()]));
    assert_eq!(turn.reports, ["hook bad failed: `hook_signals` is not a list"]);
}

#[test]
fn guards_combine_and_disable() {
    let call = || map(json!({"ability_id": "edit_file", "caller": {"source": "ai_session"}}));
    let allowed = engine(&[("ok", "PreAbilityCall", json!({"logs": []}))]);
    let (control, guard, _) = Session::new(&allowed, "s").pre_ability_call(call(), &NoopHost).unwrap();
    assert_eq!((guard, &control["turn_ready_for_ability"]), (Guard::Allowed, &json!(true)));

    let policy = engine(&[("a", "PreAbilityCall", deny("a", "one", false))]);
    let mut session = Session::new(&policy, "s");
    let one = Guard::Denied { reason: "one".into(), require_human: false };
    let (control, guard, _) = session.pre_ability_call(call(), &NoopHost).unwrap();
    assert_eq!((guard, &control["turn_ready_for_ability"]), (one.clone(), &json!(false)));
    let (_, guard, turn) = session.pre_ability_call(call(), &NoopHost).unwrap();
    assert!(matches!(guard, Guard::Denied { reason, .. } if reason == "disabled for this session: one"));
    assert!(turn.handled.effects.is_empty());
    assert_eq!(session.disabled()["edit_file"], "one");
    assert!(session.enable("edit_file") && !session.enable("edit_file"));
    assert_eq!(session.pre_ability_call(call(), &NoopHost).unwrap().1, one);
    session.reset();
    let other = map(json!({"ability_id": "read_file"}));
    let guard = session.pre_ability_call(other, &NoopHost).unwrap().1;
    assert!(
        matches!(&guard, Guard::Denied { reason, require_human: true } if reason.contains("`edit_file`"))
    );
    let mut allows = deny("a", "", false);
    allows["hook_signals"][0]["code"] = "ABILITY_ALLOWED".into();
    let allows = engine(&[("a", "PreAbilityCall", allows)]);
    let other = map(json!({"ability_id": "read_file"}));
    let (_, guard, turn) = Session::new(&allows, "s").pre_ability_call(other, &NoopHost).unwrap();
    assert_eq!(
        (guard, turn.reports),
        (Guard::Allowed, vec!["a guard decides about `edit_file`, not about `read_file`".to_owned()])
    );

    let both = engine(&[
        ("a", "PreAbilityCall", deny("a", "one", false)),
        ("b", "PreAbilityCall", deny("b", "two", true)),
    ]);
    let mut session = Session::new(&both, "s");
    let guard = session.pre_ability_call(call(), &NoopHost).unwrap().1;
    assert_eq!(guard, Guard::Denied { reason: "one\ntwo".into(), require_human: true });
    assert!(session.disabled().is_empty());
}

#[test]
fn a_guard_that_fails_denies_and_needs_a_human() {
    let call = || map(json!({"ability_id": "edit_file"}));
    let value = json!({"error": {"code": "E", "message": "m"}});
    let wrong = json!({"hook_signals": [{"source_event": "PromptSubmit"}]});
    for result in [value, wrong, json!("text"), json!({"logs": [1]})] {
        let engine = engine(&[("g", "PreAbilityCall", result.clone())]);
        let guard = Session::new(&engine, "s").pre_ability_call(call(), &NoopHost).unwrap().1;
        assert!(matches!(guard, Guard::Denied { require_human: true, .. }), "{result}");
    }
}

#[test]
fn a_malformed_denial_is_not_an_approval() {
    let call = || map(json!({"ability_id": "edit_file"}));
    let guard = |text: &str| {
        let engine = policy(vec![prints("g", "PreAbilityCall", text)]);
        let (_, guard, turn) = Session::new(&engine, "s").pre_ability_call(call(), &NoopHost).unwrap();
        (guard, turn.reports)
    };
    let list = deny("g", "no", false)["hook_signals"].clone();
    let one = &list[0];
    for (near, says) in [
        (json!({"hookSignals": list}), "did you mean `hook_signals`?"),
        (json!({"hook_signal": list}), "did you mean `hook_signals`?"),
        (json!({"signals": list}), "did you mean `hook_signals`?"),
        (json!({"result": {"hook_signals": []}}), "`result` is not a member"),
        (json!({"data": [{"of": one}]}), "`data` is not a member"),
        (one.clone(), "`source_event` is not a member"),
        (json!({"code": "ABILITY_DENIED"}), "`code` is not a member"),
        (json!({"decision": "block", "reason": "no"}), "`decision` is not a member"),
        (
            json!({"hookSpecificOutput": {"permissionDecision": "deny"}}),
            "`hookSpecificOutput` is not a member",
        ),
        (json!({"permission_decision": "deny"}), "`permission_decision` is not a member"),
        (json!({"action": "ABORT"}), "`action` is not a member"),
        (json!({"ok": false}), "`ok` is not a member"),
    ] {
        let (guard, reports) = guard(&near.to_string());
        let refused =
            matches!(&guard, Guard::Denied { reason, require_human: true } if reason.contains(says));
        assert!(refused, "{near}: {guard:?} {reports:?}");
    }
    let twice = format!(r#"{{"hook_signals": {list}, "hook_signals": []}}"#);
    let (refused, _) = guard(&twice);
    assert!(
        matches!(refused, Guard::Denied { reason, .. } if reason.contains("duplicate key `hook_signals`"))
    );
    let (allowed, reports) = guard(r#"{"log": ["x"], "metrics": {"calls": 3}}"#);
    let ignored = [
        "hook g: `log` is ignored: a result has no such member; did you mean `logs`?",
        "hook g: `metrics` is ignored: a result has no such member",
    ];
    assert_eq!((allowed, reports), (Guard::Allowed, ignored.map(str::to_owned).to_vec()));
    let engine = policy(vec![prints("p", "PostAbilityCall", r#"{"metrics": 1, "code": 2}"#)]);
    let turn = Session::new(&engine, "s").post_ability_call(call(), &NoopHost).unwrap();
    assert!(turn.reports.is_empty(), "{:?}", turn.reports);
}

#[test]
fn a_denial_survives_other_errors() {
    let call = || map(json!({"ability_id": "edit_file"}));
    let good = deny("g", "no", false);
    let beside = |name: &str, value: Value| {
        let mut result = good.clone();
        match name {
            "hook_signals" => result[name].as_array_mut().unwrap().push(value),
            _ => result[name] = value,
        }
        result
    };
    for (result, says) in [
        (beside("hook_signals", json!({"bad": 1})), "a signal has no `source_event`"),
        (beside("error", json!({"code": "E", "message": "m"})), "E: m"),
        (beside("logs", json!("x")), "`logs` is not a list"),
        (beside("usage_recorded", json!(1)), "`usage_recorded` is neither"),
        (beside("decision", json!("approve")), "`decision` is not a member"),
    ] {
        let mut hook = prints("g", "PreAbilityCall", &result.to_string());
        hook["on_failure"] = "open".into();
        let engine = policy(vec![hook]);
        let (_, guard, turn) = Session::new(&engine, "s").pre_ability_call(call(), &NoopHost).unwrap();
        assert_eq!(guard, Guard::Denied { reason: "no".into(), require_human: false }, "{result}");
        assert!(turn.reports.iter().any(|report| report.contains(says)), "{:?}", turn.reports);
        let event = Event::from_value(Value::Object(call()));
        let ask = DecideOptions::default().event("PreAbilityCall");
        let verdict = engine.handle(&event, &ask, &NoopHost).unwrap().verdict().0;
        assert_eq!((verdict.permission, verdict.reason().as_deref()), (Some(Permission::Deny), Some("no")));
    }
}

#[test]
fn events_after_a_decision_never_reach_the_turn() {
    let engine = engine(&[("p", "PostAbilityCall", hint()), ("q", "SessionStop", deny("q", "no", true))]);
    let session = Session::new(&engine, "s");
    let context = || map(json!({"ability_id": "x", "status": "success"}));
    let turn = session.post_ability_call(context(), &NoopHost).unwrap();
    assert_eq!(
        (turn.signals.len(), turn.reports),
        (0, vec!["hook p: signals are ignored: PostAbilityCall has none".to_owned()])
    );
    assert!(session.session_stop(map(json!({})), &NoopHost).unwrap().signals.is_empty());
}

#[test]
fn signals_are_held_against_their_kind() {
    let signal = |event: &str, kind: &str, code: &str, payload: Value| {
        let one =
            json!({"source_event": event, "hook_id": "h", "kind": kind, "code": code, "payload": payload});
        let result = HookResult::read(&json!({"hook_signals": [one]}), event, "h");
        result.failed.map_or(Ok(result.signals.len()), Err)
    };
    assert_eq!(signal("PromptSubmit", "normalized_intent", "X", json!({"scope": "a"})), Ok(1));
    assert_eq!(
        signal("PreAbilityCall", "ability_guard", "ABILITY_ALLOWED", json!({"ability_id": "a"})),
        Ok(1)
    );
    let bad = [
        signal("PromptSubmit", "ability_guard", "ABILITY_DENIED", json!({"ability_id": "a", "reason": "r"})),
        signal("PreAbilityCall", "routing_hint", "X", json!({})),
        signal("PreAbilityCall", "ability_guard", "MAYBE", json!({"ability_id": "a"})),
        signal("PreAbilityCall", "ability_guard", "ABILITY_DENIED", json!({"ability_id": "a"})),
        signal("PreAbilityCall", "ability_guard", "ABILITY_ALLOWED", json!({"ability_id": 1})),
        signal("PromptSubmit", "normalized_intent", "X", json!({"stage": 1})),
        signal(
            "PromptSubmit",
            "routing_hint",
            "X",
            json!({"suggested_abilities": [{"id": "a", "confidence": 2}]}),
        ),
        signal("PromptSubmit", "routing_hint", "X", json!({"suggested_documents": [{}]})),
        signal("PromptSubmit", "routing_hint", "", json!({})),
        signal("PromptSubmit", "routing_hint", "X", json!([])),
    ];
    assert!(bad.iter().all(Result::is_err), "{bad:?}");
    let foreign = json!({"hook_signals": [{"source_event": "PromptSubmit", "hook_id": "x", "kind": "routing_hint",
        "code": "C", "payload": {}}]});
    assert_eq!(HookResult::read(&foreign, "PromptSubmit", "h").reports.len(), 1);
}

#[test]
fn a_call_without_a_session_has_no_session_id() {
    let hook = json!({"id": "g", "event": "PreAbilityCall", "when": "not exists(session_id)",
        "action": {"type": "deny", "reason": "no session"}});
    let engine = policy(vec![hook]);
    let guard = |id: &str| {
        let call = map(json!({"ability_id": "edit_file"}));
        Session::new(&engine, id).pre_ability_call(call, &NoopHost).unwrap().1
    };
    assert_eq!(guard(""), Guard::Denied { reason: "no session".into(), require_human: false });
    assert_eq!(guard("s"), Guard::Allowed);
}

#[test]
fn a_hook_that_warns_is_heard() {
    let hook = |id: &str, mode: &str| json!({"id": id, "event": "PreAbilityCall", "mode": mode, "action": {"type": "deny", "reason": "soon"}});
    let engine = policy(vec![hook("w", "warn"), hook("s", "shadow")]);
    let call = map(json!({"ability_id": "edit_file"}));
    let (_, guard, turn) = Session::new(&engine, "s").pre_ability_call(call, &NoopHost).unwrap();
    assert_eq!((guard, turn.reports), (Guard::Allowed, vec!["hook w (warn) would deny: soon".to_owned()]));
}

#[test]
fn a_denied_turn_is_not_ready() {
    let submit = |hook: Value| {
        let engine = policy(vec![hook]);
        let (control, turn) = Session::new(&engine, "s").prompt_submit(Map::new(), &NoopHost).unwrap();
        (control["turn_ready"].clone(), control["reason"].clone(), turn.reports)
    };
    for kind in ["deny", "ask"] {
        let hook = json!({"id": "g", "event": "PromptSubmit", "action": {"type": kind, "reason": "not now"}});
        assert_eq!(submit(hook), (json!(false), json!("not now"), vec![]), "{kind}");
    }
    let broken = || prints("g", "PromptSubmit", "no JSON");
    let with = |key: &str, value: &str| {
        let mut hook = broken();
        hook[key] = value.into();
        submit(hook)
    };
    let (ready, reason, reports) = submit(broken());
    assert_eq!((ready, reason, reports.len()), (json!(true), Value::Null, 1));
    assert_eq!(with("on_failure", "open").0, true);
    for (key, value) in [("on_failure", "closed"), ("on_error", "fail")] {
        let (ready, reason, _) = with(key, value);
        assert_eq!(ready, false, "{key}");
        assert!(reason.as_str().unwrap().starts_with("hook g failed: its output is not JSON"), "{reason}");
    }
    let add = json!({"id": "g", "event": "PromptSubmit", "action": {"type": "inject", "text": "hear"}});
    let reported = "hook g: its text is ignored: PromptSubmit accepts signals".to_owned();
    assert_eq!(submit(add), (json!(true), Value::Null, vec![reported]));
    let engine = policy(vec![json!({"id": "g", "event": "SessionStop", "action": {"type": "deny"}})]);
    let turn = Session::new(&engine, "s").session_stop(Map::new(), &NoopHost).unwrap();
    assert_eq!(turn.reports, ["hook g: it denies, but nothing waits for it at SessionStop"]);
}

#[test]
fn a_missing_result_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let count = folder.path().join("count");
    let line = format!(
        "echo x >> {0}; [ $(wc -l < {0}) -lt 3 ] && echo '{{\"hook_signals\": 1}}' || echo '{{}}'",
        count.display()
    );
    let guard = |on_error: &str, command: &str| {
        let action = json!({"type": "run", "result": "signals", "command": command});
        let hook = json!({"id": "g", "event": "PreAbilityCall", "on_error": on_error, "action": action});
        let engine = policy(vec![hook]);
        let call = map(json!({"ability_id": "edit_file"}));
        let (_, guard, turn) = Session::new(&engine, "s").pre_ability_call(call, &NoopHost).unwrap();
        (guard, turn.handled.effects[0].tries)
    };
    assert_eq!(guard("retry", &line), (Guard::Allowed, 3));
    let never = "echo '{\"hook_signals\": 1}'";
    for command in [never, "exit 1"] {
        assert_eq!(guard("skip", command), (Guard::Allowed, 1), "{command}");
        assert!(matches!(guard("fail", command), (Guard::Denied { require_human: true, .. }, 1)));
        assert!(matches!(guard("retry", command), (Guard::Denied { require_human: true, .. }, 3)));
    }
}
