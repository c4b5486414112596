//! Threads and workflows under policy, with a host that writes down what it is
//! asked.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests"
)]

mod common;

use std::time::Duration;

use hookc_compiler::Options;
use hookc_runtime::host::{Bare, Recorder};
use hookc_runtime::thread::{Returns, State, Step, Thread, ThreadError};
use hookc_runtime::workflow::{Point, Workflow, WorkflowError};
use hookc_runtime::{Engine, Event};
use serde_json::{Map, Value, json};

fn engine(policy: &str) -> Engine {
    Engine::new(common::compiled(policy, &Options::default()))
}

fn event(kind: &str, rest: Value) -> Event {
    let mut all = rest;
    all["event"] = json!({"type": kind});
    Event::of(all)
}

fn transient() -> Event {
    let policy = json!({"type": "exponential", "base": 2, "max": 5});
    event("error", json!({"classification": {"category": "transient", "retry_policy": policy}}))
}

#[test]
fn retries_are_counted_and_end() {
    let (engine, returns) = (engine("hooks: []"), Returns::builtin().unwrap());
    let mut thread = Thread::new(&engine, &returns);
    let mut step = |host| thread.on(&transient(), host).unwrap().step;
    let after = Duration::from_secs;
    assert_eq!(step(&Bare), Step::Retry { after: after(2), attempt: 1 });
    assert_eq!(step(&Bare), Step::Retry { after: after(4), attempt: 2 });
    assert_eq!(step(&Bare), Step::Retry { after: after(5), attempt: 3 });
    assert_eq!(step(&Bare), Step::Fail("hook default_transient_retry: 3 attempts were made".into()));
    assert_eq!(step(&Bare), Step::Retry { after: after(2), attempt: 1 });
    thread.succeeded();
    let state = State::from_json(&thread.state().to_json()).unwrap();
    assert_eq!(&state, thread.state());
    let host = Recorder::new().giving("retry", Value::Null);
    assert!(matches!(thread.on(&transient(), &host).unwrap().step, Step::Retry { attempt: 1, .. }));
    assert_eq!(host.asked()[0].params["wait_seconds"], json!(2.0));
}

#[test]
fn state_survives_its_process() {
    let (engine, returns) = (engine("hooks: []"), Returns::builtin().unwrap());
    let mut thread = Thread::new(&engine, &returns);
    thread.on(&transient(), &Bare).unwrap();
    thread.on(&transient(), &Bare).unwrap();
    let saved = thread.state().to_json().to_string();
    let state = State::from_json(&serde_json::from_str(&saved).unwrap()).unwrap();
    let mut thread = Thread::restore(&engine, &returns, state);
    assert!(matches!(thread.on(&transient(), &Bare).unwrap().step, Step::Retry { attempt: 3, .. }));
    assert!(matches!(thread.on(&transient(), &Bare).unwrap().step, Step::Fail(_)));
    for bad in [json!({}), json!({"version": 2}), json!({"version": 1, "retries": {"a": -1}})] {
        assert!(State::from_json(&bad).is_err(), "{bad}");
    }
}

#[test]
fn escalations_are_answered_refused_or_run_out() {
    let (engine, returns) = (engine("hooks: []"), Returns::builtin().unwrap());
    let limit = || event("limit", json!({"limit_code": "spend_exceeded"}));
    let mut thread = Thread::new(&engine, &returns);
    let yes = Recorder::new().giving("escalate", json!(true));
    assert_eq!(thread.on(&limit(), &yes).unwrap().step, Step::Continue);
    let no = Recorder::new().giving("escalate", json!({"approved": false}));
    let refused = Step::Fail("hook default_limit_escalation: the escalation was refused".into());
    assert_eq!(thread.on(&limit(), &no).unwrap().step, refused);
    let later = Recorder::new().giving("escalate", Value::Null);
    assert!(
        matches!(thread.on(&limit(), &later).unwrap().step, Step::Escalate(open) if open.timeout_seconds == 3600)
    );
    assert_eq!(thread.on(&limit(), &later).unwrap_err(), ThreadError::Waiting);
    let state = State::from_json(&thread.state().to_json()).unwrap();
    let mut thread = Thread::restore(&engine, &returns, state);
    assert_eq!(thread.waited(Duration::from_secs(3599)), None);
    assert_eq!(thread.waited(Duration::from_secs(3600)), Some(refused));
    assert_eq!(thread.waited(Duration::from_secs(9999)), None);
    assert!(
        matches!(thread.on(&limit(), &Bare).unwrap().step, Step::Fail(why) if why.contains("cannot carry out"))
    );
}

