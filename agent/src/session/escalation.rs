//! Escalations: who is asked, and who is notified.
//!
//! A person approves, never a model. A parent (the agent above a sub-agent, or above the thread of a
//! directive) is notified: its model reads it with the next request.

use std::sync::Arc;

use hookc_runtime::ActionFailure;
use hookc_runtime::Outcome;
use hookc_runtime::action::Escalate;
use serde_json::Value;

use super::{Caller, Session};
use crate::permission;

/// Whether the parent is notified.
pub(crate) fn is_for_parent(escalate: &Escalate) -> bool {
    matches!(escalate.target.as_deref(), Some("parent_notification" | "both"))
}

/// What the parent reads.
pub(crate) fn notification(who: &str, escalate: &Escalate, hook: &str) -> String {
    let why = escalate.message.as_deref().unwrap_or("a policy wants an approval");
    format!("Notification: {who} waits for an approval (hook {hook}): {why}")
}

impl Session {
    /// Escalates: notifies the parent, and asks on the terminal. Without an answer the agent waits.
    pub(super) fn escalate(
        self: &Arc<Self>,
        caller: &Caller,
        escalate: &Escalate,
        hook: &str,
    ) -> Result<Outcome, ActionFailure> {
        if let (Some(id), true) = (&caller.agent_id, is_for_parent(escalate)) {
            let text = notification(id, escalate, hook);
            let parent = caller.parent.as_deref().unwrap_or_default();
            self.notify(parent, &text).map_err(|error| ActionFailure::failed(error.message))?;
        }
        let why = escalate.message.as_deref().unwrap_or("A policy wants an approval.");
        let question = format!("{hook} asks: {why}\nContinue?");
        Ok(Outcome::Value(permission::ask(&question).map_or(Value::Null, Value::Bool)))
    }
}
