//! The flat runtime: the event lies in the environment, an exit status other
//! than 0 refuses, and what is printed takes the place of the user's message.

use std::ffi::OsString;

use serde_json::{Map, Value};

use super::{Adapter, Answer, Can, Incoming, failed, object, parsed, stopped, within};
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
        from_environment(&mut all, |name| std::env::var_os(name))?;
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
        if incoming.answers.can_refuse() {
            opinion = stopped(opinion);
        }
        let prompts = incoming.name == "UserPromptSubmit";
        let opinion = within(&opinion, incoming, Can { prompts, ..Can::default() });
        let said = joined(&opinion.messages).map(|text| format!("{text}\n")).unwrap_or_default();
        if opinion.permission == Some(Permission::Deny) {
            let reason = opinion.reason().unwrap_or_default();
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

    /// Any status but 0 refuses here.
    fn pass(&self, _: Option<&Incoming>, reason: &str) -> Answer {
        Answer::status(0, reason)
    }
}

/// The variables of the flat form, as members of an event. A tool's output may be
/// cut within a character; whatever else is not UTF-8 is no event.
fn from_environment(
    all: &mut Map<String, Value>,
    get: impl Fn(&str) -> Option<OsString>,
) -> Result<(), HostError> {
    let text = |name: &str| match get(name).map(OsString::into_string) {
        Some(Err(_)) => Err(failed(format!("the variable {name} is not UTF-8"))),
        Some(Ok(text)) => Ok(Some(text)),
        None => Ok(None),
    };
    let mut set = |member: &str, value: Option<Value>| {
        if let Some(value) = value {
            all.insert(member.to_owned(), value);
        }
    };
    set("hook_event_name", text("HOOK_EVENT")?.filter(|name| !name.is_empty()).map(Value::from));
    set("tool_name", text("TOOL_NAME")?.map(Value::from));
    let input = text("TOOL_INPUT")?.filter(|text| !text.is_empty());
    set("tool_input", input.map(parsed).transpose()?);
    set("tool_response", get("TOOL_OUTPUT").map(|text| text.to_string_lossy().into_owned().into()));
    set("is_error", text("TOOL_IS_ERROR")?.map(|text| Value::Bool(text == "true" || text == "1")));
    set("prompt", text("USER_MESSAGE")?.map(Value::from));
    Ok(())
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
        })
        .unwrap();
        let expected = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": "ls"}, "is_error": false});
        assert_eq!(json!(all), expected);
    }
}
