//! The second stage of an action: processes run, and the host does what only it can.

mod flat;
mod inject;
mod rewrite;
mod run;

use hookc_base::Family;
use hookc_base::action::{Action, Inject, Log, LogLevel, Modify, ResultForm};
use serde_json::Value;

use crate::context::{ActionContext, Locations};
use crate::outcome::{ActionFailure, Hook, Outcome, PendingAction};
use crate::process::Ended;

/// The result of executing an action, before it is interpreted.
pub(crate) enum Reply {
    /// Nothing to execute: the action itself is the verdict.
    Verdict,
    /// This line is logged.
    Logged(String),
    /// A handler was started in the background, with messages to report.
    Started(Vec<String>),
    /// A handler ended, whose result has this format.
    Ended(Ended, ResultForm),
    /// The result of the host.
    Host(Result<Outcome, ActionFailure>),
}

/// Executes an action.
///
/// # Errors
/// A handler could not be started. A failure of the host is a reply: its meaning depends on the
/// vocabulary.
pub(crate) fn execute(
    hook: &Hook,
    action: &Action,
    context: &ActionContext<'_>,
) -> Result<Reply, ActionFailure> {
    if let Some(reply) = reply_without_host(action, context) {
        return Ok(reply);
    }
    match action {
        Action::Run(run) => run::run(run, hook, context),
        Action::Log(log) => {
            context.host.log(log.level, &log.message, log.fields.as_ref());
            Ok(Reply::Logged(log_line(log)))
        }
        _ => Ok(Reply::Host(perform(hook, action, context))),
    }
}

/// The line of an action `log`, with its level unless that is the usual one.
fn log_line(log: &Log) -> String {
    let level = if log.level == LogLevel::Info { String::new() } else { format!("{}: ", log.level.as_str()) };
    let fields = log.fields.as_ref().map(|fields| format!(" {}", Value::Object(fields.clone())));
    format!("{level}{}{}", log.message, fields.unwrap_or_default())
}

/// The reply to an action that is decided without the host, even if the host also receives it.
pub(crate) fn without_host(action: &Action, context: &ActionContext<'_>) -> Option<Reply> {
    let is_decided = || concludes(action) || context.has_thread() && is_step(action);
    let nothing = || is_decided().then(|| Reply::Host(Ok(Outcome::nothing())));
    reply_without_host(action, context).or_else(nothing)
}

/// The reply to an action that starts nothing and that no host receives.
fn reply_without_host(action: &Action, context: &ActionContext<'_>) -> Option<Reply> {
    match action {
        Action::Inject(Inject { file: Some(file), name, .. }) => {
            // The context of a workflow has the name next to the text.
            let label = name.as_deref().filter(|_| context.family != Some(Family::Workflow));
            Some(Reply::Host(inject::file(file, label, context)))
        }
        Action::Modify(modify @ Modify { rewrite: Some(words), .. }) => {
            Some(Reply::Host(rewrite::rewritten(modify, words, context)))
        }
        action => action.is_verdict().then_some(Reply::Verdict),
    }
}

fn perform(hook: &Hook, action: &Action, context: &ActionContext<'_>) -> Result<Outcome, ActionFailure> {
    match context.host.perform(action, &context.for_host(hook)) {
        Ok(Outcome::Failed(failure)) => Err(failure),
        // Their meaning is in the reply of the engine: the host need not do anything.
        Err(failure) if failure.is_unsupported() && concludes(action) => Ok(Outcome::nothing()),
        reply => reply,
    }
}

fn concludes(action: &Action) -> bool {
    matches!(action, Action::Fail(_) | Action::Abort(_) | Action::Continue(_))
}

/// Whether a thread takes the step that the action is, by its state.
pub(crate) fn is_step(action: &Action) -> bool {
    concludes(action) || matches!(action, Action::Retry(_) | Action::Suspend(_))
}

/// The identity of a handler: the program, its owner (two plugins may have the same text for
/// different files), and the failure mode.
pub(crate) fn dedup_key(pending: &PendingAction, context: &ActionContext<'_>) -> Option<String> {
    let action = pending.action.as_ref().ok().filter(|action| matches!(action, Action::Run(_)))?;
    let Hook { on_error, on_failure, mode, .. } = &pending.hook;
    let locations: Vec<_> = Locations::for_hook(&pending.hook, context).environment().collect();
    Some(format!("{on_error:?} {on_failure:?} {mode:?} {locations:?} {}", action.to_value()))
}
