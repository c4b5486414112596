//! The flat runtime: the event lies in the environment, an exit status other
//! than 0 refuses, and what is printed takes the place of the user's message.

use serde_json::{Map, Value};

use super::{Adapter, Answer, Incoming, failed, object, within};
use crate::event::Event;
use crate::host::HostError;
use crate::opinion::{Opinion, Permission, joined};

/// See the module.
#[derive(Debug)]
pub(super) struct Flat;

/// Events that can be refused.
const BLOCKS: [&str; 2] = ["PreToolUse", "UserPromptSubmit"];

impl Adapter for Flat {
    fn name(&self) -> &'static str {
        "flat"
    }

    /// JSON on standard input if there is any, the environment over it.
    fn read(&self, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, HostError> {
        let empty = bytes.iter().all(u8::is_ascii_whitespace);
        let mut all = if empty { Map::new() } else { object(&bytes)? };
        from_environment(&mut all, |name| std::env::var(name).ok());
        if let Some(event) = event {
            all.insert("hook_event_name".to_owned(), event.into());
        }
        let Some(Value::String(name)) = all.get("hook_event_name").cloned() else {
            return Err(failed("neither HOOK_EVENT nor `hook_event_name` names the event"));
        };
        Ok(super::refusable(Incoming::new(Event::of(Value::Object(all)), name.clone(), name), &BLOCKS))
    }

    fn answer(&self, incoming: &Incoming, opinion: &Opinion) -> Answer {
        let mut opinion = opinion.clone();
        if let Some(stop) = opinion.stop.take().filter(|_| incoming.answers.can_refuse()) {
            let reason = if stop.is_empty() { "stopped by a hook".to_owned() } else { stop };
            opinion = Opinion { messages: opinion.messages, ..Opinion::deny(reason) };
        }
        let opinion = within(&opinion, incoming, false, false);
        let said = joined(&opinion.messages).map(|text| format!("{text}\n")).unwrap_or_default();
        if opinion.permission == Some(Permission::Deny) {
            let reason = opinion.reason().unwrap_or_else(|| "refused by a hook".to_owned());
            return Answer { stderr: format!("{said}{reason}\n"), code: 1, stdout: String::new() };
        }
        let mut texts = Vec::new();
        if incoming.name == "UserPromptSubmit" && (opinion.prompt.is_some() || !opinion.contexts.is_empty()) {
            let own = incoming.event.text("prompt").unwrap_or_default();
            texts.push(opinion.prompt.clone().unwrap_or_else(|| own.to_owned()));
        }
        texts.extend(opinion.contexts.iter().cloned());
        let stdout = joined(&texts).map(|text| format!("{text}\n")).unwrap_or_default();
        Answer { stdout, stderr: said, code: 0 }
    }
}

/// The variables of the flat form, as members of an event.
fn from_environment(all: &mut Map<String, Value>, get: impl Fn(&str) -> Option<String>) {
    let mut set = |member: &str, value: Option<Value>| {
        if let Some(value) = value {
            all.insert(member.to_owned(), value);
        }
    };
    let text = |name: &str| get(name).map(Value::from);
    set("hook_event_name", get("HOOK_EVENT").filter(|name| !name.is_empty()).map(Value::from));
    set("tool_name", text("TOOL_NAME"));
    let input = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
    set("tool_input", get("TOOL_INPUT").filter(|text| !text.is_empty()).map(input));
    set("tool_response", text("TOOL_OUTPUT"));
    set("is_error", get("TOOL_IS_ERROR").map(|text| Value::Bool(text == "true" || text == "1")));
    set("prompt", text("USER_MESSAGE"));
}

#[cfg(test)]
mod tests {
    use super::from_environment;
    use serde_json::{Map, json};

    #[test]
    fn an_event_out_of_the_environment() {
        let mut all = Map::new();
        from_environment(&mut all, |name| match name {
            "HOOK_EVENT" => Some("PreToolUse".into()),
            "TOOL_NAME" => Some("Bash".into()),
            "TOOL_INPUT" => Some(r#"{"command":"ls"}"#.into()),
            "TOOL_IS_ERROR" => Some("false".into()),
            _ => None,
        });
        let expected = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": "ls"}, "is_error": false});
        assert_eq!(json!(all), expected);
    }
}
