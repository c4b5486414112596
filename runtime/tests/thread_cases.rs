//! The cases of `corpus/threads`, which the threads of all bindings pass.

use crate::common;

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use hookc_compiler::Options;
use hookc_runtime::action::Action;
use hookc_runtime::host::{EventContext, Host};
use hookc_runtime::thread::{Returns, State, Step, Thread, ThreadError};
use hookc_runtime::{ActionFailure, Engine, Event, Outcome};
use serde_json::{Value, json};

/// A host that has its replies in order.
struct Replies(Mutex<VecDeque<Value>>);

impl Host for Replies {
    fn perform(&self, action: &Action, _: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        if matches!(action, Action::Retry(_) | Action::Suspend(_)) {
            return Ok(Outcome::nothing());
        }
        let reply = self.0.lock().unwrap().pop_front().expect("a reply is left");
        match reply.get("fail") {
            Some(why) => Err(ActionFailure::failed(why.as_str().unwrap())),
            None => Ok(Outcome::Value(reply["value"].clone())),
        }
    }
}

fn step(step: Step) -> Value {
    match step {
        Step::NoOpinion => json!({"kind": "no_opinion"}),
        Step::Continue => json!({"kind": "continue"}),
        Step::Retry { after, attempt } => {
            json!({"kind": "retry", "after": after.as_secs_f64(), "attempt": attempt})
        }
        Step::Fail(message) => json!({"kind": "fail", "message": message}),
        Step::Abort => json!({"kind": "abort"}),
        Step::Suspend(suspension) => {
            json!({"kind": "suspend", "hook": suspension.hook, "reason": suspension.reason, "resume_hint": suspension.resume_hint})
        }
        Step::Escalate(escalation) => {
            json!({"kind": "escalate", "hook": escalation.hook, "target": escalation.target,
            "message": escalation.message, "timeout_seconds": escalation.timeout_seconds})
        }
        Step::Compact { summary, prune_before_turn } => {
            json!({"kind": "compact", "summary": summary, "prune_before_turn": prune_before_turn})
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn threads_pass_the_cases_of_the_bindings() {
    let path = hookc_corpus::root().join("threads/cases.json");
    let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut wrong = Vec::new();
    for case in cases {
        let name = case["case"].as_str().unwrap();
        let events = case["events"].as_str().unwrap_or("{}");
        let policy = format!("events: {events}\nhooks:\n{}\n", case["hooks"].as_str().unwrap());
        let engine = Engine::new(common::compiled(&policy, &Options::default()));
        let returns = Returns::builtin().unwrap();
        let mut thread = Thread::new(&engine, &returns);
        for call in case["calls"].as_array().unwrap() {
            // Every state can be saved and restored.
            let saved = State::from_json(&thread.state().to_json()).unwrap();
            thread = Thread::restore(&engine, &returns, saved);
            let found = if let Some(event) = call.get("on") {
                let replies = call["replies"].as_array().cloned().unwrap_or_default();
                let host = Replies(Mutex::new(replies.into()));
                let reply = thread.on(&Event::from_value(event.clone()), &host);
                assert!(host.0.lock().unwrap().is_empty(), "{name}: {call}: replies are left");
                match reply {
                    Err(ThreadError::Waiting) => {
                        assert_eq!(call["error"], "waiting", "{name}: {call}");
                        continue;
                    }
                    reply => step(reply.unwrap().step),
                }
            } else if let Some(resumed) = call.get("resume") {
                assert_eq!(&json!(thread.resume()), resumed, "{name}: {call}");
                continue;
            } else if let Some(approved) = call.get("answered") {
                step(thread.answered(approved.as_bool().unwrap()))
            } else if let Some(waited) = call.get("expire") {
                let waited = Duration::from_secs(waited.as_u64().unwrap());
                thread.expire_escalation(waited).map_or(Value::Null, step)
            } else {
                thread.succeeded();
                continue;
            };
            if found != call["step"] {
                wrong.push(format!("{name}: {call}\n  {found}"));
            }
        }
        if let Some(state) = case.get("state") {
            assert_eq!(&thread.state().to_json(), state, "{name}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
