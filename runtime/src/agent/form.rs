//! Converts the output of other agents' handlers to the format of Claude Code.

use hookc_schema::agents;
use serde_json::{Map, Value};

use super::object::denies;
use super::read::NoAnswer;
use super::{EventCapabilities, read};
use crate::event::rounded_number;
use crate::json::{self, KeepDuplicate};
use crate::process::Ended;
use crate::verdict::Verdict;

/// The output of a handler in the format of an agent: `agent` (Claude Code, Codex CLI), `gemini`,
/// `cursor` or `copilot`.
///
/// # Errors
/// As [`read::handler`]; or a number of another input or output would be rounded.
pub(crate) fn handler_of(
    form: &str,
    ended: &Ended,
    capabilities: &EventCapabilities,
) -> Result<Verdict, NoAnswer> {
    let verdict = read_as(form, ended, capabilities)?;
    let changes = (verdict.change.is_some() || verdict.output.is_some()) && !denies(&verdict);
    if changes && let Some(number) = rounded_number(&ended.stdout.text) {
        let why = format!("the number {number} in its output would be rounded");
        return Err(NoAnswer { why, may_deny: true });
    }
    Ok(verdict)
}

fn read_as(form: &str, ended: &Ended, capabilities: &EventCapabilities) -> Result<Verdict, NoAnswer> {
    let translate = match form {
        "gemini" => gemini,
        "cursor" => cursor,
        "copilot" => copilot,
        _ => return read::handler(ended, capabilities),
    };
    let mut capabilities = *capabilities;
    let known = agents::by_name(form).and_then(|agent| agent.native(capabilities.event));
    if let Some(event) = known {
        capabilities.exit = event.exit();
    }
    let mut ended = ended.clone();
    let text =
        ended.stdout.text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').trim_end();
    // A duplicate key may hide a denial: then the whole output is read unchanged.
    if let Ok((Value::Object(members), None)) = json::read(text, KeepDuplicate::Last) {
        ended.stdout.text = Value::Object(translate(members)).to_string();
    }
    read::handler(&ended, &capabilities)
}

/// The members of `hookSpecificOutput` in the output; created if it is missing or `null`.
fn specific(object: &mut Map<String, Value>) -> Option<&mut Map<String, Value>> {
    let specific = object.entry("hookSpecificOutput").or_insert(Value::Null);
    if specific.is_null() {
        *specific = Value::Object(Map::new());
    }
    specific.as_object_mut()
}

/// Adds the agent's own members to `hookSpecificOutput`, under the common names. A conflicting
/// member stays, and so does each if `hookSpecificOutput` is no object: nothing reads them, which is
/// a failure.
fn moved(object: &mut Map<String, Value>, names: &[(&str, &str)]) {
    for (native, name) in names {
        let Some(value) = object.shift_remove(*native) else { continue };
        match specific(object) {
            Some(specific) if specific.get(*name).is_none_or(|there| *there == value) => {
                specific.insert((*name).to_owned(), value);
            }
            _ => {
                object.insert((*native).to_owned(), value);
            }
        }
    }
}

/// `decision`, `reason` and `hookSpecificOutput.tool_input`.
fn gemini(mut object: Map<String, Value>) -> Map<String, Value> {
    if object.get("decision").is_some_and(|word| word == "ask") {
        moved(&mut object, &[("decision", "permissionDecision"), ("reason", "permissionDecisionReason")]);
    }
    if let Some(Value::Object(specific)) = object.get_mut("hookSpecificOutput")
        && let Some(input) = specific.shift_remove("tool_input")
    {
        specific.insert("updatedInput".to_owned(), input);
    }
    object
}

