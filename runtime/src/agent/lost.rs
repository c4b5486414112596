//! Decisions in output that is not read.

use hookc_base::terminal;
use serde_json::Value;

use super::names::{denying_line, is_denial};
use super::object::{self, denies, is_read};
use super::read::{not_read, object_printed};
use super::search::{Extent, Unread, denies_as_json, denies_within, in_text};
use super::shape::{begins_as_object, may_decide};
use crate::json::{self, KeepDuplicate};
use crate::process::{Ended, Output, Status};

/// What output that nothing reads would have decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// It denies in the form of an agent, or may.
    Denial,
    /// It mentions a denial: what to report to the user.
    Mention(String),
}

/// The decision that a handler printed where nothing reads it.
pub(crate) fn lost(ended: &Ended) -> Option<Lost> {
    match lost_in(&ended.stdout) {
        None if is_answer_on_stderr(ended) => Some(Lost::Denial),
        found => found,
    }
}

fn lost_in(stdout: &Output) -> Option<Lost> {
    let text = stdout.text.trim();
    if begins_as_object(text, false) {
        let read = || object_printed(text).map_or(true, |verdict| denies(&verdict));
        let is_denial = may_decide(text) && (stdout.dropped > 0 || read());
        if is_denial || json::read(text, KeepDuplicate::Last).is_ok_and(|(value, _)| seems_to_deny(&value)) {
            return Some(Lost::Denial);
        }
    }
    if denies_as_json(text) {
        return Some(Lost::Denial);
    }
    match in_text(text, Extent::Whole) {
        Some(Unread::Denial) if in_text(text, Extent::End) == Some(Unread::Denial) => Some(Lost::Denial),
        Some(Unread::Denial | Unread::Quote) => Some(Lost::Mention(QUOTED.to_owned())),
        _ => denying_line(text).map(|line| Lost::Mention(not_read(line))),
    }
}

const QUOTED: &str =
    "a hook printed an object with a decision in other text, which is not read: print only the object";

fn seems_to_deny(value: &Value) -> bool {
    let members = value.as_object().into_iter().flatten();
    members.into_iter().any(|(name, value)| is_denial(name, value)) || denies_within(value)
}

/// Whether a handler without other output prints a denial to standard error, and nothing but it: a log entry has other members.
pub(crate) fn is_answer_on_stderr(ended: &Ended) -> bool {
    let is_silent = ended.status == Status::Exited(0) && ended.stdout.text.trim().is_empty();
    let text = Some(ended.stderr.text.trim()).filter(|text| is_silent && text.starts_with('{'));
    let Some(value) = text.and_then(|text| json::unique(text).ok()) else { return false };
    let is_answer = value.as_object().is_some_and(|members| members.keys().all(|name| is_read(name)));
    is_answer && object::read(&value).map_or_else(|_| denies_within(&value), |verdict| denies(&verdict))
}

/// Members that mean something without others.
const MEANINGFUL: [&str; 9] = [
    "additionalContext",
    "async",
    "asyncTimeout",
    "continue",
    "decision",
    "hookSpecificOutput",
    "suppressOutput",
    "systemMessage",
    "terminalSequence",
];

/// What to report about JSON that is not read at all.
pub(crate) fn unread_json(stdout: &Output) -> Option<String> {
    let value = json::unique(stdout.text.trim()).ok().filter(|value| !value.is_null())?;
    let Some(members) = value.as_object() else {
        return Some("a hook printed JSON that is not an object, and it is not read".to_owned());
    };
    if members.keys().any(|name| MEANINGFUL.contains(&name.as_str())) {
        return None;
    }
    let start: String = members.keys().next()?.chars().take(40).collect();
    let name = terminal::escape(&start);
    Some(format!(
        "a hook printed an object with `{name}`, and nothing in it is read: write `decision`, `systemMessage` or `hookSpecificOutput`"
    ))
}

#[cfg(test)]
mod tests {
    use super::{is_answer_on_stderr, unread_json};
    use crate::process::{Ended, Output, Status};

    fn output(text: &str) -> Output {
        Output { text: text.to_owned(), ..Output::default() }
    }

    #[test]
    fn answers_on_standard_error() {
        let ended = |stdout: &str, stderr: &str| Ended {
            status: Status::Exited(0),
            stdout: output(stdout),
            stderr: output(stderr),
            stdin_left: 0,
            left_behind: false,
            took: std::time::Duration::ZERO,
        };
        for text in [
            r#"{"decision": "block", "reason": "x"}"#,
            r#"{"hookSpecificOutput": {"permissionDecision": "deny"}}"#,
        ] {
            assert!(
                is_answer_on_stderr(&ended("", text)) && !is_answer_on_stderr(&ended("ok", text)),
                "{text}"
            );
        }
        for text in ["", "5", "{}", r#"{"decision": "approve"}"#, r#"{"level": "info", "decision": "block"}"#]
        {
            assert!(!is_answer_on_stderr(&ended("", text)), "{text}");
        }
    }

    #[test]
    fn what_is_shown_of_output_cannot_control_a_terminal() {
        let escape = '\u{1b}';
        let shown = super::not_read(&format!("BLOCKED: {escape}]0;x"));
        let name = unread_json(&output("{\"\\u001b[2J\": 1}")).unwrap();
        assert!(!shown.contains(escape) && !name.contains(escape), "{shown} {name}");
    }

    #[test]
    fn objects_without_a_member_that_is_read() {
        for text in [r#"{"error": "x"}"#, r#"{"reason": "x"}"#, r#"{"exitCode": 2, "stopReason": "x"}"#] {
            assert!(unread_json(&output(text)).is_some(), "{text}");
        }
        assert!(unread_json(&output("[false, \"no\"]")).is_some() && unread_json(&output("2")).is_some());
        for text in ["", "{}", "null", "2 files", r#"{"continue": true, "x": 1}"#, r#"{"async": true}"#] {
            assert_eq!(unread_json(&output(text)), None, "{text}");
        }
    }
}
