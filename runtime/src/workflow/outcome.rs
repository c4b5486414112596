//! The outcome of the hooks of a point, and the injected values.

use hookc_base::action::word;
use hookc_base::{Family, OnFailure};
use hookc_vm::DecideError;
use serde_json::{Map, Value};

use super::Point;
use crate::event::Event;
use crate::outcome::{ActionFailure, Effect, EventOutcome, HistoryNote, PendingAction};

/// The member of a context with the agent that owns the hooks and pays. No result replaces it.
const AGENT: &str = "agent_id";

const PROMPT: &str = "_prompt";
const SYSTEM_PROMPT: &str = "_system_prompt";

/// The outcome of the hooks of a point.
#[derive(Debug, Default)]
pub struct PointOutcome {
    /// The context with what was injected, but for the two prompts.
    pub context: Map<String, Value>,
    /// The replacement of the step's prompt (`_prompt`).
    pub prompt: Option<String>,
    /// The prefix of the system prompt (`_system_prompt`): all injected values in the order of the
    /// hooks, separated by line breaks.
    pub system_prompt: Option<String>,
    /// Every hook that ran.
    pub effects: Vec<Effect>,
    /// Warn and shadow hooks that matched.
    pub reported: Vec<PendingAction>,
    /// Warnings.
    pub warnings: Vec<String>,
    /// Why the step fails, if it does.
    pub failed: Option<String>,
    point: &'static str,
    module: [u8; 32],
}

impl PointOutcome {
    pub(super) fn new(point: Point, context: Map<String, Value>, module: [u8; 32]) -> Self {
        Self { point: point.as_str(), context, module, ..Self::default() }
    }

    /// Like `new`, for the decision log.
    #[must_use]
    pub fn to_event_outcome(&self) -> EventOutcome {
        EventOutcome {
            event: self.point.to_owned(),
            family: Some(Family::Workflow),
            effects: self.effects.clone(),
            reported: self.reported.clone(),
            module: self.module,
            history: HistoryNote::default(),
        }
    }

    /// No decision about the context is possible: no hook could start, or the step fails after
    /// those that ran, because of an injected value.
    pub(super) fn undecided(mut self, error: DecideError) -> Result<Self, DecideError> {
        let Some(last) = self.effects.last_mut() else { return Err(error) };
        last.remarks.push(format!("no decision after it: {error}"));
        self.failed = Some(format!("no decision after hook {}: {error}", last.hook.label));
        Ok(self)
    }

    /// The failure of a point that cannot be recorded.
    pub(super) fn unrecorded(&mut self, why: Option<String>, by_user: Option<OnFailure>) {
        let Some(why) = why else { return };
        let failure = ActionFailure::unrecorded(&why).why;
        match by_user {
            Some(OnFailure::Open) => self.warnings.push(failure),
            _ => self.failed = self.failed.take().or(Some(failure)),
        }
    }

    /// The input of the next hook: the context, and the injected prompts.
    pub(super) fn event(&self) -> Event {
        let mut context = self.context.clone();
        for (name, text) in [(PROMPT, &self.prompt), (SYSTEM_PROMPT, &self.system_prompt)] {
            if let Some(text) = text {
                context.insert(name.to_owned(), text.as_str().into());
            }
        }
        Event::from_value(Value::Object(context))
    }

    /// Stores a result where its hook requests; nowhere without a name.
    pub(super) fn inject(&mut self, hook: &str, name: Option<&str>, value: &Value) {
        let Some(name) = name.filter(|name| *name != "null") else { return };
        match name {
            PROMPT | SYSTEM_PROMPT if value.is_null() => {
                self.warnings.push(format!("hook {hook} has no value for `{name}`, which stays unchanged"));
            }
            PROMPT => {
                if self.prompt.replace(word(value)).is_some() {
                    self.warnings.push(format!("two hooks inject `{name}`: the last one wins"));
                }
            }
            SYSTEM_PROMPT => {
                let before = self.system_prompt.take().map(|text| text + "\n").unwrap_or_default();
                self.system_prompt = Some(before + &word(value));
            }
            AGENT => {
                self.warnings.push(format!("hook {hook} injects `{name}`, which cannot change the agent"));
            }
            _ => drop(self.context.insert(name.to_owned(), value.clone())),
        }
    }
}
