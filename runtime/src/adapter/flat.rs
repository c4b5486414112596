//! The flat runtime: the event lies in the environment, an exit status other
//! than 0 refuses, and what is printed takes the place of the user's message.

use std::borrow::Cow;
use std::ffi::OsString;

use serde_json::Value;

use super::members::Members;
use super::{Adapter, Answer, Can, Incoming, Printed, event_of, failed, parsed, within};
use crate::event::{AgentEvent, EventError};
use crate::verdict::{Permission, Verdict, joined};

/// See the module.
#[derive(Debug)]
pub(super) struct Flat;

impl Adapter for Flat {
    fn name(&self) -> &'static str {
        "flat"
    }

    /// JSON on standard input if there is any, the environment over it.
    fn read(&self, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, EventError> {
        let empty = bytes.iter().all(u8::is_ascii_whitespace);
        let mut all = if empty { Members::default() } else { Members::read(&bytes)? };
        from_environment(&mut all, |name| std::env::var_os(name))?;
        let Some(name) = super::named(all.text("hook_event_name"), event, &[])? else {
            return Err(failed("neither HOOK_EVENT nor `hook_event_name` names the event"));
        };
        all.put("hook_event_name", name.as_str());
        let blocks = AgentEvent::from_name(&name).flat_denies();
        let event = event_of(all.event()?, bytes);
        Ok(super::answered(Incoming::new(event, name.clone(), name), blocks, true))
    }

    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer {
        let prompts = incoming.name == "UserPromptSubmit";
        let verdict = within(verdict, incoming, Can { prompts, ..Can::default() });
        let said = joined(&verdict.messages).map(|text| format!("{text}\n")).unwrap_or_default();
        if verdict.permission == Some(Permission::Deny) {
            let reason = verdict.reason().unwrap_or_default();
            return Answer { stderr: format!("{said}{reason}\n"), code: 1, stdout: Printed::default() };
        }
        let mut texts: Vec<Cow<'_, str>> = Vec::new();
        if incoming.name == "UserPromptSubmit" && (verdict.prompt.is_some() || !verdict.contexts.is_empty()) {
            let own = incoming.event.text("prompt").unwrap_or_default();
            texts.push(verdict.prompt.as_deref().map_or(own, Cow::Borrowed));
        }
        texts.extend(verdict.contexts.iter().map(|text| Cow::Borrowed(text.as_str())));
        let stdout = joined(&texts).map(Printed::line).unwrap_or_default();
        Answer { stdout, stderr: said, code: 0 }
    }

    /// Any status but 0 refuses here.
    fn pass(&self, _: Option<&Incoming>, reason: &str) -> Answer {
        Answer::status(0, reason)
    }
}

/// The variables of the flat form, as members of an event. A tool's output may be
/// cut within a character; whatever else is not UTF-8 is no event.
fn from_environment(all: &mut Members<'_>, get: impl Fn(&str) -> Option<OsString>) -> Result<(), EventError> {
    let text = |name: &str| match get(name).map(OsString::into_string) {
        Some(Err(_)) => Err(failed(format!("the variable {name} is not UTF-8"))),
        Some(Ok(text)) => Ok(Some(text)),
        None => Ok(None),
    };
    if let Some(input) = text("TOOL_INPUT")?.filter(|text| !text.is_empty()) {
        all.set("tool_input", parsed(input)?);
    }
    let mut set = |member: &str, value: Option<Value>| {
        if let Some(value) = value {
            all.put(member, value);
        }
    };
    set("hook_event_name", text("HOOK_EVENT")?.filter(|name| !name.is_empty()).map(Value::from));
    set("tool_name", text("TOOL_NAME")?.map(Value::from));
    set("tool_response", get("TOOL_OUTPUT").map(|text| text.to_string_lossy().into_owned().into()));
    set("is_error", text("TOOL_IS_ERROR")?.map(|text| Value::Bool(text == "true" || text == "1")));
    set("prompt", text("USER_MESSAGE")?.map(Value::from));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Members, from_environment};
    use serde_json::json;

    #[test]
    fn an_event_out_of_the_environment() {
        let mut all = Members::default();
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
        assert_eq!(all.event().unwrap().unwrap().value(), &expected);
    }
}
