//! The result of a probe: a line for each event and call. Texts come from other people's files and programs, so they
//! are escaped for the terminal.

use std::time::Duration;

use hookc_schema::terminal::escape;
use serde_json::json;

use crate::args::Format;

/// What is known of a call at an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Alive,
    Dead,
    /// It may be dead: the agent waits for a person, or a name is not known here.
    Doubtful,
    /// The settings have no call for an event of the policy.
    NotInstalled,
    /// The agent does not have the tool; or a session does not lead to the event.
    NotSent,
    /// The session ended before it showed anything.
    Unproved,
}

impl State {
    fn as_str(self) -> &'static str {
        match self {
            Self::Alive => "alive",
            Self::Dead => "dead",
            Self::Doubtful => "doubtful",
            Self::NotInstalled => "not installed",
            Self::NotSent => "not sent",
            Self::Unproved => "not proved",
        }
    }
}

/// A line of the result.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The agent's name of the event; `None` for other findings in its files.
    pub(super) event: Option<String>,
    pub(super) state: State,
    /// The reason, or what else is to be said.
    pub(super) reason: Option<String>,
    /// How long the answer took.
    pub(super) took: Option<Duration>,
    /// `file:line:column`
    pub(super) location: String,
    pub(super) policies: Vec<String>,
}

impl Row {
    pub(super) fn new(event: &str, state: State, location: &str, policies: &[String]) -> Self {
        let (event, location, policies) = (Some(event.to_owned()), location.to_owned(), policies.to_vec());
        Self { event, state, reason: None, took: None, location, policies }
    }

    pub(super) fn with_reason(self, reason: impl Into<Option<String>>) -> Self {
        Self { reason: reason.into(), ..self }
    }

    /// Whether the guard does not do what its policy needs, or this could not be found out.
    pub(super) fn is_bad(&self) -> bool {
        matches!(self.state, State::Dead | State::NotInstalled | State::Unproved)
    }

    fn line(&self) -> String {
        let event = self.event.as_deref().map(|event| format!("{}: ", escape(event))).unwrap_or_default();
        let took = self.took.map(|took| format!(" ({} ms)", took.as_millis())).unwrap_or_default();
        let reason = self.reason.as_deref().map(|reason| format!(": {}", escape(reason))).unwrap_or_default();
        let location = match self.location.as_str() {
            "" => String::new(),
            location => format!(" [{}]", escape(location)),
        };
        format!("{event}{}{took}{reason}{location}\n", self.state.as_str())
    }

    fn json(&self, host: &str) -> String {
        let line = json!({
            "host": host,
            "event": self.event,
            "state": self.state.as_str(),
            "reason": self.reason,
            "ms": self.took.map(|took| took.as_secs_f64() * 1000.0),
            "place": (!self.location.is_empty()).then_some(&self.location),
            "policies": self.policies,
        });
        format!("{line}\n")
    }
}

pub(super) fn shown(rows: &[Row], host: &str, format: Format) -> String {
    rows.iter().map(|row| if format == Format::Json { row.json(host) } else { row.line() }).collect()
}

/// One line about all of them.
pub(super) fn summary(rows: &[Row]) -> String {
    let states =
        [State::Alive, State::Dead, State::Doubtful, State::NotInstalled, State::NotSent, State::Unproved];
    let count = |state: State| rows.iter().filter(|row| row.state == state).count();
    let parts = states.iter().map(|state| (count(*state), state.as_str())).filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, word)| format!("{count} {word}")).collect();
    if parts.is_empty() { "no call of `hookc run` is installed here".to_owned() } else { parts.join(", ") }
}
