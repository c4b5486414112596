//! What only the agent can do for a hook.

use std::sync::Arc;

use hookc_runtime::action::{Action, LogLevel};
use hookc_runtime::host::{BackgroundHandler, EventContext};
use hookc_runtime::{ActionFailure, Host, Outcome};
use serde_json::{Map, Value, json};

use super::{Caller, Conversation, Session};
use crate::output;

/// The host of the hooks that a caller's event runs.
pub(super) struct SessionHost<'s> {
    pub(super) session: &'s Arc<Session>,
    pub(super) caller: &'s Caller,
    /// Whose conversation a compaction summarizes.
    pub(super) conversation: Option<&'s Conversation>,
}

impl SessionHost<'_> {
    fn own(&self, action: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        let Self { session, caller, conversation } = self;
        match action {
            Action::Prompt(prompt) => session.judge(&prompt.prompt, context.event).map(Outcome::Value),
            Action::Agent(agent) => session
                .judge_by_agent(caller, agent.agent.as_deref(), &agent.prompt, context.event)
                .map(Outcome::Value),
            Action::Http(http) => hookc_runtime::http::send(http, context).map(Outcome::Value),
            Action::Script(script) => session.scripts.call(script, context, self),
            Action::EmitEvent(emit_event) => {
                let record = json!({"type": "event", "event_type": emit_event.event_type, "payload": emit_event.payload});
                session.output.event(&caller.origin(), &output::Event::Record(record));
                Ok(Outcome::nothing())
            }
            Action::Escalate(escalate) => session.escalate(caller, escalate, &context.hook.label),
            Action::CallDirective(own) if own.directive.ends_with("/default_compaction") => {
                let conversation = conversation.ok_or_else(|| ActionFailure::unsupported(action))?;
                session.summarize(conversation).map(Outcome::Value)
            }
            Action::Retry(_) | Action::Suspend(_) => Ok(Outcome::nothing()),
            other => Err(ActionFailure::unsupported(other)),
        }
    }
}

impl Host for SessionHost<'_> {
    fn perform(&self, action: &Action, context: &EventContext<'_>) -> Result<Outcome, ActionFailure> {
        let extended = self.session.extension.as_ref();
        let extended =
            extended.and_then(|extension| extension.perform(self.session, self.caller, action, context));
        extended.unwrap_or_else(|| self.own(action, context))
    }

    fn log(&self, level: LogLevel, message: &str, _: Option<&Map<String, Value>>) {
        let text = format!("{}: {message}", level.as_str());
        self.session.output.event(&self.caller.origin(), &output::Event::Log(text));
    }

    fn background(&self, handler: BackgroundHandler) -> Result<(), ActionFailure> {
        self.session.in_background(self.caller, handler)
    }

    fn environment(&self) -> Vec<(String, Option<String>)> {
        let project = self.session.project.to_string_lossy().into_owned();
        vec![("CLAUDE_PROJECT_DIR".to_owned(), Some(project))]
    }
}
