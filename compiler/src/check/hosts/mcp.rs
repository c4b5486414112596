//! Names of MCP tools that an agent never sends (W0634): Cursor calls them `MCP:NAME`, so a guard on
//! `mcp__` never matches there.

use hookc_schema::tree::{Cond, CondKind, Family, Hook, Leaf, Policy, Right};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic};

use super::{Hosts, decides};
use crate::check::tools::is_tool_name;

/// The prefix of the vocabulary.
const PREFIX: &str = "mcp__";

/// Reports the names in conditions of hooks, for each of the agents that has other ones.
pub(super) fn check(policy: &Policy, hosts: &Hosts, out: &mut Vec<Diagnostic>) {
    let others = hosts.agents.iter();
    let others = others.filter_map(|agent| Some((agent.label.as_str(), agent.mcp_tools.as_deref()?)));
    for (label, prefix) in others {
        for hook in policy.hooks.iter().filter(|hook| hook.family != Family::Repository && decides(hook)) {
            out.extend(of_hook(hook, label, prefix));
        }
    }
}

/// The first name of a hook; none if the hook also has the agent's own names.
fn of_hook(hook: &Hook, label: &str, prefix: &str) -> Option<Diagnostic> {
    let mut names = Vec::new();
    texts(hook.condition.as_ref()?, &mut names);
    let starts = |value: &&Value, with: &str| {
        value.as_str().is_some_and(|text| text.trim_start_matches('^').starts_with(with))
    };
    if names.iter().any(|value| starts(value, prefix)) {
        return None;
    }
    let value = names.iter().copied().find(|value| starts(value, PREFIX))?;
    let what = format!("{label} calls no tool `{PREFIX}SERVER__TOOL`");
    let new = Diagnostic::new(Code::W0634, value.span, what).with_label("never matches there");
    let new = new.note(format!("its tools of MCP servers are called `{prefix}TOOL`, without the server"));
    Some(new.help(format!("add `or tool_name starts_with '{prefix}'`, or the names of the tools")))
}

/// The texts that a condition compares with the name of the tool. The nesting limit bounds the recursion.
fn texts<'c>(cond: &'c Cond, to: &mut Vec<&'c Value>) {
    match &cond.kind {
        CondKind::Const(_) => {}
        CondKind::All(parts) | CondKind::Any(parts) => parts.iter().for_each(|part| texts(part, to)),
        CondKind::Not(part) => texts(part, to),
        CondKind::Leaf(leaf) => of_leaf(leaf, to),
        CondKind::Quantified(quantified) => texts(&quantified.cond, to),
    }
}

fn of_leaf<'c>(leaf: &'c Leaf, to: &mut Vec<&'c Value>) {
    let Right::Value(value) = &leaf.right else { return };
    if !is_tool_name(&leaf.path) {
        return;
    }
    match &value.kind {
        Kind::Seq(items) => to.extend(items),
        _ => to.push(value),
    }
}
