//! The answers of hooks, as each host reads them, byte for byte: where they disagree,
//! say what cannot be read, or ask for what the host has no way to do.

use crate::common;

use common::engine;
use hookc_runtime::Verdict;
use hookc_runtime::adapter;
use hookc_runtime::host::NoopHost;
use hookc_vm::DecideOptions;
use serde_json::{Value, json};

/// What the host reads: standard output, standard error, the exit status.
fn answer(host: &str, policy: &str, event: &Value) -> (String, String, u8) {
    let host = adapter::by_name(host).unwrap();
    let incoming = host.read(event.to_string().into_bytes(), None).unwrap();
    let ask = DecideOptions::default().event(incoming.name.as_str());
    let handled = engine(policy).handle(&incoming.event, &ask, &NoopHost).unwrap();
    let (mut verdict, conflicts): (Verdict, _) = handled.verdict();
    verdict.messages.extend(conflicts);
    let answer = host.answer(&incoming, &verdict);
    (answer.stdout.to_string().trim_end().to_owned(), answer.stderr.trim_end().to_owned(), answer.code)
}

/// A policy of handlers for one event, each printing one value.
fn printing(event: &str, values: &[Value]) -> String {
    let hook = |(n, value): (usize, &Value)| {
        let argv = json!(["printf", "%s", value.to_string()]);
        format!("  - {{id: h{n}, event: {event}, action: {{type: run, result: agent, argv: {argv}}}}}\n")
    };
    let hooks: String = values.iter().enumerate().map(hook).collect();
    format!("hooks:\n{hooks}")
}

fn event(name: &str) -> Value {
    json!({"hook_event_name": name, "tool_name": "Bash", "tool_input": {"command": "ls"}, "prompt": "hi"})
}

