//! Patterns about events that one of the agents never sends (W0434).

use hookc_schema::agents::Agent;
use hookc_schema::tree::{Family, Policy};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, Spanned};

use crate::hosts::Hosts;
use crate::names::{joined, listed_all};

/// Reports the patterns in conditions and facts whose events an agent never sends.
pub(super) fn check(policy: &Policy, vocabulary: &Vocabulary, hosts: &Hosts, out: &mut Diagnostics) {
    if hosts.agents.is_empty() {
        return;
    }
    let mut report = |names: &[&Spanned<String>]| out.extend(unsent(names, vocabulary, hosts));
    for fact in &policy.facts {
        // One of them has to match.
        let names: Vec<_> = fact.patterns.iter().flat_map(|fact| &fact.pattern.names).collect();
        report(&names);
    }
    let hooks = policy.hooks.iter().filter(|hook| hook.decides());
    for cond in policy.fact_conditions().chain(hooks.filter_map(|hook| hook.condition.as_ref())) {
        cond.event_patterns(&mut |pattern| report(&pattern.names.iter().collect::<Vec<_>>()));
    }
}

/// A diagnostic if some of the agents send none of these events.
fn unsent(names: &[&Spanned<String>], vocabulary: &Vocabulary, hosts: &Hosts) -> Option<Diagnostic> {
    let is_known = |name: &&&Spanned<String>| {
        vocabulary.event(Family::Agent, &name.node).is_some_and(|event| event.family == Family::Agent)
    };
    let span = names.first()?.span;
    // Facts and events that a policy declares are sent for all that is known.
    if names.iter().filter(is_known).count() < names.len() {
        return None;
    }
    let sends = |agent: &Agent| names.iter().any(|name| agent.native(&name.node).is_some());
    let agents: Vec<String> =
        hosts.agents.iter().filter(|agent| !sends(agent)).map(|agent| agent.label.clone()).collect();
    let verb = match agents.len() {
        0 => return None,
        1 => "sends",
        _ => "send",
    };
    let mut events: Vec<&str> = names.iter().map(|name| name.node.as_str()).collect();
    events.dedup();
    let what = format!("{} never {verb} {}", joined(&agents), listed_all(&events));
    let new = Diagnostic::new(Code::W0434, span, what).with_label("never in the history there");
    Some(new.help("name an event that it sends, or keep the hook for other agents"))
}
