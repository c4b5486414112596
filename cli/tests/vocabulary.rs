//! `hookc vocabulary`: the names of policies, and what each contains.

use hookc_schema::vocab::Vocabulary;
use serde_json::Value;

use crate::common;

fn vocabulary(args: &[&str]) -> common::Run {
    let folder = tempfile::tempdir().unwrap();
    common::hookc(folder.path(), &[&["vocabulary"], args].concat(), "")
}

#[test]
fn lists_every_name() {
    let (text, json) = (vocabulary(&[]).out, vocabulary(&["--format", "json"]).out);
    let json: Value = serde_json::from_str(&json).unwrap();
    let listed = |section: &str| -> Vec<String> {
        json[section].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    let all = Vocabulary::builtin();
    assert_eq!(listed("events"), all.events.keys().map(|(_, name)| name.clone()).collect::<Vec<_>>());
    assert_eq!(listed("tools"), all.tools.by_name.keys().cloned().collect::<Vec<_>>());
    assert_eq!(listed("actions"), all.actions.keys().cloned().collect::<Vec<_>>());
    for name in ["events", "tools", "actions"].into_iter().flat_map(listed) {
        assert!(text.contains(&format!("    {name} ")), "{name}: {text}");
    }
}

#[test]
fn shows_what_one_contains_and_who_has_it() {
    let event = vocabulary(&["PreToolUse"]).out;
    assert!(event.contains("    tool_name "), "{event}");
    let has = |row: [&str; 2]| event.lines().any(|line| line.split_whitespace().take(2).eq(row));
    assert!(has(["gemini", "BeforeTool"]), "{event}");
    assert!(event.starts_with("PreToolUse  (agent event, which a denial prevents)\n"), "{event}");
    let report = vocabulary(&["PostToolUse"]).out;
    assert!(report.starts_with("PostToolUse  (agent event)\n"), "{report}");
    // An agent's name leads to the name of the vocabulary.
    assert_eq!(vocabulary(&["BeforeTool"]).out, event);
    let tool = vocabulary(&["run_shell_command"]).out;
    assert!(tool.starts_with("Bash  (tool)\n") && tool.contains("string <line either>"), "{tool}");
    let has_required = |action: &str| vocabulary(&[action]).out.contains("string, required");
    let action = vocabulary(&["modify"]).out;
    assert!(has_required("emit_event") && !has_required("modify"));
    let has = |row: [&str; 2]| action.lines().any(|line| line.split_whitespace().take(2).eq(row));
    assert!(has(["claude", "PreToolUse"]), "{action}");
    let json: Value = serde_json::from_str(&vocabulary(&["ask", "--format", "json"]).out).unwrap();
    assert!(json.get("events").is_none(), "{json}");
    assert_eq!(json["actions"][0]["parameters"][0]["path"], "reason");
}

#[test]
fn an_unknown_name_is_wrong_usage() {
    let run = vocabulary(&["PreTolUse"]);
    let expected = "hookc: unknown event, tool or action `PreTolUse` (`hookc vocabulary` lists all); did you mean `PreToolUse`?\n";
    assert_eq!((run.code, run.err.as_str()), (2, expected));
}
