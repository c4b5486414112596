//! Reading what a handler of the grouped form says: its exit status and its
//! outputs, as Claude Code reads them.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{Answers, WORKTREE};
use crate::json::{self, Keep};
use crate::opinion::{Change, Opinion, Permission};
use crate::process::{Ended, Status};

/// What a handler that ended said. An object on standard output counts whatever
/// the exit status is; 2 refuses beside it.
///
/// # Errors
/// It said nothing that counts: it was stopped, died, exited with neither 0 nor
/// 2 and printed no object, or printed something that begins as JSON and is none.
pub fn handler(ended: &Ended, answers: &Answers) -> Result<Opinion, String> {
    // A byte order mark is no part of what is said.
    let stdout = ended.stdout.text.trim_start_matches('\u{feff}').trim();
    let stderr = ended.stderr.text.trim();
    let whole = stdout.ends_with('}') || ended.stdout.dropped > 0;
    match ended.status {
        Status::Exited(code) if answers.status.refuses(code) => Ok(blocked(stdout, stderr)),
        Status::Exited(2) => Ok(unheard(stdout, stderr)),
        Status::Exited(0) if answers.text && !stdout.is_empty() && !(stdout.starts_with('{') && whole) => {
            Ok(text_said(stdout, answers))
        }
        Status::Exited(0) if stdout.starts_with('{') => printed(stdout),
        Status::Exited(0) => Ok(Opinion::default()),
        status => match printed(stdout) {
            Ok(said) if matches!(status, Status::Exited(_)) => Ok(said),
            _ if stderr.is_empty() => Err(status.to_string()),
            _ => Err(format!("{status}: {stderr}")),
        },
    }
}

/// Whether a handler printed what begins as an object and cannot be read: what was
/// cut, nested too deep or, say, a number that is too large. It may be a refusal.
#[must_use]
pub fn is_unread(ended: &Ended) -> bool {
    let stdout = ended.stdout.text.trim_start_matches('\u{feff}').trim();
    let object = stdout.starts_with('{') && (stdout.ends_with('}') || ended.stdout.dropped > 0);
    object && matches!(ended.status, Status::Exited(_)) && json::unique(stdout).is_err()
}

/// An object that was printed. A key that stands twice makes all of it count for
/// nothing, but for what it refuses with either of the two.
fn printed(text: &str) -> Result<Opinion, String> {
    let read = |keep| json::read(text, keep).map_err(|error| format!("its output is not JSON: {error}"));
    let (last, twice) = read(Keep::Last)?;
    let Some(key) = twice else { return object(&last) };
    let both = [object(&last), object(&read(Keep::First)?.0)];
    let refusing = both.into_iter().flatten().filter(refuses);
    let Some(mut opinion) = refusing.max_by_key(|opinion| opinion.permission) else {
        return Err(json::twice(&key));
    };
    opinion.messages.push(refused_beside(&json::twice(&key)));
    Ok(opinion)
}

fn refuses(opinion: &Opinion) -> bool {
    opinion.permission > Some(Permission::Allow) || opinion.stop.is_some()
}

fn refused_beside(why: &str) -> String {
    format!("a hook refuses, and says what cannot be read: {why}")
}

/// Plain text: something for the model, or the folder that the handler has made.
fn text_said(stdout: &str, answers: &Answers) -> Opinion {
    if answers.event != "WorktreeCreate" {
        return Opinion::context(stdout);
    }
    let path = stdout.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
    let more = Map::from_iter([(WORKTREE.to_owned(), path.into())]);
    Opinion { more, ..Opinion::default() }
}

/// An exit status that refuses, with all that is said beside. The reason is that
/// of what the output refuses, and standard error if it refuses nothing.
fn blocked(stdout: &str, stderr: &str) -> Opinion {
    let mut said = printed(stdout).unwrap_or_default();
    if said.permission != Some(Permission::Deny) || said.reason().is_none() {
        let told = Some(stderr.to_owned()).filter(|text| !text.is_empty()).or_else(|| said.reason());
        said.reasons = vec![told.unwrap_or_else(|| "refused without a reason".to_owned())];
        said.permission = Some(Permission::Deny);
    }
    said.change = None;
    said
}

/// Exit status 2 where it refuses nothing: the output alone counts, and standard
/// error is told.
fn unheard(stdout: &str, stderr: &str) -> Opinion {
    let mut said = printed(stdout).unwrap_or_default();
    said.messages.extend(Some(stderr.to_owned()).filter(|text| !text.is_empty()));
    said
}

