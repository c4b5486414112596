//! Reads the answer of a model or a remote hook.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::object::{self, member};
use super::read::AFTER_TEXT;
use super::search::{Extent, Unread, in_text};
use super::shape::{begins_as_object, may_decide};
use crate::json::{self, KeepDuplicate};
use crate::verdict::Verdict;

/// Events at which a model's denial ends the turn unless the handler has `continue_on_block`.
const ENDS: [&str; 3] = ["PreToolUse", "PostToolUse", "TeammateIdle"];

/// Why an object is not an answer of a model.
pub(crate) const NO_ANSWER: &str =
    "a model answered without `ok`: expected `{\"ok\": true}` or `{\"ok\": false}`";

/// Why the text of a model is not an answer.
pub(crate) const TEXT_ANSWER: &str =
    "a model answered with text instead of `{\"ok\": true}` or `{\"ok\": false}`";

/// Why an answer that may have been a denial has no meaning.
pub(crate) const UNREAD_ANSWER: &str = "its answer starts as an object with a decision, and cannot be read";

/// The effect of a model's `{"ok": false}` in addition to the denial: it ends the turn at some
/// events, unless `continues`; and an `impossible` condition does not prevent stopping.
pub(crate) fn refused(value: &Value, verdict: &mut Verdict, event: &str, continues: bool) {
    let Ok(value) = unquoted(value) else { return };
    if value.get("ok") != Some(&Value::Bool(false)) {
        return;
    }
    let stops = super::is_stop(event);
    if stops && value.get("impossible") == Some(&Value::Bool(true)) {
        let reason = std::mem::take(verdict).reason();
        verdict.messages.extend(reason);
    } else if ENDS.contains(&event) && !continues {
        verdict.stop = Some(verdict.reason().unwrap_or_default());
    }
}

/// The object inside a string that starts as one, or the value itself.
///
/// # Errors
/// It starts as an object and cannot be read.
fn unquoted(value: &Value) -> Result<Cow<'_, Value>, String> {
    let begins = |text: &&str| begins_as_object(text, true);
    let Some(text) = value.as_str().filter(begins) else { return Ok(Cow::Borrowed(value)) };
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    json::unique(text).map(Cow::Owned)
}

/// Whether a model answered in the format `{"ok": ...}`.
pub(crate) fn is_judgement(value: &Value) -> bool {
    unquoted(value).is_ok_and(|value| value.get("ok").is_some())
}

/// Whether an answer cannot be read, and may have been a denial: text that starts as an object, with the name of a
/// decision, or that ends with a denial.
pub(crate) fn is_unread(value: &Value) -> bool {
    unquoted(value).is_err() && value.as_str().is_some_and(may_decide) || denies_after_text(value)
}

/// Whether a text has a denial after other text.
fn denies_after_text(value: &Value) -> bool {
    let is_text = |text: &&str| !begins_as_object(text, true);
    value.as_str().filter(is_text).is_some_and(|text| in_text(text, Extent::End) == Some(Unread::Denial))
}

/// Whether an answer has a member that decides or says something: in the format `{"ok": ...}`, or as a handler prints
/// it. An answer that cannot be read has, until its reader says otherwise.
pub(crate) fn is_answer(value: &Value) -> bool {
    let known =
        |members: &Map<String, Value>| members.keys().any(|name| name == "ok" || object::is_read(name));
    unquoted(value).map_or(true, |value| value.as_object().is_some_and(known))
}

/// Whether a model answered with text, without an object in it.
pub(crate) fn is_text(value: &Value) -> bool {
    unquoted(value).is_ok_and(|value| value.as_str().is_some_and(|text| !text.trim().is_empty()))
}

/// The answer of a model or a remote hook: an object as a handler prints it, or `{"ok": false,
/// "reason": ...}`.
///
/// # Errors
/// It is neither.
pub(crate) fn prompted(value: &Value) -> Result<Verdict, String> {
    match unquoted(value) {
        Ok(value) => judged(&value),
        Err(why) => value.as_str().and_then(|text| denial_in(text, &why)).ok_or(why),
    }
}

/// The denial in an answer, which counts wherever a model or a service is asked.
pub(crate) fn denial(value: &Value) -> Option<Verdict> {
    prompted(value).ok().filter(object::denies)
}

/// The denial in text that cannot be read: in the object at its start, by either value of a duplicate key.
fn denial_in(text: &str, why: &str) -> Option<Verdict> {
    let text = json::first(text).unwrap_or(text);
    let read = |keep| judged(&json::read(text, keep).ok()?.0).ok().filter(object::denies);
    let both = [read(KeepDuplicate::Last), read(KeepDuplicate::First)].into_iter().flatten();
    both.max_by_key(|verdict| verdict.permission).map(|verdict| object::denies_despite(verdict, why))
}

