//! Threads and workflows under a policy, with a host that records its calls.

use crate::common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hookc_base::OnFailure;
use hookc_compiler::{Builtin, Options};
use hookc_runtime::action::Action;
use hookc_runtime::host::{EventContext, Host, NoopHost, Recorder};
use hookc_runtime::thread::{Returns, State, Step, Thread, ThreadError};
use hookc_runtime::workflow::{Point, Workflow, WorkflowError};
use hookc_runtime::{ActionFailure, Engine, Event, Outcome, PolicySet};
use hookc_schema::tree::Layer;
use serde_json::{Map, Value, json};

fn engine(policy: &str) -> Engine {
    Engine::new(common::compiled(policy, &Options::default().builtin(Builtin::Always)))
}

fn event(kind: &str, rest: Value) -> Event {
    let mut value = rest;
    value["event"] = json!({"type": kind});
    Event::from_value(value)
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
    assert_eq!(step(&NoopHost), Step::Retry { after: after(2), attempt: 1 });
    assert_eq!(step(&NoopHost), Step::Retry { after: after(4), attempt: 2 });
    assert_eq!(step(&NoopHost), Step::Retry { after: after(5), attempt: 3 });
    assert_eq!(step(&NoopHost), Step::Fail("hook default_transient_retry: 3 retries were made".into()));
    assert_eq!(step(&NoopHost), Step::Retry { after: after(2), attempt: 1 });
    thread.succeeded();
    let state = State::from_json(&thread.state().to_json()).unwrap();
    assert_eq!(&state, thread.state());
    let host = Recorder::new().with_reply("retry", Value::Null);
    assert!(matches!(thread.on(&transient(), &host).unwrap().step, Step::Retry { attempt: 1, .. }));
    assert_eq!(host.asked()[0].params["wait_seconds"], json!(2.0));
}

/// The first failed call is not counted.
#[test]
fn max_attempts_counts_retries() {
    for most in [1, 2] {
        let policy = format!(
            "hooks:\n  - {{id: again, event: error, action: {{type: retry, max_attempts: {most}, backoff_policy: fixed, delay: 1}}}}\n"
        );
        let (engine, returns) = (engine(&policy), Returns::builtin().unwrap());
        let mut thread = Thread::new(&engine, &returns);
        let retries = (0..10)
            .take_while(|_| matches!(thread.on(&transient(), &NoopHost).unwrap().step, Step::Retry { .. }));
        assert_eq!(retries.count(), most);
    }
}

#[test]
fn state_survives_its_process() {
    let (engine, returns) = (engine("hooks: []"), Returns::builtin().unwrap());
    let mut thread = Thread::new(&engine, &returns);
    thread.on(&transient(), &NoopHost).unwrap();
    thread.on(&transient(), &NoopHost).unwrap();
    let saved = thread.state().to_json().to_string();
    let state = State::from_json(&serde_json::from_str(&saved).unwrap()).unwrap();
    let mut thread = Thread::restore(&engine, &returns, state);
    assert!(matches!(thread.on(&transient(), &NoopHost).unwrap().step, Step::Retry { attempt: 3, .. }));
    assert!(matches!(thread.on(&transient(), &NoopHost).unwrap().step, Step::Fail(_)));
    for bad in [json!({}), json!({"version": 2}), json!({"version": 1, "retries": {"a": -1}})] {
        assert!(State::from_json(&bad).is_err(), "{bad}");
    }
}

#[test]
fn escalations_are_answered_rejected_or_expire() {
    let (engine, returns) = (engine("hooks: []"), Returns::builtin().unwrap());
    let limit = || event("limit", json!({"limit_code": "spend_exceeded"}));
    let mut thread = Thread::new(&engine, &returns);
    let yes = Recorder::new().with_reply("escalate", json!(true));
    assert_eq!(thread.on(&limit(), &yes).unwrap().step, Step::Continue);
    let no = Recorder::new().with_reply("escalate", json!({"approved": false}));
    let refused = Step::Fail("hook default_limit_escalation: the escalation was rejected".into());
    assert_eq!(thread.on(&limit(), &no).unwrap().step, refused);
    let later = Recorder::new().with_reply("escalate", Value::Null);
    assert!(
        matches!(thread.on(&limit(), &later).unwrap().step, Step::Escalate(open) if open.timeout_seconds == 3600)
    );
    assert_eq!(thread.on(&limit(), &later).unwrap_err(), ThreadError::Waiting);
    let state = State::from_json(&thread.state().to_json()).unwrap();
    let mut thread = Thread::restore(&engine, &returns, state);
    assert_eq!(thread.expire_escalation(Duration::from_secs(3599)), None);
    assert_eq!(thread.expire_escalation(Duration::from_secs(3600)), Some(refused));
    assert_eq!(thread.expire_escalation(Duration::from_secs(9999)), None);
    assert!(
        matches!(thread.on(&limit(), &NoopHost).unwrap().step, Step::Fail(why) if why.contains("cannot execute"))
    );
}

