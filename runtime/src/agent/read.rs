//! Reads the output of a handler of the grouped format: its exit status and its outputs, as Claude
//! Code reads them. Output that starts as an object and cannot be read may have been a denial, and so may an object
//! after other text: agents ignore both, but here they fail closed.

use hookc_base::terminal;
use serde_json::{Map, Value};

use super::names::denying_line;
use super::object::{self, denies, denies_despite};
use super::search::{Extent, Unread, denies_as_json, in_text};
use super::shape::{begins_as_object, is_invisible};
use super::{EventCapabilities, WORKTREE};
use crate::json::{self, KeepDuplicate};
use crate::process::{Ended, Output, Status};
use crate::verdict::{Permission, Verdict};

/// Why output is a failure that has a denial after other text.
pub(super) const AFTER_TEXT: &str =
    "its output has a decision after other text, where it is not read: print only the object";

/// Why output is a failure that has a denial in JSON that is not an object.
const IN_TEXT: &str =
    "its output has a decision in a JSON text or list, where it is not read: print only the object";

/// Why the output of a handler is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoAnswer {
    /// Why.
    pub(crate) why: String,
    /// Whether it may have been a denial: the handler printed text that starts as an object and
    /// cannot be read.
    pub(crate) may_deny: bool,
}

/// The standard output of a handler.
enum Printed<'o> {
    Nothing,
    Text(&'o str),
    /// Text with an object that would have been an answer without the text.
    Mixed(&'o str),
    /// Text that starts as an object: its content, or why it cannot be read.
    Object(Result<Box<Verdict>, String>),
}

/// Interprets the result of a handler. An object on standard output is read at any exit status;
/// status 2 denies in addition.
///
/// # Errors
/// It has no valid output: it was stopped, died, exited with neither 0 nor 2 without printing an
/// object, or printed text that starts as an object and is not one.
pub(crate) fn handler(ended: &Ended, capabilities: &EventCapabilities) -> Result<Verdict, NoAnswer> {
    let stderr = ended.stderr.text.trim();
    let unread = |why: String| NoAnswer { why, may_deny: true };
    match (ended.status, printed(&ended.stdout, capabilities)) {
        (Status::Exited(code), said) if capabilities.exit.denies(code) => Ok(blocked(said, stderr)),
        (Status::Exited(0), Printed::Text(text) | Printed::Mixed(text)) if capabilities.text => {
            Ok(text_verdict(text, capabilities))
        }
        (Status::Exited(0), Printed::Mixed(text)) => Ok(Verdict::message(mixed(text))),
        (Status::Exited(0), Printed::Text(_) | Printed::Nothing) => Ok(Verdict::default()),
        (Status::Exited(0), Printed::Object(said)) => said.map(|said| *said).map_err(unread),
        (Status::Exited(2), Printed::Text(_) | Printed::Mixed(_) | Printed::Nothing) => {
            Ok(with_message(Verdict::default(), stderr))
        }
        (Status::Exited(2), Printed::Object(Ok(said))) => Ok(with_message(*said, stderr)),
        (Status::Exited(_), Printed::Object(Ok(said))) => Ok(*said),
        // A denial before it was stopped stays valid.
        (status, Printed::Object(Ok(said))) if denies(&said) => {
            Ok(with_message(*said, &format!("a hook denies, and then was {status}")))
        }
        (status, Printed::Object(Err(why))) => Err(unread(format!("{status}: {why}"))),
        (status, _) if stderr.is_empty() => Err(NoAnswer { why: status.to_string(), may_deny: false }),
        (status, _) => Err(NoAnswer { why: format!("{status}: {stderr}"), may_deny: false }),
    }
}

fn printed<'o>(stdout: &'o Output, capabilities: &EventCapabilities) -> Printed<'o> {
    // A byte order mark is not part of the output.
    let text = stdout.text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').trim_end();
    match () {
        () if stdout.dropped > 0 && is_invisible(text) => {
            Printed::Object(Err("what follows its first, empty output is not read".to_owned()))
        }
        () if text.is_empty() => Printed::Nothing,
        () if !begins_as_object(text, capabilities.text) => text_printed(text, capabilities),
        () if stdout.dropped > 0 => {
            let why = format!("its output is larger than the limit of {} bytes", stdout.text.len());
            // A denial in a whole object counts, whatever follows it.
            let denial = json::first(text).and_then(|first| object_printed(first).ok()).filter(denies);
            Printed::Object(denial.map(|denial| Box::new(denies_despite(denial, &why))).ok_or(why))
        }
        () => Printed::Object(object_printed(text).map(Box::new)),
    }
}

/// Why text is not read that has an answer after other text, or a denial in another notation.
fn mixed(text: &str) -> String {
    match denying_line(text) {
        Some(line) => not_read(line),
        None => {
            "a hook printed an object after other text, which is not read: print only the object".to_owned()
        }
    }
}

