//! Matchers that match no known value.

use hookc_schema::Code;
use hookc_schema::agents::{Agent, Id};
use hookc_schema::suggest::nearest;
use hookc_schema::tree::Family;
use hookc_schema::value::Value;
use hookc_schema::vocab::Vocabulary;

use super::finding::Findings;
use crate::cmd::install::target::Target;

/// Checks the matcher of a group under an event of the agent.
pub(super) fn check(agent: Target, event: &str, matcher: &Value, location: &str, out: &mut Findings) {
    let Some(text) = matcher.as_str().filter(|text| !matches!(*text, "" | "*")) else { return };
    let Some(own) = agent.vocabulary(event) else { return };
    let declared = Vocabulary::builtin();
    let known = declared.events.get(&(Family::Agent, own.to_owned()));
    let on_tools =
        known.and_then(|known| known.matcher.as_ref()).is_some_and(|matcher| matcher.path == "tool_name");
    let said = values(agent, event, own);
    if on_tools && is_rule(text) {
        // The compiler may already have reported that it never matches.
        if out.found.iter().any(|told| told.what == Code::W0237.name() && told.location == location) {
            return;
        }
        let message = format!("the matcher `{text}` is a permission rule, not the name of a tool");
        let help = "match only the tool, and write the rule as the handler's `if`";
        return out.dead("matcher", location.to_owned(), message, help);
    }
    let Some(names) = names(text) else { return };
    let wrong: Vec<Wrong> = names
        .iter()
        .filter_map(|name| match said {
            [] => tool(agent, name).filter(|_| on_tools),
            said => value(name, said),
        })
        .collect();
    let all = wrong.len() == names.len();
    for Wrong { name, near, sure } in wrong {
        let message = format!("the matcher `{name}` matches no known value of {event}");
        let help = match (near, said) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, []) => format!("the tools of {} have other names", agent.label),
            (None, said) => format!("the values are {}", said.join(", ")),
        };
        let tell = if all && sure { Findings::dead } else { Findings::odd };
        tell(out, "matcher", location.to_owned(), message, &help);
    }
}

/// A name that matches nothing.
struct Wrong<'n> {
    name: &'n str,
    near: Option<&'static str>,
    /// Whether it cannot be an unknown name.
    sure: bool,
}

/// The names of a matcher that is one, or a list of them.
fn names(text: &str) -> Option<Vec<&str>> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ' | ',' | '|');
    let names = text.split(['|', ',']).map(str::trim).filter(|name| !name.is_empty());
    text.chars().all(plain).then(|| names.collect())
}

/// The documented values of the field that matchers of an event test: those of the agent, else
/// those of the vocabulary. Agents can add more.
fn values(agent: Target, event: &str, own: &str) -> &'static [String] {
    let of = |agent: &'static Agent, event: &str| agent.event(event).map(|event| event.values.as_slice());
    let listed = of(agent.agent(), event).filter(|values| !values.is_empty());
    listed.or_else(|| of(Id::Claude.agent(), own)).unwrap_or_default()
}

fn value<'n>(name: &'n str, said: &'static [String]) -> Option<Wrong<'n>> {
    if said.iter().any(|value| value == name) {
        return None;
    }
    let near = nearest(name, said.iter().map(String::as_str));
    Some(Wrong { name, near, sure: near.is_some() || claude_tools().any(|tool| tool == name) })
}

/// The tools of Claude Code.
fn claude_tools() -> impl Iterator<Item = &'static str> {
    Id::Claude.agent().own_tools.iter().map(String::as_str)
}

/// A tool's name in other letters, or one of another agent.
fn tool<'n>(agent: Target, name: &'n str) -> Option<Wrong<'n>> {
    if !agent.has_claude_tools() {
        let known = claude_tools().any(|tool| tool == name);
        return known.then_some(Wrong { name, near: None, sure: true });
    }
    let near = claude_tools().find(|tool| tool.eq_ignore_ascii_case(name))?;
    (near != name).then_some(Wrong { name, near: Some(near), sure: true })
}

/// Whether it has the form `Tool(what)` with a character that no name has.
fn is_rule(text: &str) -> bool {
    let Some((tool, what)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) else {
        return false;
    };
    claude_tools().any(|known| known == tool) && what.contains([' ', ':', '/']) && !what.starts_with('?')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cmd::install::target;

    #[test]
    fn matchers_of_events() {
        for (name, event, matcher, expected) in [
            ("claude", "SessionStart", "startp", Some(true)),
            ("claude", "SessionStart", "startup|resume", None),
            ("claude", "SessionStart", "startup|startp", Some(false)),
            ("claude", "SessionStart", "teleport", Some(false)),
            ("claude", "PreCompact", "Bash", Some(true)),
            ("claude", "PreToolUse", "Bash(git *)", Some(true)),
            ("claude", "PreToolUse", "Bash(a*)", None),
            ("gemini", "BeforeTool", "Bash(git *)", Some(true)),
            ("claude", "PreToolUse", "Bash(Output)?", None),
            ("claude", "PreToolUse", "bash", Some(true)),
            ("claude", "PreToolUse", "Bash|my_tool", None),
            ("claude", "PreToolUse", "*", None),
            ("claude", "PreToolUse", "mcp__x__.*", None),
            ("codex", "PreToolUse", "bash", Some(true)),
            ("gemini", "BeforeTool", "Bash", Some(true)),
            ("gemini", "BeforeTool", "run_shell_command", None),
            ("gemini", "PreCompress", "manaul", Some(true)),
        ] {
            let mut out = Findings::default();
            let value = Value::string(matcher, Default::default());
            check(target::of(name).unwrap(), event, &value, "x", &mut out);
            assert_eq!(out.found.first().map(|found| found.dead), expected, "{event} {matcher}");
        }
    }
}
