//! Timeouts of handlers that are as long as the agent's own for the call of hookc, or longer (W0656).

use hookc_schema::agents::{Agent, Capability};
use hookc_schema::tree::Hook;
use hookc_schema::value::Kind;
use hookc_schema::{Code, Diagnostic};

use crate::hosts::Hosts;

/// Reports a timeout that the agent's own precedes at an event.
pub(crate) fn timeout(hook: &Hook, event: &str, hosts: &Hosts) -> Option<Diagnostic> {
    let param = |name: &str| {
        hook.action.params.iter().find(|(listed, _)| listed.node == name).map(|(_, value)| value)
    };
    let has = |name: &str, truth: bool| param(name).is_some_and(|value| value.kind == Kind::Bool(truth));
    // The program that executes the policy knows its own time, and nobody waits for a handler in the background.
    if hosts.advisory || has("async", true) || has("rewake", true) || has("blocking", false) {
        return None;
    }
    let value = param("timeout")?;
    let Kind::Num(number) = &value.kind else { return None };
    let seconds: f64 = number.0.parse().ok()?;
    let ends = |agent: &&'static Agent| {
        let limit = hosts.timeout.map(f64::from).or_else(|| agent.call_timeout(event))?;
        let limit = agent.longest_timeout(event).map_or(limit, |longest| limit.min(f64::from(longest)));
        let passes = agent.timeout_passes && agent.native(event).is_some_and(|event| !event.timeout_denies);
        let ends = passes && seconds >= limit;
        ends.then_some((*agent, limit))
    };
    let (agent, limit) = hosts.agents.iter().find_map(ends)?;
    let unit = if limit.to_string() == "1" { "second" } else { "seconds" };
    let what = format!("{} ends the call of hookc after {limit} {unit}", agent.label);
    let label = if seconds > limit { "longer than that" } else { "as long as that" };
    let new = Diagnostic::new(Code::W0656, value.span, what).with_label(label);
    let denies = agent.native(event).is_some_and(|native| native.can(Capability::Deny));
    let after = if denies { "the action passes" } else { "nothing reads its answer" };
    let new = new.note(format!("after that, {after}"));
    let longer = seconds.ceil() + 5.0;
    let longer = agent.longest_timeout(event).map_or(longer, |longest| longer.min(f64::from(longest)));
    Some(match longer > seconds {
        true => new.help(format!("install the policy with `--timeout {longer}`, or write less than {limit}")),
        false => new.help(format!("write less than {longer}: the agent waits no longer")),
    })
}
