//! Repository hooks: replies are results with signals.

use hookc_base::action::{Action, ResultForm};

use super::{Attempt, HostReply, Interpreter, plain};
use crate::agent;
use crate::context::ActionContext;
use crate::ended;
use crate::json;
use crate::outcome::{ActionFailure, Hook, Outcome};
use crate::process::Ended;
use crate::signals::HookResult;

pub(super) struct Repositories;

impl Interpreter for Repositories {
    fn ended(&self, ended: &Ended, form: ResultForm, context: &ActionContext<'_>) -> HostReply {
        match form {
            // A denial counts, however the handler ended.
            ResultForm::Signals => denial(ended, context).map_or_else(|| ended::by_output(ended), Ok),
            _ => ended::by_status(ended),
        }
    }

    /// A model that judges has a judgement or a result.
    fn reply(&self, action: &Action, reply: HostReply, _: &ActionContext<'_>) -> HostReply {
        // Signals next to a judgement are a result, which says more.
        let has_signals = matches!(&reply, Ok(Outcome::Value(value)) if value.get("hook_signals").is_some());
        let is_result = has_signals && plain::is_answered(action);
        match if is_result { reply? } else { plain::reply(action, reply)? } {
            Outcome::Value(value) if plain::is_model(action) && !HookResult::is_in(&value) => {
                Err(ActionFailure::closed(agent::NO_ANSWER))
            }
            other => Ok(other),
        }
    }

    /// An invalid result is a failure like any other. Denials of the hook stay valid nevertheless.
    fn value(
        &self,
        mut attempt: Attempt,
        hook: &Hook,
        context: &ActionContext<'_>,
    ) -> Result<Attempt, ActionFailure> {
        let Outcome::Value(value) = &attempt.outcome else { return Ok(attempt) };
        if value.is_null() {
            return Ok(attempt);
        }
        let result = HookResult::read(value, context.name, &hook.label);
        if let Some(why) = &result.failed {
            if !result.denies() {
                let failure = ActionFailure::closed(why.as_str()).with_status(&attempt.status);
                return Err(failure.with_bare("it has no result, or its result reports a failure"));
            }
            attempt.remarks.push("it denies, and its result is also invalid".to_owned());
        }
        attempt.outcome = Outcome::Signals(Box::new(result));
        Ok(attempt)
    }
}

/// The denial that a failed handler printed.
fn denial(ended: &Ended, context: &ActionContext<'_>) -> Option<Outcome> {
    if ended.status.success() {
        return None;
    }
    let value = json::unique(ended.stdout.text.trim()).ok()?;
    HookResult::read(&value, context.name, "").denies().then_some(Outcome::Value(value))
}
