//! The content of a line: an event as it arrived, or a line of a decision log with the event and
//! its decision.

use std::borrow::Cow;

use hookc_vm::EventError;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::compare::DecisionSummary;
use crate::cmd::replay::past::Moment;

/// A line that was read.
pub(in crate::cmd) struct Record<'l> {
    /// The event; absent in a decision log without payloads.
    pub(in crate::cmd) event: Option<&'l [u8]>,
    /// Its type, as the log has it.
    pub(in crate::cmd) name: Option<Cow<'l, str>>,
    /// The recorded decision.
    pub(in crate::cmd) summary: Option<DecisionSummary>,
    /// Why the event was rejected, if the log cannot contain the original event.
    pub(in crate::cmd) lost: Option<String>,
    /// Whether it is the result of a background handler, not an event.
    pub(in crate::cmd) background: bool,
    /// When it was, and what was decided then.
    pub(in crate::cmd) moment: Moment,
}

/// A line of a decision log, as `hookc_runtime::log` writes it.
#[derive(Deserialize)]
struct Logged<'l> {
    #[serde(borrow)]
    time: Cow<'l, str>,
    #[serde(rename = "host", borrow)]
    _host: Cow<'l, str>,
    #[serde(borrow)]
    outcome: Cow<'l, str>,
    #[serde(borrow)]
    event: Option<Cow<'l, str>>,
    hooks: Option<Vec<Hook>>,
    error: Option<String>,
    #[serde(default)]
    background: bool,
    #[serde(borrow)]
    payload: Option<&'l RawValue>,
}

#[derive(Deserialize)]
struct Hook {
    hook: String,
    action: String,
}

impl<'l> Record<'l> {
    pub(in crate::cmd) fn read(line: &'l [u8]) -> Self {
        let Some(logged) = logged(line) else {
            let moment = Moment::default();
            return Self {
                event: Some(line),
                name: None,
                summary: None,
                lost: None,
                background: false,
                moment,
            };
        };
        let payload = logged.payload.map(|payload| payload.get().as_bytes());
        let lost = logged.error.clone().filter(|error| is_duplicate(error));
        let hooks = logged.hooks.unwrap_or_default();
        let summary = match logged.error {
            Some(error) => DecisionSummary::error(error),
            None => DecisionSummary::logged(hooks.into_iter().map(|hook| (hook.hook, hook.action))),
        };
        // An invalid event is logged as `null`.
        let event = payload.filter(|payload| *payload != b"null");
        let (background, moment) = (logged.background, Moment::logged(&logged.time, &logged.outcome));
        Self { event, name: logged.event, summary: Some(summary), lost, background, moment }
    }
}

/// Whether an event was rejected because of a duplicate key, in the words of this
/// version or in those of earlier ones.
fn is_duplicate(error: &str) -> bool {
    let current = EventError::Duplicate("\0".to_owned()).to_string();
    let (before, after) = current.split_once('\0').unwrap_or_default();
    [(before, after), ("the event has the key `", "` twice")]
        .iter()
        .any(|(before, after)| !before.is_empty() && error.starts_with(before) && error.ends_with(after))
}

/// The line, if it belongs to a decision log. A missing word identifies most lines
/// of other files.
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
        assert!(plain.event.is_some() && plain.summary.is_none() && plain.name.is_none());
        let line = br#"{"time":"t","host":"claude","event":"Stop","outcome":"no opinion","hooks":[],"payload":{"a":1}}"#;
        let logged = Record::read(line);
        assert_eq!(logged.event, Some(br#"{"a":1}"#.as_slice()));
        assert_eq!(logged.name.as_deref(), Some("Stop"));
        let line = br#"{"time":"t","host":"claude","event":null,"outcome":"error","error":"e"}"#;
        assert!(Record::read(line).event.is_none());
        for error in ["the event has a duplicate key `a`", "the event has the key `a` twice"] {
            let line =
                format!(r#"{{"time":"t","host":"h","outcome":"error","error":"{error}","payload":{{}}}}"#);
            assert!(Record::read(line.as_bytes()).lost.is_some());
        }
    }
}
