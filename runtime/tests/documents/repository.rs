//! Repository hooks: the recipes, and the guarantees about failures and logs.

use hookc_compiler::Dialect;
use hookc_runtime::host::NoopHost;
use hookc_runtime::outcome::Outcome;
use hookc_runtime::turn::{Guard, Session};
use hookc_vm::OnFailure;
use serde_json::{Value, json};

use super::{Folder, map};

const ROUTE: &str = "id: route\nevent_type: PromptSubmit\nenabled: true\nblocking: true\nhandler: {kind: script, command: ./scripts/hooks/route.sh}\n";
const GUARD: &str = "id: prod-guard\nevent_type: PreAbilityCall\nenabled: true\nblocking: true\nmatch: {ability_scope: edit_file}\nhandler: {kind: script, command: ./scripts/hooks/guard.sh}\n";
const USAGE: &str = "id: usage\nevent_type: PostAbilityCall\nenabled: true\nblocking: false\nmatch: {ability_scope: '*'}\nhandler: {kind: script, command: ./scripts/hooks/usage.sh}\neffects: [{append_to: usage.log}]\n";
const BUILD: &str = "id: build\nevent_type: SessionStop\nenabled: true\nblocking: false\nmatch: {only_if_changed_paths: ['services/**', 'apps/**']}\nhandler: {kind: script, command: ./scripts/hooks/build.sh}\n";

fn repository() -> Folder {
    let signal = |event: &str, id: &str, kind: &str, code: &str, payload: Value| {
        json!({"hook_signals": [{"source_event": event, "hook_id": id, "kind": kind, "code": code,
            "severity": "info", "payload": payload}]})
    };
    let hint = json!({"suggested_abilities": [{"id": "refactor", "confidence": 0.9}]});
    let route = signal("PromptSubmit", "route", "routing_hint", "ROUTE", hint);
    let denied = json!({"ability_id": "edit_file", "reason": "not in prod", "require_human": true});
    let denied = signal("PreAbilityCall", "prod-guard", "ability_guard", "ABILITY_DENIED", denied);
    // Paths in the handlers show that they run at the root of the repository.
    Folder::new()
        .with(".system/hooks/route.yaml", ROUTE)
        .with(".system/hooks/guard.yaml", GUARD)
        .with(".system/hooks/usage.yaml", USAGE)
        .with(".system/hooks/build.yaml", BUILD)
        .with("scripts/hooks/route.sh", &format!("#!/bin/sh\ncat > route.json\necho '{route}'\n"))
        .with(
            "scripts/hooks/guard.sh",
            &format!("#!/bin/sh\ngrep -q config/prod && echo '{denied}' || echo '{{}}'\n"),
        )
        .with("scripts/hooks/usage.sh", "#!/bin/sh\ncat >> usage.log; echo >> usage.log\n")
        .with("scripts/hooks/build.sh", "#!/bin/sh\ncat > build.json\n")
}

