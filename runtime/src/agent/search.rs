//! Decisions in output that nothing reads: in an unknown member, or in an object after other text.

use serde_json::{Map, Value};

use super::names::is_denial_anywhere;
use super::object::is_read;
use super::shape::{is_plain, last_key};
use crate::json::{self, KeepDuplicate};
use crate::verdict::DENIED;

/// What an object in a text would have done, had it been the whole output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unread {
    /// It allows, changes or says something.
    Answer,
    /// A text in it quotes a denial.
    Quote,
    /// It denies or asks, or is cut off and may.
    Denial,
}

/// Which objects of a text count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Every object: nothing else reads the text.
    Whole,
    /// The object at the end: the text before it has a meaning, and may quote decisions.
    End,
}

/// Members that only events have. A log line that quotes one decides nothing.
const OF_EVENTS: [&str; 2] = ["hook_event_name", "tool_input"];

/// Whether a value denies or asks somewhere inside, in the form of any agent. Text that is JSON, or ends with an object, is
/// searched too: services quote the answers of others.
pub(crate) fn denies_within(value: &Value) -> bool {
    denies_in(value, true)
}

/// Whether a text is JSON, but no object, in which something denies: an object that is a text itself, or in a list.
pub(super) fn denies_as_json(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    text.starts_with(['"', '['])
        && json::read(text, KeepDuplicate::Last).is_ok_and(|(value, _)| denies_within(&value))
}

fn denies_in(value: &Value, in_texts: bool) -> bool {
    match value {
        Value::Object(members) => {
            members.iter().any(|(name, value)| is_denial(name, value) || denies_in(value, in_texts))
        }
        Value::Array(items) => items.iter().any(|item| denies_in(item, in_texts)),
        Value::String(text) if in_texts => denies_in_text(text),
        _ => false,
    }
}

fn denies_in_text(text: &str) -> bool {
    if !text.contains(['{', '[']) {
        return false;
    }
    match json::read(text, KeepDuplicate::Last) {
        Ok((value, _)) => denies_in(&value, true),
        Err(_) => in_text(text, Extent::End) == Some(Unread::Denial),
    }
}

/// Whether a member denies or asks, wherever it is.
fn is_denial(name: &str, value: &Value) -> bool {
    match value {
        Value::String(code) if name == "code" => code == DENIED,
        Value::String(text) if name == "followup_message" => !text.is_empty(),
        _ => is_denial_anywhere(name, value),
    }
}

/// What the objects in a text do that is not an object itself: the strictest. The time is linear in the text: every failed
/// attempt to read an object is within all others that reach as far, and nesting is limited.
pub(super) fn in_text(text: &str, extent: Extent) -> Option<Unread> {
    let last_key = last_key(text);
    let (mut found, mut line) = (None, LineStart { checked: 0, is_plain: true });
    // Where the last object ended, and where the next one is looked for.
    let (mut end, mut at) = (0_usize, 0_usize);
    while let Some((before, rest)) = next_object(text, at) {
        let brace = before.len();
        let starts_line = line.reaches(text, brace);
        let Some((object, is_twice, length)) = json::first_value(rest) else {
            at = brace.saturating_add(1);
            if let Some((quoted, length)) = quoted(before, text) {
                at = before.len().saturating_add(length);
                found = found.max(denies_in_text(&quoted).then_some(Unread::Quote));
                continue;
            }
            if extent == Extent::Whole && starts_line && last_key > Some(brace) {
                return Some(Unread::Denial);
            }
            continue;
        };
        if extent == Extent::End && !text.get(end..brace).is_none_or(is_plain) {
            found = None;
        }
        let first =
            is_twice.then(|| Some(json::read(rest.get(..length)?, KeepDuplicate::First).ok()?.0)).flatten();
        for object in first.iter().chain([&object]) {
            found = found.max(unread(object, starts_line));
        }
        at = brace.saturating_add(length);
        end = at;
    }
    found.filter(|_| extent == Extent::Whole || text.get(end..).is_none_or(is_plain))
}

/// The value of the JSON text that starts before a brace, and its bytes after the brace.
fn quoted(before: &str, text: &str) -> Option<(String, usize)> {
    let start = before.len().checked_sub(1).filter(|_| before.ends_with('"'))?;
    let (value, _, length) = json::first_value(text.get(start..)?)?;
    Some((value.as_str()?.to_owned(), length.saturating_sub(1)))
}

/// Whether only punctuation precedes a position in its line.
struct LineStart {
    checked: usize,
    is_plain: bool,
}

