//! The flat format: the event is in the environment, an exit status other than 0 denies, and
//! printed text replaces the user's message.

use std::borrow::Cow;
use std::ffi::OsString;

use hookc_schema::agents::{Id, Variable, VariableKind};

use super::members::Members;
use super::{Adapter, Answer, Incoming, Printed, capped, event_of, failed, read};
use crate::event::EventError;
use crate::verdict::{Permission, Verdict, joined};

/// The adapter of the flat format.
#[derive(Debug)]
pub(super) struct Flat;

impl Adapter for Flat {
    fn id(&self) -> Id {
        Id::Flat
    }

    /// JSON on standard input, if there is any; environment variables take precedence.
    fn read(&self, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, EventError> {
        let bytes = read::unmarked(bytes)?;
        let empty = bytes.iter().all(u8::is_ascii_whitespace);
        let mut members = if empty { Members::default() } else { Members::read(&bytes)? };
        let agent = self.agent();
        from_environment(&mut members, &agent.protocol.variables, |name| std::env::var_os(name))?;
        let Some(name) = read::named(agent, members.text("hook_event_name"), event)? else {
            return Err(failed("neither HOOK_EVENT nor `hook_event_name` names the event"));
        };
        members.put("hook_event_name", name.as_str());
        let event = event_of(members.event()?, bytes);
        Ok(Incoming::new(agent, event, name.clone(), name))
    }

    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer {
        let verdict = incoming.limited(verdict);
        let said = joined(&verdict.messages).map(|text| format!("{text}\n")).unwrap_or_default();
        if verdict.permission == Some(Permission::Deny) {
            let reason = verdict.reason().unwrap_or_default();
            let reason = capped(&reason);
            return Answer { stderr: format!("{said}{reason}\n"), code: 1, stdout: Printed::default() };
        }
        let mut texts: Vec<Cow<'_, str>> = Vec::new();
        if incoming.name == "UserPromptSubmit" && (verdict.prompt.is_some() || !verdict.contexts.is_empty()) {
            let prompt = incoming.event.text("prompt").unwrap_or_default();
            texts.push(verdict.prompt.as_deref().map_or(prompt, Cow::Borrowed));
        }
        texts.extend(verdict.contexts.iter().map(|text| Cow::Borrowed(text.as_str())));
        let stdout = joined(&texts).map(Printed::line).unwrap_or_default();
        Answer { stdout, stderr: said, code: 0 }
    }

    /// Any status except 0 denies.
    fn pass(&self, _: Option<&Incoming>, reason: &str) -> Answer {
        Answer::status(0, reason)
    }
}

/// The variables of the flat format as members of an event. A tool's output may be truncated within
/// a character; any other invalid UTF-8 makes the event invalid.
fn from_environment(
    members: &mut Members<'_>,
    variables: &[Variable],
    get: impl Fn(&str) -> Option<OsString>,
) -> Result<(), EventError> {
    for Variable { name, member, kind, .. } in variables {
        let Some(value) = get(name) else { continue };
        if *kind == VariableKind::Bytes {
            members.put(member, value.to_string_lossy());
            continue;
        }
        let text = value.into_string();
        let text = text.map_err(|_| failed(format!("the variable {name} is not UTF-8")))?;
        match kind {
            VariableKind::Json | VariableKind::Name if text.is_empty() => {}
            VariableKind::Json => members.set(member, read::parsed(text)?),
            VariableKind::Flag => members.put(member, text == "true" || text == "1"),
            VariableKind::Name | VariableKind::Text | VariableKind::Bytes => members.put(member, text),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Id, Members, from_environment};
    use serde_json::json;

    #[test]
    fn an_event_out_of_the_environment() {
        let mut members = Members::default();
        let variables = &Id::Flat.agent().protocol.variables;
        from_environment(&mut members, variables, |name| match name {
            "HOOK_EVENT" => Some("PreToolUse".into()),
            "TOOL_NAME" => Some("Bash".into()),
            "TOOL_INPUT" => Some(r#"{"command":"ls"}"#.into()),
            "TOOL_IS_ERROR" => Some("false".into()),
            _ => None,
        })
        .unwrap();
        let expected = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": "ls"}, "is_error": false});
        assert_eq!(members.event().unwrap().unwrap().value(), &expected);
    }
}
