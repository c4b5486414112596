//! Whether a tool succeeded, as far as an event says it.

use hookc_schema::agents::Success;
use serde_json::Value;

use super::Incoming;
use crate::event::Event;

/// The member of the vocabulary.
pub(crate) const SUCCESS: &str = "tool_ok";

/// The value at a path of an event. A member may be the text of an object.
fn value(event: &Event, path: &str) -> Option<Value> {
    let parsed = |raw: &str| serde_json::from_str(raw).ok();
    let Some((outer, inner)) = path.split_once('.') else { return event.raw(path).and_then(parsed) };
    match event.text(outer) {
        Some(text) => Event::new(text.into_owned()).raw(inner).and_then(parsed),
        None => event.raw_in(outer, inner).and_then(parsed),
    }
}

/// Whether the event says that the tool succeeded or failed.
fn success(rules: &Success, event: &Event) -> Option<bool> {
    let is_set = |path: &String| {
        value(event, path).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
    };
    if rules.failed.iter().any(is_set) {
        return Some(false);
    }
    if rules.unknown.iter().any(is_set) {
        return None;
    }
    let Some(path) = &rules.status else { return rules.implied.then_some(true) };
    match value(event, path)? {
        Value::Number(status) => Some(status.as_f64() == Some(0.0)),
        Value::Bool(is_error) => Some(!is_error),
        _ => None,
    }
}

impl Incoming {
    /// Adds whether the tool succeeded, if the event says it. A member of that name stays.
    pub(crate) fn add_success(&mut self) {
        self.add_member(SUCCESS, |incoming| {
            let success = match incoming.name.as_str() {
                "PostToolUse" => success(&incoming.agent.protocol.success, &incoming.event),
                "PostToolUseFailure" => Some(false),
                _ => None,
            };
            success.map(Value::from)
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::adapter;

    /// `tool_ok` of an event with these members.
    fn added(agent: &str, name: &str, more: Value) -> Value {
        let mut event =
            json!({"hook_event_name": name, "session_id": "s", "tool_name": "Bash", "tool_input": {}});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let read = adapter::by_name(agent).unwrap().read(event.to_string().into_bytes(), None);
        let mut incoming = read.unwrap();
        incoming.add_success();
        let event: Value = serde_json::from_slice(incoming.event.bytes()).unwrap();
        event[SUCCESS].clone()
    }

    #[test]
    fn each_agent_says_what_it_shows() {
        let response = |response: Value| json!({"tool_response": response});
        let post = "PostToolUse";
        for (agent, name, more, expected) in [
            ("claude", post, response(json!({"stdout": "", "interrupted": false})), json!(true)),
            ("claude", post, response(json!({"stdout": "", "interrupted": true})), json!(false)),
            ("claude", post, response(json!({"returnCodeInterpretation": "No matches found"})), json!(false)),
            ("claude", post, response(json!({"backgroundTaskId": "b1"})), Value::Null),
            ("claude", "PostToolUseFailure", json!({"error": "Exit code 1"}), json!(false)),
            ("codex", post, response(json!({"output": "", "exit_code": 0})), json!(true)),
            ("codex", post, response(json!({"output": "", "exit_code": 101})), json!(false)),
            ("codex", post, response(json!("text")), Value::Null),
            ("gemini", "AfterTool", response(json!({"llmContent": "Exit Code: 1"})), Value::Null),
            ("gemini", "AfterTool", response(json!({"error": {"message": "x"}})), json!(false)),
            ("cursor", "postToolUse", json!({"tool_output": "{\"exitCode\":0}"}), json!(true)),
            ("cursor", "postToolUse", json!({"tool_output": "{\"exitCode\":1}"}), json!(false)),
            ("cursor", "postToolUseFailure", json!({"failure_type": "timeout"}), json!(false)),
            ("cursor", "afterShellExecution", json!({"command": "x", "output": "y"}), Value::Null),
            ("copilot", "postToolUse", json!({"toolResult": {"resultType": "success"}}), Value::Null),
            ("vscode", post, response(json!("text")), Value::Null),
            ("claude", "PreToolUse", json!({}), Value::Null),
        ] {
            let what = format!("{agent} {name} {more}");
            assert_eq!(added(agent, name, more), expected, "{what}");
        }
    }
}
