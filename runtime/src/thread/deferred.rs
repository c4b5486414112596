//! The host, without what a thread decides by its state.

use std::path::PathBuf;

use hookc_base::action::{Action, LogLevel};
use serde_json::{Map, Value};

use crate::agent::EventCapabilities;
use crate::event::Event;
use crate::execute::is_step;
use crate::host::{BackgroundHandler, EventContext, Host};
use crate::outcome::{ActionFailure, Outcome};

/// A host that does not receive retries and suspensions yet: they are decided after all hooks were
/// executed.
pub(super) struct DeferredHost<'h>(pub(super) &'h dyn Host);

impl Host for DeferredHost<'_> {
    fn perform(&self, action: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        if is_step(action) { Ok(Outcome::nothing()) } else { self.0.perform(action, context) }
    }

    fn capabilities(&self, event: &str) -> EventCapabilities {
        self.0.capabilities(event)
    }

    fn project(&self, event: &Event) -> Option<PathBuf> {
        self.0.project(event)
    }

    fn invoked(
        &self,
        action: &Action,
        context: &EventContext<'_>,
        caller: &str,
        reply: Result<&Value, &str>,
    ) {
        self.0.invoked(action, context, caller, reply);
    }

    fn log(&self, level: LogLevel, message: &str, fields: Option<&Map<String, Value>>) {
        self.0.log(level, message, fields);
    }

    fn background(&self, handler: BackgroundHandler) -> Result<(), ActionFailure> {
        self.0.background(handler)
    }

    fn environment(&self) -> Vec<(String, Option<String>)> {
        self.0.environment()
    }
}
