//! `hookc list`: a table of hooks as written, disabled ones included; of a module
//! the hooks that are in it (`module.rs`). `table.rs` fits it to the terminal.

mod module;
mod table;

use hookc_base::action::Kind as ActionKind;
use hookc_schema::Sources;
use hookc_schema::tree::{Action, Effect, Hook, Layer, Section, print};
use hookc_schema::value::Kind;
use hookc_schema::vocab::Vocabulary;
use hookc_syntax::expr::print as expr;
use hookc_vm::Module;
use serde::Serialize;
use serde_json::value::RawValue;
use std::path::PathBuf;

use crate::args::{Format, Global, List};
use crate::cmd::repository;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::Texts;
use crate::installed::command::quoted;
use crate::{discover, load, out, screen};

#[derive(Serialize)]
struct Row {
    id: String,
    event: String,
    layer: &'static str,
    /// `null` in a module, which has ranks instead.
    priority: Option<Box<RawValue>>,
    enabled: bool,
    blocking: Option<bool>,
    mode: &'static str,
    /// The condition as an expression; `null` in a module.
    matches: Option<String>,
    /// The permission rule of a handler (`if`), which is tested in addition to the condition.
    #[serde(rename = "if", skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    action: String,
    /// What it starts: a command line, or a program with its arguments.
    command: Option<serde_json::Value>,
    /// The arguments that may have any value according to the policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    trusted_args: Option<serde_json::Value>,
    /// What the hook is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    /// What its handler does, as declared: a name, or an object with the name and its target.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    effects: Vec<serde_json::Value>,
    source: String,
    /// The position among the hooks of its event, in a module.
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u32>,
}

pub(crate) fn run(global: &Global, args: &List) -> Outcome {
    let (mut rows, mut failed) = (Vec::new(), false);
    let mut texts = Texts::shown();
    let found = discover::search(&paths(args)?, &mut texts)?;
    for unit in found.units {
        if let Some(module) = load::module_file(Module::load, &unit.paths, &mut texts, &args.sources)? {
            rows.extend(module::rows(&module)?);
            continue;
        }
        let built = load::unit(&unit, &mut texts, &args.sources)?;
        built.report(global);
        failed |= built.compiled.failed();
        // The shipped hooks are reported once, with the named files.
        let shipped = unit.dialect.is_none().then(|| built.shipped()).flatten();
        for (policy, layer) in built.written().chain(shipped) {
            rows.extend(policy.hooks.iter().map(|hook| row(hook, layer, &built.sources)));
        }
    }
    if !found.suspects.is_empty() {
        let mut sources = Sources::new();
        let suspects = load::suspects(&mut sources, &found.suspects, &mut texts)?;
        out::diagnostics(global, &suspects, &sources);
        failed = true;
    }
    out::diagnostics(global, &load::probably_meant(&found.skipped), &Sources::new());
    if rows.is_empty() && failed {
        return Ok(Exit::Errors);
    }
    if global.format == Format::Json {
        out::json(&json(&rows))?;
    } else {
        out::text(&table::text(&rows, global.verbose > 0, screen::width()))?;
    }
    Ok(Exit::errors_if(failed))
}

/// The paths of the command line, or the hooks of this repository.
fn paths(args: &List) -> Result<Vec<PathBuf>, Failure> {
    if !args.files.is_empty() || !args.sources.layers.is_empty() {
        return Ok(args.files.clone());
    }
    match repository::folder().map_err(Failure::usage)? {
        Some(folder) => Ok(vec![folder]),
        None => Err(Failure::usage(format!(
            "no policy was given: name a file, or a directory such as `.` (there is {})",
            repository::absent()
        ))),
    }
}

fn row(hook: &Hook, layer: Layer, sources: &Sources) -> Row {
    let events: Vec<&str> = hook.events.iter().map(|event| event.node.as_str()).collect();
    let layer = if hook.section == Section::Builtin { Layer::Builtin } else { layer };
    Row {
        id: hook.id.as_ref().map(|id| id.node.clone()).unwrap_or_default(),
        event: events.join(", "),
        layer: layer.name(),
        priority: priority(hook),
        enabled: hook.enabled.as_ref().is_none_or(|enabled| enabled.node),
        blocking: blocking(&hook.action),
        mode: hook.mode.as_ref().map(|mode| mode.node).unwrap_or_default().name(),
        matches: Some(
            hook.condition
                .as_ref()
                .map_or_else(|| "always".to_owned(), |cond| expr::when(cond, expr::Operators::Symbols)),
        ),
        rule: rule(&hook.action),
        action: hook.action.kind.node.clone(),
        command: command(&hook.action),
        trusted_args: param(&hook.action, "trusted_args"),
        summary: hook.description.as_ref().map(|text| one_line(&text.node)),
        effects: hook.effects.iter().map(effect).collect(),
        source: sources.location(hook.span.0),
        rank: None,
    }
}

/// The priority with its own digits.
fn priority(hook: &Hook) -> Option<Box<RawValue>> {
    let text = hook.priority.as_ref().map_or("0", |priority| &priority.node.0);
    RawValue::from_string(text.to_owned()).ok()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn effect(effect: &Effect) -> serde_json::Value {
    let name = effect.name.node.as_str();
    match effect.detail.as_ref().and_then(|detail| serde_json::from_str(&print::json(detail)).ok()) {
        None => name.into(),
        Some(serde_json::Value::Null) => name.into(),
        Some(detail) => serde_json::Value::Object([(name.to_owned(), detail)].into_iter().collect()),
    }
}

/// The permission rule of a handler.
fn rule(action: &Action) -> Option<String> {
    let given = action.params.iter().find(|(name, _)| name.node == "if")?;
    given.1.as_str().map(str::to_owned)
}

/// Whether the result of a process is awaited; undefined for other kinds of actions.
fn blocking(action: &Action) -> Option<bool> {
    let declared = Vocabulary::builtin();
    let default = declared.actions.get(&action.kind.node)?.params.get("blocking")?.default.as_ref();
    let given = action.params.iter().find(|(name, _)| name.node == "blocking").map(|(_, value)| value);
    match given.or(default)?.kind {
        Kind::Bool(blocking) => Some(blocking),
        _ => None,
    }
}

/// What an action starts: a shell command line, a program with its arguments, a script, or a
/// request to a URL.
fn command(action: &Action) -> Option<serde_json::Value> {
    let param = |name: &str| param(action, name);
    let args = || match param("args") {
        Some(serde_json::Value::Array(args)) => args,
        other => other.into_iter().collect(),
    };
    match action.known()? {
        ActionKind::Run if param("argv").is_some() => param("argv"),
        ActionKind::Run if param("args").is_some() => {
            Some(param("command").into_iter().chain(args()).collect())
        }
        ActionKind::Run => param("command"),
        ActionKind::Script => param("file"),
        ActionKind::Http => param("url"),
        _ => None,
    }
}

fn param(action: &Action, name: &str) -> Option<serde_json::Value> {
    let value =
        action.params.iter().rfind(|(key, _)| key.node == name).map(|(_, value)| print::json(value))?;
    serde_json::from_str(&value).ok()
}

/// A command as a shell would take it.
fn spelled(command: &serde_json::Value) -> String {
    let word = |word: &serde_json::Value| word.as_str().map_or_else(|| word.to_string(), quoted);
    match command {
        serde_json::Value::String(line) => line.clone(),
        serde_json::Value::Array(words) => words.iter().map(word).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

fn json(rows: &[Row]) -> String {
    rows.iter().filter_map(|row| serde_json::to_string(row).ok()).map(|line| line + "\n").collect()
}
