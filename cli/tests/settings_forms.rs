//! Forms of settings that the agents' own programs were tried with: where the program ran a command that the policy denies,
//! `doctor` and `probe` find the guard dead; where it denied the command, they do not.
//!
//! Tried in November 2026 with Claude Code 2.1.197, Codex CLI 0.171.0, Copilot CLI 1.0.102 and Gemini CLI 0.61.0, and a model
//! on the loopback interface.
#![cfg(unix)]

use std::fs;

use hookc_schema::agents;
use serde_json::{Value, json};

use crate::every_agent::guarded;

/// What is changed: a key of the handler, the matcher, a key of the file, or its command.
enum Form {
    Handler(&'static str, Value),
    Matcher(Value),
    Root(&'static str, Value),
    Command(fn(&str) -> String),
}

use Form::{Command, Handler, Matcher, Root};

/// The command in the background.
fn in_background(line: &str) -> String {
    format!("{line} &")
}

/// The agent, the form, and whether its program denied the command.
fn forms() -> Vec<(&'static str, Form, bool)> {
    let timeout = |seconds: Value| Handler("timeout", seconds);
    vec![
        ("claude", timeout(json!(0)), false),
        ("claude", timeout(json!(0.001)), false),
        ("claude", timeout(json!("10")), false),
        ("claude", Root("disableAllHooks", json!("true")), false),
        ("claude", Command(in_background), false),
        ("claude", Matcher(json!("(?!Read).*")), true),
        ("claude", Matcher(json!(" Bash ")), true),
        ("claude", Matcher(json!(["Bash"])), false),
        ("claude", Matcher(Value::Null), false),
        ("claude", Handler("disabled", json!(true)), true),
        ("claude", Handler("enabled", json!(false)), true),
        ("codex", timeout(json!(0)), true),
        ("codex", timeout(json!(0.05)), false),
        ("codex", timeout(json!(1.5)), false),
        ("codex", timeout(json!("10")), false),
        ("codex", Command(in_background), false),
        ("codex", Matcher(json!(["Bash"])), false),
        ("codex", Matcher(json!(5)), false),
        ("codex", Matcher(Value::Null), true),
        ("codex", Matcher(json!(" Bash ")), false),
        ("codex", Matcher(json!("Bash, Edit")), false),
        ("codex", Matcher(json!("(?!Read).*")), false),
        ("codex", Handler("disabled", json!(true)), true),
        ("codex", Handler("enabled", json!(false)), true),
        ("copilot", timeout(json!(0)), false),
        ("copilot", timeout(json!(0.001)), false),
        ("copilot", timeout(json!(1)), true),
        ("copilot", timeout(json!("10")), false),
        ("copilot", Root("disableAllHooks", json!("true")), false),
        ("copilot", Matcher(json!(["bash"])), false),
        ("copilot", Matcher(json!(5)), false),
        ("copilot", Matcher(Value::Null), false),
        ("copilot", Matcher(json!("Bash")), false),
        ("copilot", Matcher(json!("*")), false),
        ("copilot", Matcher(json!("")), false),
        ("copilot", Matcher(json!("bash")), true),
        ("copilot", Matcher(json!("Bash|bash")), true),
        ("copilot", Matcher(json!("(?!x)bash")), true),
        ("copilot", Matcher(json!(" bash ")), false),
        ("copilot", Handler("enabled", json!(false)), true),
        ("gemini", timeout(json!(0)), false),
        ("gemini", timeout(json!(1)), false),
        ("gemini", Matcher(json!(["run_shell_command"])), false),
        ("gemini", Matcher(Value::Null), true),
        ("gemini", Root("disableAllHooks", json!("true")), true),
    ]
}

/// Applies a form to each call of hookc and to its group.
fn change(value: &mut Value, form: &Form, is_in_event: bool) {
    let is_call = |value: &Value| {
        let line = value.get("command").or_else(|| value.get("bash")).and_then(Value::as_str);
        line.is_some_and(|line| line.contains("run --host"))
    };
    let is_group = |value: &Value| value["hooks"].as_array().is_some_and(|inner| inner.iter().any(is_call));
    match form {
        Handler(key, new) if is_call(value) => value[*key] = new.clone(),
        Command(new) if is_call(value) => {
            let key = if value.get("command").is_some() { "command" } else { "bash" };
            value[key] = new(value[key].as_str().unwrap()).into();
        }
        Matcher(new) if is_in_event && (is_group(value) || is_call(value)) => value["matcher"] = new.clone(),
        _ => {}
    }
    match value {
        Value::Object(members) => {
            members.iter_mut().for_each(|(key, inner)| change(inner, form, is_in_event && key != "hooks"));
        }
        Value::Array(items) => items.iter_mut().for_each(|inner| change(inner, form, is_in_event)),
        _ => {}
    }
}

#[test]
fn forms_of_settings_are_judged_as_the_agents_do() {
    let mut wrong = Vec::new();
    for (agent, form, denies) in forms().into_iter().step_by(hookc_corpus::effort(1, 5)) {
        let (place, file) = guarded(agents::by_name(agent).unwrap());
        let old: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        let mut root = old.clone();
        match &form {
            Root(key, new) => root[*key] = new.clone(),
            form => {
                let hooks = root["hooks"].as_object_mut().unwrap();
                hooks.values_mut().for_each(|event| change(event, form, true));
            }
        }
        assert_ne!(root, old, "{agent}");
        let new = serde_json::to_string_pretty(&root).unwrap();
        fs::write(&file, &new).unwrap();
        let (probe, doctor) = (place.hookc(&["probe", agent]), place.hookc(&["doctor"]));
        let expected = i32::from(!denies);
        if (probe.code, doctor.code) != (expected, expected) {
            wrong.push(format!("{agent}: {new}\n{}{}", probe.out, doctor.out));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