/// Events at which a model's refusal ends the turn unless the handler says
/// `continue_on_block`.
const ENDS: [&str; 3] = ["PreToolUse", "PostToolUse", "TeammateIdle"];

/// What a model's `{"ok": false}` comes to beside the refusal itself: it ends
/// the turn at some events, unless `goes_on`; and what can never be met
/// (`impossible`) keeps nobody from stopping.
pub fn refused(value: &Value, opinion: &mut Opinion, event: &str, goes_on: bool) {
    let value = unquoted(value);
    if value.get("ok") != Some(&Value::Bool(false)) {
        return;
    }
    let stops = super::is_stop(event);
    if stops && value.get("impossible") == Some(&Value::Bool(true)) {
        let reason = std::mem::take(opinion).reason();
        opinion.messages.extend(reason);
    } else if ENDS.contains(&event) && !goes_on {
        opinion.stop = Some(opinion.reason().unwrap_or_default());
    }
}

/// What stands in a string that is an object, or the value itself.
fn unquoted(value: &Value) -> Cow<'_, Value> {
    let parsed = value
        .as_str()
        .map(|text| text.trim_start_matches('\u{feff}').trim())
        .filter(|text| text.starts_with('{'));
    let parsed = parsed.and_then(|text| serde_json::from_str(text).ok());
    parsed.map_or(Cow::Borrowed(value), Cow::Owned)
}

/// Whether a model answered in the form `{"ok": ...}`.
#[must_use]
pub fn is_judgement(value: &Value) -> bool {
    unquoted(value).get("ok").is_some()
}