#[test]
fn results_of_directives_are_validated_and_executed() {
    let policy = "hooks:\n  - {id: ask, event: after_step, action: {type: call_directive, directive: d}}\n";
    let (engine, returns) = (engine(policy), Returns::builtin().unwrap());
    let step = |value: Value| {
        let host = Recorder::new().with_reply("call_directive", value).with_reply("escalate", json!(true));
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
    assert_eq!(endless, Step::Fail("hook ask failed: directives are nested deeper than 5 calls".into()));
    for bad in
        [json!({"action": "GO"}), json!({"action": "SUSPEND"}), json!("RETRY"), json!({"compaction": 1})]
    {
        let failed = matches!(step(bad.clone()), Step::Fail(why) if why.contains("not a return object"));
        assert!(failed, "{bad}");
    }
}

/// A model's no ends the thread, and its text may be a no.
#[test]
fn a_model_judges_a_step() {
    let (engine, returns) = (
        engine("hooks: [{id: m, event: after_step, action: {type: prompt, prompt: p}}]"),
        Returns::builtin().unwrap(),
    );
    let step = |reply: Value| {
        let host = Recorder::new().with_reply("prompt", reply);
        Thread::new(&engine, &returns).on(&event("after_step", json!({})), &host).unwrap().step
    };
    assert_eq!(step(json!({"ok": true})), Step::Continue);
    assert_eq!(step(json!({"ok": false, "reason": "not done"})), Step::Fail("not done".into()));
    assert_eq!(step(json!({"action": "ABORT"})), Step::Abort);
    assert!(matches!(step(json!("No.")), Step::Fail(why) if why.contains("answered with text")));
}

#[test]
fn suspended_until_resumed_and_own_return_schemas() {
    let policy = "hooks:\n  - {id: s, event: limit, action: {type: suspend, suspend_reason: limit}}\n  - {id: r, event: error, \
                  action: {type: run, result: return, command: 'echo \"{\\\"action\\\": \\\"ABORT\\\"}\"'}}\n";
    let (engine, returns) = (engine(policy), Returns::builtin().unwrap());
    let mut thread = Thread::new(&engine, &returns);
    assert!(matches!(thread.on(&event("limit", json!({})), &NoopHost).unwrap().step, Step::Suspend(_)));
    assert_eq!(thread.on(&event("error", json!({})), &NoopHost).unwrap_err(), ThreadError::Waiting);
    assert!(thread.resume() && !thread.resume());
    assert_eq!(thread.on(&event("error", json!({})), &NoopHost).unwrap().step, Step::Abort);
    assert_eq!(thread.on(&event("before_step", json!({})), &NoopHost).unwrap().step, Step::NoOpinion);
    let declared = Returns::new(&json!({"type": "object", "required": ["action", "why"]})).unwrap();
    let mut thread = Thread::new(&engine, &declared);
    assert!(matches!(thread.on(&event("error", json!({})), &NoopHost).unwrap().step, Step::Fail(_)));
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
        let host = host.with_reply("invoke", json!({"urgent": true, "about": "x"}));
        host.with_reply("invoke", json!("the prompt"))
            .with_reply("invoke", json!("be good"))
            .with_reply("invoke", json!(1))
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
    let calm = Recorder::new().with_reply("invoke", json!({"urgent": false}));
    let ran = flow.run(Point::PreDecision, context(json!({})), 0, &calm).unwrap();
    assert_eq!((ran.prompt, ran.effects.len()), (None, 2));
    let ran =
        flow.run(Point::PreDecision, context(json!({"twice": true})), 0, &replies(Recorder::new())).unwrap();
    assert_eq!(ran.warnings, ["two hooks inject `_prompt`: the last one wins"]);
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
    let shallow = Workflow::new(&engine).with_depth(1);
    assert!(shallow.run(Point::OnError, Map::new(), 0, &host).unwrap().effects.is_empty());
    let error = shallow.run(Point::OnError, Map::new(), 1, &host).unwrap_err().to_string();
    assert_eq!(error, "hooks trigger hooks more than 1 levels deep");
}

#[test]
fn denials_end_threads_and_steps() {
    let returns = Returns::builtin().unwrap();
    for kind in ["deny", "ask"] {
        let policy = format!("hooks: [{{id: no, event: error, action: {{type: {kind}, reason: never}}}}]");
        let engine = engine(&policy);
        let step = Thread::new(&engine, &returns).on(&transient(), &NoopHost).unwrap().step;
        assert_eq!(step, Step::Fail("never".into()), "{kind}");
    }
    let engine = engine("hooks: [{id: no, event: pre_decision, action: {type: deny}}]");
    let ran = Workflow::new(&engine).run(Point::PreDecision, Map::new(), 0, &NoopHost).unwrap();
    assert_eq!(ran.failed.as_deref(), Some("hook no denies"));
}

#[test]
fn hooks_of_a_step_that_warn_are_heard() {
    let policy = "hooks:\n  - {id: a, event: pre_decision, mode: warn, action: {type: deny, reason: soon}}\n  - {id: b, \
                  event: pre_decision, action: {type: inject, value: 1, as: x}}\n  - {id: c, event: pre_decision, mode: \
                  warn, when: 'x == 1', action: {type: log, message: m}}\n";
    let engine = engine(policy);
    let ran = Workflow::new(&engine).run(Point::PreDecision, Map::new(), 0, &NoopHost).unwrap();
    assert_eq!((ran.failed, ran.effects.len()), (None, 1));
    assert_eq!(ran.warnings, ["hook a (warn) would deny: soon", "hook c (warn) would log: m"]);
}

/// The step of a thread after the hooks of an event at which all of them run.
fn all(hooks: &str, host: &Recorder) -> (Step, State, Vec<String>, Option<String>) {
    let (engine, returns) = (engine(&format!("hooks: [{hooks}]")), Returns::builtin().unwrap());
    let mut thread = Thread::new(&engine, &returns);
    let reply = thread.on(&event("after_complete", json!({})), host).unwrap();
    let labels = reply.effects.iter().map(|effect| effect.hook.label.clone()).collect();
    let by = reply.by().map(|effect| effect.hook.label.clone());
    (reply.step, thread.state().clone(), labels, by)
}

#[test]
fn the_strongest_step_of_all_hooks_wins() {
    let hook = |id: &str, action: &str| format!("{{id: {id}, event: after_complete, action: {action}}}");
    let log = hook("log", "{type: log, message: m}");
    let fail = hook("fail", "{type: fail, error_message: no}");
    let host = Recorder::new;
    let (step, _, labels, by) = all(&format!("{log}, {fail}"), &host());
    assert_eq!((step, by.as_deref()), (Step::Fail("no".into()), Some("fail")));
    assert_eq!(labels, ["log", "fail"]);

    let (go, emit) = (hook("go", "{type: continue}"), hook("emit", "{type: emit_event, event_type: done}"));
    let recorder = host().with_reply("emit_event", Value::Null);
    let (step, _, labels, by) = all(&format!("{go}, {emit}"), &recorder);
    assert_eq!((step, by.as_deref(), labels.len()), (Step::Continue, Some("go"), 2));
    assert_eq!(recorder.asked()[0].kind, "emit_event");

    let retry = hook("retry", "{type: retry, backoff_policy: fixed, delay: 1}");
    let suspend = hook("suspend", "{type: suspend, suspend_reason: budget}");
    let weak = host();
    let (step, state, ..) = all(&format!("{retry}, {suspend}, {fail}"), &weak);
    assert_eq!((step, state), (Step::Fail("no".into()), State::default()));
    assert!(weak.asked().is_empty(), "{:?}", weak.asked());
    let recorder = host().with_reply("suspend", Value::Null).with_reply("retry", Value::Null);
    let (step, state, _, by) = all(&format!("{retry}, {suspend}, {log}"), &recorder);
    assert!(matches!(step, Step::Suspend(own) if own.reason == "budget"));
    assert!(state.retries.is_empty() && state.suspended.is_some() && by.as_deref() == Some("suspend"));
    let kinds: Vec<_> = recorder.asked().into_iter().map(|one| one.kind).collect();
    assert_eq!(kinds, ["log", "suspend"]);
    let other = hook("other", "{type: fail, error_message: other}");
    assert_eq!(all(&format!("{other}, {fail}"), &host()).0, Step::Fail("other".into()));
    let (step, state, ..) = all(&format!("{log}, {retry}"), &host().with_reply("retry", Value::Null));
    assert_eq!(
        (step, state.retries["retry"]),
        (Step::Retry { after: Duration::from_secs(1), attempt: 1 }, 1)
    );
}

#[test]
fn backoff_of_the_event() {
    let returns = Returns::builtin().unwrap();
    let step = |policy: &str, retry_policy: Value, headers: Value| {
        let engine = engine(policy);
        let rest = json!({"classification": {"retry_policy": retry_policy}, "error": {"headers": headers}});
        Thread::new(&engine, &returns).on(&event("error", rest), &NoopHost).unwrap().step
    };
    let plain = "hooks: [{id: again, event: error, action: {type: retry}}]";
    let header = json!({"type": "use_header", "header": "retry-after", "fallback": {"type": "exponential", "base": 2}});
    let after = |seconds| Step::Retry { after: Duration::from_secs(seconds), attempt: 1 };
    assert_eq!(step(plain, header.clone(), json!({"Retry-After": "17"})), after(17));
    assert_eq!(step(plain, header, Value::Null), after(2));
    let none = Step::Fail("hook again: the event's retry policy is `none`".into());
    assert_eq!(step(plain, json!({"type": "none"}), Value::Null), none);
    let unknown = "hook again failed: the `type` of the event's retry policy is not `exponential`, `fixed`, `use_header` or `none`";
    assert_eq!(step(plain, json!({"type": "linear"}), Value::Null), Step::Fail(unknown.into()));
    let open = "hooks: [{id: again, event: error, on_failure: open, action: {type: retry}}]";
    assert_eq!(step(open, json!({"type": "linear"}), Value::Null), Step::Continue);
}

#[test]
fn invalid_return_objects_are_failures() {
    let returns = Returns::builtin().unwrap();
    let step = |on_error: &str, host: &Recorder| {
        let policy = format!(
            "hooks: [{{id: d, event: error, on_error: {on_error}, action: {{type: call_directive, directive: x}}}}]"
        );
        let engine = engine(&policy);
        let reply = Thread::new(&engine, &returns).on(&event("error", json!({})), host).unwrap();
        (reply.step, reply.effects[0].tries)
    };
    let junk = || Recorder::new().with_reply("call_directive", json!({"action": "GO"}));
    assert_eq!(step("skip", &junk()), (Step::Continue, 1));
    assert!(matches!(step("fail", &junk()), (Step::Fail(_), 1)));
    let third = junk()
        .with_reply("call_directive", json!(1))
        .with_reply("call_directive", json!({"action": "ABORT"}));
    assert_eq!(step("retry", &third), (Step::Abort, 3));
}

#[test]
fn whole_numbers_are_read_however_they_are_written() {
    let policy = "hooks: [{id: c, event: error, action: {type: call_directive, directive: x}}]";
    let (engine, returns) = (engine(policy), Returns::builtin().unwrap());
    let step = |turn: &str| {
        let text = format!(r#"{{"compaction": {{"summary": "s", "prune_before_turn": {turn}}}}}"#);
        let host = Recorder::new().with_reply("call_directive", serde_json::from_str(&text).unwrap());
        Thread::new(&engine, &returns).on(&event("error", json!({})), &host).unwrap().step
    };
    let compact = |turn| Step::Compact { summary: "s".into(), prune_before_turn: turn };
    for (turn, read) in [("3", Some(3)), ("3.0", Some(3)), ("3e0", Some(3)), ("-1.0", Some(-1))] {
        assert_eq!(step(turn), compact(read), "{turn}");
    }
    assert!(matches!(step("1e30"), Step::Fail(why) if why.contains("`prune_before_turn` is not a turn")));
    let state = json!({"version": 1.0, "retries": {"a": 2.0}, "escalation":
        {"hook": "h", "target": "t", "timeout_seconds": 60.0}});
    let state = State::from_json(&state).unwrap();
    assert_eq!((state.retries["a"], state.escalation.unwrap().timeout_seconds), (2, 60));
}

#[test]
fn a_policy_declares_the_results_of_its_actions() {
    let folder = tempfile::tempdir().unwrap();
    let hook = |id: &str, event: &str| {
        let line = "echo '{\"action\": \"STOP\"}'";
        json!({"id": id, "event": event, "action": {"type": "run", "result": "return", "command": line}})
    };
    let schema =
        json!({"type": "object", "required": ["action"], "properties": {"action": {"enum": ["STOP"]}}});
    let write =
        |name: &str, policy: Value| std::fs::write(folder.path().join(name), policy.to_string()).unwrap();
    write("own.yaml", json!({"return_schema": schema, "hooks": [hook("own", "error")]}));
    write("plain.yaml", json!({"hooks": [hook("plain", "limit")]}));
    let layers = PolicySet::new().with(Layer::Project, folder.path(), None);
    let (module, returns) = layers.compile_for_threads().unwrap();
    let engine = Engine::new(module);
    let step =
        |name: &str| Thread::new(&engine, &returns).on(&event(name, json!({})), &NoopHost).unwrap().step;
    assert_eq!(step("error"), Step::Continue);
    assert!(matches!(step("limit"), Step::Fail(why) if why.contains("not a return object")));
    write("own.yaml", json!({"return_schema": {"type": "strnig"}, "hooks": []}));
    assert!(layers.compile_for_threads().is_err());
}

/// The schema that is shipped compiled is the vocabulary's. `BLESS=1` compiles it again.
#[test]
fn the_shipped_schema_is_compiled() {
    let value: Value = serde_json::from_str(hookc_schema::vocab::RETURNS).unwrap();
    let bytes = Returns::compile(&value["return_schema"]).unwrap();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/thread/returns.hookc");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &bytes).unwrap();
    }
    assert!(std::fs::read(path).unwrap() == bytes, "{path} is out of date: BLESS=1");
}

/// A host whose directive escalates, and which handles the event in another thread for each escalation.
struct Again<'e>(&'e Engine, &'e Returns, AtomicUsize);

impl Host for Again<'_> {
    fn perform(&self, action: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        if !matches!(action, Action::Escalate(_)) {
            return Ok(json!({"action": "ESCALATE", "escalation": {}}).into());
        }
        let calls = self.2.fetch_add(1, Ordering::Relaxed);
        assert!(calls < 100, "nothing bounds the depth");
        match Thread::new(self.0, self.1).on(context.event, self).unwrap().step {
            Step::Fail(why) => Err(ActionFailure::failed(why)),
            step => panic!("{step:?}"),
        }
    }
}

