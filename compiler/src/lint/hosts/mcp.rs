//! Names of MCP tools that an agent never sends (W0634): Cursor calls them `MCP:NAME`, so a guard on
//! `mcp__` never matches there.

use hookc_schema::tree::{CondPart, Family, Fold, Policy};
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic, Diagnostics};

use crate::fields::is_tool_name;
use crate::hosts::Hosts;

/// The prefix of the vocabulary.
const PREFIX: &str = "mcp__";

/// Reports the names in conditions of hooks, for each of the agents that has other ones.
pub(super) fn check(policy: &Policy, hosts: &Hosts, out: &mut Diagnostics) {
    let others = hosts.agents.iter();
    let others = others.filter_map(|agent| Some((agent.label.as_str(), agent.mcp_tools.as_deref()?)));
    for (label, prefix) in others {
        let mut names = Fold::default();
        for hook in policy.hooks.iter().filter(|hook| hook.family != Family::Repository && hook.decides()) {
            let Some(cond) = &hook.condition else { continue };
            let found: Found<'_> =
                names.value(cond.whole(), &mut |part, parts| Found::in_part(part, parts, prefix));
            if let Some(value) = found.first.filter(|_| !found.has_native) {
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

/// The names that a condition compares with the name of the tool.
#[derive(Clone, Copy, Default)]
struct Found<'c> {
    /// Whether it has the agent's own names.
    has_native: bool,
    /// The first name of the vocabulary.
    first: Option<&'c Value>,
}

impl<'c> Found<'c> {
    fn and(self, other: Self) -> Self {
        Self { has_native: self.has_native || other.has_native, first: self.first.or(other.first) }
    }

    fn in_part(part: CondPart<'c>, parts: Vec<Self>, prefix: &str) -> Self {
        let Some(leaf) = part.leaf().filter(|leaf| is_tool_name(&leaf.path)) else {
            return parts.into_iter().fold(Self::default(), Self::and);
        };
        let starts = |text: &str, with: &str| text.trim_start_matches('^').starts_with(with);
        Self {
            has_native: leaf.texts().any(|(_, text)| starts(text, prefix)),
            first: leaf.texts().find(|(_, text)| starts(text, PREFIX)).map(|(value, _)| value),
        }
    }
}