#[test]
fn repository_recipes() {
    let folder = repository();
    let engine = folder.engine(".system/hooks", Dialect::Repository);
    let mut session = Session::new(&engine, "s1");

    // Activation hints reach the model with the message that it may start.
    let (control, turn) =
        session.prompt_submit(map(json!({"user_raw_input": "tidy up"})), &NoopHost).unwrap();
    assert_eq!((&control["turn_ready"], turn.reports.as_slice()), (&json!(true), &[] as &[String]));
    assert_eq!(control["hook_signals"][0]["payload"]["suggested_abilities"][0]["id"], "refactor");
    let seen: Value = serde_json::from_str(&folder.read("route.json")).unwrap();
    assert_eq!((&seen["event_type"], &seen["session_id"]), (&json!("PromptSubmit"), &json!("s1")));

    // A safety check denies its own operation, and nothing else.
    let call = |ability: &str, args: &str| {
        map(json!({"ability_id": ability, "args_summary": args, "caller": {"source": "ai_session"}}))
    };
    let (control, guard, _) =
        session.pre_ability_call(call("edit_file", "config/prod.yaml"), &NoopHost).unwrap();
    assert_eq!(control["turn_ready_for_ability"], false);
    assert_eq!(guard, Guard::Denied { reason: "not in prod".into(), require_human: true });
    for (ability, args) in [("edit_file", "src/a.rs"), ("read_file", "config/prod.yaml")] {
        let (control, guard, turn) = session.pre_ability_call(call(ability, args), &NoopHost).unwrap();
        assert_eq!((guard, &control["turn_ready_for_ability"]), (Guard::Allowed, &json!(true)), "{turn:?}");
    }

    // Telemetry is written, and does not affect the turn.
    let post = map(json!({"ability_id": "edit_file", "status": "success", "duration_ms": 12}));
    let turn = session.post_ability_call(post, &NoopHost).unwrap();
    assert!(turn.signals.is_empty() && matches!(turn.handled.effects[0].outcome, Outcome::Started));
    assert!(folder.wait("usage.log", "\n").contains("\"duration_ms\":12"));

    // Builds run for their own files.
    let none = session.session_stop(map(json!({"changed_files": ["docs/a.md"]})), &NoopHost).unwrap();
    assert!(none.handled.effects.is_empty());
    session.session_stop(map(json!({"changed_files": ["docs/a.md", "apps/x/y.ts"]})), &NoopHost).unwrap();
    assert!(folder.wait("build.json", "}").contains("apps/x/y.ts"));
}

#[test]
fn a_repository_works_with_all_hooks_off_and_with_a_missing_handler() {
    let folder = repository();
    for name in ["route", "guard", "usage", "build"] {
        let path = folder.path().join(format!(".system/hooks/{name}.yaml"));
        let text = std::fs::read_to_string(&path).unwrap().replace("enabled: true", "enabled: false");
        std::fs::write(path, text).unwrap();
    }
    let engine = folder.engine(".system/hooks", Dialect::Repository);
    let call = || map(json!({"ability_id": "edit_file", "args_summary": "config/prod.yaml"}));
    let (_, guard, turn) = Session::new(&engine, "s").pre_ability_call(call(), &NoopHost).unwrap();
    assert_eq!((guard, turn.handled.effects.len()), (Guard::Allowed, 0));

    let folder = repository();
    let engine = folder.engine(".system/hooks", Dialect::Repository);
    std::fs::remove_file(folder.path().join("scripts/hooks/guard.sh")).unwrap();
    let (_, guard, _) = Session::new(&engine, "s").pre_ability_call(call(), &NoopHost).unwrap();
    assert!(matches!(guard, Guard::Denied { require_human: true, .. }), "{guard:?}");
}

/// A hook with a handler in `scripts`.
fn hook(folder: Folder, id: &str, event: &str, rest: &str, handler: &str) -> Folder {
    let text = format!(
        "id: {id}\nevent_type: {event}\nenabled: true\n{rest}\nhandler: {{kind: script, command: ./scripts/{id}.sh}}\n"
    );
    folder
        .with(&format!(".system/hooks/{id}.yaml"), &text)
        .with(&format!("scripts/{id}.sh"), &format!("#!/bin/sh\n{handler}\n"))
}

