//! What a session keeps between the processes that emit its events.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use hookc_base::action::count;
use serde_json::{Map, Value, json};

/// The persistent state of a session.
///
/// ```
/// use hookc_runtime::turn::SessionState;
///
/// let mut state = SessionState::new("s1");
/// state.disabled.insert("deploy".to_owned(), "not on Sundays".to_owned());
/// assert_eq!(SessionState::from_json(&state.to_json()), Ok(state));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionState {
    /// The session; empty for one without an id.
    pub session: String,
    /// The abilities that a guard disabled, with the reason.
    pub disabled: BTreeMap<String, String>,
}

/// Why JSON is not the state of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionStateError {
    /// `version` is not 1.
    Version,
    /// `session` is not a string.
    Session,
    /// `disabled` is not an object of reasons.
    Disabled,
    /// It has another member.
    Member,
}

impl fmt::Display for SessionStateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Version => "`version` is not 1",
            Self::Session => "`session` is not a string",
            Self::Disabled => "`disabled` is not an object of reasons",
            Self::Member => "it has a member other than `version`, `session` and `disabled`",
        })
    }
}

impl Error for SessionStateError {}

impl SessionState {
    /// Of a session in which no ability is disabled.
    #[must_use]
    pub fn new(session: impl Into<String>) -> Self {
        Self { session: session.into(), disabled: BTreeMap::new() }
    }

    /// As JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({"version": 1, "session": self.session, "disabled": self.disabled})
    }

    /// Parses the result of [`to_json`](Self::to_json).
    ///
    /// # Errors
    /// It is something else; the invalid member.
    pub fn from_json(value: &Value) -> Result<Self, SessionStateError> {
        if value.get("version").and_then(count) != Some(1) {
            return Err(SessionStateError::Version);
        }
        let members = value.as_object().map(Map::keys).into_iter().flatten();
        if members.into_iter().any(|name| !["version", "session", "disabled"].contains(&name.as_str())) {
            return Err(SessionStateError::Member);
        }
        let session = value.get("session").and_then(Value::as_str).ok_or(SessionStateError::Session)?;
        let mut state = Self::new(session);
        let disabled = value.get("disabled").and_then(Value::as_object);
        for (ability, reason) in disabled.ok_or(SessionStateError::Disabled)? {
            let reason = reason.as_str().ok_or(SessionStateError::Disabled)?;
            state.disabled.insert(ability.clone(), reason.to_owned());
        }
        Ok(state)
    }
}