/// Why a line that seems to deny does not.
pub(super) fn not_read(line: &str) -> String {
    let start: String = line.chars().take(60).collect();
    let line = terminal::escape(&start);
    format!(
        "a hook printed `{line}`, which is not read: to deny, exit with 2, or print `{{\"decision\": \"block\", \"reason\": \"...\"}}`"
    )
}

fn text_printed<'o>(text: &'o str, capabilities: &EventCapabilities) -> Printed<'o> {
    if denies_as_json(text) {
        return Printed::Object(Err(IN_TEXT.to_owned()));
    }
    let extent = if capabilities.text { Extent::End } else { Extent::Whole };
    match in_text(text, extent) {
        Some(Unread::Denial) => Printed::Object(Err(AFTER_TEXT.to_owned())),
        Some(Unread::Answer | Unread::Quote) => Printed::Mixed(text),
        None if !capabilities.text && denying_line(text).is_some() => Printed::Mixed(text),
        None => Printed::Text(text),
    }
}

/// Whether output starts as an object.
pub(crate) fn prints_object(stdout: &Output) -> bool {
    begins_as_object(&stdout.text, false)
}

/// A printed object. A duplicate key invalidates everything except a denial in either value. So
/// does text after the object.
pub(super) fn object_printed(text: &str) -> Result<Verdict, String> {
    let read = |keep| json::read(text, keep).map_err(|error| format!("its output is not JSON: {error}"));
    let (last, twice) = match read(KeepDuplicate::Last) {
        Ok(read) => read,
        Err(why) => return before(text, why),
    };
    let Some(key) = twice else { return object::read(&last) };
    let both = [object::read(&last), object::read(&read(KeepDuplicate::First)?.0)];
    let denying = both.into_iter().flatten().filter(denies);
    let Some(verdict) = denying.max_by_key(|verdict| verdict.permission) else {
        return Err(json::twice(&key));
    };
    Ok(denies_despite(verdict, &json::twice(&key)))
}

/// The denial in the object at the start of a text; otherwise the reason why the text cannot be
/// read.
fn before(text: &str, why: String) -> Result<Verdict, String> {
    let first = json::first(text).filter(|first| first.len() < text.len());
    match first.map(object_printed) {
        Some(Ok(verdict)) if denies(&verdict) => Ok(denies_despite(verdict, &why)),
        _ => Err(why),
    }
}

fn with_message(mut verdict: Verdict, text: &str) -> Verdict {
    verdict.messages.extend(Some(text.to_owned()).filter(|text| !text.is_empty()));
    verdict
}

/// Plain text: context for the model, or the directory that the handler has created.
fn text_verdict(stdout: &str, capabilities: &EventCapabilities) -> Verdict {
    if capabilities.event != "WorktreeCreate" {
        return Verdict::context(stdout);
    }
    let path = stdout.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
    let more = Map::from_iter([(WORKTREE.to_owned(), Value::from(path))]);
    Verdict { more, ..Verdict::default() }
}

/// An exit status that denies, with the rest of the output. The reason is that of a denial in the
/// output, otherwise standard error.
fn blocked(said: Printed<'_>, stderr: &str) -> Verdict {
    let mut said = match said {
        Printed::Object(Ok(said)) => *said,
        Printed::Object(Err(why)) => denies_despite(Verdict::default(), &why),
        Printed::Text(_) | Printed::Mixed(_) | Printed::Nothing => Verdict::default(),
    };
    if said.permission != Some(Permission::Deny) || said.reason().is_none() {
        let reported = Some(stderr.to_owned()).filter(|text| !text.is_empty()).or_else(|| said.reason());
        said.reasons = vec![reported.unwrap_or_else(|| "denied without a reason".to_owned())];
        said.permission = Some(Permission::Deny);
    }
    said.change = None;
    said
}

#[cfg(test)]
mod tests {
    use super::object_printed;
    use crate::verdict::Permission;

    #[test]
    fn a_duplicate_key_hides_no_denial() {
        for text in [
            r#"{"decision": "block", "decision": "approve"}"#,
            r#"{"decision": "approve", "decision": "block"}"#,
        ] {
            let verdict = object_printed(text).unwrap();
            assert_eq!((verdict.permission, verdict.messages.len()), (Some(Permission::Deny), 1), "{text}");
        }
        assert!(object_printed(r#"{"reason": "a", "reason": "b"}"#).is_err());
    }

    #[test]
    fn text_after_a_denial_does_not_hide_it() {
        for text in
            ["{\"decision\": \"block\"}\ndone", "{\"decision\": \"block\"} {\"decision\": \"approve\"}"]
        {
            let verdict = object_printed(text).unwrap();
            assert_eq!((verdict.permission, verdict.messages.len()), (Some(Permission::Deny), 1), "{text}");
        }
        for text in [
            "{\"decision\": \"approve\"}\n{\"decision\": \"block\"}",
            "{\"decision\": \"blo",
            "{\"decision\": \"block\"",
            "{\"decision\": \"Block\"}",
            "{'decision': 'block'}",
        ] {
            assert!(object_printed(text).is_err(), "{text}");
        }
    }
}
