//! Matchers that match no known value.

use hookc_schema::Code;
use hookc_schema::suggest::nearest;
use hookc_schema::tree::Family;
use hookc_schema::value::Value;
use hookc_schema::vocab::Vocabulary;

use super::finding::Findings;
use crate::cmd::install::host::Host;

/// The known values of the field that matchers test. Agents can add more.
const SAID: [(&[&str], &[&str]); 4] = [
    (&["SessionStart"], &["startup", "resume", "clear", "compact", "fork"]),
    (&["PreCompact", "PostCompact"], &["manual", "auto"]),
    (&["Setup"], &["init", "maintenance"]),
    (
        &["SessionEnd"],
        &["clear", "logout", "resume", "exit", "prompt_input_exit", "bypass_permissions_disabled", "other"],
    ),
];

/// Tools of Claude Code.
const TOOLS: [&str; 30] = [
    "Agent",
    "AskUserQuestion",
    "Bash",
    "BashOutput",
    "Edit",
    "EnterPlanMode",
    "ExitPlanMode",
    "Glob",
    "Grep",
    "KillShell",
    "LS",
    "LSP",
    "MultiEdit",
    "NotebookEdit",
    "NotebookRead",
    "PowerShell",
    "Read",
    "SendMessage",
    "Skill",
    "SlashCommand",
    "Task",
    "TaskCreate",
    "TaskList",
    "TaskOutput",
    "TaskUpdate",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
    "Write",
];

/// Checks the matcher of a group under an event of the host.
pub(super) fn check(host: &Host, event: &str, matcher: &Value, place: &str, out: &mut Findings) {
    let Some(text) = matcher.as_str().filter(|text| !matches!(*text, "" | "*")) else { return };
    let Some(own) = host.vocabulary(event) else { return };
    let declared = Vocabulary::builtin();
    let known = declared.events.get(&(Family::Agent, own.clone()));
    let on_tools =
        known.and_then(|known| known.matcher.as_ref()).is_some_and(|matcher| matcher.path == "tool_name");
    let said = SAID.iter().find(|(events, _)| events.contains(&own.as_str())).map(|(_, said)| *said);
    if on_tools && is_rule(text) {
        // The compiler may already have reported that it never matches.
        if out.found.iter().any(|told| told.what == Code::W0237.name() && told.place == place) {
            return;
        }
        let message = format!("the matcher `{text}` is a permission rule, not the name of a tool");
        let help = "match only the tool, and write the rule as the handler's `if`";
        return out.dead("matcher", place.to_owned(), message, help);
    }
    let Some(names) = names(text) else { return };
    let wrong: Vec<Wrong> = names
        .iter()
        .filter_map(|name| match said {
            Some(said) => value(name, said),
            None if on_tools => tool(host, name),
            None => None,
        })
        .collect();
    let all = wrong.len() == names.len();
    for Wrong { name, near, sure } in wrong {
        let message = format!("the matcher `{name}` matches no known value of {event}");
        let help = match (near, said) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, Some(said)) => format!("the values are {}", said.join(", ")),
            (None, None) => format!("the tools of {} have other names", host.label),
        };
        let tell = if all && sure { Findings::dead } else { Findings::odd };
        tell(out, "matcher", place.to_owned(), message, &help);
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

fn value<'n>(name: &'n str, said: &'static [&'static str]) -> Option<Wrong<'n>> {
    if said.contains(&name) {
        return None;
    }
    let near = nearest(name, said.iter().copied());
    Some(Wrong { name, near, sure: near.is_some() || TOOLS.contains(&name) })
}

/// A tool's name in other letters, or one of another agent.
fn tool<'n>(host: &Host, name: &'n str) -> Option<Wrong<'n>> {
    if host.name == "gemini" {
        return TOOLS.contains(&name).then_some(Wrong { name, near: None, sure: true });
    }
    let near = TOOLS.iter().copied().find(|tool| tool.eq_ignore_ascii_case(name))?;
    (near != name).then_some(Wrong { name, near: Some(near), sure: true })
}

/// Whether it has the form `Tool(what)` with a character that no name has.
fn is_rule(text: &str) -> bool {
    let Some((tool, what)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) else {
        return false;
    };
    TOOLS.contains(&tool) && what.contains([' ', ':', '/']) && !what.starts_with('?')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cmd::install::host;

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
            check(host::of(name).unwrap(), event, &value, "x", &mut out);
            assert_eq!(out.found.first().map(|found| found.dead), expected, "{event} {matcher}");
        }
    }
}