impl LineStart {
    fn reaches(&mut self, text: &str, at: usize) -> bool {
        let new = text.get(self.checked..at).unwrap_or_default();
        self.is_plain = match new.rsplit_once('\n') {
            Some((_, line)) => is_plain(line),
            None => self.is_plain && is_plain(new),
        };
        self.checked = at;
        self.is_plain
    }
}

/// The text before the next brace, and the text from it on.
fn next_object(text: &str, at: usize) -> Option<(&str, &str)> {
    let brace = text.get(at..)?.find('{')?;
    text.split_at_checked(at.checked_add(brace)?)
}

fn unread(object: &Value, starts_line: bool) -> Option<Unread> {
    let members = object.as_object().filter(|members| !is_event(members))?;
    if denies_in(object, false) {
        return Some(Unread::Denial);
    }
    if denies_in(object, true) {
        return Some(Unread::Quote);
    }
    let is_answer = members.keys().any(|name| name != "reason" && is_read(name));
    (starts_line && is_answer).then_some(Unread::Answer)
}

fn is_event(members: &Map<String, Value>) -> bool {
    OF_EVENTS.iter().any(|name| members.contains_key(*name))
}

#[cfg(test)]
mod tests {
    use super::{Extent, Unread, denies_within, in_text};
    use serde_json::json;

    #[test]
    fn denials_are_found_in_every_member() {
        for value in [
            json!({"hookSpecificOutput": {"permissionDecision": "deny"}}),
            json!([{"a": [{"decision": "block"}]}]),
            json!({"content": [{"type": "text", "text": "{\"decision\": \"block\"}"}]}),
            json!({"data": {"permission": "ask"}}),
            json!({"data": {"continue": false}}),
            json!({"data": {"Verdict": "Denied"}}),
            json!({"data": {"blocked": true}}),
            json!({"hook_signals": [{"code": "ABILITY_DENIED"}]}),
            json!("{\"decision\": \"block\"}"),
            json!(["\"{\\\"decision\\\": \\\"block\\\"}\""]),
            json!({"output": "ran\n{\"decision\": \"block\"}"}),
        ] {
            assert!(denies_within(&value), "{value}");
        }
        for value in [
            json!({"data": {"permission": "allow", "status": "blocked", "ok": false}}),
            json!("{\"decision\": "),
            json!({"note": "print {\"decision\": \"block\"} to deny"}),
            json!("deny"),
            json!({"note": "{\"decision\": \"approve\"}", "continue": true}),
        ] {
            assert!(!denies_within(&value), "{value}");
        }
    }

    #[test]
    fn objects_in_text() {
        let deny = r#"{"decision": "block"}"#;
        for text in [
            format!("Shell ready\n{deny}"),
            format!("Shell ready {deny}"),
            format!("[{deny}]"),
            format!("```json\n{deny}\n```\n"),
            format!("{{x}}\n{deny}"),
            "ready\n{\n  \"output\": {\"permissionDecision\": \"ask\"}\n}\n".to_owned(),
            "ready\n{\"decision\": \"block\", \"decision\": \"approve\"}".to_owned(),
        ] {
            assert_eq!(in_text(&text, Extent::Whole), Some(Unread::Denial), "{text}");
            assert_eq!(in_text(&text, Extent::End), Some(Unread::Denial), "{text}");
        }
        for text in [format!("ready\n{deny}\ndone"), "ready\n{\"decision\": \"blo".to_owned()] {
            assert_eq!(in_text(&text, Extent::Whole), Some(Unread::Denial), "{text}");
            assert_eq!(in_text(&text, Extent::End), None, "{text}");
        }
        assert_eq!(in_text("ready\n{\"systemMessage\": \"x\"}", Extent::Whole), Some(Unread::Answer));
        let quoted = r#"{"level": "info"} {"level": "info", "msg": "got {\"decision\": \"block\"}"}"#;
        assert_eq!(in_text(quoted, Extent::Whole), Some(Unread::Quote));
        assert_eq!(in_text(r#"INFO "{\"decision\": \"block\"}" sent"#, Extent::Whole), Some(Unread::Quote));
        for text in [
            "",
            "{name} is busy",
            "got {\"hook_event_name\": \"Stop\", \"a\": {\"decision\": \"block\"}}",
            "got {\"status\": \"blocked\"}",
            "say {\"systemMessage\": \"x\"}",
        ] {
            assert_eq!(in_text(text, Extent::Whole), None, "{text}");
        }
    }

    #[test]
    fn the_time_is_linear_in_the_text() {
        for piece in
            ["{\"a\":", "{\"k\":[", "{\"", "{", "{}", "{\n", "a{(", "{\"a\":\"{\\\"a\\\":", "\"{", "\"{\\\""]
        {
            assert_eq!(in_text(&piece.repeat((1 << 18) / piece.len()), Extent::End), None, "{piece}");
        }
    }
}
