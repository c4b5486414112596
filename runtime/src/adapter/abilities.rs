//! Limits a verdict to what an agent can do. The rest is denied at events where a denial is
//! possible, shown to the user otherwise, and never treated as approval.

use hookc_schema::agents::{Capability, DenialStyle};

use serde_json::Value;

use super::Incoming;
use crate::agent::is_stop;
use crate::verdict::{Permission, Verdict, joined};

/// The possible answers to an event besides a denial.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Abilities {
    /// Ask the user.
    pub(super) asks: bool,
    /// Defer the call.
    pub(super) defers: bool,
    /// Change the tool's input.
    pub(super) changes: bool,
    /// Replace the user's message.
    pub(super) prompts: bool,
    /// Replace the tool's output.
    pub(super) outputs: bool,
    /// Stop the agent.
    pub(super) stops: bool,
}

impl Abilities {
    /// The answers that the agent's data list for the event.
    pub(super) fn for_event(incoming: &Incoming) -> Self {
        let can = |capability| incoming.agent.writes(&incoming.native, capability);
        Self {
            asks: can(Capability::Ask),
            defers: can(Capability::Defer),
            changes: can(Capability::Modify),
            prompts: can(Capability::Prompt),
            outputs: can(Capability::Output),
            stops: can(Capability::Stop),
        }
    }
}

/// The verdict limited to what an agent can do: the rest is denied, or shown to the user if the
/// event cannot be denied. A denial always has a reason, because some agents require one.
pub(super) fn limited(verdict: Verdict, incoming: &Incoming, can: Abilities) -> Verdict {
    let mut verdict = if can.stops { verdict } else { without_stop(verdict, incoming) };
    if can.prompts && !can.changes {
        change_prompt(&mut verdict);
    }
    if !incoming.capabilities.context {
        let texts = joined(&std::mem::take(&mut verdict.contexts));
        verdict.messages.extend(texts.map(|texts| format!("{}: {texts}", cannot(CONTEXT, incoming))));
    }
    if !incoming.capabilities.can_deny() {
        return as_messages(verdict, incoming, can);
    }
    if verdict.permission == Some(Permission::Defer) && !can.defers {
        verdict.permission = Some(Permission::Ask);
    }
    if verdict.permission == Some(Permission::Deny) || incoming.name != "PostToolUse" {
        let lost = verdict.output.take_if(|_| !can.outputs).is_some();
        report(&mut verdict.messages, lost, OUTPUT, incoming);
    }
    let impossible = match verdict.permission {
        Some(Permission::Deny) => None,
        Some(Permission::Ask | Permission::Defer) if !can.asks => Some("asking the user"),
        _ if verdict.change.as_ref().is_some_and(|new| !can.changes || incoming.cannot_take(new)) => {
            Some(INPUT)
        }
        _ if verdict.prompt.is_some() && !can.prompts => Some(PROMPT),
        _ if verdict.output.is_some() && !can.outputs => Some(OUTPUT),
        _ => None,
    };
    if let Some(what) = impossible {
        let reason = verdict.reason().map(|reason| format!("{reason} ")).unwrap_or_default();
        let reason = format!("{reason}({})", cannot(what, incoming));
        return denied(verdict, reason);
    }
    if verdict.permission == Some(Permission::Deny) {
        (verdict.change, verdict.prompt) = (None, None);
        if verdict.reasons.iter().all(|reason| reason.trim().is_empty()) {
            verdict.reasons = vec!["denied by a hook".to_owned()];
        }
    }
    verdict
}

/// Makes a change of the member `prompt` alone the message that replaces the user's.
fn change_prompt(verdict: &mut Verdict) {
    let text = verdict.change.as_ref().filter(|change| change.fields.len() == 1);
    let text = text.and_then(|change| change.fields.get("prompt")).and_then(Value::as_str);
    if let Some(text) = text.map(str::to_owned) {
        (verdict.prompt, verdict.change) = (Some(text), None);
    }
}

/// A denial with what the verdict has for the user.
fn denied(verdict: Verdict, reason: String) -> Verdict {
    let Verdict { messages, terminal, .. } = verdict;
    Verdict { messages, terminal, ..Verdict::deny(reason) }
}

const INPUT: &str = "changing the input";
const PROMPT: &str = "replacing the user's message";
const OUTPUT: &str = "replacing the tool's output";
const STOP: &str = "stopping the agent";
const CONTEXT: &str = "sending text to the model";

fn cannot(what: &str, incoming: &Incoming) -> String {
    format!("this agent does not support {what} at {}", incoming.native)
}

/// The verdict for an event that cannot be denied.
fn as_messages(mut verdict: Verdict, incoming: &Incoming, can: Abilities) -> Verdict {
    if verdict.permission >= Some(Permission::Ask) {
        let reason = verdict.reason().unwrap_or_default();
        let denied = format!("a hook denies, but {} cannot be denied: {reason}", incoming.native);
        verdict.messages.push(denied);
    }
    let messages = &mut verdict.messages;
    report(messages, verdict.change.take().is_some(), INPUT, incoming);
    report(messages, verdict.prompt.take_if(|_| !can.prompts).is_some(), PROMPT, incoming);
    report(messages, verdict.output.take_if(|_| !can.outputs).is_some(), OUTPUT, incoming);
    undecided(verdict)
}

/// The verdict without its decision.
fn undecided(mut verdict: Verdict) -> Verdict {
    verdict.permission = None;
    verdict.reasons.clear();
    verdict.decision.clear();
    verdict
}

/// Reports what a hook demands if the agent can neither do it nor deny the event.
fn report(messages: &mut Vec<String>, lost: bool, what: &str, incoming: &Incoming) {
    if lost {
        messages.push(cannot(what, incoming));
    }
}

/// Denies what a hook would ask about, with its reason.
pub(super) fn without_asking(mut verdict: Verdict, incoming: &Incoming) -> Verdict {
    let asks = match verdict.permission {
        Some(Permission::Ask) => true,
        Some(Permission::Defer) => !Abilities::for_event(incoming).defers,
        _ => false,
    };
    if asks {
        let reason = verdict.reason().map(|reason| format!("{reason} ")).unwrap_or_default();
        verdict.permission = Some(Permission::Deny);
        verdict.reasons = vec![format!("{reason}(the agent is unattended)")];
        verdict.decision.clear();
    }
    verdict
}

/// Removes a question about a request for a permission: the agent asks anyway.
pub(super) fn without_question(verdict: Verdict, incoming: &Incoming) -> Verdict {
    let asked = matches!(verdict.permission, Some(Permission::Ask | Permission::Defer));
    if incoming.capabilities.denial == DenialStyle::Request && asked { undecided(verdict) } else { verdict }
}

/// For events at which an agent cannot be stopped: stopping becomes a denial. At the end of a turn
/// a denial would do the opposite, and no action is needed.
fn without_stop(mut verdict: Verdict, incoming: &Incoming) -> Verdict {
    let Some(stop) = verdict.stop.take() else { return verdict };
    let reason = if stop.trim().is_empty() { "stopped by a hook".to_owned() } else { stop };
    let stops = is_stop(&incoming.name);
    if incoming.capabilities.can_deny() && !stops {
        return denied(verdict, reason);
    }
    if incoming.name != "Stop" {
        verdict.messages.push(format!("{}: {reason}", cannot(STOP, incoming)));
    }
    if stops {
        verdict.permission = None;
        verdict.reasons.clear();
    }
    verdict
}