fn judged(value: &Value) -> Result<Verdict, String> {
    match value.get("ok") {
        Some(Value::Bool(true)) => next_to_ok(value),
        Some(Value::Bool(false)) => Ok(Verdict::deny(member(value, "reason").unwrap_or_default())),
        Some(_) => Err("`ok` is neither true nor false".to_owned()),
        None if value.is_null() => Ok(Verdict::default()),
        None if denies_after_text(value) => Err(AFTER_TEXT.to_owned()),
        None if value.is_string() => Ok(Verdict::context(text_of(value))),
        None => object::read(value),
    }
}

/// What an answer says next to `"ok": true`: a denial is the stricter of two decisions.
fn next_to_ok(value: &Value) -> Result<Verdict, String> {
    let mut rest = value.clone();
    if let Some(members) = rest.as_object_mut() {
        members.remove("ok");
    }
    match object::read(&rest)? {
        verdict if object::denies(&verdict) => Ok(verdict),
        _ if rest.get("hook_signals").is_some() => Err("`hook_signals` next to `ok` is not read".to_owned()),
        _ => Ok(Verdict::default()),
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{is_judgement, is_unread, prompted, refused};
    use crate::verdict::Permission;
    use serde_json::{Value, json};

    #[test]
    fn a_denial_ends_the_turn_or_returns_to_the_model() {
        let said = |value: Value, event: &str, continues: bool| {
            let mut verdict = prompted(&value).unwrap();
            refused(&value, &mut verdict, event, continues);
            (verdict.permission, verdict.stop, verdict.messages.join(""))
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

    #[test]
    fn a_yes_hides_no_denial() {
        for denial in [
            json!({"ok": true, "decision": "block", "reason": "r"}),
            json!({"ok": true, "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}),
            json!("{\"ok\": true, \"decision\": \"block\"}"),
        ] {
            let verdict = prompted(&denial).unwrap();
            assert_eq!(verdict.permission, Some(Permission::Deny), "{denial}");
        }
        assert_eq!(prompted(&json!({"ok": true, "continue": false})).unwrap().stop, Some(String::new()));
        for unread in [json!({"ok": true, "permissionDecision": "deny"}), json!({"ok": true, "decision": 1})]
        {
            assert!(prompted(&unread).is_err(), "{unread}");
        }
        let approved = prompted(&json!({"ok": true, "decision": "approve", "reason": "r"})).unwrap();
        assert_eq!((approved.permission, approved.reason()), (None, None));
    }

    #[test]
    fn signals_beside_a_yes_are_not_lost() {
        assert!(is_judgement(&json!({"ok": true, "hook_signals": []})));
        assert!(prompted(&json!({"ok": true, "hook_signals": []})).is_err());
        let no = prompted(&json!({"ok": false, "hook_signals": []})).unwrap();
        assert_eq!(no.permission, Some(Permission::Deny));
    }

    #[test]
    fn an_answer_that_may_decide_and_cannot_be_read_is_unread() {
        for text in [
            r#"{"ok": true, "ok": false}"#,
            r#"{"ok": fal"#,
            "\u{200b}{\"decision\": \"block\"}",
            "well\n```json\n{\"decision\": \"block\"}\n```",
            "[{\"decision\": \"block\"}]",
        ] {
            assert!(is_unread(&json!(text)), "{text}");
        }
        for text in ["yes", r#"{"ok": true}"#, "{name} is \"ok\"", r#"{"a": 1, "a": 2}"#] {
            assert!(!is_unread(&json!(text)), "{text}");
        }
    }

    #[test]
    fn an_unreadable_object_body_is_not_text() {
        for body in [
            r#"{"decision": "blo"#,
            r#"{"ok": fal"#,
            r#"{"ok": true, "reason": "a", "reason": "b"}"#,
            "\u{feff} {\"decision\": 1}",
            r#"{"ok": true} {"ok": false}"#,
            r#"{"decision": "approve"} {"decision": "block"}"#,
        ] {
            assert!(prompted(&json!(body)).is_err(), "{body}");
        }
        for denial in [
            r#"{"decision": "block"} x"#,
            r#"{"decision": "block", "decision": "approve"}"#,
            r#"{"ok": true, "ok": false}"#,
            r#"{"ok": false, "ok": true}"#,
            r#"{"ok": false} {"ok": true}"#,
        ] {
            let verdict = prompted(&json!(denial)).unwrap();
            assert_eq!((verdict.permission, verdict.messages.len()), (Some(Permission::Deny), 1), "{denial}");
        }
        assert_eq!(prompted(&json!("{name} is fine")).unwrap().contexts, ["{name} is fine"]);
    }
}
