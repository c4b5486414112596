//! What was written, how to try it, and what comes next.

use std::fmt::Write as _;
use std::path::Path;

use hookc_compiler::Dialect;
use serde_json::{Value, json};

use super::plan::{File, Plan, Role};
use super::spec::Spec;
use super::{is_trial, policy};
use crate::args::{Format, Global};

/// `--dry-run`: the files.
pub(super) fn dry(global: &Global, plan: &Plan) -> String {
    if global.format == Format::Json {
        let files: Vec<Value> =
            plan.files().map(|file| json!({"path": file.shown(), "text": file.text})).collect();
        return format!("{}\n", json!({"files": files, "snippet": snippet(plan)}));
    }
    let mut out = String::new();
    for file in plan.files() {
        let _ = writeln!(out, "--- {}\n{}", file.shown(), file.text);
    }
    if let Some(text) = snippet(plan) {
        let _ = writeln!(out, "--- to put into {}\n{text}", plan.policy.shown());
    }
    out
}

fn snippet(plan: &Plan) -> Option<&str> {
    plan.snippet.then_some(plan.policy.text.as_str())
}

/// Files were written.
pub(super) fn written(global: &Global, plan: &Plan, spec: &Spec, dir: &Path) -> String {
    let (tries, next) = (tries(plan, spec), next(plan, spec));
    if global.format == Format::Json {
        let created: Vec<String> = plan.files().map(File::shown).collect();
        let all = json!({"created": created, "snippet": snippet(plan), "try": tries, "next": next});
        return format!("{all}\n");
    }
    let mut out = String::new();
    for file in plan.files() {
        let _ = writeln!(out, "created {}{}", file.shown(), what(file));
    }
    if let Some(text) = snippet(plan) {
        let _ = write!(out, "\nput this into {}, which is there already:\n\n{text}", plan.policy.shown());
    }
    let _ = writeln!(out, "\ntry it:");
    if dir != Path::new(".") {
        let _ = writeln!(out, "  cd {}", quoted(&dir.display().to_string()));
    }
    out.extend(tries.iter().map(|line| format!("  {line}\n")));
    out.push_str("\nnext:\n");
    out.extend(next.iter().map(|line| format!("  {line}\n")));
    out
}

fn what(file: &File) -> &'static str {
    match file.role {
        Role::Policy => "",
        Role::Handler | Role::Script => " (the handler: a stub)",
        Role::Event => " (an event in each line)",
        Role::Test => " (its test)",
    }
}

/// Command lines, from the root of the repository.
fn tries(plan: &Plan, spec: &Spec) -> Vec<String> {
    let policy = plan.policy.local.as_str();
    let event = plan.event.as_ref().map(|file| file.local.as_str()).unwrap_or_default();
    let mut all = vec![format!("hookc check --deny warnings {policy}")];
    all.extend(plan.test.as_ref().map(|test| format!("hookc test {}", test.local)));
    all.push(format!("hookc eval --event {} {policy} {event}", spec.event));
    match (spec.dialect, &plan.handler) {
        (Dialect::Repository, _) if spec.event == "PreAbilityCall" => {
            let text = plan.event.as_ref().map(|file| file.text.as_str()).unwrap_or_default();
            let event: Value = serde_json::from_str(text).unwrap_or_default();
            let ability = quoted(event.get("ability_id").and_then(Value::as_str).unwrap_or("edit_file"));
            all.push(format!("hookc ability run --ability {ability} --source manual_cli -- true"));
        }
        (Dialect::Settings, _) => all.push(format!("head -n 1 {event} | hookc run --host claude {policy}")),
        _ => {}
    }
    let handler = plan.handler.as_ref().filter(|file| file.role == Role::Handler);
    all.extend(handler.map(|file| format!("head -n 1 {event} | ./{}", file.local)));
    all
}

fn next(plan: &Plan, spec: &Spec) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(handler) = &plan.handler {
        all.push(format!("write what it does into {}", handler.local));
    } else {
        all.push(format!("say in {} what it does", plan.policy.local));
    }
    let trial: Vec<&str> =
        plan.files().filter(|file| is_trial(file)).map(|file| file.local.as_str()).collect();
    all.push(format!("add events that it is for, and events that it is not for, to {}", trial.join(" and ")));
    if spec.dialect == Dialect::Settings && !policy::is_native(spec) {
        let line = format!("hookc run --host claude {}", plan.policy.local);
        all.push(format!("`when` and `action` are not read by the agent itself: configure `{line}` there"));
    }
    all
}

/// For a shell.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    if text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
