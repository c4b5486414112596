//! The persistent state of a thread.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use hookc_base::action::count;
use serde_json::{Value, json};

/// The state of a thread between two events.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct State {
    /// How often each hook requested a retry since the last success.
    pub retries: BTreeMap<String, u64>,
    /// Why it is suspended, if it is.
    pub suspended: Option<Suspension>,
    /// Which escalation is open, if one is.
    pub escalation: Option<Escalation>,
}

/// Why a thread is suspended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Suspension {
    /// The hook.
    pub hook: String,
    /// `limit`, `error`, `budget`, `approval`, or a value from a directive.
    pub reason: String,
    /// How it can resume, if a directive states it.
    pub resume_hint: Option<String>,
}

/// A pending question.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Escalation {
    /// The hook.
    pub hook: String,
    /// `user_approval`, `parent_notification`, `both`, or a value from a directive.
    pub target: String,
    /// The message, if a directive states it.
    pub message: Option<String>,
    /// The deadline; later answers count as a rejection.
    pub timeout_seconds: u64,
}

/// Why JSON is not the state of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateError {
    /// `version` is not 1.
    Version,
    /// `retries` is not an object of counts.
    Retries,
    /// This member is missing.
    Missing(&'static str),
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version => f.write_str("`version` is not 1"),
            Self::Retries => f.write_str("`retries` is not an object of counts"),
            Self::Missing(name) => write!(f, "`{name}` is missing"),
        }
    }
}

impl Error for StateError {}

impl State {
    /// As JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let suspended = self
            .suspended
            .as_ref()
            .map(|suspension| json!({"hook": suspension.hook, "reason": suspension.reason, "resume_hint": suspension.resume_hint}));
        let escalation = self.escalation.as_ref().map(|open| {
            json!({"hook": open.hook, "target": open.target, "message": open.message,
                "timeout_seconds": open.timeout_seconds})
        });
        json!({"version": 1, "retries": self.retries, "suspended": suspended, "escalation": escalation})
    }

    /// Parses the result of [`State::to_json`].
    ///
    /// # Errors
    /// It is something else; the invalid member.
    pub fn from_json(value: &Value) -> Result<Self, StateError> {
        if value.get("version").and_then(count) != Some(1) {
            return Err(StateError::Version);
        }
        let mut state = Self::default();
        let retries = value.get("retries").and_then(Value::as_object).ok_or(StateError::Retries)?;
        for (hook, number) in retries {
            let number = count(number).ok_or(StateError::Retries)?;
            state.retries.insert(hook.clone(), number);
        }
        let part = |name: &str| value.get(name).filter(|value| !value.is_null());
        let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let must = |value: &Value, name: &'static str| text(value, name).ok_or(StateError::Missing(name));
        if let Some(found) = part("suspended") {
            let (hook, reason) = (must(found, "hook")?, must(found, "reason")?);
            state.suspended = Some(Suspension { hook, reason, resume_hint: text(found, "resume_hint") });
        }
        if let Some(found) = part("escalation") {
            let timeout_seconds = found.get("timeout_seconds").and_then(count);
            state.escalation = Some(Escalation {
                hook: must(found, "hook")?,
                target: must(found, "target")?,
                message: text(found, "message"),
                timeout_seconds: timeout_seconds.ok_or(StateError::Missing("timeout_seconds"))?,
            });
        }
        Ok(state)
    }
}
