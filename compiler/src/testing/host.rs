//! `host: codex`: events that the agent never sends, and what it makes of an action.

use hookc_schema::agents::Agent;
use hookc_schema::dialect::test::Verdict;
use hookc_schema::value::Value;

use super::observed::ObservedHook;
use super::result::Failure;

/// Why an agent never sends an event: then a test of it proves nothing.
pub(super) fn never_sends(host: &Agent, event: &str, tree: Option<&Value>) -> Option<Failure> {
    let because = |line: String| [line];
    if host.native(event).is_none() {
        let new = Failure::new(format!("{} never sends `{event}`", host.label));
        let help = "name an event that it sends (`hookc guide agents NAME`), or remove the agent from `host`";
        return Some(new.because(because(help.to_owned())));
    }
    let tool = tree?.get("tool_name")?.as_str()?;
    if host.sends_tool(tool) {
        return None;
    }
    let mut sent: Vec<&str> = host.shared_tools().collect();
    sent.sort_unstable();
    sent.dedup();
    let new = Failure::new(format!("{} calls no tool `{tool}`", host.label));
    Some(new.because(because(format!("of the tools in the vocabulary, it calls {}", sent.join(", ")))))
}

/// A line for each action that the agent replaces: `x`: Codex CLI denies instead of `ask`.
pub(super) fn replaced(host: &Agent, hooks: &[ObservedHook]) -> Vec<String> {
    let line = |hook: &ObservedHook| {
        let kind = super::verdict::member(hook.rendered(), "type")?;
        let does = match hook.verdict {
            _ if hook.changes_input || hook.verdict == Verdict::of_action(&kind) => return None,
            Some(verdict) => format!("{verdict} instead of `{kind}`", verdict = does(verdict)),
            None => format!("continues: `{kind}` has no effect there"),
        };
        Some(format!("`{}`: {} {does}", hook.label, host.label))
    };
    hooks.iter().filter_map(line).collect()
}

fn does(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "allows",
        Verdict::Ask => "asks",
        Verdict::Deny => "denies",
    }
}
