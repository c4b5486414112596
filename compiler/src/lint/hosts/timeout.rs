//! Timeouts of handlers that are as long as the agent's own for the call of hookc, or longer (W0656).

use std::time::Duration;

use hookc_base::action;
use hookc_schema::agents::{Agent, Capability, before_answer};
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
    let Some(value) = param("timeout") else { return unwritten(hook, event, hosts) };
    let Kind::Num(number) = &value.kind else { return None };
    let seconds: f64 = number.0.parse().ok()?;
    let ends = |agent: &&'static Agent| {
        let limit = hosts.timeout.map(f64::from).or_else(|| agent.call_timeout(event))?;
        let limit = agent.longest_timeout(event).map_or(limit, |longest| limit.min(f64::from(longest)));
        let ends = passes(agent, event) && seconds >= limit;
        ends.then_some((*agent, limit))
    };
    let (agent, limit) = hosts.agents.iter().find_map(ends)?;
    let ends = Duration::try_from_secs_f64(limit).map(self::seconds).ok()?;
    let what = format!("{} ends the call of hookc after {ends}", agent.label);
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

/// Reports a handler without a timeout, which may take as long as the agent waits by default, if the agent's settings
/// have a shorter timeout for the call of hookc.
fn unwritten(hook: &Hook, event: &str, hosts: &Hosts) -> Option<Diagnostic> {
    let limit = hosts.timeout.map(u64::from).map(Duration::from_secs)?;
    if !matches!(hook.action.known(), Some(action::Kind::Run | action::Kind::Http)) {
        return None;
    }
    let may_take = |agent: &&'static Agent| {
        let capabilities = agent.capabilities(&agent.native(event)?.name);
        let is_longer = capabilities.action_timeout(event) >= limit && capabilities.can_deny();
        (is_longer && passes(agent, event)).then(|| (*agent, capabilities.action_timeout(event)))
    };
    let (agent, time) = hosts.agents.iter().find_map(may_take)?;
    let what = format!(
        "{} ends the call of hookc after {}, and this handler only ends after {}",
        agent.label,
        seconds(limit),
        seconds(time)
    );
    let new = Diagnostic::new(Code::W0656, hook.action.kind.span, what).with_label("no `timeout`");
    let new = new.note("after that, the action passes");
    let shorter = before_answer(limit).as_secs_f64();
    Some(new.help(format!("write `timeout: {shorter}`, or install the policy without `--timeout`")))
}

fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    format!("{seconds} second{}", if seconds.to_string() == "1" { "" } else { "s" })
}

/// Whether an event passes if its handler takes longer than the agent waits.
fn passes(agent: &Agent, event: &str) -> bool {
    agent.timeout_passes && agent.native(event).is_some_and(|event| !event.timeout_denies)
}
