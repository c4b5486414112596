//! The engine with real policies and processes.

use crate::common;
use crate::marked;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use common::module;
use hookc_base::text::with_causes;
use hookc_runtime::action::Action;
use hookc_runtime::host::EventContext;
use hookc_runtime::host::{NoopHost, Recorder};
use hookc_runtime::limits::NESTED_TOTAL;
use hookc_runtime::log::{Entry, Log, Redaction};
use hookc_runtime::outcome::Outcome;
use hookc_runtime::verdict::Permission;
use hookc_runtime::{ActionFailure, Engine, Event, EventOutcome, Host, PolicySet};
use hookc_schema::tree::Layer;
use hookc_vm::{DecideOptions, Module};
use serde_json::{Value, json};

fn handle(engine: &Engine, event: Value, host: &dyn Host) -> EventOutcome {
    engine.handle(&Event::from_value(event), &DecideOptions::default(), host).unwrap()
}

fn tool(command: &str) -> Value {
    json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}})
}

#[test]
fn every_kind_is_carried_out_or_fails_closed() {
    let kinds = [
        ("emit_event", "{type: emit_event, event_type: e}"),
        ("retry", "{type: retry}"),
        ("invoke", "{type: invoke, artifact: a}"),
        ("script", "{type: script, file: f.py}"),
        ("http", "{type: http, url: 'https://x'}"),
        ("mcp_tool", "{type: mcp_tool, server: s, tool: t}"),
    ];
    for (kind, action) in kinds {
        let engine =
            Engine::new(common::module(&format!("hooks: [{{id: a, event: error, action: {action}}}]")));
        let event = json!({"event": {"type": "error"}});
        let host = Recorder::new().with_reply(kind, json!({"done": kind}));
        let handled = handle(&engine, event.clone(), &host);
        assert_eq!(handled.effects[0].outcome, Outcome::Value(json!({"done": kind})), "{kind}");
        assert_eq!(host.asked()[0].kind, kind);
        let handled = handle(&engine, event, &NoopHost);
        assert!(matches!(handled.effects[0].outcome, Outcome::Failed(_)), "{kind}");
        assert_eq!(handled.verdict().0.permission, Some(Permission::Deny), "{kind}");
    }
    for action in
        ["{type: escalate}", "{type: call_directive, directive: d}", "{type: suspend, suspend_reason: limit}"]
    {
        let policy = format!("hooks: [{{event: error, action: {action}}}]");
        let (permission, reason) = said(&policy, "error", &NoopHost);
        assert_eq!(permission, Some(Permission::Deny), "{action}");
        assert!(reason.unwrap().contains("this host cannot execute"), "{action}");
    }
}

#[test]
fn log_lines_and_declared_kinds_reach_the_host() {
    let policy = "action_types: {page: {parameters: {whom: {type: string, required: true}}}}\nhooks:\n  - {id: a, event: \
                  PreToolUse, action: {type: log, message: 'saw ${tool_name}', level: warn}}\n  - {id: b, event: \
                  PreToolUse, action: {type: page, whom: me}}\n";
    let host = Recorder::new().with_reply("page", json!(null));
    let handled = handle(&Engine::new(module(policy)), tool("ls"), &host);
    assert!(handled.verdict().0.is_silent());
    let asked: Vec<_> = host.asked().into_iter().map(|one| (one.kind, Value::Object(one.params))).collect();
    assert_eq!(asked[0], ("log".into(), json!({"level": "warn", "message": "saw Bash"})));
    assert_eq!(asked[1], ("page".into(), json!({"whom": "me"})));
}

#[test]
fn on_error_skips_fails_and_retries() {
    let policy = |on_error: &str| {
        format!(
            "hooks:\n  - {{id: a, event: pre_decision, on_error: {on_error}, action: {{type: invoke, artifact: x, \
             max_retries: 4}}}}\n  - {{id: b, event: pre_decision, action: {{type: invoke, artifact: y}}}}\n"
        )
    };
    let ask = json!({"event": {"type": "pre_decision"}});
    let failing =
        || Recorder::new().failing("invoke", "no").failing("invoke", "no").with_reply("invoke", json!(7));
    let (host, engine) = (failing(), Engine::new(module(&policy("retry"))));
    let handled = handle(&engine, ask.clone(), &host);
    assert_eq!((handled.effects[0].tries, &handled.effects[0].outcome), (3, &Outcome::Value(json!(7))));
    let always = || Recorder::new().failing("invoke", "no");
    let host = always();
    assert_eq!(handle(&engine, ask.clone(), &host).effects[0].tries, 4);
    let handled = handle(&Engine::new(module(&policy("fail"))), ask.clone(), &always());
    assert!(matches!(&handled.effects[1].outcome, Outcome::Skipped(why) if why.contains("hook a failed")));
    let handled = handle(&Engine::new(module(&policy("skip"))), ask, &failing());
    assert_eq!(handled.effects[1].tries, 1);
    assert_eq!(handled.effects[0].verdict().messages, ["hook a failed: no"]);
}

