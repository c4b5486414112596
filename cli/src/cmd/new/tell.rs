//! What was written, how to try it, and the next steps.

use std::fmt::Write as _;
use std::path::Path;

use hookc_compiler::Dialect;
use hookc_schema::tree::Family;
use serde_json::{Value, json};

use super::plan::{File, Placement, Plan, Role, SETTINGS};
use super::policy;
use super::spec::Spec;
use crate::args::{Format, Global};
use crate::edit::save;
use crate::exit::Failure;
use crate::installed::command::quoted;
use crate::{files, out};

/// `--dry-run`: the files, and what would change.
pub(super) fn dry(global: &Global, plan: &Plan) -> String {
    if global.format == Format::Json {
        let file = |file: &File| json!({"path": file.shown(), "text": file.text});
        let files: Vec<Value> = plan.files().map(file).collect();
        let changed = matches!(plan.placement, Placement::Into(_)).then(|| file(&plan.policy));
        return format!("{}\n", json!({"files": files, "changed": changed, "snippet": snippet(plan)}));
    }
    let mut out = String::new();
    for file in plan.files() {
        let _ = writeln!(out, "--- {}\n{}", file.shown(), file.text);
    }
    match &plan.placement {
        Placement::New => {}
        Placement::Into(old) => out.push_str(&save::difference(&plan.policy.path, old, &plan.policy.text)),
        Placement::Exists => drop(writeln!(out, "{}", there(plan))),
        Placement::Shown => {
            let _ = writeln!(out, "--- to add to {}\n{}", plan.policy.shown(), plan.policy.text);
        }
    }
    out
}

fn snippet(plan: &Plan) -> Option<&str> {
    matches!(plan.placement, Placement::Shown).then_some(plan.policy.text.as_str())
}

fn there(plan: &Plan) -> String {
    format!("{} already has this hook", plan.policy.shown())
}

/// Files were written.
pub(super) fn written(
    global: &Global,
    plan: &Plan,
    spec: &Spec,
    dir: &Path,
    backup: Option<&Path>,
) -> Result<(), Failure> {
    let created: Vec<String> = plan.files().map(File::shown).collect();
    let (tries, next) = (tries(plan, spec), next(plan, spec));
    if global.format == Format::Json {
        let changed =
            backup.map(|backup| json!({"path": plan.policy.shown(), "before": files::name(backup)}));
        let report = json!({
            "created": created, "changed": changed, "snippet": snippet(plan), "try": tries, "next": next,
        });
        return out::json(&format!("{report}\n"));
    }
    if let Placement::Exists = plan.placement {
        let nothing = if created.is_empty() { ": nothing was written" } else { "" };
        out::say(global, &format!("{}{nothing}", there(plan)));
        if created.is_empty() {
            return Ok(());
        }
    }
    let mut text = String::new();
    for file in plan.files() {
        let _ = writeln!(text, "created {}{}", file.shown(), what(file));
    }
    if let Some(backup) = backup {
        let _ = writeln!(text, "changed {} (before: {})", plan.policy.shown(), backup.display());
    }
    if let Some(piece) = snippet(plan) {
        let _ = write!(text, "\nadd this to {}, which already exists:\n\n{piece}", plan.policy.shown());
    }
    let _ = writeln!(text, "\ntry it:");
    if dir != Path::new(".") {
        let _ = writeln!(text, "  cd {}", quoted(&dir.display().to_string()));
    }
    text.extend(tries.iter().map(|line| format!("  {line}\n")));
    text.push_str("\nnext:\n");
    text.extend(next.iter().map(|line| format!("  {line}\n")));
    out::text(&text)
}

fn what(file: &File) -> &'static str {
    match file.role {
        Role::Policy => "",
        Role::Handler | Role::Script => " (the handler: a stub)",
        Role::Event => " (one event per line)",
        Role::Test => " (its test)",
    }
}

/// Command lines, from the root of the repository.
fn tries(plan: &Plan, spec: &Spec) -> Vec<String> {
    let policy = quoted(&plan.policy.local);
    let event = plan.event.as_ref().map(|file| file.local.as_str()).unwrap_or_default();
    let mut commands = vec![format!("hookc check --deny warnings {policy}")];
    commands.extend(plan.test.as_ref().map(|test| format!("hookc test {}", test.local)));
    commands.push(format!("hookc eval --event {} {policy} {event}", spec.event));
    match (spec.dialect, &plan.handler) {
        (Dialect::Repository, _) if spec.event == "PreAbilityCall" => {
            let text = plan.event.as_ref().map(|file| file.text.as_str()).unwrap_or_default();
            let event: Value = serde_json::from_str(text).unwrap_or_default();
            let ability = quoted(event.get("ability_id").and_then(Value::as_str).unwrap_or("edit_file"));
            commands.push(format!("hookc ability run --ability {ability} --source manual_cli -- true"));
        }
        (Dialect::Settings, _) => {
            commands.push(format!("head -n 1 {event} | hookc run --host claude {policy}"))
        }
        _ => {}
    }
    let handler = plan.handler.as_ref().filter(|file| file.role == Role::Handler);
    commands.extend(handler.map(|file| format!("head -n 1 {event} | ./{}", file.local)));
    commands
}

fn next(plan: &Plan, spec: &Spec) -> Vec<String> {
    let mut steps = Vec::new();
    if let Some(handler) = &plan.handler {
        steps.push(format!("write its code in {}", handler.local));
    } else {
        steps.push(format!("describe it in {}", plan.policy.local));
    }
    let trial: Vec<&str> = plan.event.iter().chain(&plan.test).map(|file| file.local.as_str()).collect();
    steps.push(format!(
        "add events that it should match, and events that it should not match, to {}",
        trial.join(" and ")
    ));
    if spec.dialect == Dialect::Settings && !policy::is_native(spec) {
        let policy = Path::new(&plan.policy.local);
        let local = if policy == Path::new(SETTINGS) {
            Path::new(".hooks").join(format!("{}.json", spec.id))
        } else {
            policy.into()
        };
        let not_read = "the agent itself does not read `when` and `action`";
        if local != policy {
            steps.push(format!("{not_read}: move the hook into a policy, {}", local.display()));
        }
        steps.push(format!("{not_read}: `hookc install claude {}`", quoted(&local.to_string_lossy())));
    }
    if spec.dialect == Dialect::HooksYaml && spec.family == Family::Agent {
        let name = spec.host.map_or("claude", |host| host.agent().name.as_str());
        let others = if spec.host.is_some() { "" } else { " (or another agent)" };
        steps.push(format!(
            "let the agent call it: `hookc install {name} {}`{others}",
            quoted(&plan.policy.local)
        ));
    }
    steps
}