/// Recipe 1: every call is counted, a slow one is also recorded, and only the infrastructure
/// receives the results of the handlers.
#[test]
fn slow_calls_are_written_down() {
    let slow_and_fast = "blocking: true\nmatch: {ability_scope: '*', min_duration_ms: 0}";
    let slow = "blocking: true\nmatch: {ability_scope: '*', min_duration_ms: 100}";
    let unwaited = "blocking: false\nmatch: {ability_scope: '*', min_duration_ms: 100}";
    let recorded =
        r#"cat >> usage.jsonl; echo >> usage.jsonl; echo '{"usage_recorded": true, "logs": ["counted"]}'"#;
    let written = r#"cat >> slow.jsonl; echo >> slow.jsonl; echo '{"logs": ["slow"], "hook_signals": [{}]}'"#;
    let folder = hook(Folder::new(), "a-usage", "PostAbilityCall", slow_and_fast, recorded);
    let folder = hook(folder, "b-slow", "PostAbilityCall", slow, written);
    let folder = hook(folder, "c-later", "PostAbilityCall", unwaited, "cat >> later.jsonl; echo '{}'");
    let engine = folder.engine(".system/hooks", Dialect::Repository);
    let session = Session::new(&engine, "s");
    let call = |millis: Value| {
        let context = map(json!({"ability_id": "build", "status": "success", "duration_ms": millis}));
        session.post_ability_call(context, &NoopHost).unwrap()
    };
    for quick in [json!(0), json!(99), Value::Null] {
        let turn = call(quick);
        assert_eq!((turn.logs.as_slice(), turn.reports.len()), (&["counted".to_owned()][..], 0));
    }
    assert_eq!((folder.read("slow.jsonl"), folder.read("later.jsonl")), (String::new(), String::new()));
    let turn = call(json!(100));
    assert_eq!(turn.logs, ["counted", "slow"]);
    // Output for the model is ignored, and reported.
    assert_eq!(turn.reports, ["hook b-slow: signals are ignored: PostAbilityCall has none"]);
    assert!(turn.signals.is_empty());
    assert_eq!(
        (folder.read("usage.jsonl").lines().count(), folder.read("slow.jsonl").lines().count()),
        (4, 1)
    );
    assert!(folder.wait("later.jsonl", "}").contains("\"duration_ms\":100"));
}

/// Recipe 2: the user's intent and helpful documents are in the message at the start of the turn,
/// in the order of the hooks.
#[test]
fn intent_and_documents_come_with_the_turn() {
    let handler = |kind: &str, payload: Value| {
        let signal = json!({"source_event": "PromptSubmit", "hook_id": kind, "kind": kind.replace('-', "_"),
            "code": "C", "payload": payload});
        format!("grep -q 'before I commit' && echo '{}' || echo '{{}}'", json!({"hook_signals": [signal]}))
    };
    let intent = json!({"scope": "dev", "topic": "checks", "stage": "understand",
        "raw_input_snippet": "before I commit"});
    let documents = json!({"suggested_documents": [{"path": "docs/commit.md", "reason": "it asks"}]});
    let blocking = "blocking: true";
    let folder = hook(
        Folder::new(),
        "normalized-intent",
        "PromptSubmit",
        blocking,
        &handler("normalized-intent", intent.clone()),
    );
    let folder =
        hook(folder, "routing-hint", "PromptSubmit", blocking, &handler("routing-hint", documents.clone()));
    let engine = folder.engine(".system/hooks", Dialect::Repository);
    let session = Session::new(&engine, "s");
    let submit = |text: &str| session.prompt_submit(map(json!({"user_raw_input": text})), &NoopHost).unwrap();
    let (control, turn) = submit("what runs before I commit?");
    assert!(turn.reports.is_empty(), "{:?}", turn.reports);
    let signals = control["hook_signals"].as_array().unwrap();
    let received: Vec<_> =
        signals.iter().map(|one| (one["kind"].as_str().unwrap(), &one["payload"])).collect();
    assert_eq!(received, [("normalized_intent", &intent), ("routing_hint", &documents)]);
    let (control, _) = submit("tidy up");
    assert_eq!((&control["turn_ready"], &control["hook_signals"]), (&json!(true), &json!([])));
}

