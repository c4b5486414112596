//! Sessions with repository hooks, their handlers real processes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

use hookc_compiler::{Input, Options, compile};
use hookc_runtime::Engine;
use hookc_runtime::host::Bare;
use hookc_runtime::turn::{Guard, HookResult, Session};
use hookc_schema::Sources;
use hookc_vm::Module;
use serde_json::{Map, Value, json};

/// Hooks whose handlers print these results.
fn engine(hooks: &[(&str, &str, Value)]) -> Engine {
    let hook = |(id, event, result): &(&str, &str, Value)| {
        let argv = json!(["printf", "%s", result.to_string()]);
        json!({"id": id, "event": event, "action": {"type": "run", "result": "signals", "argv": argv}})
    };
    let policy = json!({"hooks": hooks.iter().map(hook).collect::<Vec<_>>()}).to_string();
    let mut sources = Sources::new();
    let source = sources.add("hooks.yaml", policy);
    let inputs = [Input { source, dialect: None, layer: None }];
    let compiled = compile(&mut sources, &inputs, &Options { builtin: false, ..Options::default() });
    let told = hookc_schema::diag::render::short::render(&compiled.diagnostics, &sources);
    Engine::new(Module::load(compiled.module.unwrap_or_else(|| panic!("{told}"))).unwrap())
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
    let (control, turn) = session.prompt_submit(map(json!({"user_raw_input": "x"})), &Bare).unwrap();
    assert_eq!(control["turn_ready"], true);
    assert_eq!(control["hook_signals"][0]["code"], "ROUTE");
    assert_eq!((turn.signals.len(), turn.logs), (1, vec!["seen".to_owned()]));
    assert_eq!(turn.reports, ["hook bad failed: `hook_signals` is no list"]);
}

#[test]
fn guards_combine_and_disable() {
    let call = || map(json!({"ability_id": "edit_file", "caller": {"source": "ai_session"}}));
    let allowed = engine(&[("ok", "PreAbilityCall", json!({"logs": []}))]);
    let (control, guard, _) = Session::new(&allowed, "s").pre_ability_call(call(), &Bare).unwrap();
    assert_eq!((guard, &control["turn_ready_for_ability"]), (Guard::Allowed, &json!(true)));

    let policy = engine(&[("a", "PreAbilityCall", deny("a", "one", false))]);
    let mut session = Session::new(&policy, "s");
    let one = Guard::Denied { reason: "one".into(), require_human: false };
    let (control, guard, _) = session.pre_ability_call(call(), &Bare).unwrap();
    assert_eq!((guard, &control["turn_ready_for_ability"]), (one.clone(), &json!(false)));
    let (_, guard, turn) = session.pre_ability_call(call(), &Bare).unwrap();
    assert!(matches!(guard, Guard::Denied { reason, .. } if reason == "disabled for this session: one"));
    assert!(turn.handled.effects.is_empty());
    assert_eq!(session.disabled()["edit_file"], "one");
    assert!(session.enable("edit_file") && !session.enable("edit_file"));
    assert_eq!(session.pre_ability_call(call(), &Bare).unwrap().1, one);
    session.reset();
    let other = map(json!({"ability_id": "read_file"}));
    let guard = session.pre_ability_call(other, &Bare).unwrap().1;
    assert!(
        matches!(&guard, Guard::Denied { reason, require_human: true } if reason.contains("`edit_file`"))
    );
    let mut allows = deny("a", "", false);
    allows["hook_signals"][0]["code"] = "ABILITY_ALLOWED".into();
    let allows = engine(&[("a", "PreAbilityCall", allows)]);
    let other = map(json!({"ability_id": "read_file"}));
    let (_, guard, turn) = Session::new(&allows, "s").pre_ability_call(other, &Bare).unwrap();
    assert_eq!(
        (guard, turn.reports),
        (Guard::Allowed, vec!["a guard speaks of `edit_file`, not of `read_file`".to_owned()])
    );

    let both = engine(&[
        ("a", "PreAbilityCall", deny("a", "one", false)),
        ("b", "PreAbilityCall", deny("b", "two", true)),
    ]);
    let mut session = Session::new(&both, "s");
    let guard = session.pre_ability_call(call(), &Bare).unwrap().1;
    assert_eq!(guard, Guard::Denied { reason: "one\ntwo".into(), require_human: true });
    assert!(session.disabled().is_empty());
}

#[test]
fn a_guard_that_fails_denies_and_needs_a_human() {
    let call = || map(json!({"ability_id": "edit_file"}));
    let own = json!({"error": {"code": "E", "message": "m"}});
    let wrong = json!({"hook_signals": [{"source_event": "PromptSubmit"}]});
    for result in [own, wrong, json!("text"), json!({"logs": [1]})] {
        let engine = engine(&[("g", "PreAbilityCall", result.clone())]);
        let guard = Session::new(&engine, "s").pre_ability_call(call(), &Bare).unwrap().1;
        assert!(matches!(guard, Guard::Denied { require_human: true, .. }), "{result}");
    }
}

#[test]
fn events_behind_a_decision_never_reach_the_turn() {
    let engine = engine(&[("p", "PostAbilityCall", hint()), ("q", "SessionStop", deny("q", "no", true))]);
    let session = Session::new(&engine, "s");
    let context = || map(json!({"ability_id": "x", "status": "success"}));
    let turn = session.post_ability_call(context(), &Bare).unwrap();
    assert_eq!(
        (turn.signals.len(), turn.reports),
        (0, vec!["hook p: signals are ignored: PostAbilityCall has none".to_owned()])
    );
    assert!(session.session_stop(map(json!({})), &Bare).unwrap().signals.is_empty());
}

#[test]
fn signals_are_held_against_their_kind() {
    let signal = |event: &str, kind: &str, code: &str, payload: Value| {
        let one =
            json!({"source_event": event, "hook_id": "h", "kind": kind, "code": code, "payload": payload});
        HookResult::read(&json!({"hook_signals": [one]}), event, "h").map(|result| result.signals.len())
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
    assert_eq!(HookResult::read(&foreign, "PromptSubmit", "h").unwrap().reports.len(), 1);
}
