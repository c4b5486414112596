//! Conditions on whether a command passed, for an agent that never says it (W0686).

use hookc_base::Verb;
use hookc_schema::agents::Agent;
use hookc_schema::tree::{Cond, Guard, Policy, Predicate, UncomparedSpan};
use hookc_schema::{Code, Diagnostic, Diagnostics};
use hookc_syntax::expr::print;

use crate::fields::is_success;
use crate::hosts::Hosts;
use crate::names::joined;

/// Reports the conditions of facts and hooks that need a command that passed.
pub(super) fn check(policy: &Policy, hosts: &Hosts, out: &mut Diagnostics) {
    let is_silent = |agent: &&&Agent| !agent.protocol.success.shows_passed();
    let agents: Vec<String> =
        hosts.agents.iter().filter(is_silent).map(|agent| agent.label.clone()).collect();
    if agents.is_empty() {
        return;
    }
    let verb = if agents.len() == 1 { "says" } else { "say" };
    let what = format!("{} never {verb} that a command passed", joined(&agents));
    let hooks = policy.hooks.iter().filter(|hook| hook.decides());
    let mut report = |cond: &Cond| out.extend(needs(cond).map(|help| never(cond, &what, help)));
    for cond in policy.fact_conditions().chain(hooks.filter_map(|hook| hook.condition.as_ref())) {
        cond.walk().for_each(|part| report(part.cond));
        cond.event_patterns(&mut |pattern| {
            pattern.condition.iter().flat_map(Cond::walk).for_each(|part| report(part.cond));
        });
    }
}

fn never(cond: &Cond, what: &str, help: String) -> Diagnostic {
    let new = Diagnostic::new(Code::W0686, cond.span, what).with_label("never true there");
    new.note("its event after a command has the output, and not whether the command passed").help(help)
}

/// What to write if a condition is only true of a command that passed.
fn needs(cond: &Cond) -> Option<String> {
    if let Some(Predicate::Passed(of)) = cond.predicate() {
        let guard = Guard {
            span: UncomparedSpan(cond.span),
            verb: Verb::Run,
            is_possible: false,
            of: of.clone(),
            except: Vec::new(),
            by: Vec::new(),
            not_by: Vec::new(),
        };
        let run = print::predicate(&Predicate::Guard(guard));
        return Some(format!(
            "write `{run}`, which is also true if it failed, or keep this for other agents"
        ));
    }
    let is_success = cond.whole().leaf().is_some_and(is_success);
    is_success.then(|| "remove it, or keep this for other agents".to_owned())
}
