//! Repository hooks: replies are results with signals.

use hookc_base::action::{Action, ResultForm};

use super::{Attempt, HostReply, Interpreter, plain};
use crate::agent;
use crate::context::ActionContext;
use crate::ended;
use crate::outcome::{ActionFailure, Hook, Outcome, UNREADABLE};
use crate::process::Ended;
use crate::signals::HookResult;

pub(super) struct Repositories;

impl Interpreter for Repositories {
    fn ended(&self, ended: &Ended, form: ResultForm, _: &ActionContext<'_>) -> HostReply {
        match form {
            ResultForm::Signals => ended::by_output(ended),
            _ => ended::by_status(ended),
        }
    }

    fn reply(&self, action: &Action, reply: HostReply, _: &ActionContext<'_>) -> HostReply {
        let asks =
            matches!(action, Action::Prompt(_) | Action::Agent(_) | Action::Http(_) | Action::McpTool(_));
        match &reply {
            // A model's yes or no is one about an ability, too.
            Ok(Outcome::Value(value)) if asks && agent::is_judgement(value) => agent::prompted(value)
                .map(Outcome::from)
                .map_err(|why| ActionFailure::closed(why).with_bare(UNREADABLE)),
            _ => plain::reply(action, reply),
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