#[test]
fn what_directives_return_is_validated_and_done() {
    let policy = "hooks:\n  - {id: ask, event: after_step, action: {type: call_directive, directive: d}}\n";
    let (engine, returns) = (engine(policy), Returns::builtin().unwrap());
    let step = |value: Value| {
        let host = Recorder::new().giving("call_directive", value).giving("escalate", json!(true));
        Thread::new(&engine, &returns).on(&event("after_step", json!({})), &host).unwrap().step
    };
    assert_eq!(step(Value::Null), Step::Continue);
    assert_eq!(step(json!({"action": "CONTINUE"})), Step::Continue);
    assert_eq!(step(json!({"action": "ABORT"})), Step::Abort);
    assert_eq!(step(json!({"action": "FAIL", "error": "no"})), Step::Fail("no".into()));
    assert!(matches!(step(json!({"action": "RETRY"})), Step::Retry { attempt: 1, .. }));
    assert_eq!(
        step(json!({"action": "ESCALATE", "escalation": {"target": "user_approval"}})),
        Step::Continue
    );
    let suspended = step(json!({"action": "SUSPEND", "suspend": {"reason": "budget", "resume_hint": "pay"}}));
    assert!(
        matches!(suspended, Step::Suspend(own) if own.reason == "budget" && own.resume_hint.as_deref() == Some("pay"))
    );
    let compact = Step::Compact { summary: "s".into(), prune_before_turn: Some(7) };
    assert_eq!(step(json!({"compaction": {"summary": "s", "prune_before_turn": 7}})), compact);
    let endless = step(json!({"action": "CALL", "call": {"directive": "d"}}));
    assert_eq!(endless, Step::Fail("hook ask failed: directives call one another more than 5 deep".into()));
    for bad in
        [json!({"action": "GO"}), json!({"action": "SUSPEND"}), json!("RETRY"), json!({"compaction": 1})]
    {
        let failed = matches!(step(bad.clone()), Step::Fail(why) if why.contains("not a return object"));
        assert!(failed, "{bad}");
    }
}

#[test]
fn suspended_until_resumed_and_own_return_schemas() {
    let policy = "hooks:\n  - {id: s, event: limit, action: {type: suspend, suspend_reason: limit}}\n  - {id: r, event: error, \
                  action: {type: run, result: return, command: 'echo \"{\\\"action\\\": \\\"ABORT\\\"}\"'}}\n";
    let (engine, returns) = (engine(policy), Returns::builtin().unwrap());
    let mut thread = Thread::new(&engine, &returns);
    assert!(matches!(thread.on(&event("limit", json!({})), &Bare).unwrap().step, Step::Suspend(_)));
    assert_eq!(thread.on(&event("error", json!({})), &Bare).unwrap_err(), ThreadError::Waiting);
    assert!(thread.resume() && !thread.resume());
    assert_eq!(thread.on(&event("error", json!({})), &Bare).unwrap().step, Step::Abort);
    assert_eq!(thread.on(&event("before_step", json!({})), &Bare).unwrap().step, Step::NoOpinion);
    let own = Returns::new(&json!({"type": "object", "required": ["action", "why"]})).unwrap();
    let mut thread = Thread::new(&engine, &own);
    assert!(matches!(thread.on(&event("error", json!({})), &Bare).unwrap().step, Step::Fail(_)));
    assert!(Returns::new(&json!({"type": "objekt"})).is_err());
}