/// `permission`, or `continue` for prompts and a follow-up message at the end of a turn.
fn cursor(mut object: Map<String, Value>) -> Map<String, Value> {
    let message = ["agent_message", "user_message"].iter().find_map(|name| object.get(*name).cloned());
    let denied = object.get("continue") == Some(&Value::Bool(false));
    // A member of another type was also intended to prevent the agent from stopping.
    let follows = object.shift_remove("followup_message").filter(|text| !text.is_null() && text != "");
    if let Some(reason) = follows.or_else(|| denied.then(|| message.clone().unwrap_or_default())) {
        object.shift_remove("continue");
        object.insert("decision".to_owned(), Value::from("block"));
        if reason.is_string() {
            object.insert("reason".to_owned(), reason);
        }
    }
    if object.contains_key("permission")
        && let Some(message) = message
    {
        object.insert("agent_message".to_owned(), message);
        moved(&mut object, &[("agent_message", "permissionDecisionReason")]);
    }
    moved(
        &mut object,
        &[
            ("permission", "permissionDecision"),
            ("updated_input", "updatedInput"),
            ("additional_context", "additionalContext"),
        ],
    );
    object
}

/// `permissionDecision`, or `behavior` for a request, at the top.
fn copilot(mut object: Map<String, Value>) -> Map<String, Value> {
    moved(
        &mut object,
        &[
            ("behavior", "permissionDecision"),
            ("message", "permissionDecisionReason"),
            ("permissionDecision", "permissionDecision"),
            ("permissionDecisionReason", "permissionDecisionReason"),
            ("modifiedArgs", "updatedInput"),
            ("modifiedResult", "updatedToolOutput"),
        ],
    );
    object
}

#[cfg(test)]
mod tests {
    use super::{copilot, cursor, gemini};
    use serde_json::{Map, Value, json};

    fn members(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn no_decision_is_lost_beside_another_hook_specific_output() {
        let decision = |value: &Map<String, Value>| value["hookSpecificOutput"]["permissionDecision"].clone();
        let said = cursor(members(json!({"permission": "deny", "hookSpecificOutput": null})));
        assert_eq!(decision(&said), "deny");
        let said = copilot(members(json!({"permissionDecision": "deny", "hookSpecificOutput": null})));
        assert_eq!(decision(&said), "deny");
        let said = gemini(members(json!({"decision": "ask", "hookSpecificOutput": null})));
        assert_eq!(decision(&said), "ask");
        let said = cursor(members(json!({"permission": "deny", "hookSpecificOutput": 5})));
        assert_eq!((&said["permission"], &said["hookSpecificOutput"]), (&json!("deny"), &json!(5)));
    }

    #[test]
    fn forms_of_other_agents() {
        let said = cursor(members(json!({"permission": "deny", "user_message": "u", "agent_message": "a"})));
        assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "deny");
        assert_eq!(said["hookSpecificOutput"]["permissionDecisionReason"], "a");
        let said = cursor(members(json!({"continue": false, "user_message": "u"})));
        assert_eq!((&said["decision"], &said["reason"]), (&json!("block"), &json!("u")));
        let said = cursor(members(json!({"followup_message": "go on"})));
        assert_eq!((&said["decision"], &said["reason"]), (&json!("block"), &json!("go on")));
        assert!(cursor(members(json!({"followup_message": ""}))).is_empty());
        assert_eq!(cursor(members(json!({"followup_message": 5})))["decision"], "block");
        let both = json!({"permission": "deny", "hookSpecificOutput": {"permissionDecision": "allow"}});
        assert_eq!(cursor(members(both))["permission"], "deny");
        let said = gemini(members(json!({"decision": "deny", "reason": "r"})));
        assert_eq!(said["decision"], "deny");
        let said = gemini(members(json!({"hookSpecificOutput": {"tool_input": {"a": 1}}})));
        assert_eq!(said["hookSpecificOutput"]["updatedInput"], json!({"a": 1}));
        let said = copilot(members(json!({"permissionDecision": "deny", "permissionDecisionReason": "r"})));
        assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "deny");
        let said = copilot(members(json!({"behavior": "deny", "message": "m"})));
        assert_eq!(said["hookSpecificOutput"]["permissionDecisionReason"], "m");
    }
}