#[test]
fn a_host_that_panics_has_failed() {
    struct Wild;
    impl Host for Wild {
        fn perform(&self, _: &Action, _: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
            panic!("wild")
        }
    }
    let engine = Engine::new(module("hooks: [{event: PreToolUse, action: {type: prompt, prompt: p}}]"));
    let handled = handle(&engine, tool("ls"), &Wild);
    assert_eq!(handled.verdict().0.permission, Some(Permission::Deny));
}

#[test]
fn grouped_handlers_run_at_once_and_answer_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let engine = |line: &dyn Fn(usize) -> String| {
        let hook = |id: usize, n: usize| {
            let said = json!({"additionalContext": n.to_string()});
            let command = format!("cd '{}' && {} && echo '{said}'", folder.path().display(), line(n));
            let action = json!({"type": "run", "result": "agent", "command": command});
            json!({"id": format!("h{id}"), "event": "PreToolUse", "action": action})
        };
        let hooks = [hook(1, 1), hook(2, 2), hook(3, 3), hook(4, 3)];
        Engine::new(module(&json!({"hooks": hooks}).to_string()))
    };
    // Each waits until all have begun, and ends when the next one does.
    let wait = |name: &str| {
        format!("n=0; until [ -e {name} ]; do n=$((n+1)); [ $n -lt 2000 ] || exit 1; sleep 0.01; done")
    };
    let meet = |n: usize| {
        let met: Vec<String> = (1..4).map(|n| wait(&format!("in{n}"))).collect();
        format!(
            "{{ touch out4 in{n}; {}; {}; touch out{n}; }}",
            met.join("; "),
            wait(&format!("out{}", n + 1))
        )
    };
    let handled = handle(&engine(&meet), tool("ls"), &NoopHost);
    assert_eq!(handled.verdict().0.contexts, ["1", "2", "3"]);
    assert!(matches!(&handled.effects[3].outcome, Outcome::Skipped(why) if why == "hook h3 is the same"));
    let alone = |_| "mkdir alone && sleep 0.05 && rmdir alone".to_owned();
    let handled = handle(&engine(&alone).max_parallel(1), tool("ls"), &NoopHost);
    assert_eq!(handled.verdict().0.contexts, ["1", "2", "3"]);
}

#[test]
fn a_reload_that_fails_leaves_the_policy_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.yaml");
    let layers = PolicySet::new().with(Layer::Project, folder.path(), None);
    let layers = layers.with_optional(Layer::User, folder.path().join("none"), None);
    // A link to nowhere is there: its rules are not left out in silence.
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(folder.path().join("nowhere"), &link).unwrap();
    assert!(layers.clone().with_optional(Layer::User, &link, None).compile().is_err());
    std::fs::remove_file(link).unwrap();
    std::fs::write(&file, "hooks: [{id: a, event: PreToolUse, action: {type: deny, reason: one}}]").unwrap();
    std::fs::write(folder.path().join("a.test.yaml"), "no policy").unwrap();
    let engine = Engine::new(layers.compile().unwrap());
    let reason = || handle(&engine, tool("ls"), &NoopHost).verdict().0.reason().unwrap();
    assert_eq!(reason(), "one");
    std::fs::remove_file(&file).unwrap();
    let error = engine.reload_layers(&layers).unwrap_err().to_string();
    assert!(error.ends_with(": no policy in this directory"), "{error}");
    assert_eq!(reason(), "one");
    assert!(PolicySet::new().with_optional(Layer::User, folder.path(), None).compile().is_ok());
    std::fs::write(&file, "hooks: [{id: a, event: PreToolUse, action: {type: dney}}]").unwrap();
    let error = engine.reload_layers(&layers).unwrap_err().to_string();
    assert!(error.starts_with("the policy has 1 error: "), "{error}");
    assert!(engine.reload(b"hookc\0 but not really".to_vec()).is_err());
    assert_eq!(reason(), "one");
    std::fs::write(&file, "hooks: [{id: a, event: PreToolUse, action: {type: deny, reason: two}}]").unwrap();
    engine.reload_layers(&layers).unwrap();
    assert_eq!(reason(), "two");
    std::fs::remove_file(&file).unwrap();
    std::fs::remove_dir_all(folder.path()).unwrap();
    assert!(with_causes(&engine.reload_layers(&layers).unwrap_err()).contains("No such file"));
}

