//! Thread policy: with a thread, replies are values, which its state decides about. Without one
//! ([`Engine::handle`](crate::Engine::handle)) they are verdicts, as at other events.

use hookc_base::action::{Action, ResultForm};
use serde_json::Value;

use super::{HostReply, Interpreter, plain};
use crate::agent;
use crate::context::ActionContext;
use crate::ended;
use crate::execute::is_step;
use crate::outcome::{ActionFailure, Outcome, UNREADABLE};
use crate::process::Ended;

pub(super) struct Threads;

impl Interpreter for Threads {
    fn ended(&self, ended: &Ended, form: ResultForm, context: &ActionContext<'_>) -> HostReply {
        match form {
            ResultForm::Return if context.has_thread() => ended::by_output(ended),
            ResultForm::Return => match ended::by_output(ended)? {
                Outcome::Value(value) if !value.is_null() => returned(value),
                other => Ok(other),
            },
            _ => ended::by_status(ended),
        }
    }

    fn reply(&self, action: &Action, reply: HostReply, context: &ActionContext<'_>) -> HostReply {
        let has_thread = context.has_thread();
        let read = if has_thread { plain::judged } else { plain::reply };
        let reply = read(action, reply)?;
        if let Outcome::Value(value) = &reply
            && plain::is_answered(action)
            && let Some(denial) = agent::denial(value)
        {
            return Ok(denial.into());
        }
        match reply {
            // Text of a model may be a no.
            Outcome::Value(value) if plain::is_model(action) && agent::is_text(&value) => {
                Err(ActionFailure::closed(agent::TEXT_ANSWER))
            }
            Outcome::Value(value) if plain::is_model(action) && !is_return(action, &value) => {
                Err(ActionFailure::closed(agent::NO_ANSWER))
            }
            Outcome::Value(value) if !has_thread && is_return(action, &value) => returned(value),
            other => Ok(other),
        }
    }
}

/// The verdict of a return object. A thread checks it against the schema of the policy.
fn returned(value: Value) -> HostReply {
    if value.get("action").is_none() && value.get("compaction").is_none() {
        let why = format!("it returned no return object: {value}");
        return Err(ActionFailure::closed(why).with_bare(UNREADABLE));
    }
    plain::returned(value)
}

/// Whether the result of an action is a return object, or should be.
pub(crate) fn is_return(action: &Action, value: &Value) -> bool {
    match action {
        _ if is_step(action) => false,
        Action::Escalate(_) | Action::EmitEvent(_) | Action::Log(_) => false,
        _ if value.is_null() => false,
        Action::CallDirective(_) => true,
        Action::Run(run) if run.result == ResultForm::Return => true,
        _ => value.get("action").is_some() || value.get("compaction").is_some(),
    }
}