const WORKFLOW: &str = "hooks:
  - {id: read, event: pre_decision, action: {type: invoke, artifact: notes, method: read, inject_as: notes}}
  - {id: seen, event: pre_decision, when: \"notes.urgent == true\", action: {type: invoke, artifact: lib, method: prompt, \
     args: {about: '${notes.about}'}, inject_as: _prompt}}
  - {id: system, event: pre_decision, when: \"exists(_prompt)\", action: {type: invoke, artifact: lib, inject_as: _system_prompt}}
  - {id: silent, event: pre_decision, action: {type: invoke, artifact: log, inject_as: 'null'}}
  - {id: again, event: pre_decision, when: \"twice == true\", action: {type: invoke, artifact: lib, inject_as: _prompt}}
  - {id: skip, event: post_action, on_error: skip, action: {type: invoke, artifact: a}}
  - {id: fail, event: post_action, on_error: fail, action: {type: invoke, artifact: b}}
  - {id: never, event: post_action, action: {type: invoke, artifact: c}}
";

fn context(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn later_hooks_see_what_earlier_ones_injected() {
    let engine = engine(WORKFLOW);
    let replies = |host: Recorder| {
        let host = host.giving("invoke", json!({"urgent": true, "about": "x"}));
        host.giving("invoke", json!("the prompt"))
            .giving("invoke", json!("be good"))
            .giving("invoke", json!(1))
    };
    let host = replies(Recorder::new());
    let flow = Workflow::new(&engine);
    let ran = flow.run(Point::PreDecision, context(json!({"agent_id": "me"})), 0, &host).unwrap();
    assert_eq!((ran.prompt.as_deref(), ran.system_prompt.as_deref()), (Some("the prompt"), Some("be good")));
    assert_eq!(ran.context["notes"], json!({"urgent": true, "about": "x"}));
    assert!(ran.effects.len() == 4 && ran.warnings.is_empty() && !ran.context.contains_key("null"));
    let asked = host.asked();
    assert_eq!(asked[2].params["args"], json!({"about": "x"}));
    let paid: Vec<_> = asked.iter().filter(|one| one.kind == "invoked").collect();
    assert!(paid.len() == 4 && paid.iter().all(|one| one.params["caller"] == "me"));
    let calm = Recorder::new().giving("invoke", json!({"urgent": false}));
    let ran = flow.run(Point::PreDecision, context(json!({})), 0, &calm).unwrap();
    assert_eq!((ran.prompt, ran.effects.len()), (None, 2));
    let ran =
        flow.run(Point::PreDecision, context(json!({"twice": true})), 0, &replies(Recorder::new())).unwrap();
    assert_eq!(ran.warnings, ["two hooks inject `_prompt`: the last one counts"]);
    assert_eq!(ran.prompt.as_deref(), Some("1"));
}

#[test]
fn failures_skip_or_end_the_step_and_depth_is_bounded() {
    let engine = engine(WORKFLOW);
    let host = Recorder::new().failing("invoke", "out of money");
    let flow = Workflow::new(&engine);
    let ran = flow.run(Point::PostAction, Map::new(), 4, &host).unwrap();
    assert_eq!(ran.warnings, ["hook skip failed: out of money"]);
    assert_eq!(ran.failed.as_deref(), Some("hook fail failed: out of money"));
    assert_eq!(ran.effects.len(), 2);
    assert_eq!(flow.run(Point::PostAction, Map::new(), 5, &host).unwrap_err(), WorkflowError::Depth(5));
    let shallow = Workflow::new(&engine).deep(1);
    assert!(shallow.run(Point::OnError, Map::new(), 0, &host).unwrap().effects.is_empty());
    let error = shallow.run(Point::OnError, Map::new(), 1, &host).unwrap_err().to_string();
    assert_eq!(error, "hooks lead to hooks more than 1 deep");
}

#[test]
fn refusals_end_threads_and_steps() {
    let returns = Returns::builtin().unwrap();
    for kind in ["deny", "ask"] {
        let policy = format!("hooks: [{{id: no, event: error, action: {{type: {kind}, reason: never}}}}]");
        let engine = engine(&policy);
        let step = Thread::new(&engine, &returns).on(&transient(), &Bare).unwrap().step;
        assert_eq!(step, Step::Fail("never".into()), "{kind}");
    }
    let engine = engine("hooks: [{id: no, event: pre_decision, action: {type: deny}}]");
    let ran = Workflow::new(&engine).run(Point::PreDecision, Map::new(), 0, &Bare).unwrap();
    assert_eq!(ran.failed.as_deref(), Some("hook no refuses"));
}