/// 1,000 events through 8 threads while the policy is reloaded 100 times: each answer comes from
/// one complete policy, and none is lost.
#[test]
fn reloads_mix_nothing_and_lose_nothing() {
    let (mark, name) = (marked::mark("reloads"), marked::NAME);
    let policy = |n: usize| {
        format!(
            "hooks:\n  - {{id: a, event: PreToolUse, action: {{type: inject, text: 'p{n}'}}}}\n  - {{id: b, event: PreToolUse, \
             action: {{type: run, result: agent, env: {{{name}: {mark}}}, argv: [sh, -c, \"cat >/dev/null; sleep 30 >/dev/null 2>&1 & echo \
             '{{\\\"additionalContext\\\": \\\"p{n}\\\"}}'\"]}}}}\n  - {{id: c, event: PreToolUse, action: {{type: inject, \
             text: '${{tool_input.command}}'}}}}\n"
        )
    };
    let modules: Vec<Module> = (0..100).map(|n| module(&policy(n))).collect();
    let engine = Engine::new(modules[0].clone());
    let over = AtomicBool::new(false);
    let counted = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..8)
            .map(|worker| {
                let (engine, modules) = (&engine, &modules);
                scope.spawn(move || {
                    for n in 0..125 {
                        let mark = format!("{worker}/{n}");
                        let handled = handle(engine, tool(&mark), &NoopHost);
                        let contexts = handled.verdict().0.contexts;
                        assert_eq!((contexts.len(), contexts[2].as_str()), (3, mark.as_str()));
                        assert_eq!(contexts[0], contexts[1]);
                        let number: usize = contexts[0].trim_start_matches('p').parse().unwrap();
                        assert_eq!(handled.module, modules[number].hash());
                    }
                    125
                })
            })
            .collect();
        let reload = scope.spawn(|| {
            let mut reloads = 0;
            while reloads < 100 || !over.load(Ordering::Relaxed) {
                engine.reload(modules[reloads % 100].bytes().to_vec()).unwrap();
                reloads += 1;
                std::thread::sleep(Duration::from_millis(2));
            }
            reloads
        });
        let counted: usize = workers.into_iter().map(|worker| worker.join().unwrap()).sum();
        over.store(true, Ordering::Relaxed);
        assert!(reload.join().unwrap() >= 100);
        counted
    });
    assert_eq!(counted, 1000);
    marked::none_left(&mark);
}

