//! The object that a handler prints.

use hookc_schema::suggest;
use serde_json::{Map, Value};

use super::names::is_denial;
use super::search::denies_within;
use crate::verdict::{Change, Permission, Verdict};

/// The members that are read at the top of the object.
const TOP: [&str; 9] = [
    "continue",
    "decision",
    "hookSpecificOutput",
    "reason",
    "stopReason",
    "systemMessage",
    "terminalSequence",
    "additionalContext",
    "suppressOutput",
];

/// Names for answers in other places: in the object of another agent, or nested deeper. At the top
/// nothing reads them, and they may deny.
const ELSEWHERE: [&str; 4] = ["permissionDecision", "permission", "behavior", "ok"];

/// Names of decisions elsewhere, which `hookSpecificOutput` does not have.
const INSIDE: [&str; 4] = ["permission", "behavior", "ok", "continue"];

/// Words that are not misspellings of `decision`.
const WORDS: [&str; 3] = ["revision", "precision", "division"];

/// Whether a member of the object is read, or would be at another place.
pub(super) fn is_read(name: &str) -> bool {
    TOP.contains(&name) || ELSEWHERE.contains(&name)
}

/// Whether it denies, asks, defers or stops the agent.
pub(crate) fn denies(verdict: &Verdict) -> bool {
    verdict.permission > Some(Permission::Allow) || verdict.stop.is_some()
}

/// Its denial is valid, and other errors are reported.
pub(super) fn denies_despite(mut verdict: Verdict, why: &str) -> Verdict {
    verdict.messages.push(format!("a hook denies, but its output cannot be read: {why}"));
    verdict
}

