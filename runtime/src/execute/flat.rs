//! The flat form: a handler's data are variables of its environment.

use hookc_base::action::word;

use crate::event::{AgentEvent, Event};

/// Bytes of a tool's output that a handler gets.
const OUTPUT: usize = 10_000;
/// The maximum size of a value that is read: eight times the limit of a variable.
const LARGEST: usize = 1 << 20;

/// The variables of an event. Absent members are not set, and removed from the inherited
/// environment.
pub(super) fn environment(event: &Event, name: &str) -> Vec<(String, Option<String>)> {
    // A value larger than a variable can be is an error instead of being omitted.
    let value_of = |name: &&str| match event.raw(name)? {
        raw if raw.len() > LARGEST => Some(raw.to_owned()),
        _ => event.member(name).ok().flatten().as_ref().map(word),
    };
    let member = |names: &[&str]| names.iter().find_map(value_of);
    let output = member(&["tool_output", "tool_response", "error"]).map(|text| cut(&text, OUTPUT).to_owned());
    let failed = match member(&["is_error", "tool_is_error"]) {
        Some(flag) => Some(flag),
        None => {
            let failed = AgentEvent::from_name(name) == AgentEvent::PostToolUseFailure;
            output.is_some().then(|| failed.to_string())
        }
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

/// At most this number of bytes of a text, in whole characters.
fn cut(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    end.and_then(|end| text.get(..end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{cut, environment};
    use crate::event::Event;
    use serde_json::json;

    #[test]
    fn variables_of_an_event() {
        let event = Event::from_value(json!({"tool_name": "Bash", "tool_input": {"command": "ls"},
            "tool_response": "é".repeat(6000)}));
        let variables = environment(&event, "PostToolUse");
        let get = |name: &str| variables.iter().find(|(listed, _)| listed == name).unwrap().1.clone();
        assert_eq!(get("TOOL_INPUT").as_deref(), Some(r#"{"command":"ls"}"#));
        assert_eq!(
            (get("TOOL_OUTPUT").unwrap().len(), get("TOOL_IS_ERROR").as_deref()),
            (10_000, Some("false"))
        );
        assert_eq!((get("HOOK_EVENT").as_deref(), get("USER_MESSAGE")), (Some("PostToolUse"), None));
        assert_eq!((cut("aé", 2), cut("aé", 3), cut("", 3)), ("a", "aé", ""));
    }
}
