//! What a line records: an event as it came, or a line of a decision log with
//! the event in it and what was decided then.

use std::borrow::Cow;

use hookc_vm::event::EventError;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::compare::Said;

/// A line that was read.
pub(super) struct Record<'l> {
    /// The event; not there in a decision log that was written without.
    pub(super) event: Option<&'l [u8]>,
    /// Its type, as the log has it.
    pub(super) name: Option<Cow<'l, str>>,
    /// What was decided.
    pub(super) said: Option<Said>,
    /// Why the event was refused, if the log cannot say it as it was.
    pub(super) lost: Option<String>,
}

/// A line of a decision log, as `hookc_runtime::log` writes it.
#[derive(Deserialize)]
struct Logged<'l> {
    #[serde(rename = "time", borrow)]
    _time: Cow<'l, str>,
    #[serde(rename = "host", borrow)]
    _host: Cow<'l, str>,
    #[serde(rename = "outcome", borrow)]
    _outcome: Cow<'l, str>,
    #[serde(borrow)]
    event: Option<Cow<'l, str>>,
    hooks: Option<Vec<Hook>>,
    error: Option<String>,
    #[serde(borrow)]
    payload: Option<&'l RawValue>,
}

#[derive(Deserialize)]
struct Hook {
    hook: String,
    action: String,
}

impl<'l> Record<'l> {
    pub(super) fn read(line: &'l [u8]) -> Self {
        let Some(logged) = logged(line) else {
            return Self { event: Some(line), name: None, said: None, lost: None };
        };
        let payload = logged.payload.map(|payload| payload.get().as_bytes());
        let lost = logged.error.clone().filter(|error| is_duplicate(error));
        let hooks = logged.hooks.unwrap_or_default();
        let said = match logged.error {
            Some(error) => Said::error(error),
            None => Said::logged(hooks.into_iter().map(|hook| (hook.hook, hook.action))),
        };
        // An event that was none is logged as `null`.
        let event = payload.filter(|payload| *payload != b"null");
        Self { event, name: logged.event, said: Some(said), lost }
    }
}

/// Whether an event was refused for a key that it has twice.
fn is_duplicate(error: &str) -> bool {
    let told = EventError::Duplicate("\0".to_owned()).to_string();
    told.split_once('\0').is_some_and(|(before, after)| error.starts_with(before) && error.ends_with(after))
}

/// The line, if it is one of a decision log. Most lines of other files are
/// told by a word that they lack.
fn logged(line: &[u8]) -> Option<Logged<'_>> {
    let text = std::str::from_utf8(line).ok()?;
    if !text.contains("\"outcome\"") {
        return None;
    }
    let logged: Logged<'_> = serde_json::from_str(text).ok()?;
    (logged.hooks.is_some() || logged.error.is_some()).then_some(logged)
}

#[cfg(test)]
mod tests {
    use super::Record;

    #[test]
    fn events_and_lines_of_a_log() {
        let plain = Record::read(b"{\"event_type\":\"x\",\"outcome\":\"deny\"}");
        assert!(plain.event.is_some() && plain.said.is_none() && plain.name.is_none());
        let line = br#"{"time":"t","host":"claude","event":"Stop","outcome":"no opinion","hooks":[],"payload":{"a":1}}"#;
        let logged = Record::read(line);
        assert_eq!(logged.event, Some(br#"{"a":1}"#.as_slice()));
        assert_eq!(logged.name.as_deref(), Some("Stop"));
        let line = br#"{"time":"t","host":"claude","event":null,"outcome":"error","error":"e"}"#;
        assert!(Record::read(line).event.is_none());
        let line = br#"{"time":"t","host":"h","outcome":"error","error":"the event has the key `a` twice","payload":{}}"#;
        assert!(Record::read(line).lost.is_some());
    }
}
