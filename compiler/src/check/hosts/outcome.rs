//! The effect of an action at an event of one agent.

use hookc_base::action::Kind;
use hookc_schema::agents::{Agent, Capability, Event};

/// The effect of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The intended effect.
    Done,
    /// The agent sends no such event.
    NoEvent,
    /// `hookc run` cannot execute it: the hook fails.
    Fails {
        /// Whether a failure can deny the event.
        denied: bool,
    },
    /// The event is denied instead.
    Denied(Capability),
    /// The event continues, and the user reads the reason against it.
    Lost(Capability),
    /// It has no effect, and no guard is lost.
    NoEffect(Capability),
    /// The agent drops the answer, as it documents.
    Dropped(Capability),
    /// The intended effect, except for this.
    Limited(&'static str),
    /// It has an effect only at this event of the agent, which is not installed by itself.
    Named(&'static str),
}

/// The effect of an action of a kind; `is_handler` if it is a handler that the agent runs by itself.
pub(super) fn outcome(agent: &'static Agent, event: &str, kind: Option<Kind>, is_handler: bool) -> Outcome {
    let mut events = agent.events.iter().filter(|native| native.event == event);
    // Of several the first one is installed.
    let Some(first) = events.next() else { return Outcome::NoEvent };
    match kind {
        Some(Kind::Allow) => allowed(first),
        Some(Kind::Deny | Kind::Fail | Kind::Abort) => at_event(first, Capability::Deny),
        Some(Kind::Ask) => at_event(first, Capability::Ask),
        Some(Kind::Modify) => modified(first, events),
        Some(Kind::Inject) => at_event(first, Capability::Inject),
        Some(Kind::Run | Kind::Log | Kind::Continue) => Outcome::Done,
        Some(Kind::Prompt | Kind::Agent | Kind::Http | Kind::McpTool) if is_handler => Outcome::Done,
        _ => Outcome::Fails { denied: first.can(Capability::Deny) },
    }
}

/// Events at which the agent asks the user unless it is allowed.
const ASKED: [&str; 2] = ["PreToolUse", "PermissionRequest"];

/// A prompt is replaced where the agent takes another one.
fn modified(first: &Event, mut others: impl Iterator<Item = &'static Event>) -> Outcome {
    if first.can(Capability::Modify) || first.can(Capability::Prompt) {
        return Outcome::Done;
    }
    match others.find(|event| event.can(Capability::Prompt)) {
        Some(event) => Outcome::Named(&event.name),
        None => at_event(first, Capability::Modify),
    }
}

fn allowed(event: &'static Event) -> Outcome {
    if let Some(caveat) = event.caveat(Capability::Allow) {
        return Outcome::Limited(caveat);
    }
    match event.can(Capability::Allow) || !ASKED.contains(&event.event.as_str()) {
        true => Outcome::Done,
        false => Outcome::NoEffect(Capability::Allow),
    }
}

fn at_event(event: &Event, capability: Capability) -> Outcome {
    // To ask about a request for a permission is what the agent does anyway.
    let asks_anyway = capability == Capability::Ask && event.event == "PermissionRequest";
    if event.can(capability) || (asks_anyway && event.can(Capability::Allow)) {
        return Outcome::Done;
    }
    match capability {
        _ if event.is_undocumented(capability) => Outcome::Dropped(capability),
        Capability::Inject => Outcome::NoEffect(capability),
        Capability::Deny => Outcome::Lost(capability),
        _ if event.can(Capability::Deny) => Outcome::Denied(capability),
        _ => Outcome::Lost(capability),
    }
}