/// What a model or a remote hook answered: an object as a handler prints it, or
/// the form `{"ok": false, "reason": ...}`.
///
/// # Errors
/// It is neither.
pub fn prompted(value: &Value) -> Result<Opinion, String> {
    let value = unquoted(value);
    let value = value.as_ref();
    match value.get("ok") {
        Some(Value::Bool(true)) => Ok(Opinion::default()),
        Some(Value::Bool(false)) => Ok(Opinion::deny(text(value, "reason").unwrap_or_default())),
        Some(_) => Err("`ok` is neither true nor false".to_owned()),
        None if value.is_null() => Ok(Opinion::default()),
        None if value.is_string() => Ok(Opinion::context(text_of(value))),
        None => object(value),
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().trim().to_owned()
}

fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The object that handlers print. Fields that it does not know pass through.
/// One that is known and of the wrong type makes all of it count for nothing, but
/// for what it refuses: that stands, and the user is told.
fn object(value: &Value) -> Result<Opinion, String> {
    let Value::Object(members) = value else { return Err("its output is no object".to_owned()) };
    let (mut opinion, mut wrong) = (Opinion::default(), None);
    match members.get("continue") {
        Some(Value::Bool(false)) => opinion.stop = Some(text(value, "stopReason").unwrap_or_default()),
        Some(Value::Bool(true) | Value::Null) | None => {}
        Some(_) => note(&mut wrong, mistyped("continue")),
    }
    opinion.messages.extend(text(value, "systemMessage"));
    opinion.contexts.extend(text(value, "additionalContext"));
    match members.get("decision") {
        Some(Value::String(word)) => match decision(word) {
            Ok(permission) => decide(&mut opinion, Some(permission), text(value, "reason")),
            Err(error) => note(&mut wrong, error),
        },
        Some(Value::Null) | None => {}
        Some(_) => note(&mut wrong, mistyped("decision")),
    }
    match members.get("hookSpecificOutput") {
        Some(Value::Object(specific)) => specific_output(specific, &mut opinion, &mut wrong),
        Some(Value::Null) | None => {}
        Some(_) => note(&mut wrong, mistyped("hookSpecificOutput")),
    }
    match wrong {
        Some(why) if refuses(&opinion) => {
            opinion.messages.push(refused_beside(&why));
            Ok(opinion)
        }
        Some(why) => Err(why),
        None => Ok(opinion),
    }
}

/// Of several things that are wrong the first is told.
fn note(wrong: &mut Option<String>, why: String) {
    wrong.get_or_insert(why);
}

fn mistyped(name: &str) -> String {
    format!("`{name}` in its output has the wrong type")
}

/// Of two decisions of one handler the stronger counts, with its reason.
fn decide(opinion: &mut Opinion, permission: Option<Permission>, reason: Option<String>) {
    if permission > opinion.permission {
        opinion.permission = permission;
        opinion.reasons.clear();
    }
    if permission.is_none() || permission == opinion.permission {
        opinion.reasons.extend(reason);
    }
}

fn specific_output(specific: &Map<String, Value>, opinion: &mut Opinion, wrong: &mut Option<String>) {
    let (mut said, mut reason) = (None, None);
    for (name, value) in specific {
        match (name.as_str(), value) {
            ("hookEventName", _) | ("updatedToolOutput", Value::Null) => {}
            ("permissionDecision", Value::String(word)) => said = known(word, wrong),
            ("permissionDecisionReason", Value::String(text)) => reason = Some(text.clone()),
            ("updatedInput", Value::Object(fields)) => change(opinion, fields),
            ("additionalContext", Value::String(text)) => opinion.contexts.push(text.clone()),
            ("updatedToolOutput", output) => opinion.output = Some(output.clone()),
            ("decision", Value::Object(decision)) => request(decision, opinion, wrong),
            (
                "permissionDecision"
                | "permissionDecisionReason"
                | "updatedInput"
                | "additionalContext"
                | "decision",
                _,
            ) => note(wrong, mistyped(&format!("hookSpecificOutput.{name}"))),
            _ => {
                opinion.more.insert(name.clone(), value.clone());
            }
        }
    }
    decide(opinion, said, reason);
}

/// The decision about a request for a permission.
fn request(decision: &Map<String, Value>, opinion: &mut Opinion, wrong: &mut Option<String>) {
    let (mut said, mut reason) = (None, None);
    if !decision.contains_key("behavior") {
        note(wrong, "`hookSpecificOutput.decision` in its output has no `behavior`".to_owned());
    }
    for (name, value) in decision {
        match (name.as_str(), value) {
            ("behavior", Value::String(word)) => said = known(word, wrong),
            ("message", Value::String(text)) => reason = Some(text.clone()),
            ("updatedInput", Value::Object(fields)) => change(opinion, fields),
            ("behavior" | "message" | "updatedInput", _) => {
                note(wrong, mistyped(&format!("hookSpecificOutput.decision.{name}")));
            }
            _ => {
                opinion.decision.insert(name.clone(), value.clone());
            }
        }
    }
    decide(opinion, said, reason);
}

fn change(opinion: &mut Opinion, fields: &Map<String, Value>) {
    opinion.change = Some(Change { whole: true, fields: fields.clone() });
}

fn decision(word: &str) -> Result<Permission, String> {
    Ok(match word {
        "block" | "deny" => Permission::Deny,
        "approve" | "allow" => Permission::Allow,
        other => return Err(format!("`decision: {other}` is none that is known")),
    })
}

fn known(word: &str, wrong: &mut Option<String>) -> Option<Permission> {
    Some(match word {
        "allow" => Permission::Allow,
        "ask" => Permission::Ask,
        "defer" => Permission::Defer,
        "deny" => Permission::Deny,
        other => {
            note(wrong, format!("`{other}` is no decision about a permission"));
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{printed, prompted, refused};
    use crate::opinion::Permission;
    use serde_json::{Value, json};

    #[test]
    fn a_key_twice_hides_no_refusal() {
        for text in [
            r#"{"decision": "block", "decision": "approve"}"#,
            r#"{"decision": "approve", "decision": "block"}"#,
        ] {
            let opinion = printed(text).unwrap();
            assert_eq!((opinion.permission, opinion.messages.len()), (Some(Permission::Deny), 1), "{text}");
        }
        assert!(printed(r#"{"reason": "a", "reason": "b"}"#).is_err());
    }

    #[test]
    fn a_refusal_ends_the_turn_or_goes_back() {
        let said = |value: Value, event: &str, goes_on: bool| {
            let mut opinion = prompted(&value).unwrap();
            refused(&value, &mut opinion, event, goes_on);
            (opinion.permission, opinion.stop, opinion.messages.join(""))
        };
        let no = || json!({"ok": false, "reason": "r"});
        let (deny, end) = (Some(Permission::Deny), Some("r".to_owned()));
        assert_eq!(said(no(), "PreToolUse", false), (deny, end.clone(), String::new()));
        assert_eq!(said(no(), "PreToolUse", true), (deny, None, String::new()));
        assert_eq!(said(json!("{\"ok\": false, \"reason\": \"r\"}"), "PostToolUse", false).1, end);
        assert_eq!(said(no(), "Stop", false), (deny, None, String::new()));
        let never = json!({"ok": false, "reason": "r", "impossible": true});
        assert_eq!(said(never.clone(), "Stop", false), (None, None, "r".to_owned()));
        assert_eq!(said(never, "TaskCreated", false), (deny, None, String::new()));
        assert_eq!(said(json!({"ok": true}), "PreToolUse", false), (None, None, String::new()));
    }
}