/// Failures: a failing background handler delays nothing; a failing guard denies, or is ignored and
/// reported if configured, whether the handler fails, reports a failure, or returns nothing usable.
#[test]
fn a_failure_blocks_only_what_it_guards() {
    let guarded = |blocking: &str, polarity: Option<OnFailure>, end: &str| {
        let handler = format!("cat > /dev/null; echo ran >> ran; {end}");
        let folder = hook(Folder::new(), "h", "PreAbilityCall", blocking, &handler);
        let engine = folder.engine(".system/hooks", Dialect::Repository).default_failure_mode(polarity);
        let context = map(json!({"ability_id": "build", "caller": {"source": "ai_session"}}));
        let (control, guard, turn) = Session::new(&engine, "s").pre_ability_call(context, &NoopHost).unwrap();
        folder.wait("ran", "ran");
        assert_eq!(control["turn_ready_for_ability"], guard == Guard::Allowed);
        (guard, turn)
    };
    let handler_error = r#"echo '{"error": {"code": "X", "message": "y"}}'"#;
    for (end, why) in
        [("exit 3", "exit status 3"), (handler_error, "X: y"), ("echo 1", "its result is not an object")]
    {
        let (guard, turn) = guarded("blocking: false", None, end);
        assert_eq!((guard, turn.handled.effects[0].outcome.as_str()), (Guard::Allowed, "started"));
        for polarity in [None, Some(OnFailure::Closed)] {
            let (guard, _) = guarded("blocking: true", polarity, end);
            assert!(matches!(guard, Guard::Denied { require_human: true, .. }), "{guard:?}");
        }
        let (guard, turn) = guarded("blocking: true", Some(OnFailure::Open), end);
        assert_eq!((guard, turn.reports), (Guard::Allowed, vec![format!("hook h failed: {why}")]));
    }
}

/// The event about the model's own answers: handlers see the answer, and their output does not
/// change a turn.
#[test]
fn model_output_is_only_observed() {
    let signal = json!({"hook_signals": [{"source_event": "ModelOutput", "hook_id": "h", "kind": "routing_hint",
        "code": "C", "payload": {}}], "logs": ["long"]});
    let handler = format!("cat > output.json; echo '{signal}'");
    let folder = hook(Folder::new(), "h", "ModelOutput", "blocking: true", &handler);
    let engine = folder.engine(".system/hooks", Dialect::Repository);
    let turn = Session::new(&engine, "s").model_output(map(json!({"output": "done."})), &NoopHost).unwrap();
    let seen: Value = serde_json::from_str(&folder.read("output.json")).unwrap();
    assert_eq!(seen, json!({"event_type": "ModelOutput", "session_id": "s", "output": "done."}));
    assert_eq!((turn.signals.len(), turn.logs), (0, vec!["long".to_owned()]));
    assert_eq!(turn.reports, ["hook h: signals are ignored: ModelOutput has none"]);
}

/// The log: each hook with its event, outcome and duration; denials and required humans are
/// distinguished.
#[test]
fn the_log_contains_hooks_and_denials() {
    let says = |code: &str, human: bool| {
        let payload = json!({"ability_id": "edit_file", "reason": "no", "require_human": human});
        let signal = json!({"source_event": "PreAbilityCall", "hook_id": "h", "kind": "ability_guard",
            "code": code, "payload": payload});
        format!("sleep 0.02; echo '{}'", json!({"hook_signals": [signal]}))
    };
    for (handler, hook_word, status) in [
        (says("ABILITY_DENIED", false), "deny", Value::Null),
        (says("ABILITY_DENIED", true), "ask", Value::Null),
        (says("ABILITY_ALLOWED", false), "done", Value::Null),
        ("exit 3".to_owned(), "failed", json!("exit status 3")),
    ] {
        let folder = hook(Folder::new(), "h", "PreAbilityCall", "blocking: true", &handler);
        let engine = folder.engine(".system/hooks", Dialect::Repository);
        let context = map(json!({"ability_id": "edit_file"}));
        let (_, _, turn) = Session::new(&engine, "s1").pre_ability_call(context, &NoopHost).unwrap();
        let [line, _] = folder.logged(&turn.event, &turn.handled);
        assert_eq!((&line["event"], &line["session"]), (&json!("PreAbilityCall"), &json!("s1")));
        assert_eq!((&line["outcome"], &line["hooks"][0]["hook"]), (&json!(hook_word), &json!("h")), "{line}");
        assert!(line["hooks"][0]["duration_ms"].is_number(), "{line}");
        if !status.is_null() {
            assert_eq!(line["hooks"][0]["status"], status, "{line}");
        }
    }
}
