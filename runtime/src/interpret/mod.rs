//! The third stage of an action: what its reply means. Each vocabulary has an
//! interpreter, which holds what is different there; the rest is [`plain`].

mod agent;
mod plain;
mod repository;
mod skill;
mod thread;
mod workflow;

use hookc_base::Family;
use hookc_base::action::{Action, ResultForm};

pub(crate) use plain::approved;
pub(crate) use workflow::report_call;

use crate::context::ActionContext;
use crate::execute::Reply;
use crate::outcome::{ActionFailure, Hook, Outcome, UNREADABLE};
use crate::process::Ended;

/// What executing an action once gave.
pub(crate) struct Attempt {
    pub(crate) outcome: Outcome,
    /// How a process ended, if one ran.
    pub(crate) status: Option<String>,
    /// What else is to be reported.
    pub(crate) remarks: Vec<String>,
}

impl From<Outcome> for Attempt {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, status: None, remarks: Vec::new() }
    }
}

/// What a host gave back.
type HostReply = Result<Outcome, ActionFailure>;

/// What is different in one vocabulary.
trait Interpreter {
    /// A handler that ended by itself, whose result has a form.
    fn ended(&self, ended: &Ended, form: ResultForm, context: &ActionContext<'_>) -> HostReply {
        let _ = (form, context);
        plain::by_status(ended)
    }

    /// What the host gave back.
    fn reply(&self, action: &Action, reply: HostReply, context: &ActionContext<'_>) -> HostReply {
        let _ = context;
        plain::reply(action, reply)
    }

    /// A value that an action gave back.
    fn value(
        &self,
        attempt: Attempt,
        hook: &Hook,
        context: &ActionContext<'_>,
    ) -> Result<Attempt, ActionFailure> {
        let _ = (hook, context);
        Ok(attempt)
    }
}

fn interpreter(family: Option<Family>) -> &'static dyn Interpreter {
    match family {
        Some(Family::Agent) => &agent::Agents,
        Some(Family::Repository) => &repository::Repositories,
        Some(Family::Skill) => &skill::Skills,
        Some(Family::Thread) => &thread::Threads,
        Some(Family::Workflow) => &workflow::Workflows,
        None => &plain::Plain,
    }
}

/// Interprets a reply.
///
/// # Errors
/// It cannot be read, or says that the action failed.
pub(crate) fn interpret(
    reply: Reply,
    hook: &Hook,
    action: &Action,
    context: &ActionContext<'_>,
) -> Result<Attempt, ActionFailure> {
    let family = interpreter(context.family);
    let attempt = match reply {
        Reply::Verdict => Outcome::from(plain::verdict(action)).into(),
        Reply::Logged => Outcome::nothing().into(),
        Reply::Started(remarks) => Attempt { remarks, ..Outcome::Started.into() },
        Reply::Ended(ended, form) => {
            let outcome =
                family.ended(&ended, form, context).map_err(|failure| failure.of_handler(ended.status))?;
            Attempt { outcome, status: Some(ended.status.to_string()), remarks: plain::remarks(&ended) }
        }
        Reply::Host(reply) => family.reply(action, reply, context)?.into(),
    };
    let Outcome::Value(value) = &attempt.outcome else { return Ok(attempt) };
    if let Some(check) = context.check {
        let failure =
            |why: String| ActionFailure::closed(why).with_bare(UNREADABLE).with_status(&attempt.status);
        check(hook, action, value).map_err(failure)?;
    }
    family.value(attempt, hook, context)
}
