//! The first stage of an action: whether it is executed.

pub(crate) mod rule;

use hookc_base::{Family, OnFailure};

use crate::context::{ActionContext, variable};
use crate::outcome::{ActionFailure, Outcome, PendingAction, hex};
use crate::verdict::Permission;
use rule::{BaseDirs, RuleMatch};

/// Decides whether an action is executed.
pub(crate) enum Gate {
    /// It is executed; with messages to report.
    Pass(Vec<String>),
    /// It is not, and this is its outcome.
    Stop(Outcome),
}

/// Checks whether an action is executed.
pub(crate) fn check(pending: &PendingAction, context: &ActionContext<'_>) -> Gate {
    if let Err(failure) = &pending.action
        && failure.is_unknown()
        && pending.hook.is_allow()
    {
        // Without it, the event is no more allowed than without the hook.
        return Gate::Stop(Outcome::Skipped(failure.to_string()));
    }
    if is_once(pending) && context.once.has_run(&context.session(), &once_name(pending, context)) {
        return Gate::Stop(Outcome::Skipped("it already ran in this session".to_owned()));
    }
    check_permission_rule(pending, context)
}

/// Checks the permission rule of a handler against the event. If the rule cannot be
/// evaluated, the handler runs.
fn check_permission_rule(pending: &PendingAction, context: &ActionContext<'_>) -> Gate {
    let Some(rule) = pending.action.as_ref().ok().and_then(|action| action.rule()) else {
        return Gate::Pass(Vec::new());
    };
    if context.family != Some(Family::Agent) && context.event.text("tool_name").is_none() {
        // Agents start no such handler; elsewhere it would be a guard that never runs.
        let failure =
            ActionFailure::closed(format!("it has the rule `{rule}`, but the event is not about a tool"))
                .with_bare("it has a permission rule, but the event is not about a tool")
                .in_mode(context.failure_mode(&pending.hook, OnFailure::Closed));
        return Gate::Stop(Outcome::Failed(failure));
    }
    let places = BaseDirs::for_event(context.event, |name| variable(context, name));
    match rule::judge(rule, context.event, &places, context.programs) {
        RuleMatch::Matches => Gate::Pass(Vec::new()),
        // The rule may contain values of the event, which must not be logged.
        RuleMatch::Fails => Gate::Stop(Outcome::Skipped("its permission rule does not match".to_owned())),
        RuleMatch::Unknown(why) => Gate::Pass(vec![format!("its permission rule cannot be checked: {why}")]),
    }
}

/// Records that a handler with `once` ran in this session, unless it must run again: a failed one
/// has not done its work, and one that denies or stops continues to guard.
pub(crate) fn remember(pending: &PendingAction, outcome: &Outcome, context: &ActionContext<'_>) {
    if !is_once(pending) {
        return;
    }
    let done = match outcome {
        Outcome::Failed(_) => false,
        Outcome::Verdict(verdict) => verdict.permission < Some(Permission::Ask) && verdict.stop.is_none(),
        _ => true,
    };
    let (session, name) = (context.session(), once_name(pending, context));
    if done { context.once.mark(&session, &name) } else { context.once.unmark(&session, &name) }
}

fn is_once(pending: &PendingAction) -> bool {
    pending.action.as_ref().is_ok_and(|action| action.is_once())
}

/// A unique name: neither that of another policy's hook, nor a rank among the hooks of another
/// event.
fn once_name(pending: &PendingAction, context: &ActionContext<'_>) -> String {
    let event = if pending.hook.source.is_none() { context.name } else { "" };
    format!("{} {event} {}", hex(&context.module), pending.hook.label)
}