/// A member that is a string.
pub(super) fn member(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// Interprets the object. Unknown fields pass through. A known field of the wrong type, or in the
/// wrong place, invalidates everything except a denial, which is honoured and shown to the user.
///
/// # Errors
/// It is not such an object, and denies nothing.
pub(super) fn read(value: &Value) -> Result<Verdict, String> {
    let Value::Object(members) = value else { return Err("its output is not an object".to_owned()) };
    let (mut verdict, mut wrong) = (Verdict::default(), None);
    match members.get("continue") {
        Some(Value::Bool(false)) => verdict.stop = Some(member(value, "stopReason").unwrap_or_default()),
        Some(Value::Bool(true) | Value::Null) | None => {}
        Some(_) => note(&mut wrong, mistyped("continue")),
    }
    verdict.messages.extend(member(value, "systemMessage"));
    verdict.contexts.extend(member(value, "additionalContext"));
    verdict.terminal = member(value, "terminalSequence");
    match members.get("decision") {
        Some(Value::String(word)) => match decision(word) {
            Ok(permission) => decide(&mut verdict, Some(permission), member(value, "reason")),
            Err(error) => note(&mut wrong, error),
        },
        Some(Value::Null) | None => {}
        Some(_) => note(&mut wrong, mistyped("decision")),
    }
    match members.get("hookSpecificOutput") {
        Some(Value::Object(specific)) => specific_output(specific, &mut verdict, &mut wrong),
        Some(Value::Null) | None => {}
        Some(_) => note(&mut wrong, mistyped("hookSpecificOutput")),
    }
    for (name, value) in members {
        match (name.as_str(), value) {
            (
                "reason" | "stopReason" | "systemMessage" | "terminalSequence" | "additionalContext",
                Value::String(_) | Value::Null,
            )
            | ("suppressOutput", Value::Bool(_) | Value::Null) => {}
            (
                "reason" | "stopReason" | "systemMessage" | "terminalSequence" | "additionalContext"
                | "suppressOutput",
                _,
            ) => {
                note(&mut wrong, mistyped(name));
            }
            _ => wrong = wrong.or_else(|| misplaced(name, value)),
        }
    }
    match wrong {
        Some(why) if denies(&verdict) => Ok(denies_despite(verdict, &why)),
        Some(why) => Err(why),
        None => Ok(verdict),
    }
}

/// Why a name at the top of the object may be a lost decision.
fn misplaced(name: &str, value: &Value) -> Option<String> {
    if TOP.contains(&name) {
        return None;
    }
    if ELSEWHERE.contains(&name) {
        return Some(format!(
            "`{name}` at the top of its output is not read: write `decision: block`, or \
             `hookSpecificOutput` with `permissionDecision`"
        ));
    }
    if is_denial(name, value) || denies_within(value) {
        return Some(format!(
            "`{name}` in its output is not read, and seems to deny: write `decision: block`, or `hookSpecificOutput` with \
             `permissionDecision`"
        ));
    }
    let long = name.len() >= "continue".len() && !WORDS.contains(&name);
    let near = suggest::slip(name, TOP.into_iter().take(3).chain(ELSEWHERE)).filter(|_| long)?;
    Some(format!("`{name}` in its output is not read; did you mean `{near}`?"))
}

/// The first of several faults is reported.
fn note(wrong: &mut Option<String>, why: String) {
    wrong.get_or_insert(why);
}

fn mistyped(name: &str) -> String {
    format!("`{name}` in its output has the wrong type")
}

/// The stricter of two decisions of one handler wins, with its reason.
fn decide(verdict: &mut Verdict, permission: Option<Permission>, reason: Option<String>) {
    if permission > verdict.permission {
        verdict.permission = permission;
        verdict.reasons.clear();
    }
    if permission.is_none() || permission == verdict.permission {
        verdict.reasons.extend(reason);
    }
}

fn specific_output(specific: &Map<String, Value>, verdict: &mut Verdict, wrong: &mut Option<String>) {
    let (mut said, mut reason) = (None, None);
    for (name, value) in specific {
        match (name.as_str(), value) {
            ("hookEventName", _) | ("updatedToolOutput", Value::Null) => {}
            ("permissionDecision", Value::String(word)) => said = known(word, wrong),
            ("permissionDecisionReason", Value::String(text)) => reason = Some(text.clone()),
            ("updatedInput", Value::Object(fields)) => change(verdict, fields),
            ("additionalContext", Value::String(text)) => verdict.contexts.push(text.clone()),
            ("updatedToolOutput", output) => verdict.output = Some(output.clone()),
            ("decision", Value::Object(decision)) => request(decision, verdict, wrong),
            (
                "permissionDecision"
                | "permissionDecisionReason"
                | "updatedInput"
                | "additionalContext"
                | "decision",
                _,
            ) => note(wrong, mistyped(&format!("hookSpecificOutput.{name}"))),
            _ => match misplaced_inside(name, value) {
                Some(why) => note(wrong, why),
                None => {
                    verdict.more.insert(name.clone(), value.clone());
                }
            },
        }
    }
    decide(verdict, said, reason);
}

/// Why an unknown name in `hookSpecificOutput` may be a lost decision.
fn misplaced_inside(name: &str, value: &Value) -> Option<String> {
    let decision_key = "permissionDecision";
    let is_decision = INSIDE.contains(&name)
        || suggest::slip(name, [decision_key]).is_some()
        || is_denial(name, value)
        || denies_within(value);
    is_decision.then(|| {
        format!("`hookSpecificOutput.{name}` in its output is not read; did you mean `{decision_key}`?")
    })
}

/// The decision about a request for a permission.
fn request(decision: &Map<String, Value>, verdict: &mut Verdict, wrong: &mut Option<String>) {
    let (mut said, mut reason) = (None, None);
    if !decision.contains_key("behavior") {
        note(wrong, "`hookSpecificOutput.decision` in its output has no `behavior`".to_owned());
    }
    for (name, value) in decision {
        match (name.as_str(), value) {
            ("behavior", Value::String(word)) => said = known(word, wrong),
            ("message", Value::String(text)) => reason = Some(text.clone()),
            ("updatedInput", Value::Object(fields)) => change(verdict, fields),
            ("behavior" | "message" | "updatedInput", _) => {
                note(wrong, mistyped(&format!("hookSpecificOutput.decision.{name}")));
            }
            _ => {
                verdict.decision.insert(name.clone(), value.clone());
            }
        }
    }
    decide(verdict, said, reason);
}

fn change(verdict: &mut Verdict, fields: &Map<String, Value>) {
    verdict.change = Some(Change { whole: true, fields: fields.clone() });
}

fn decision(word: &str) -> Result<Permission, String> {
    Ok(match word {
        "block" | "deny" => Permission::Deny,
        "approve" | "allow" => Permission::Allow,
        other => return Err(format!("unknown `decision: {other}`")),
    })
}

fn known(word: &str, wrong: &mut Option<String>) -> Option<Permission> {
    Some(match word {
        "allow" => Permission::Allow,
        "ask" => Permission::Ask,
        "defer" => Permission::Defer,
        "deny" => Permission::Deny,
        other => {
            note(wrong, format!("`{other}` is not a permission decision"));
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::verdict::Permission;
    use serde_json::json;

    #[test]
    fn a_denial_under_the_name_of_another_system_is_a_failure() {
        for denial in [
            json!({"verdict": "deny"}),
            json!({"Verdict": " DENIED "}),
            json!({"block": true}),
            json!({"blocked": true, "reason": "r"}),
            json!({"action": "deny"}),
            json!({"action": {"type": "deny"}}),
            json!({"allow": false}),
            json!({"allowed": false}),
            json!({"result": {"decision": "deny"}}),
            json!({"result": {"output": 1, "policy_decision": {"allow": false}, "verdict": {"blocked": true}}}),
            json!({"status": "blocked"}),
            json!({"decision": "approve", "blocked": true}),
            json!({"rules": {"decision": "deny"}}),
            json!({"output": {"hookSpecificOutput": {"permissionDecision": "deny"}}}),
            json!({"content": [{"type": "text", "text": "{\"decision\": \"block\"}"}]}),
        ] {
            assert!(read(&denial).is_err(), "{denial}");
            assert!(read(&json!({"hookSpecificOutput": denial})).is_err(), "{denial}");
        }
        for other in [
            json!({"verdict": "allow"}),
            json!({"block": false}),
            json!({"blocked": null}),
            json!({"allow": true}),
            json!({"action": "opened"}),
            json!({"note": "deny"}),
            json!({"result": {"text": "blocked"}}),
            json!({"rules": {"decision": "approve"}}),
            json!({"issues": [{"status": "blocked"}]}),
            json!({"status": "blocked by nothing"}),
        ] {
            assert!(read(&other).is_ok(), "{other}");
        }
        let both = json!({"decision": "block", "verdict": "deny"});
        assert_eq!(read(&both).unwrap().permission, Some(Permission::Deny));
    }

    #[test]
    fn a_decision_that_hook_specific_output_does_not_have_is_a_failure() {
        for name in ["permissionDecison", "permission_decision", "permission", "behavior", "ok", "continue"] {
            assert!(read(&json!({"hookSpecificOutput": {name: "deny"}})).is_err(), "{name}");
        }
        for name in ["permissionMode", "watchPaths", "okay", "action"] {
            assert!(read(&json!({"hookSpecificOutput": {name: "x"}})).is_ok(), "{name}");
        }
        let both = json!({"hookSpecificOutput": {"permissionDecision": "deny", "permission": "allow"}});
        assert_eq!(read(&both).unwrap().permission, Some(Permission::Deny));
    }
}
