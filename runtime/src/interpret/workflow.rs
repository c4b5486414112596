//! Steps of workflows: unless the hook declares otherwise, a step continues without the result of a
//! failed artifact.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hookc_base::action::Action;
use hookc_base::{Family, OnFailure};
use serde_json::Value;

use super::{Attempt, HostReply, Interpreter, plain};
use crate::context::ActionContext;
use crate::outcome::{Outcome, PendingAction};

pub(super) struct Workflows;

impl Interpreter for Workflows {
    fn reply(&self, action: &Action, reply: HostReply, _: &ActionContext<'_>) -> HostReply {
        match action {
            Action::Invoke(_) => reply.map_err(|failure| failure.in_mode(OnFailure::Open)),
            _ => plain::unread(action, reply),
        }
    }
}

/// Reports a call to the host, including retries: each may have a cost.
pub(crate) fn report_call(pending: &PendingAction, attempt: &mut Attempt, context: &ActionContext<'_>) {
    let Ok(action @ Action::Invoke(_)) = &pending.action else { return };
    if context.family != Some(Family::Workflow) {
        return;
    }
    let reply = match &attempt.outcome {
        Outcome::Value(value) => Ok(value),
        Outcome::Failed(failure) => Err(failure.why.as_str()),
        _ => Ok(&Value::Null),
    };
    let caller = context.event.text("agent_id").unwrap_or_default();
    let report = || context.host.invoked(action, &context.for_host(&pending.hook), &caller, reply);
    if catch_unwind(AssertUnwindSafe(report)).is_err() {
        attempt.remarks.push("the host panicked when it received the call".to_owned());
    }
}
