//! Permission rules: any rule judges any call; what rules cover also matches one of them.

use std::path::PathBuf;

use hookc_runtime::Event;
use hookc_runtime::permission::{self, BaseDirs, RuleMatch};
use serde_json::json;

/// A rule, a line with a tool, and the text of its input.
pub fn rules(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (rule, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (tool, input) = rest.split_once('\n').unwrap_or((rest, ""));
    // No directory of this machine: the answer must not depend on it.
    let base = || PathBuf::from("/no/such/directory");
    let places = BaseDirs { cwd: base(), project: base(), home: Some("/no/such/home".into()) };
    let tools = ["Bash", "Read", "Edit", "WebFetch", "Task", "Skill", tool];
    for tool in tools {
        let members = ["command", "file_path", "url", "subagent_type", "skill", "path"];
        let input: serde_json::Map<_, _> =
            members.into_iter().map(|name| (name.to_owned(), json!(input))).collect();
        let event = Event::new(json!({"tool_name": tool, "tool_input": input}).to_string());
        let judged = permission::matches(rule, &event, &places, Default::default());
        let is_rule = permission::is_rule(rule);
        assert!(is_rule || judged != RuleMatch::Matches, "{rule:?} is no rule, but matches");
        let is_covered = permission::covers(&[rule], &event, &places, Default::default());
        let is_consistent = !is_covered || (is_rule && judged != RuleMatch::Fails);
        assert!(is_consistent, "{rule:?} covers {tool} {input:?}, but {judged:?}");
        let twice = permission::covers(&[rule, rule], &event, &places, Default::default());
        assert!(twice == is_covered, "a repeated rule changes what is covered");
    }
}