#[test]
fn log_lines_are_complete_with_concurrent_writers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let engine = Engine::new(module("hooks: [{id: a, event: PreToolUse, action: {type: deny, reason: r}}]"));
    std::thread::scope(|scope| {
        for worker in 0..8 {
            let (engine, path) = (&engine, &path);
            scope.spawn(move || {
                let log = Log::open(path).unwrap().with_payload(Redaction::default());
                for n in 0..50 {
                    let event = Event::from_value(tool(&format!("{worker}/{n}/{}", "x".repeat(20_000))));
                    let handled = engine.handle(&event, &DecideOptions::default(), &NoopHost).unwrap();
                    let entry = Entry::new("test", &event, Ok(&handled), Duration::ZERO);
                    log.write(&entry).unwrap();
                }
            });
        }
    });
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 400);
    assert!(lines.iter().all(|line| line["outcome"] == "deny" && line["hooks"][0]["hook"] == "a"));
    std::fs::write(&path, "{\"torn\": ").unwrap();
    let event = Event::from_value(tool("ls"));
    let entry = Entry::new("test", &event, Err("why"), Duration::ZERO);
    Log::open(&path).unwrap().write(&entry).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!((text.lines().count(), text.lines().next().unwrap()), (2, "{\"torn\": "));
    assert!(text.lines().nth(1).unwrap().contains(r#""error":"why""#));
}

#[test]
fn a_failing_once_guard_is_not_an_approval() {
    let guard = |kind: &str| {
        format!(
            "hooks: [{{id: g, event: PreToolUse, on_error: retry, action: {{type: run, once: true, command: {kind}}}}}]"
        )
    };
    let engine = Engine::new(module(&guard("exit 200")));
    for _ in 0..2 {
        let handled = handle(&engine, tool("ls"), &NoopHost);
        assert_eq!(handled.effects[0].tries, 3);
        assert_eq!(handled.verdict().0.permission, Some(Permission::Deny));
    }
    engine.swap(module(&guard("exit 0"))).unwrap();
    assert!(handle(&engine, tool("ls"), &NoopHost).verdict().0.is_silent());
    assert!(matches!(&handle(&engine, tool("ls"), &NoopHost).effects[0].outcome, Outcome::Skipped(_)));
    engine.swap(module(&guard("exit 1"))).unwrap();
    assert_eq!(handle(&engine, tool("ls"), &NoopHost).verdict().0.permission, Some(Permission::Deny));
}

/// The combined verdict of all hooks of a policy about an event.
fn said(policy: &str, event: &str, host: &dyn Host) -> (Option<Permission>, Option<String>) {
    let ask = DecideOptions::default().event(event);
    let handled = Engine::new(module(policy)).handle(&Event::from_value(tool("ls")), &ask, host).unwrap();
    let verdict = handled.verdict().0;
    (verdict.permission, verdict.reason())
}

#[test]
fn thread_ending_actions_deny_elsewhere() {
    let (deny, ask) = (Some(Permission::Deny), Some(Permission::Ask));
    // `error` and `limit` are events of threads: without a `Thread`, they need a verdict too.
    for event in ["PreToolUse", "PreAbilityCall", "pre_decision", "error", "limit"] {
        let says = |action: &str, host: &dyn Host| {
            let (permission, reason) =
                said(&format!("hooks: [{{event: {event}, action: {action}}}]"), event, host);
            (permission, reason.unwrap_or_default())
        };
        assert_eq!(says("{type: fail, error_message: no}", &NoopHost), (deny, "no".into()), "{event}");
        assert_eq!(says("{type: abort}", &NoopHost), (deny, "the policy aborts it".into()), "{event}");
        let suspended = Recorder::new().with_reply("suspend", Value::Null);
        assert_eq!(says("{type: suspend, suspend_reason: budget}", &suspended).0, deny, "{event}");
        for (reply, permission) in
            [(json!(true), None), (json!({"approved": false}), deny), (Value::Null, ask)]
        {
            let host = Recorder::new().with_reply("escalate", reply.clone());
            assert_eq!(says("{type: escalate}", &host).0, permission, "{event}: {reply}");
        }
        for (returned, permission) in
            [("FAIL", deny), ("ESCALATE", ask), ("RETRY", deny), ("CONTINUE", None), ("Fail", deny)]
        {
            let host = Recorder::new().with_reply("call_directive", json!({"action": returned}));
            assert_eq!(
                says("{type: call_directive, directive: d}", &host).0,
                permission,
                "{event}: {returned}"
            );
        }
        assert_eq!(says("{type: continue}", &NoopHost).0, None, "{event}");
        for (ok, permission) in [(true, None), (false, deny)] {
            let host = Recorder::new().with_reply("prompt", json!({"ok": ok, "reason": "no"}));
            assert_eq!(says("{type: prompt, prompt: p}", &host).0, permission, "{event}: {ok}");
        }
        for reply in [Value::Null, json!({}), json!({"okay": true}), json!("yes")] {
            let host = Recorder::new().with_reply("prompt", reply.clone());
            assert_eq!(says("{type: prompt, prompt: p}", &host).0, deny, "{event}: {reply}");
        }
    }
}

/// Nothing reads the answer of a model at these events, unless it is a judgement.
#[test]
fn models_judge_at_events_of_skills_workflows_and_unknown_types() {
    let deny = Some(Permission::Deny);
    for event in ["pre_execute", "pre_decision", "custom"] {
        for (kind, action) in [
            ("prompt", "{type: prompt, prompt: p}"),
            ("agent", "{type: agent, prompt: p}"),
            ("http", "{type: http, url: 'https://x'}"),
        ] {
            let policy = format!("hooks: [{{event: {event}, action: {action}}}]");
            let says = |reply: &Value| said(&policy, event, &Recorder::new().with_reply(kind, reply.clone()));
            for reply in [json!({"ok": false, "reason": "no"}), json!({"decision": "block", "reason": "no"})]
            {
                assert_eq!(says(&reply), (deny, Some("no".to_owned())), "{event} {kind}: {reply}");
            }
            for reply in [json!({"ok": true}), json!({"ok": true, "systemMessage": "m"})] {
                let permission = says(&reply).0;
                assert_ne!(permission, deny, "{event} {kind}: {reply}");
            }
            // The answer of a service can be anything, and text of a model may be a no.
            for (reply, why) in [
                (json!("No, never."), "answered with text"),
                (json!({"okay": true}), "answered without `ok`"),
            ] {
                let (permission, reason) = says(&reply);
                let failed = permission == deny && reason.is_some_and(|reason| reason.contains(why));
                assert_eq!(failed, kind != "http", "{event} {kind}: {reply}");
            }
        }
    }
}

/// A return object of a handler or of a host denies at an event of a thread without a `Thread`.
#[test]
fn return_objects_are_verdicts_without_a_thread() {
    let deny = Some(Permission::Deny);
    let run = |output: &str| {
        let action = json!({"type": "run", "argv": ["echo", output], "result": "return"});
        said(&json!({"hooks": [{"event": "error", "action": action}]}).to_string(), "error", &NoopHost)
    };
    assert_eq!(run(r#"{"action": "FAIL", "error": "no"}"#), (deny, Some("no".to_owned())));
    for silent in ["", "null", r#"{"action": "CONTINUE"}"#, r#"{"compaction": {"summary": "s"}}"#] {
        assert_eq!(run(silent).0, None, "{silent}");
    }
    for failed in ["7", "{}", r#"{"action": 7}"#, r#"{"action": "STOP"}"#, r#"{"action": "CALL"}"#] {
        let (permission, reason) = run(failed);
        assert!(permission == deny && reason.unwrap().contains("failed: it returned"), "{failed}");
    }
    for (kind, action) in [("http", "{type: http, url: 'https://x'}"), ("agent", "{type: agent, prompt: p}")]
    {
        let policy = format!("hooks: [{{event: error, action: {action}}}]");
        let says = |reply: Value| said(&policy, "error", &Recorder::new().with_reply(kind, reply)).0;
        assert_eq!(says(json!({"action": "ABORT"})), deny, "{kind}");
        // A model judges; the answer of a service can be anything.
        let noted = (kind == "agent").then_some(Permission::Deny);
        assert_eq!(says(json!({"noted": true})), noted, "{kind}");
    }
}

/// A handler of a repository hook without `result` prints signals.
#[test]
fn handlers_of_repositories_print_signals() {
    let signal = json!({"hook_signals": [{"source_event": "PreAbilityCall", "hook_id": "g", "kind": "ability_guard",
        "code": "ABILITY_DENIED", "payload": {"ability_id": "a", "reason": "no"}}]});
    let action = json!({"type": "run", "argv": ["echo", signal.to_string()]});
    let policy = json!({"hooks": [{"id": "g", "event": "PreAbilityCall", "action": action}]}).to_string();
    let denied = (Some(Permission::Deny), Some("no".to_owned()));
    assert_eq!(said(&policy, "PreAbilityCall", &NoopHost), denied);
    // However it ends, and whatever its failure mode is.
    let line = format!("printf '%s' '{signal}'; exit 1");
    let action = json!({"type": "run", "command": line});
    let hook = json!({"id": "g", "event": "PreAbilityCall", "on_failure": "open", "action": action});
    assert_eq!(said(&json!({"hooks": [hook]}).to_string(), "PreAbilityCall", &NoopHost), denied);
}

/// Formats and rules that the compiler rejects, in a module from elsewhere: the policy declares the
/// event, so the compiler did not know it.
#[test]
fn unread_results_are_failures() {
    let policy = "hooks: [{event: custom, action: {type: run, command: 'true', if: Bash}}]";
    let ask = DecideOptions::default().event("custom");
    let handled = Engine::new(module(policy)).handle(&Event::from_value(json!({})), &ask, &NoopHost).unwrap();
    assert!(
        matches!(&handled.effects[0].outcome, Outcome::Failed(failure) if failure.why.contains("not about a tool"))
    );
    assert_eq!((handled.effects[0].tries, handled.verdict().0.permission), (0, Some(Permission::Deny)));
    assert_eq!(said(policy, "custom", &NoopHost).0, None);
    let form = "hooks: [{event: custom, action: {type: run, command: 'echo {}', result: '${form}'}}]";
    let event = |form: &str| Event::from_value(json!({"form": form}));
    for form_of in ["agent", "flat", "signals"] {
        let handled = Engine::new(module(form)).handle(&event(form_of), &ask, &NoopHost).unwrap();
        let why = format!("its result has the format `{form_of}`, which is not supported at this event");
        assert!(
            matches!(&handled.effects[0].outcome, Outcome::Failed(failure) if failure.why == why),
            "{form_of}"
        );
    }
}

#[test]
fn handlers_with_different_failure_modes_are_not_duplicates() {
    let policy = "hooks:\n  - {id: a, event: PreToolUse, on_failure: open, action: {type: run, result: agent, command: exit \
                  3}}\n  - {id: b, event: PreToolUse, on_failure: closed, action: {type: run, result: agent, command: exit \
                  3}}\n";
    let handled = handle(&Engine::new(module(policy)), tool("ls"), &NoopHost);
    assert_eq!(handled.verdict().0.permission, Some(Permission::Deny));
}

#[test]
fn a_sequence_that_ends_applies_later_denials() {
    let row = |rest: &str| {
        let policy = format!(
            "hooks:\n  - {{id: a, event: PreToolUse, on_error: fail, on_failure: open, action: {{type: run, command: \
             exit 200}}}}\n  - {{id: b, event: PreToolUse, {rest}}}\n"
        );
        handle(&Engine::new(module(&policy)), tool("ls"), &NoopHost).verdict().0
    };
    let verdict = row("action: {type: deny, reason: never}");
    assert_eq!((verdict.permission, verdict.reason().as_deref()), (Some(Permission::Deny), Some("never")));
    assert_eq!(row("action: {type: run, command: exit 1}").permission, Some(Permission::Deny));
    assert_eq!(row("on_failure: open, action: {type: run, command: exit 1}").permission, None);
    assert_eq!(row("action: {type: log, message: m}").permission, None);
}

#[test]
fn the_outcome_combines_several_hooks() {
    let silent = "{id: b, event: PreToolUse, action: {type: run, result: agent, command: 'true'}}";
    let folder = tempfile::tempdir().unwrap();
    let outcome = |first: &str| {
        let path = folder.path().join("log");
        let _ = std::fs::remove_file(&path);
        let engine =
            Engine::new(common::module(&format!("hooks: [{{id: a, event: PreToolUse, {first}}}, {silent}]")));
        let event = Event::from_value(tool("ls"));
        let handled = engine.handle(&event, &DecideOptions::default(), &NoopHost).unwrap();
        let entry = Entry::new("test", &event, Ok(&handled), Duration::ZERO);
        Log::open(&path).unwrap().write(&entry).unwrap();
        let line: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        (
            line["outcome"].as_str().unwrap().to_owned(),
            line["hooks"][0]["outcome"].as_str().unwrap().to_owned(),
        )
    };
    let agent = |says: &str| format!("action: {{type: run, result: agent, argv: [echo, '{says}']}}");
    for (first, all, alone) in [
        (
            "on_failure: open, action: {type: run, result: agent, command: exit 3}".to_owned(),
            "failed",
            "failed",
        ),
        (agent("{\"continue\": false}"), "stop", "stop"),
        (agent("{\"systemMessage\": \"m\"}"), "tell", "tell"),
        (agent("{\"additionalContext\": \"c\"}"), "inject", "inject"),
        (agent("{\"decision\": \"block\", \"continue\": false}"), "deny", "deny"),
        (agent("{}"), "no opinion", "no opinion"),
        ("action: {type: log, message: m}".to_owned(), "done", "done"),
    ] {
        assert_eq!(outcome(&first), (all.to_owned(), alone.to_owned()), "{first}");
    }
}

/// Each way in which text of an event, a handler or a host reaches a failure.
#[test]
fn handler_output_is_logged_only_with_the_payload() {
    let folder = tempfile::tempdir().unwrap();
    let logged = |event: &Event, handled: &EventOutcome, payload: bool| {
        let path = folder.path().join("log");
        let log = Log::open(&path).unwrap();
        let log = if payload { log.with_payload(Redaction::default()) } else { log };
        log.write(&Entry::new("claude", event, Ok(handled), Duration::ZERO)).unwrap();
        let line = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        line
    };
    let run = |result: &str, command: &str| format!("{{type: run, result: {result}, command: '{command}'}}");
    let print = r#"echo "{\"decision\": \"a secret\"}""#;
    let ways = [
        (run("status", "cat >&2; exit 200"), "exit status 200"),
        (run("agent", "cat >&2; exit 200"), "exit status 200"),
        (run("flat", "cat >&2; kill -9 $$"), "ended by signal 9"),
        (run("agent", print), "its answer cannot be read"),
        ("{type: prompt, prompt: '${tool_input.command}'}".to_owned(), "the host failed"),
        ("{type: emit_event, event_type: e}".to_owned(), "this host cannot execute `emit_event`"),
    ];
    for (action, bare) in ways {
        let engine =
            Engine::new(common::module(&format!("hooks: [{{id: g, event: PreToolUse, action: {action}}}]")));
        let event = Event::from_value(tool("a secret"));
        let failing = Recorder::new().failing("prompt", "a secret");
        let host: &dyn Host = if bare.starts_with("this host") { &NoopHost } else { &failing };
        let handled = engine.handle(&event, &DecideOptions::default(), host).unwrap();
        let line = logged(&event, &handled, false);
        assert!(!line.contains("secret") && line.contains(&format!(r#""error":"{bare}""#)), "{line}");
        assert!(bare.starts_with("this host") || logged(&event, &handled, true).contains("a secret"));
    }
    assert!(Log::open(folder.path()).is_err());
}

/// Including the messages of a repository's handler; and a guard that denies by a signal is logged
/// as one that denies.
#[test]
fn repository_hooks_in_the_log() {
    use hookc_runtime::turn::Session;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let guard = |human: bool| {
        json!({"hook_signals": [{"source_event": "PreAbilityCall", "hook_id": "g", "kind": "ability_guard",
            "code": "ABILITY_DENIED", "payload": {"ability_id": "x", "reason": "a secret", "require_human": human}}]})
    };
    let value = json!({"error": {"code": "E", "message": "a secret"}});
    let line = |printed: &Value| {
        let policy = format!(
            "hooks: [{{id: g, event: PreAbilityCall, action: {{type: run, result: signals, argv: [echo, '{printed}']}}}}]"
        );
        let engine = Engine::new(module(&policy));
        let context = json!({"ability_id": "x", "caller": {"source": "manual_cli"}});
        let Value::Object(context) = context else { panic!() };
        let (_, _, turn) = Session::new(&engine, "s").pre_ability_call(context, &NoopHost).unwrap();
        let handled = turn.handled.clone();
        let entry = Entry::new("ability", &turn.event, Ok(&handled), Duration::ZERO);
        Log::open(&path).unwrap().write(&entry).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains("secret"), "{text}");
        serde_json::from_str::<Value>(text.lines().last().unwrap()).unwrap()
    };
    let failed = line(&value);
    assert_eq!(failed["outcome"], "failed");
    assert_eq!(failed["hooks"][0]["error"], "it has no result, or its result reports a failure");
    assert_eq!(
        (&line(&guard(true))["outcome"], &line(&guard(false))["outcome"]),
        (&json!("ask"), &json!("deny"))
    );
    assert_eq!(line(&json!({"logs": []}))["outcome"], "done");
}

#[test]
fn twins_of_two_plugins_both_run() {
    let folder = tempfile::tempdir().unwrap();
    let ran = folder.path().join("ran");
    let mut layers = PolicySet::new();
    for plugin in ["one", "two"] {
        let hooks = folder.path().join(plugin).join("hooks");
        std::fs::create_dir_all(&hooks).unwrap();
        let command = format!("echo \"${{CLAUDE_PLUGIN_ROOT##*/}}\" >> {}", ran.display());
        let handler = json!({"type": "command", "command": command});
        let text = json!({"hooks": {"PreToolUse": [{"hooks": [handler.clone()]}, {"hooks": [handler]}]}});
        let file = hooks.join("hooks.json");
        std::fs::write(&file, text.to_string()).unwrap();
        layers = layers.with(Layer::Project, file, None);
    }
    let handled = handle(&Engine::new(layers.compile().unwrap()), tool("ls"), &NoopHost);
    let skipped = handled.effects.iter().filter(|one| matches!(one.outcome, Outcome::Skipped(_))).count();
    let mut ran: Vec<String> = std::fs::read_to_string(ran).unwrap().lines().map(str::to_owned).collect();
    ran.sort();
    assert_eq!(
        (handled.effects.len(), skipped, ran),
        (2, 0, vec!["one".to_owned(), "two".to_owned()]),
        "{handled:?}"
    );
}

/// A host that handles the event again in each of its actions.
struct Again<'e>(&'e Engine);

impl Host for Again<'_> {
    fn perform(&self, _: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        let outcome = self.0.handle(context.event, &DecideOptions::default(), self).unwrap();
        Ok(outcome.verdict().0.into())
    }
}

#[test]
fn a_host_that_handles_its_own_event_ends() {
    for hooks in [
        "hooks: [{event: PreToolUse, action: {type: prompt, prompt: a}}]",
        // Several hooks are executed in parallel.
        "hooks: [{event: PreToolUse, action: {type: prompt, prompt: a}}, {event: PreToolUse, action: {type: deny}}]",
    ] {
        let engine = Engine::new(module(hooks));
        let event = Event::from_value(json!({"hook_event_name": "PreToolUse", "tool_name": "Bash"}));
        let outcome = engine.handle(&event, &DecideOptions::default(), &Again(&engine)).unwrap();
        let (verdict, _) = outcome.verdict();
        assert_eq!(verdict.permission, Some(Permission::Deny));
        let reason = verdict.reason().unwrap_or_default();
        assert!(reason.contains("actions are nested deeper than 16"), "{reason}");
    }
}

/// A host that handles the event again in each of its actions, and counts them.
struct Many<'e>(&'e Engine, AtomicUsize);

impl Host for Many<'_> {
    fn perform(&self, _: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        self.1.fetch_add(1, Ordering::Relaxed);
        let outcome = self.0.handle(context.event, &DecideOptions::default(), self).unwrap();
        Ok(outcome.verdict().0.into())
    }
}

#[test]
fn hosts_that_handle_events_in_each_of_several_actions_end() {
    for workers in [1, 2].into_iter().take(hookc_corpus::effort(2, 1)) {
        let hook = "{event: PreToolUse, action: {type: prompt, prompt: a}}, {event: PreToolUse, action: {type: agent, prompt: b}}";
        let engine = Engine::new(module(&format!("hooks: [{hook}]"))).max_parallel(workers);
        let event = Event::from_value(json!({"hook_event_name": "PreToolUse", "tool_name": "Bash"}));
        let host = Many(&engine, AtomicUsize::new(0));
        for handled in [1, 2] {
            let outcome = engine.handle(&event, &DecideOptions::default(), &host).unwrap();
            let verdict = outcome.verdict().0;
            assert_eq!(verdict.permission, Some(Permission::Deny));
            let reason = verdict.reason().unwrap_or_default();
            assert!(reason.contains("have more than 10000 nested actions"), "{}", reason.len());
            let calls = host.1.load(Ordering::Relaxed);
            // Both hooks of the event itself, and what is nested in them. Each event is counted alone.
            assert_eq!(calls, handled * (2 + NESTED_TOTAL), "{workers}");
        }
    }
}

/// A host that handles an event in each of its actions: the same one, with the next depth.
struct Deeper<'e>(&'e Engine);

