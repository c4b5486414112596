//! What an action comes to at an event of one agent.

use hookc_schema::agent::{Agent, Event, Verdict};

/// What it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// What the action says.
    Done,
    /// The agent sends no such event.
    NoEvent,
    /// `hookc run` cannot execute it: the hook fails.
    Fails {
        /// Whether a failure can deny the event.
        denied: bool,
    },
    /// The event is denied instead.
    Denied(Verdict),
    /// The event goes on, and the user reads why it should not.
    Lost(Verdict),
    /// Nothing comes of it, and nothing is lost that guards.
    NoEffect(Verdict),
}

/// What the action of a kind comes to; `own` if it is a handler that the agent runs by
/// itself.
pub(super) fn outcome(agent: &Agent, event: &str, kind: &str, own: bool) -> Outcome {
    let mut events = agent.events_of(event);
    // Of several the first one is installed.
    let Some(first) = events.next() else { return Outcome::NoEvent };
    match kind {
        "allow" => allowed(first),
        "deny" | "fail" | "abort" => of(first, Verdict::Deny),
        "ask" => of(first, Verdict::Ask),
        "modify" => of(first, Verdict::Modify),
        "inject" => of(first, Verdict::Inject),
        "run" | "log" | "continue" => Outcome::Done,
        "prompt" | "agent" | "http" | "mcp_tool" if own => Outcome::Done,
        _ => Outcome::Fails { denied: first.can(Verdict::Deny) },
    }
}

/// Events at which the agent asks the user unless it is allowed.
const ASKED: [&str; 2] = ["PreToolUse", "PermissionRequest"];

fn allowed(event: &Event) -> Outcome {
    match event.can(Verdict::Allow) || !ASKED.contains(&event.event.as_str()) {
        true => Outcome::Done,
        false => Outcome::NoEffect(Verdict::Allow),
    }
}

fn of(event: &Event, verdict: Verdict) -> Outcome {
    // To ask about a request for a permission is what the agent does anyway.
    let asks_anyway = verdict == Verdict::Ask && event.event == "PermissionRequest";
    if event.can(verdict) || (asks_anyway && event.can(Verdict::Allow)) {
        return Outcome::Done;
    }
    match verdict {
        Verdict::Inject => Outcome::NoEffect(verdict),
        Verdict::Deny => Outcome::Lost(verdict),
        _ if event.can(Verdict::Deny) => Outcome::Denied(verdict),
        _ => Outcome::Lost(verdict),
    }
}
