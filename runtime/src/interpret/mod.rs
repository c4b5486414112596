//! The third stage of an action: the meaning of its reply. Each vocabulary has an interpreter for
//! its differences; the rest is in [`plain`].

mod agent;
mod plain;
mod repository;
mod skill;
mod thread;
mod workflow;

use hookc_base::Family;
use hookc_base::action::{Action, ResultForm};

pub(crate) use plain::approved;
pub(crate) use thread::is_return;
pub(crate) use workflow::report_call;

use crate::context::ActionContext;
use crate::ended;
use crate::execute::Reply;
use crate::outcome::{ActionFailure, Hook, Outcome, UNREADABLE};
use crate::process::Ended;

/// The result of executing an action once.
pub(crate) struct Attempt {
    pub(crate) outcome: Outcome,
    /// How a process ended, if one ran.
    pub(crate) status: Option<String>,
    /// Further messages to report.
    pub(crate) remarks: Vec<String>,
    /// The line that the action writes to the log.
    pub(crate) logs: Vec<String>,
}

impl From<Outcome> for Attempt {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, status: None, remarks: Vec::new(), logs: Vec::new() }
    }
}

/// The result of a host.
type HostReply = Result<Outcome, ActionFailure>;

/// The differences of one vocabulary.
trait Interpreter {
    /// A handler that exited normally, whose result has a format.
    fn ended(&self, ended: &Ended, form: ResultForm, context: &ActionContext<'_>) -> HostReply {
        let _ = (form, context);
        ended::by_status(ended)
    }

    /// The result of the host.
    fn reply(&self, action: &Action, reply: HostReply, context: &ActionContext<'_>) -> HostReply {
        let _ = context;
        plain::unread(action, reply)
    }

    /// A value that an action returned.
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
/// It cannot be read, or reports a failed action.
pub(crate) fn interpret(
    reply: Reply,
    hook: &Hook,
    action: &Action,
    context: &ActionContext<'_>,
) -> Result<Attempt, ActionFailure> {
    let family = interpreter(context.family);
    let attempt = match reply {
        Reply::Verdict => Outcome::from(plain::verdict(action)).into(),
        Reply::Logged(line) => Attempt { logs: vec![line], ..Outcome::nothing().into() },
        Reply::Started(remarks) => Attempt { remarks, ..Outcome::Started.into() },
        Reply::Ended(ended, form) => {
            let outcome =
                family.ended(&ended, form, context).map_err(|failure| failure.of_handler(ended.status))?;
            Attempt {
                status: Some(ended.status.to_string()),
                remarks: ended::remarks(&ended),
                ..outcome.into()
            }
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
