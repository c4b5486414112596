//! Guards on tools that an agent never sends (W0634): Codex CLI reads files with its shell, so a guard on `Read` never
//! matches there.

use hookc_schema::agents::Agent;
use hookc_schema::tree::{Cond, Family, Leaf, Policy};
use hookc_schema::value::Value;
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics};

use crate::fields::is_tool_name;
use crate::hosts::Hosts;
use crate::names::quoted;
use crate::tools::{Table, narrow};

/// Reports the hooks that match no tool of one of the agents.
pub(super) fn check(policy: &Policy, vocabulary: &Vocabulary, hosts: &Hosts, out: &mut Diagnostics) {
    if hosts.agents.is_empty() {
        return;
    }
    let mut table = Table::new(&vocabulary.tools);
    for hook in policy.hooks.iter().filter(|hook| hook.family != Family::Repository && hook.decides()) {
        let Some(cond) = &hook.condition else { continue };
        let tools = narrow(Some(cond), &mut table).whole();
        let Some(names) = table.only(tools).filter(|names| !names.is_empty()) else { continue };
        let sends = |agent: &Agent| names.iter().any(|name| agent.sends_tool(name));
        let has_event = |agent: &Agent| hook.events.iter().any(|event| agent.native(&event.node).is_some());
        for agent in hosts.agents.iter().filter(|agent| has_event(agent) && !sends(agent)) {
            out.push(report(cond, &names, agent));
        }
    }
}

fn report(cond: &Cond, names: &[&str], agent: &Agent) -> Diagnostic {
    let span = named(cond, names).map_or(cond.span, |value| value.span);
    let what = match names {
        [name] => format!("{} calls no tool `{name}`", agent.label),
        names => format!("{} calls none of the tools {}", agent.label, quoted(names).join(", ")),
    };
    let mut sent: Vec<&str> = agent.shared_tools().collect();
    sent.sort_unstable();
    sent.dedup();
    let new = Diagnostic::new(Code::W0634, span, what).with_label("never matches there");
    let new = new.note(format!("of the tools in the vocabulary, it calls {}", quoted(&sent).join(", ")));
    new.help("guard the tools that it calls, or keep the hook for other agents")
}

/// The first of these names in a condition.
fn named<'c>(cond: &'c Cond, names: &[&str]) -> Option<&'c Value> {
    let mut texts = cond.leaves().filter(|leaf| is_tool_name(&leaf.path)).flat_map(Leaf::texts);
    texts.find(|(_, text)| names.contains(text)).map(|(value, _)| value)
}