fn specific(event: &str, rest: &str) -> String {
    format!(r#""hookSpecificOutput":{{"hookEventName":"{event}",{rest}}}"#)
}

#[test]
fn a_handlers_output_does_not_remove_another_denial() {
    let deny =
        json!({"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "no"}});
    let denied = specific("PreToolUse", r#""permissionDecision":"deny","permissionDecisionReason":"no""#);
    for (name, value) in [
        ("permissionDecision", Value::Null),
        ("permissionDecisionReason", json!(1)),
        ("updatedInput", Value::Null),
        ("additionalContext", json!(["x"])),
        ("decision", json!("allow")),
    ] {
        let policy = printing("PreToolUse", &[deny.clone(), json!({"hookSpecificOutput": {name: value}})]);
        let reported =
            format!("hook h1 failed: `hookSpecificOutput.{name}` in its output has the wrong type");
        let expected = format!("{{{}}}", denied.replace("no\"", &format!("no\\n{reported}\"")));
        assert_eq!(answer("claude", &policy, &event("PreToolUse")).0, expected);
    }
    let top = printing("PreToolUse", &[deny, json!({"decision": 1})]);
    let message = "hook h1 failed: `decision` in its output has the wrong type";
    let expected = format!("{{{}}}", denied.replace("no\"", &format!("no\\n{message}\"")));
    assert_eq!(answer("claude", &top, &event("PreToolUse")).0, expected);
}

#[test]
fn a_denial_wins_over_other_output_of_a_handler() {
    let one = |value: Value| answer("claude", &printing("PreToolUse", &[value]), &event("PreToolUse")).0;
    let both = one(json!({"decision": "block", "reason": "no",
        "hookSpecificOutput": {"permissionDecision": "allow", "permissionDecisionReason": "yes"}}));
    let denied = specific("PreToolUse", r#""permissionDecision":"deny","permissionDecisionReason":"no""#);
    assert_eq!(both, format!("{{{denied}}}"));
    let wrong_type = one(json!({"hookSpecificOutput": {"permissionDecision": "deny",
        "permissionDecisionReason": "no", "updatedInput": null}}));
    let message = "a hook denies, but its output cannot be read: `hookSpecificOutput.updatedInput` in its \
                output has the wrong type";
    assert_eq!(wrong_type, format!(r#"{{"systemMessage":"{message}",{denied}}}"#));
}

#[test]
fn decisions_about_requests() {
    let decision = |value: Value| json!({"hookSpecificOutput": {"decision": value}});
    let ask = |values: &[Value]| {
        answer("claude", &printing("PermissionRequest", values), &event("PermissionRequest")).0
    };
    let deny = decision(json!({"behavior": "deny", "message": "no", "interrupt": true}));
    let denied =
        specific("PermissionRequest", r#""decision":{"behavior":"deny","message":"no","interrupt":true}"#);
    assert_eq!(ask(std::slice::from_ref(&deny)), format!("{{{denied}}}"));
    // What comes with an allow grants nothing next to a denial.
    let allow = decision(json!({"behavior": "allow", "updatedPermissions": [1]}));
    assert_eq!(ask(&[allow, deny.clone()]), format!("{{{denied}}}"));
    for (found, why) in [
        (decision(json!("allow")), "decision` in its output has the wrong type"),
        (decision(json!({"behavior": null})), "decision.behavior` in its output has the wrong type"),
        (decision(json!({"interrupt": false})), "decision` in its output has no `behavior`"),
    ] {
        let reported = format!("hook h1 failed: `hookSpecificOutput.{why}");
        let expected = format!("{{{}}}", denied.replace("no\"", &format!("no\\n{reported}\"")));
        assert_eq!(ask(&[deny.clone(), found]), expected);
    }
    let modify = "hooks: [{event: PermissionRequest, action: {type: modify, input: {command: ls -l}}}]";
    let no_way = "(this agent does not support changing the input at PermissionRequest)";
    let refused = format!(r#""decision":{{"behavior":"deny","message":"{no_way}"}}"#);
    let refused = format!("{{{}}}", specific("PermissionRequest", &refused));
    assert_eq!(answer("claude", modify, &event("PermissionRequest")).0, refused);
}

#[test]
fn a_byte_order_mark_and_long_texts_of_unknown_fields() {
    let mark = "hooks: [{event: PreToolUse, action: {type: run, result: agent, argv: [printf, '%s', \
                \"\\uFEFF{\\\"decision\\\":\\\"block\\\",\\\"reason\\\":\\\"no\\\"}\"]}}]";
    let denied = specific("PreToolUse", r#""permissionDecision":"deny","permissionDecisionReason":"no""#);
    assert_eq!(answer("claude", mark, &event("PreToolUse")).0, format!("{{{denied}}}"));
    let long = json!({"hookSpecificOutput": {"new": {"text": ["é".repeat(10_001)]}}});
    let cut = specific("PreToolUse", &format!(r#""new":{{"text":["{}"]}}"#, "é".repeat(10_000)));
    let got = answer("claude", &printing("PreToolUse", &[long]), &event("PreToolUse")).0;
    assert_eq!(got, format!("{{{cut}}}"));
}

#[test]
fn a_denial_has_a_reason_at_every_host() {
    let policy = "hooks: [{event: PreToolUse, action: {type: deny, reason: ' '}}]";
    let denied = specific(
        "PreToolUse",
        r#""permissionDecision":"deny","permissionDecisionReason":"denied by a hook""#,
    );
    let shell = json!({"hook_event_name": "beforeShellExecution", "command": "ls"});
    let copilot = json!({"toolName": "bash", "toolArgs": "{}"});
    let text = "denied by a hook";
    for (host, event, out) in [
        ("claude", event("PreToolUse"), format!("{{{denied}}}")),
        ("codex", event("PreToolUse"), format!("{{{denied}}}")),
        ("gemini", event("BeforeTool"), format!(r#"{{"decision":"deny","reason":"{text}"}}"#)),
        (
            "cursor",
            shell,
            format!(r#"{{"permission":"deny","user_message":"{text}","agent_message":"{text}"}}"#),
        ),
        (
            "copilot",
            copilot,
            format!(r#"{{"permissionDecision":"deny","permissionDecisionReason":"{text}"}}"#),
        ),
    ] {
        assert_eq!(answer(host, policy, &event), (out, String::new(), 0), "{host}");
    }
    assert_eq!(answer("flat", policy, &event("PreToolUse")), (String::new(), text.to_owned(), 1));
}

#[test]
fn only_one_host_defers_calls() {
    let defer = json!({"hookSpecificOutput": {"permissionDecision": "defer",
        "permissionDecisionReason": "later"}});
    let policy = printing("PreToolUse", &[defer]);
    let got = |host: &str, event: &Value| answer(host, &policy, event).0;
    let word = |word: &str, reason: &str| {
        format!(r#""permissionDecision":"{word}","permissionDecisionReason":"{reason}""#)
    };
    let no_way = |event: &str| format!("later (this agent does not support asking the user at {event})");
    let pre = event("PreToolUse");
    assert_eq!(got("claude", &pre), format!("{{{}}}", specific("PreToolUse", &word("defer", "later"))));
    let denied = specific("PreToolUse", &word("deny", &no_way("PreToolUse")));
    assert_eq!(got("codex", &pre), format!("{{{denied}}}"));
    let copilot = json!({"toolName": "bash", "toolArgs": {}});
    assert_eq!(got("copilot", &copilot), format!("{{{}}}", word("ask", "later")));
    let shell = json!({"hook_event_name": "beforeShellExecution", "command": "ls"});
    assert_eq!(got("cursor", &shell), r#"{"permission":"ask","user_message":"later"}"#);
    let denied = no_way("preToolUse");
    let denied = format!(r#"{{"permission":"deny","user_message":"{denied}","agent_message":"{denied}"}}"#);
    assert_eq!(got("cursor", &json!({"hook_event_name": "preToolUse", "tool_input": {}})), denied);
}

#[test]
fn messages_and_outputs_that_cannot_be_replaced() {
    let prompt = "hooks: [{event: UserPromptSubmit, action: {type: run, result: flat, argv: [echo, new]}}]";
    let no_way = |what: &str, event: &str| format!("this agent does not support replacing {what} at {event}");
    let replaced = no_way("the user's message", "UserPromptSubmit");
    for host in ["claude", "codex"] {
        let out = format!(r#"{{"decision":"block","reason":"({replaced})"}}"#);
        assert_eq!(answer(host, prompt, &event("UserPromptSubmit")).0, out, "{host}");
    }
    let copilot = json!({"prompt": "hi"});
    assert_eq!(answer("copilot", prompt, &copilot).0, r#"{"modifiedPrompt":"new"}"#);
    assert_eq!(answer("flat", prompt, &event("UserPromptSubmit")).0, "new");

    let output = printing("PostToolUse", &[json!({"hookSpecificOutput": {"updatedToolOutput": "x"}})]);
    let post = event("PostToolUse");
    let out = format!("{{{}}}", specific("PostToolUse", r#""updatedToolOutput":"x""#));
    assert_eq!(answer("claude", &output, &post).0, out);
    let replaced = no_way("the tool's output", "PostToolUse");
    let out = format!(r#"{{"decision":"block","reason":"({replaced})"}}"#);
    assert_eq!(answer("codex", &output, &post).0, out);
    let replaced = no_way("the tool's output", "AfterTool");
    let out = format!(r#"{{"decision":"deny","reason":"({replaced})"}}"#);
    assert_eq!(answer("gemini", &output, &event("AfterTool")).0, out);
    let reported = no_way("the tool's output", "postToolUse");
    assert_eq!(answer("cursor", &output, &event("postToolUse")), (String::new(), reported, 0));
    let copilot = json!({"toolName": "bash", "toolArgs": {}, "toolResult": {}});
    let out = r#"{"modifiedResult":{"resultType":"success","textResultForLlm":"x"}}"#;
    assert_eq!(answer("copilot", &output, &copilot).0, out);
}

#[test]
fn a_tool_input_that_is_not_json_is_an_invalid_event() {
    let broken = r#"{"command":"rm -rf /""#;
    let read = |host: &str, event: Value| {
        let read = adapter::by_name(host).unwrap().read(event.to_string().into_bytes(), None);
        read.map(|incoming| incoming.event.value()["tool_input"].clone()).map_err(|error| error.to_string())
    };
    let cursor = |input: &str| json!({"hook_event_name": "beforeMCPExecution", "tool_input": input});
    let copilot = |input: &str| json!({"toolName": "bash", "toolArgs": input});
    for (host, event) in
        [("cursor", cursor(broken)), ("copilot", copilot(broken)), ("copilot", copilot(" [1"))]
    {
        let error = read(host, event).unwrap_err();
        assert!(error.starts_with("the tool's input is not JSON: "), "{host}: {error}");
    }
    assert_eq!(read("copilot", copilot("ls -l")), Ok(json!("ls -l")));
    assert_eq!(read("cursor", cursor("{\"a\": 1}")), Ok(json!({"a": 1})));
}
