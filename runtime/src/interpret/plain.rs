//! The default meaning of replies.

use hookc_base::action::{Action, Inject, word};
use serde_json::Value;

use super::{HostReply, Interpreter};
use crate::agent;
use crate::outcome::{ActionFailure, Outcome, UNREADABLE};
use crate::verdict::{Permission, Verdict};

/// Events outside the vocabularies of the policy.
pub(super) struct Plain;

impl Interpreter for Plain {}

/// The verdict that an action is.
pub(super) fn verdict(action: &Action) -> Verdict {
    match action {
        Action::Allow(allow) => Verdict::new(Permission::Allow, allow.reason.clone()),
        Action::Deny(deny) => Verdict::new(Permission::Deny, deny.reason.clone()),
        Action::Ask(ask) => Verdict::new(Permission::Ask, ask.reason.clone()),
        Action::Modify(modify) => Verdict::changed(modify),
        Action::Inject(inject) => injected(inject),
        other => Verdict::deny(format!("`{}` is not a verdict", other.kind())),
    }
}

fn injected(inject: &Inject) -> Verdict {
    let text = inject.text.clone().or_else(|| inject.value.as_ref().map(word)).unwrap_or_default();
    let text = match &inject.name {
        Some(name) => format!("{name}: {text}"),
        None => text,
    };
    if text.is_empty() { Verdict::default() } else { Verdict::context(text) }
}

/// The result of a host. An action that controls a thread is a verdict about an event of another
/// vocabulary, where a value would be ignored.
pub(super) fn reply(action: &Action, reply: HostReply) -> HostReply {
    match action {
        // They deny, whatever the result of the host.
        Action::Fail(fail) => {
            let why = fail.error_message.as_deref().unwrap_or("required by the policy");
            Ok(Verdict::deny(why).into())
        }
        Action::Abort(_) => Ok(Verdict::deny("the policy aborts it").into()),
        Action::Suspend(suspend) => {
            reply?;
            Ok(Verdict::deny(format!("suspended: {}", suspend.reason)).into())
        }
        Action::Escalate(_) => by_value(reply?, answered),
        Action::CallDirective(_) => by_value(reply?, returned),
        _ => judged(action, reply),
    }
}

/// Like `reply`, but where nothing reads a value: a denial in the form that handlers print counts, and a model that gives no
/// answer has failed, because its text may be a no.
pub(super) fn unread(action: &Action, reply: HostReply) -> HostReply {
    match self::reply(action, reply)? {
        Outcome::Value(value) if is_answered(action) => match agent::denial(&value) {
            Some(denial) => Ok(denial.into()),
            None if is_model(action) && agent::is_text(&value) => {
                Err(ActionFailure::closed(agent::TEXT_ANSWER))
            }
            None if is_model(action) && !(value.is_object() && agent::is_answer(&value)) => {
                Err(ActionFailure::closed(agent::NO_ANSWER))
            }
            None if is_model(action) => agent::prompted(&value)
                .map(Outcome::from)
                .map_err(|why| ActionFailure::closed(why).with_bare(UNREADABLE)),
            None => Ok(Outcome::Value(value)),
        },
        other => Ok(other),
    }
}

/// Whether a model judges.
pub(super) fn is_model(action: &Action) -> bool {
    matches!(action, Action::Prompt(_) | Action::Agent(_))
}

/// Whether a model or a service answers.
pub(super) fn is_answered(action: &Action) -> bool {
    is_model(action) || matches!(action, Action::Http(_) | Action::McpTool(_))
}

/// The answer of a model or a service: a yes or a no is a verdict, anything else a value.
pub(super) fn judged(action: &Action, reply: HostReply) -> HostReply {
    let is_answered = is_answered(action);
    match &reply {
        Ok(Outcome::Value(value)) if is_answered && agent::is_unread(value) => {
            let denial = agent::denial(value).map(Outcome::from);
            denial.ok_or_else(|| ActionFailure::closed(agent::UNREAD_ANSWER))
        }
        Ok(Outcome::Value(value)) if is_answered && agent::is_judgement(value) => agent::prompted(value)
            .map(Outcome::from)
            .map_err(|why| ActionFailure::closed(why).with_bare(UNREADABLE)),
        Ok(Outcome::Value(Value::Null)) if is_model(action) => Err(ActionFailure::closed(agent::NO_ANSWER)),
        _ => reply,
    }
}

/// Interprets a value; what the host has interpreted itself stays.
fn by_value(outcome: Outcome, interpret: impl FnOnce(Value) -> HostReply) -> HostReply {
    match outcome {
        Outcome::Value(value) => interpret(value),
        other => Ok(other),
    }
}

/// An escalation: no verdict if it was approved; without an answer the user is asked.
fn answered(reply: Value) -> HostReply {
    let verdict = match approved(&reply) {
        Some(true) => Verdict::default(),
        Some(false) => Verdict::deny("the escalation was rejected"),
        None => Verdict::new(Permission::Ask, Some("the escalation has no answer yet".to_owned())),
    };
    Ok(verdict.into())
}

/// The host's answer to an escalation; `None` if there is none yet.
pub(crate) fn approved(reply: &Value) -> Option<bool> {
    reply.as_bool().or_else(|| reply.get("approved").and_then(Value::as_bool))
}

/// A return object, the result of a directive. Without an `action` it says nothing; one that is not known may
/// have been a denial.
pub(super) fn returned(reply: Value) -> HostReply {
    let text = |name: &str| reply.get(name).and_then(Value::as_str);
    let reason = || text("error_message").or_else(|| text("error")).unwrap_or("required by a directive");
    let verdict = match reply.get("action") {
        None | Some(Value::Null) => return Ok(reply.into()),
        Some(action) => match action.as_str() {
            Some("CONTINUE") => return Ok(Outcome::nothing()),
            Some("FAIL" | "ABORT" | "SUSPEND") => Verdict::deny(reason()),
            Some("ESCALATE") => Verdict::new(Permission::Ask, Some(reason().to_owned())),
            Some(only @ ("RETRY" | "CALL")) => {
                let why = format!("it returned `{only}`, which only a thread can execute");
                return Err(ActionFailure::closed(why));
            }
            _ => {
                let why = format!("it returned the action {action}, which is not known");
                return Err(ActionFailure::closed(why).with_bare(UNREADABLE));
            }
        },
    };
    Ok(verdict.into())
}
