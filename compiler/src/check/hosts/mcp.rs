//! Names of MCP tools that an agent never sends (W0634): Cursor calls them `MCP:NAME`, so a guard on
//! `mcp__` never matches there.

use std::collections::HashMap;

use hookc_schema::tree::{Cond, CondKind, Family, Leaf, Policy, SharedId};
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic, Diagnostics};

use super::{Hosts, decides};
use crate::check::tools::is_tool_name;

/// The prefix of the vocabulary.
const PREFIX: &str = "mcp__";

/// Reports the names in conditions of hooks, for each of the agents that has other ones.
pub(super) fn check(policy: &Policy, hosts: &Hosts, out: &mut Diagnostics) {
    let others = hosts.agents.iter();
    let others = others.filter_map(|agent| Some((agent.label.as_str(), agent.mcp_tools.as_deref()?)));
    for (label, prefix) in others {
        let mut names = Names { prefix, shared: HashMap::new() };
        for hook in policy.hooks.iter().filter(|hook| hook.family != Family::Repository && decides(hook)) {
            let found = hook.condition.as_ref().map(|cond| names.within(cond)).unwrap_or_default();
            if let Some(value) = found.first.filter(|_| !found.own) {
                out.push(report(value, label, prefix));
            }
        }
    }
}

fn report(value: &Value, label: &str, prefix: &str) -> Diagnostic {
    let what = format!("{label} calls no tool `{PREFIX}SERVER__TOOL`");
    let new = Diagnostic::new(Code::W0634, value.span, what).with_label("never matches there");
    let new = new.note(format!("its tools of MCP servers are called `{prefix}TOOL`, without the server"));
    new.help(format!("add `or tool_name starts_with '{prefix}'`, or the names of the tools"))
}

/// The names of tools in conditions, for an agent.
struct Names<'c, 'p> {
    prefix: &'p str,
    /// Those of conditions that several hooks share.
    shared: HashMap<SharedId, Found<'c>>,
}

/// The names that a condition compares with the name of the tool.
#[derive(Clone, Copy, Default)]
struct Found<'c> {
    /// Whether it has the agent's own names.
    own: bool,
    /// The first name of the vocabulary.
    first: Option<&'c Value>,
}

impl<'c> Found<'c> {
    fn and(self, other: Self) -> Self {
        Self { own: self.own || other.own, first: self.first.or(other.first) }
    }
}

impl<'c> Names<'c, '_> {
    /// The nesting limit bounds the recursion.
    fn within(&mut self, cond: &'c Cond) -> Found<'c> {
        let id = cond.shared();
        if let Some(known) = id.and_then(|id| self.shared.get(&id)) {
            return *known;
        }
        let found = match &cond.kind {
            CondKind::Const(_) | CondKind::Predicate(_) => Found::default(),
            CondKind::All(parts) | CondKind::Any(parts) => {
                parts.iter().map(|part| self.within(part)).fold(Found::default(), Found::and)
            }
            CondKind::Not(part) => self.within(part),
            CondKind::Leaf(leaf) => self.of_leaf(leaf),
            CondKind::Quantified(quantified) => self.within(&quantified.cond),
        };
        self.shared.extend(id.map(|id| (id, found)));
        found
    }

    fn of_leaf(&self, leaf: &'c Leaf) -> Found<'c> {
        if !is_tool_name(&leaf.path) {
            return Found::default();
        }
        let starts = |text: &str, with: &str| text.trim_start_matches('^').starts_with(with);
        Found {
            own: leaf.texts().any(|(_, text)| starts(text, self.prefix)),
            first: leaf.texts().find(|(_, text)| starts(text, PREFIX)).map(|(value, _)| value),
        }
    }
}
