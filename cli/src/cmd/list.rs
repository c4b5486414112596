//! `hookc list`: a table of hooks as written, disabled ones included.

use comfy_table::{ContentArrangement, Table, presets};
use hookc_compiler::expr::print;
use hookc_schema::Sources;
use hookc_schema::tree::{Hook, Layer, Mode, Policy, Section};
use serde::Serialize;

use crate::args::{Format, Global, List};
use crate::exit::{Exit, Outcome};
use crate::{load, out};

#[derive(Serialize)]
struct Row {
    id: String,
    event: String,
    layer: &'static str,
    priority: String,
    enabled: bool,
    mode: &'static str,
    matches: String,
    action: String,
    source: String,
}

pub(crate) fn run(global: &Global, args: &List) -> Outcome {
    let built = load::build(&args.files, &args.sources, false)?;
    built.tell(global);
    let mut rows = Vec::new();
    for (policy, layer) in built.compiled.policies.iter().zip(&built.compiled.layers) {
        rows.extend(policy.hooks.iter().map(|hook| row(policy, hook, *layer, &built.sources)));
    }
    let text = if global.format == Format::Json { json(&rows) } else { table(&rows) };
    out::stdout(text.as_bytes())?;
    Ok(Exit::errors_if(built.compiled.failed()))
}

fn row(_policy: &Policy, hook: &Hook, layer: Layer, sources: &Sources) -> Row {
    let events: Vec<&str> = hook.events.iter().map(|event| event.node.as_str()).collect();
    let layer = if hook.section == Section::Builtin { Layer::Builtin } else { layer };
    Row {
        id: hook.id.as_ref().map(|id| id.node.clone()).unwrap_or_default(),
        event: events.join(", "),
        layer: layer_name(layer),
        priority: hook.priority.as_ref().map_or_else(|| "0".to_owned(), |priority| priority.node.0.clone()),
        enabled: hook.enabled.as_ref().is_none_or(|enabled| enabled.node),
        mode: mode_name(hook.mode.as_ref().map(|mode| mode.node).unwrap_or_default()),
        matches: hook.condition.as_ref().map_or_else(|| "always".to_owned(), |cond| print::when(cond, false)),
        action: hook.action.kind.node.clone(),
        source: sources.place(hook.span.0),
    }
}

fn layer_name(layer: Layer) -> &'static str {
    match layer {
        Layer::Managed => "managed",
        Layer::Directive => "directive",
        Layer::Project => "project",
        Layer::User => "user",
        Layer::Builtin => "builtin",
    }
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Enforce => "enforce",
        Mode::Warn => "warn",
        Mode::Shadow => "shadow",
    }
}

fn json(rows: &[Row]) -> String {
    rows.iter().filter_map(|row| serde_json::to_string(row).ok()).map(|line| line + "\n").collect()
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["id", "event", "layer", "priority", "enabled", "mode", "when", "action", "source"]);
    for row in rows {
        let enabled = if row.enabled { "yes" } else { "no" };
        let cells = [
            &row.id,
            &row.event,
            row.layer,
            &row.priority,
            enabled,
            row.mode,
            &short(&row.matches),
            &row.action,
            &row.source,
        ];
        table.add_row(cells.map(clean));
    }
    format!("{table}\n")
}

fn short(text: &str) -> String {
    const MOST: usize = 60;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST - 1).chain(['…']).collect()
}

fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
