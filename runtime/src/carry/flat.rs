//! The flat form: a handler's data lie in its environment, its exit status
//! refuses, and what it prints takes the place of the user's message.

use super::Fault;
use crate::action::word;
use crate::agent::FLAT_REFUSED;
use crate::event::Event;
use crate::process::{Ended, Status};
use crate::verdict::Verdict;

/// Bytes of a tool's output that a handler gets.
const OUTPUT: usize = 10_000;
/// Bytes of a value that is not looked into: eight times what a variable takes.
const LARGEST: usize = 1 << 20;

/// The variables of an event. What it does not have is not set, and taken away
/// from what this process has.
pub(super) fn environment(event: &Event, name: &str) -> Vec<(String, Option<String>)> {
    // What is larger than a variable may be is not set but fails, whatever it says.
    let own = |name: &&str| match event.raw(name)? {
        raw if raw.len() > LARGEST => Some(raw.to_owned()),
        _ => event.member(name).ok().flatten().as_ref().map(word),
    };
    let member = |names: &[&str]| names.iter().find_map(own);
    let output = member(&["tool_output", "tool_response", "error"]).map(|text| cut(&text, OUTPUT).to_owned());
    let failed = match member(&["is_error", "tool_is_error"]) {
        Some(flag) => Some(flag),
        None => output.is_some().then(|| (name == "PostToolUseFailure").to_string()),
    };
    let set = |name: &str, value: Option<String>| (name.to_owned(), value);
    vec![
        set("HOOK_EVENT", Some(name.to_owned())),
        set("TOOL_NAME", member(&["tool_name"])),
        set("TOOL_INPUT", member(&["tool_input"])),
        set("TOOL_OUTPUT", output),
        set("TOOL_IS_ERROR", failed),
        set("USER_MESSAGE", member(&["prompt", "user_message", "message"])),
    ]
}

/// At most so many bytes of a text, whole characters.
pub(super) fn cut(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    end.and_then(|end| text.get(..end)).unwrap_or_default()
}

/// What a handler said.
pub(super) fn said(ended: &Ended, name: &str) -> Result<Verdict, Fault> {
    let (stdout, stderr) = (ended.stdout.text.trim(), ended.stderr.text.trim());
    match ended.status {
        Status::Exited(0) if stdout.is_empty() => Ok(Verdict::default()),
        Status::Exited(0) if name == "UserPromptSubmit" => {
            Ok(Verdict { prompt: Some(stdout.to_owned()), ..Verdict::default() })
        }
        Status::Exited(0) => Ok(Verdict::context(stdout)),
        status @ Status::Exited(_) if FLAT_REFUSED.contains(&name) => {
            let reason = if stderr.is_empty() { status.to_string() } else { stderr.to_owned() };
            Ok(Verdict::deny(reason))
        }
        status if FLAT_REFUSED.contains(&name) => Err(Fault::closed(with(status, stderr))),
        status => Err(Fault::open(with(status, stderr))),
    }
}

pub(super) fn with(status: Status, stderr: &str) -> String {
    if stderr.is_empty() { status.to_string() } else { format!("{status}: {stderr}") }
}

/// The event with another message of the user's.
#[must_use]
pub(crate) fn with_prompt(event: &Event, prompt: &str) -> Event {
    event.with("prompt", &prompt.into())
}

#[cfg(test)]
mod tests {
    use super::{cut, environment};
    use crate::event::Event;
    use serde_json::json;

    #[test]
    fn variables_of_an_event() {
        let event = Event::of(json!({"tool_name": "Bash", "tool_input": {"command": "ls"},
            "tool_response": "é".repeat(6000)}));
        let all = environment(&event, "PostToolUse");
        let get = |name: &str| all.iter().find(|(own, _)| own == name).unwrap().1.clone();
        assert_eq!(get("TOOL_INPUT").as_deref(), Some(r#"{"command":"ls"}"#));
        assert_eq!(
            (get("TOOL_OUTPUT").unwrap().len(), get("TOOL_IS_ERROR").as_deref()),
            (10_000, Some("false"))
        );
        assert_eq!((get("HOOK_EVENT").as_deref(), get("USER_MESSAGE")), (Some("PostToolUse"), None));
        assert_eq!((cut("aé", 2), cut("aé", 3), cut("", 3)), ("a", "aé", ""));
    }
}
