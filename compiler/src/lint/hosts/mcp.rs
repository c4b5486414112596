//! Names of MCP tools that an agent never sends (W0634): Cursor calls them `MCP:NAME` and Crush `mcp_SERVER_NAME`, so a
//! guard on `mcp__` never matches there.

use hookc_schema::agents::{self, Agent};
use hookc_schema::tree::{CondPart, Family, Fold, Path, Policy, Step};
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic, Diagnostics};

use crate::fields::is_tool_name;
use crate::hosts::Hosts;

/// The prefix of the vocabulary.
const PREFIX: &str = "mcp__";

/// How an agent calls the tools of MCP servers.
#[derive(Clone, Copy)]
struct Naming<'a> {
    label: &'a str,
    /// What its names start with.
    start: &'a str,
    /// A whole name, with `SERVER` and `TOOL`.
    example: &'a str,
}

impl<'a> Naming<'a> {
    /// `None` if its names are those of the vocabulary.
    fn new(agent: &'a Agent) -> Option<Self> {
        let label = agent.label.as_str();
        if let Some(start) = agent.mcp_tools.as_deref() {
            return Some(Self { label, start, example: "" });
        }
        let example = agent.mcp_names.as_deref()?;
        Some(Self { label, start: example.split_once("SERVER")?.0, example })
    }

    /// Whether a text starts like one of its names, as far as that says it: names without a start of their own can be
    /// those of any tool.
    fn is_native(self, text: &str) -> bool {
        match self.start {
            "" => !text.starts_with(PREFIX) && text.contains('-'),
            start => text.starts_with(start) && !text.starts_with(PREFIX),
        }
    }
}

/// Reports the names in conditions of hooks, for each of the agents that has other ones.
pub(super) fn check(policy: &Policy, hosts: &Hosts, out: &mut Diagnostics) {
    for naming in hosts.agents.iter().filter_map(|agent| Naming::new(agent)) {
        let mut names = Fold::default();
        for hook in policy.hooks.iter().filter(|hook| hook.family != Family::Repository && hook.decides()) {
            let Some(cond) = &hook.condition else { continue };
            let found: Found<'_> =
                names.value(cond.whole(), &mut |part, parts| Found::in_part(part, parts, naming));
            if let Some(value) = found.first.filter(|_| !found.has_native) {
                out.push(report(value, naming));
            }
        }
    }
}

fn report(value: &Value, naming: Naming<'_>) -> Diagnostic {
    let Naming { label, start, example } = naming;
    let what = format!("{label} calls no tool `{PREFIX}SERVER__TOOL`");
    let new = Diagnostic::new(Code::W0634, value.span, what).with_label("never matches there");
    if example.is_empty() {
        let new = new.note(format!("its tools of MCP servers are called `{start}TOOL`, without the server"));
        return new.help(format!("add `or tool_name starts_with '{start}'`, or the names of the tools"));
    }
    let new = new.note(format!("its tools of MCP servers are called `{example}`"));
    let server = value.as_str().and_then(server_of).unwrap_or("SERVER");
    match agents::is_known_server(server) {
        true => new.help(format!("add `or mcp_server.name == '{server}'`, which is true at all agents")),
        false => {
            let native = example.replace("SERVER", server);
            let native = native.split_once("TOOL").map_or(native.as_str(), |(start, _)| start);
            new.help(format!("add `or tool_name starts_with '{native}'`"))
        }
    }
}

/// The server in a name of the vocabulary.
fn server_of(text: &str) -> Option<&str> {
    let (server, _) = text.trim_start_matches('^').strip_prefix(PREFIX)?.split_once("__")?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    Some(server).filter(|server| !server.is_empty() && server.chars().all(is_plain))
}

/// Whether a path reads the server of a tool.
fn is_server(path: &Path) -> bool {
    matches!(path.singular().as_deref(), Some([Step::Name(name), ..]) if name == "mcp_server")
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

    fn in_part(part: CondPart<'c>, parts: Vec<Self>, naming: Naming<'_>) -> Self {
        let Some(leaf) = part.leaf().filter(|leaf| is_tool_name(&leaf.path)) else {
            // A test of the server does not depend on the name.
            let is_server = part.leaf().is_some_and(|leaf| is_server(&leaf.path));
            let this = Self { has_native: is_server && !naming.example.is_empty(), first: None };
            return parts.into_iter().fold(this, Self::and);
        };
        let plain = |text: &'c str| text.trim_start_matches('^');
        Self {
            has_native: leaf.texts().any(|(_, text)| naming.is_native(plain(text))),
            first: leaf.texts().find(|(_, text)| plain(text).starts_with(PREFIX)).map(|(value, _)| value),
        }
    }
}
