//! Matchers that no known tool of an agent has (W0634). Agents add tools, so such a matcher may be right.

use std::sync::Arc;

use hookc_schema::agents::{self, Agent};
use hookc_schema::suggest::{nearest, slip_of_name};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Span};
use hookc_vm::text::ecma;
use regex::Regex;

use crate::pattern;

/// Reports a matcher that matches no known tool of the agent.
pub fn unknown(agent: &Agent, written: &str, span: Span) -> Option<Diagnostic> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let is_list = written.chars().all(|c| plain(c) || matches!(c, '|' | ',' | ' ' | '^' | '$'));
    let known = Known { agent, vocabulary: Vocabulary::builtin() };
    let mut all_unknown = true;
    let (what, name) = match is_list {
        true => {
            let names = written.split(['|', ',']).map(|name| name.trim().trim_matches(['^', '$']));
            let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
            all_unknown = names.iter().all(|name| known.lacks(name));
            let name = *names.iter().find(|name| known.lacks(name))?;
            (format!("{} has no known tool `{name}`", agent.label), Some(name))
        }
        false => (known.no_match(written)?, None),
    };
    let new = Diagnostic::new(Code::W0634, span, what).with_label("no known tool");
    let near = name.and_then(|name| nearest(name, known.names()));
    let new = match (near, name) {
        (Some(near), _) => new.help(format!("did you mean `{near}`?")),
        (None, Some(name)) if agents::all().any(|other| other.event(name).is_some()) => {
            new.help("a matcher tests the name of the tool, not the event")
        }
        (None, None) => new.help("a matcher tests only the name of the tool: write names, separated by `|`"),
        (None, Some(_)) => new,
    };
    // Next to a known name, it is more probably one that is not known here.
    Some(new).filter(|new| all_unknown || new.help.is_some())
}

/// As [`unknown`], without names that may be those of tools that are not known, and without those that the checker
/// reports: names of other agents, and slips where a matcher is the name of a tool.
pub(in crate::front) fn mistaken(agent: &Agent, written: &str, span: Span) -> Option<Diagnostic> {
    let known = Known { agent, vocabulary: Vocabulary::builtin() };
    let mut names = written.split(['|', ',']).map(|name| name.trim().trim_matches(['^', '$']));
    let is_reported = names.any(|name| known.is_reported(name));
    unknown(agent, written, span).filter(|new| new.help.is_some() && !is_reported)
}

/// The known tools of an agent.
struct Known<'a> {
    agent: &'a Agent,
    vocabulary: Arc<Vocabulary>,
}

impl Known<'_> {
    fn names(&self) -> impl Iterator<Item = &str> {
        let patches = self.agent.protocol.patch.iter().flat_map(|patch| &patch.tools);
        let native = self.agent.all_tools().map(|(own, _)| own).chain(&self.agent.own_tools).chain(patches);
        let native = native.map(String::as_str);
        let shared = self.vocabulary.tools.by_name.keys().map(String::as_str);
        // The vocabulary names tools as Claude Code does, and its data has no form.
        let is_all = self.agent.form.is_none();
        native.chain(shared.filter(move |name| is_all || self.agent.has_tool(name)))
    }

    fn lacks(&self, name: &str) -> bool {
        // Names of agents that read patterns match anywhere in the name of a tool.
        let matches = |tool: &str| if self.agent.form.is_some() { tool.contains(name) } else { tool == name };
        let is_mcp = || name.to_ascii_lowercase().starts_with("mcp");
        !self.names().any(matches) && !is_mcp()
    }

    /// Whether the checker reports a name that no tool of the agent has.
    fn is_reported(&self, name: &str) -> bool {
        !agents::tools_called(name).is_empty()
            || self.names().any(|tool| tool.eq_ignore_ascii_case(name))
            || self.agent.form.is_none() && slip_of_name(name, self.names()).is_some()
    }

    /// The message about a pattern in the notation of rules and globs (`Edit:*.py`) that matches no known tool. Any
    /// other pattern may be for tools of MCP servers.
    fn no_match(&self, written: &str) -> Option<String> {
        let is_glob = written.contains(":*") || written.contains("*.") && !written.contains(".*");
        if !is_glob || written.to_ascii_lowercase().contains("mcp") {
            return None;
        }
        let pattern = ecma::translate(written).ok().filter(|pattern| pattern::is_sound(pattern))?;
        let pattern = Regex::new(&pattern).ok()?;
        let matches = self.names().any(|tool| pattern.is_match(tool));
        (!matches)
            .then(|| format!("no known tool of {} has a name that `{written}` matches", self.agent.label))
    }
}
