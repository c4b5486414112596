//! Matchers that no known tool of an agent has (W0634). Agents add tools, so such a matcher may be right.

use std::sync::Arc;

use hookc_schema::agents::{self, Agent};
use hookc_schema::suggest::{nearest, slip_of_name};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Span};
use hookc_vm::text::ecma;
use regex::Regex;

use crate::pattern;

/// Reports an alternative of a matcher that matches no known tool of the agent.
pub fn unknown(agent: &Agent, written: &str, span: Span) -> Option<Diagnostic> {
    Known { agent, vocabulary: Vocabulary::builtin() }.report(written, span, false, |_| false)
}

/// Like [`unknown`], without names that may be those of a plugin's tools, and without those that the checker reports:
/// names of other agents, and slips where a matcher is the name of a tool.
pub(in crate::front) fn mistaken(agent: &Agent, written: &str, span: Span) -> Option<Diagnostic> {
    let known = Known { agent, vocabulary: Vocabulary::builtin() };
    known.report(written, span, true, |name| known.is_reported(name))
}

/// The alternatives of a matcher: names, and patterns. Groups are not taken apart.
fn alternatives(written: &str) -> (Vec<&str>, Vec<&str>) {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ');
    let is_list = written.chars().all(|c| is_plain(c) || matches!(c, '|' | ',' | '^' | '$'));
    let separators: &[char] = match written.contains(['(', '[', '{', '\\']) {
        true => &[],
        false if is_list => &['|', ','],
        false => &['|'],
    };
    let trimmed = written.split(separators).map(|part| part.trim().trim_matches(['^', '$']));
    trimmed.filter(|part| !part.is_empty()).partition(|part| part.chars().all(is_plain))
}

/// The known tools of an agent.
struct Known<'a> {
    agent: &'a Agent,
    vocabulary: Arc<Vocabulary>,
}

impl Known<'_> {
    /// The diagnostic for a matcher. `is_certain` leaves out names of which nothing is known, `is_reported` those that are
    /// reported elsewhere.
    fn report(
        &self,
        written: &str,
        span: Span,
        is_certain: bool,
        is_reported: impl Fn(&str) -> bool,
    ) -> Option<Diagnostic> {
        let (names, patterns) = alternatives(written);
        let searches = !patterns.is_empty();
        let lacking = || names.iter().copied().filter(|name| self.lacks(name, searches));
        // Next to a known name or a pattern, it is more probably one that is not known here.
        let all_unknown = !is_certain && !searches && lacking().count() == names.len();
        let mut named = lacking().filter(|name| !is_reported(name)).map(|name| self.no_tool(name, span));
        let found = named.find(|new| all_unknown || new.help.is_some());
        found.or_else(|| patterns.iter().find_map(|pattern| self.no_match(pattern, span)))
    }

    /// The diagnostic for a name that no tool has.
    fn no_tool(&self, name: &str, span: Span) -> Diagnostic {
        let what = format!("{} has no known tool `{name}`", self.agent.label);
        let new = Diagnostic::new(Code::W0634, span, what).with_label("no known tool");
        match nearest(name, self.names()) {
            Some(near) => new.help(format!("did you mean `{near}`?")),
            None if agents::all().any(|other| other.event(name).is_some()) => {
                new.help("a matcher tests the name of the tool, not the event")
            }
            None => new,
        }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let patches = self.agent.protocol.patch.iter().flat_map(|patch| &patch.tools);
        let native = self.agent.all_tools().map(|(own, _)| own).chain(&self.agent.own_tools).chain(patches);
        let native = native.map(String::as_str);
        let shared = self.vocabulary.tools.by_name.keys().map(String::as_str);
        // The vocabulary names tools as Claude Code does, and its data has no form.
        let has_tool = |name: &&str| self.agent.form.is_none() || self.agent.has_tool(name);
        native.chain(shared.filter(has_tool))
    }

    /// Whether no known tool has a name; `searches` is whether it is an alternative of a regular expression.
    fn lacks(&self, name: &str, searches: bool) -> bool {
        // Names of agents that read patterns match anywhere in the name of a tool.
        let searches = searches || self.agent.form.is_some();
        let matches = |tool: &str| if searches { tool.contains(name) } else { tool == name };
        let is_mcp = || name.to_ascii_lowercase().starts_with("mcp");
        !self.names().any(matches) && !is_mcp()
    }

    /// Whether the checker reports a name that no tool of the agent has.
    fn is_reported(&self, name: &str) -> bool {
        !agents::tools_called(name).is_empty()
            || self.names().any(|tool| tool.eq_ignore_ascii_case(name))
            || self.agent.form.is_none() && slip_of_name(name, self.names()).is_some()
    }

    /// The diagnostic for a pattern in the notation of rules and globs (`Edit:*.py`) that matches no known tool. Any
    /// other pattern may be for tools of MCP servers.
    fn no_match(&self, written: &str, span: Span) -> Option<Diagnostic> {
        let is_glob = written.contains(":*") || written.contains("*.") && !written.contains(".*");
        if !is_glob || written.to_ascii_lowercase().contains("mcp") {
            return None;
        }
        let pattern = ecma::translate(written).ok().filter(|pattern| pattern::is_sound(pattern))?;
        let pattern = Regex::new(&pattern).ok()?;
        if self.names().any(|tool| pattern.is_match(tool)) {
            return None;
        }
        let what = format!("no known tool of {} has a name that `{written}` matches", self.agent.label);
        let new = Diagnostic::new(Code::W0634, span, what).with_label("no known tool");
        Some(new.help("a matcher tests only the name of the tool: write names, separated by `|`"))
    }
}
