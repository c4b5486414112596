//! Messages around events: whatever a line has, the answer is one line of JSON with the identifier of its request, or
//! there is no answer.

use hookc_runtime::adapter::rpc::{self, Message};
use hookc_runtime::adapter::{self, Adapter};
use hookc_runtime::bridge::{self, Invocation};
use hookc_schema::agents::Rpc;
use hookc_vm::Module;
use serde_json::{Value, json};

use crate::hosts::module;

/// Each line is a message.
pub fn messages(bytes: &[u8]) {
    let agents = adapter::all().filter_map(|agent| Some((agent, agent.agent().protocol.rpc.as_ref()?)));
    for (agent, rpc) in agents {
        bytes.split(|byte| *byte == b'\n').for_each(|line| message(agent, rpc, line));
    }
}

#[allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a body panics")]
fn message(agent: &'static dyn Adapter, rpc: &'static Rpc, line: &[u8]) {
    let sent = serde_json::from_slice::<Value>(line).unwrap_or_default();
    let answer = match rpc::read(rpc, line) {
        Message::Intercept(event, request) => {
            let answer = bridge::run(Invocation::new(agent), event, || Module::load(module().to_vec()));
            assert_eq!(answer.code, 0, "an answer by the exit status");
            let text = request.response(&answer);
            assert_eq!(json_of(&text)["id"], json_of(&request.failure("x"))["id"]);
            text
        }
        Message::Rejected(text) => {
            assert!(json_of(&text)["error"]["code"].is_i64(), "{text}");
            text
        }
        Message::Observe(event) => {
            let _ = bridge::run(Invocation::new(agent), event, || Module::load(module().to_vec()));
            assert!(sent.get("id").is_none(), "a request is not answered");
            return;
        }
        Message::Ignored(why) => {
            assert!(!why.is_empty() && sent.get("id").is_none(), "a request is not answered");
            return;
        }
    };
    let answer = (!answer.contains('\n')).then(|| json_of(&answer)).expect("one line");
    assert_eq!(answer["jsonrpc"], "2.0");
    assert!(answer["id"].is_null() || Some(&answer["id"]) == sent.get("id") || sent.is_null(), "{answer}");
    let Some(result) = answer.get("result") else { return };
    assert_eq!(result["protocolVersion"], json!(rpc.version));
    match result["effects"].as_array().map(Vec::as_slice) {
        Some([]) => {}
        Some([effect]) => {
            let has_reason = effect["reason"].as_str().is_some_and(|reason| !reason.is_empty());
            assert!(effect["type"] == "deny" && has_reason, "{effect}");
        }
        _ => panic!("{result}"),
    }
}

#[allow(clippy::expect_used, reason = "a body panics")]
fn json_of(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}