impl Host for Deeper<'_> {
    fn perform(&self, _: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        let mut event = context.event.value().clone();
        event["depth"] = (event["depth"].as_u64().unwrap() + 1).into();
        let outcome = self.0.handle(&Event::from_value(event), &DecideOptions::default(), self).unwrap();
        Ok(outcome.verdict().0.into())
    }
}

#[test]
fn a_verdict_is_valid_at_any_depth() {
    for (action, permission) in [
        ("{type: deny, reason: deep}", Some(Permission::Deny)),
        ("{type: ask, reason: deep}", Some(Permission::Ask)),
        ("{type: fail, error_message: deep}", Some(Permission::Deny)),
        ("{type: abort}", Some(Permission::Deny)),
        ("{type: continue}", None),
    ] {
        let policy = format!(
            "hooks:\n  - {{id: p, event: PreToolUse, when: depth < 16, action: {{type: prompt, prompt: a}}}}\n  - {{id: d, \
             event: PreToolUse, when: depth == 16, on_failure: open, action: {action}}}\n"
        );
        let engine = Engine::new(module(&policy)).default_failure_mode(Some(hookc_base::OnFailure::Open));
        let event =
            Event::from_value(json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "depth": 0}));
        let outcome = engine.handle(&event, &DecideOptions::default(), &Deeper(&engine)).unwrap();
        assert_eq!(outcome.verdict().0.permission, permission, "{action}: {outcome:?}");
    }
}

#[test]
fn what_no_host_receives_is_executed_at_any_depth() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("note.md"), "a note").unwrap();
    let engine = Engine::new(module(
        "hooks:\n  - {event: PreToolUse, when: depth < 16, action: {type: prompt, prompt: a}}\n  - {event: \
         PreToolUse, when: depth == 16, action: {type: modify, rewrite: {npm: pnpm}}}\n  - {event: PreToolUse, when: \
         depth == 16, action: {type: inject, file: note.md}}\n",
    ));
    for depth in [0, 16] {
        let event = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "npm ci"}, "depth": depth, "project_dir": folder.path()});
        let event = Event::from_value(event);
        let outcome = engine.handle(&event, &DecideOptions::default(), &Deeper(&engine)).unwrap();
        let verdict = outcome.verdict().0;
        let command = verdict.change.as_ref().map(|change| change.fields["command"].clone());
        assert_eq!((verdict.permission, command), (None, Some("pnpm ci".into())), "{outcome:?}");
        assert_eq!(verdict.contexts, ["a note"], "{outcome:?}");
    }
}