#[test]
fn a_host_that_handles_an_event_for_a_result_ends() {
    let policy = "hooks:\n  - {id: ask, event: after_step, action: {type: call_directive, directive: d}}\n";
    let (engine, returns) = (engine(policy), Returns::builtin().unwrap());
    let host = Again(&engine, &returns, AtomicUsize::new(0));
    let step = Thread::new(&engine, &returns).on(&event("after_step", json!({})), &host).unwrap().step;
    assert!(matches!(&step, Step::Fail(why) if why.contains("nested deeper than 16")), "{step:?}");
    assert_eq!(host.2.into_inner(), 16);
}

/// A host that handles an event of another thread in each of its actions, with the next depth.
struct Deeper<'e>(&'e Engine, &'e Returns, Mutex<Option<Step>>);

impl Host for Deeper<'_> {
    fn perform(&self, action: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        if matches!(action, Action::CallDirective(_)) {
            let depth = context.event.value()["depth"].as_u64().unwrap();
            let event = event("after_step", json!({"depth": depth + 1}));
            let step = Thread::new(self.0, self.1).on(&event, self).unwrap().step;
            self.2.lock().unwrap().get_or_insert(step);
        }
        Ok(Outcome::nothing())
    }
}

#[test]
fn a_step_is_taken_at_any_depth() {
    for (action, kind) in [
        ("{type: suspend, suspend_reason: budget}", "Suspend"),
        ("{type: retry}", "Retry"),
        ("{type: abort}", "Abort"),
        ("{type: deny}", "Fail"),
    ] {
        let policy = format!(
            "hooks:\n  - {{id: c, event: after_step, when: depth < 16, action: {{type: call_directive, directive: d}}}}\n  - \
             {{id: s, event: after_step, when: depth == 16, action: {action}}}\n"
        );
        let engine = engine(&policy).default_failure_mode(Some(OnFailure::Open));
        let returns = Returns::builtin().unwrap();
        let host = Deeper(&engine, &returns, Mutex::default());
        Thread::new(&engine, &returns).on(&event("after_step", json!({"depth": 0})), &host).unwrap();
        let deepest = format!("{:?}", host.2.into_inner().unwrap());
        assert!(deepest.starts_with(&format!("Some({kind}")), "{action}: {deepest}");
    }
}

/// A host that panics in an escalation.
struct Panics;

impl Host for Panics {
    fn perform(&self, action: &Action, _: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        assert!(!matches!(action, Action::Escalate(_)), "no");
        Ok(json!({"action": "ESCALATE", "escalation": {}}).into())
    }
}

#[test]
fn a_host_that_panics_for_a_result_has_failed() {
    let policy = "hooks:\n  - {id: ask, event: after_step, action: {type: call_directive, directive: d}}\n";
    let (engine, returns) = (engine(policy), Returns::builtin().unwrap());
    let step = Thread::new(&engine, &returns).on(&event("after_step", json!({})), &Panics).unwrap().step;
    assert_eq!(step, Step::Fail("hook ask failed: executing it panicked".into()));
}
