//! Checks the effect of actions at the agents that execute them with `hookc run`: the agents that
//! the caller names, or all known ones.
//!
//! Without named agents, an action that some agent can execute is not an error, because policies
//! are shared. Each named agent must be able to execute it.

mod outcome;
mod past;
mod report;
mod success;

use hookc_base::action::Kind;
use hookc_schema::agents::Agent;
use hookc_schema::dialect::test::Verdict;
use hookc_schema::tree::{Family, Hook, Policy};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Diagnostic, Diagnostics, Severity, agents};

use super::event::{self, Intended};
use outcome::{Outcome, outcome};
use report::Report;

use crate::hosts::Hosts;
use crate::lint;

/// Reports the actions of a policy's hooks that `hosts` cannot execute at their events; without
/// hosts, those that no agent can execute.
pub(crate) fn check(policy: &Policy, vocabulary: &Vocabulary, hosts: &Hosts, out: &mut Diagnostics) {
    past::check(policy, vocabulary, hosts, out);
    success::check(policy, hosts, out);
    lint::hosts::check(policy, vocabulary, hosts, out);
    // An unknown kind is an error by itself.
    let known = |hook: &&Hook| vocabulary.actions.contains_key(&hook.action.kind.node);
    for hook in policy.hooks.iter().filter(|hook| hook.decides()).filter(known) {
        for event in &hook.events {
            let declared = vocabulary.event(hook.family, &event.node).map(|event| event.family);
            let report = Report { hook, event };
            if declared != Some(Family::Agent) {
                let shipped = declared.filter(|_| policy.declarations.events.is_none());
                out.extend(elsewhere(&report, shipped, hosts));
                continue;
            }
            if hosts.agents.is_empty() {
                out.extend(of_none(hook, &event.node).map(|outcome| report.no_agent(&outcome)));
            } else {
                if !is_handler(hook) {
                    out.extend(lint::hosts::timeout(hook, &event.node, hosts));
                }
                of_each(hook, &event.node, hosts, |outcome, agents| {
                    let mut new = report.at_agents(&outcome, agents);
                    if hosts.advisory {
                        new.severity = new.severity.min(Severity::Warning);
                    }
                    out.push(new);
                });
            }
        }
    }
}

/// Reports events under a name that one of `hosts` has for an event of the vocabulary, as
/// `run` does: a declared event of that name never arrives there. The checker reports the others.
pub(crate) fn renamed(policy: &Policy, vocabulary: &Vocabulary, hosts: &Hosts, out: &mut Diagnostics) {
    if hosts.agents.is_empty() || hosts.advisory {
        return;
    }
    for hook in policy.hooks.iter().filter(|hook| hook.is_enabled()) {
        for name in &hook.events {
            let meant = |agent: &&Agent| agents::misnamed(hook.family, &name.node, Some(&agent.name));
            if let Some(meant) = hosts.agents.iter().copied().find_map(|agent| meant(&agent)) {
                let declared = vocabulary.event(hook.family, &name.node).is_some();
                let meant = Intended::Event(meant.to_owned());
                out.push(event::never_runs(name, hook.family, &meant, declared));
            }
        }
    }
}

/// Why `hookc run` cannot execute an action of this kind at an event of this agent, in the
/// words of E0431; `None` if it can, or if the agent merely never sends the event.
#[must_use]
pub fn unsupported(agent: &'static Agent, event: &str, kind: &str) -> Option<String> {
    report::unsupported(&outcome(agent, event, Kind::parse(kind), false), agent, event, kind)
}

/// What an agent does after an action of this kind at one of its events; `None` if the event continues. `opens` says
/// whether a failure of the hook lets the event continue.
pub(crate) fn verdict(agent: &'static Agent, event: &str, kind: &str, opens: bool) -> Option<Verdict> {
    match outcome(agent, event, Kind::parse(kind), false) {
        Outcome::Done | Outcome::Limited(_) => Verdict::of_action(kind),
        Outcome::Denied(_) => Some(Verdict::Deny),
        Outcome::Fails { denied: true } if !opens => Some(Verdict::Deny),
        Outcome::NoEvent
        | Outcome::Fails { .. }
        | Outcome::Lost(_)
        | Outcome::NoEffect(_)
        | Outcome::Dropped(_)
        | Outcome::Named(_) => None,
    }
}

/// Whether an agent changes the input of a tool at an event.
pub(crate) fn changes_input(agent: &'static Agent, event: &str) -> bool {
    matches!(outcome(agent, event, Some(Kind::Modify), false), Outcome::Done | Outcome::Limited(_))
}

/// A shipped event of threads, which no agent sends. The policy can be for both.
fn elsewhere(report: &Report<'_>, declared: Option<Family>, hosts: &Hosts) -> Option<Diagnostic> {
    let is_of_threads = declared == Some(Family::Thread) && !hosts.agents.is_empty();
    is_of_threads.then(|| {
        let mut new = report.at_agents(&Outcome::NoEvent, &hosts.agents);
        new.severity = Severity::Note;
        new
    })
}

/// Whether the agent runs the action itself: a handler as its settings have it.
fn is_handler(hook: &Hook) -> bool {
    hook.family == Family::Agent && !hook.action.templates
}

/// The effect if no agent can execute it: the outcome at the first agent with the event.
fn of_none(hook: &Hook, event: &str) -> Option<Outcome> {
    // In its own settings an agent may have a handler of this type.
    let mut outcomes = agents::answered().map(|agent| outcome(agent, event, hook.action.known(), true));
    let mut first = None;
    outcomes
        .all(|outcome| match outcome {
            Outcome::Done | Outcome::Limited(_) | Outcome::Named(_) => false,
            Outcome::NoEvent => true,
            outcome => {
                first.get_or_insert(outcome);
                true
            }
        })
        .then_some(first)
        .flatten()
}

/// Each outcome that differs from the action, with its agents.
fn of_each(hook: &Hook, event: &str, hosts: &Hosts, mut each: impl FnMut(Outcome, &[&'static Agent])) {
    let is_own_handler = is_handler(hook) && !hosts.runs_settings;
    let mut found: Vec<(Outcome, Vec<&'static Agent>)> = Vec::new();
    for &agent in &hosts.agents {
        let outcome = outcome(agent, event, hook.action.known(), is_own_handler);
        match found.iter_mut().find(|(known, _)| *known == outcome) {
            Some((_, agents)) => agents.push(agent),
            None => found.push((outcome, vec![agent])),
        }
    }
    for (outcome, agents) in found {
        if outcome != Outcome::Done {
            each(outcome, &agents);
        }
    }
}
