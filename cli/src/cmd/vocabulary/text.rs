//! The vocabulary for people.

use std::fmt::Write;

use crate::screen;

use super::model::{ActionName, EventName, Field, Names, ToolName};

/// Every name with its description.
pub(super) fn list(names: &Names) -> String {
    let mut out = String::new();
    let mut families: Vec<&str> = names.events.iter().map(|event| event.family).collect();
    families.dedup();
    for family in families {
        let events = names.events.iter().filter(|event| event.family == family);
        let rows = events.map(|event| [event.name.as_str(), &event.description]).collect();
        section(&format!("{family} events"), rows, &mut out);
    }
    let tools = names.tools.iter().map(|tool| [tool.name.as_str(), &tool.description]);
    section("tools", tools.collect(), &mut out);
    let actions = names.actions.iter().map(|action| [action.name.as_str(), &action.description]);
    section("actions", actions.collect(), &mut out);
    let end = "`hookc vocabulary NAME` shows the fields of one and the agents that have it.";
    out + &screen::hanging("", end, screen::width()) + "\n"
}

/// What the names contain.
pub(super) fn details(names: &Names) -> String {
    let events = names.events.iter().map(event);
    let tools = names.tools.iter().map(tool);
    let actions = names.actions.iter().map(action);
    events.chain(tools).chain(actions).collect::<Vec<_>>().join("\n")
}

fn event(event: &EventName) -> String {
    let kind = if event.prevents { ", which a denial prevents" } else { "" };
    let mut out = title(&event.name, &format!("{} event{kind}", event.family), &event.description);
    fields("fields", &event.fields, &mut out);
    let rows = event.agents.iter().map(|at| [at.agent.clone(), at.event.clone(), at.can.join(", ")]);
    table("agents, their names of it, and what an answer can do", rows.collect(), &mut out);
    out
}

fn tool(tool: &ToolName) -> String {
    let mut out = title(&tool.name, "tool", &tool.description);
    fields("inputs, with what the tool does with them", &tool.inputs, &mut out);
    fields("response", &tool.response, &mut out);
    let rows = tool.agents.iter().map(|at| [at.agent.clone(), at.names.join(", ")]);
    table("agents, and their names of it", rows.collect(), &mut out);
    out
}

fn action(action: &ActionName) -> String {
    let mut out = title(&action.name, "action", &action.description);
    fields("parameters", &action.parameters, &mut out);
    let rows = action.agents.iter().map(|at| [at.agent.clone(), at.events.join(", ")]);
    table("agents, and the events at which they honour it", rows.collect(), &mut out);
    out
}

fn title(name: &str, kind: &str, description: &str) -> String {
    let columns = screen::width();
    let head = screen::hanging(&format!("{name}  "), &format!("({kind})"), columns);
    format!("{head}\n{}\n", screen::hanging("  ", description, columns))
}

fn fields(head: &str, fields: &[Field], out: &mut String) {
    let row = |field: &Field| {
        let mut about = field.description.clone();
        if !field.values.is_empty() {
            let _ = write!(about, ": {}", field.values.join(", "));
        }
        let role = field.role.as_ref().map(|role| format!(" <{role}>")).unwrap_or_default();
        let required = if field.required { ", required" } else { "" };
        [field.path.clone(), format!("{}{role}{required}", field.types), about]
    };
    table(head, fields.iter().map(row).collect(), out);
}

/// Names with descriptions under a head, and an empty line.
fn section(head: &str, rows: Vec<[&str; 2]>, out: &mut String) {
    table(head, rows.into_iter().map(|row| row.map(str::to_owned)).collect(), out);
    out.push('\n');
}

/// Rows in columns under a head; nothing without rows.
fn table<const N: usize>(head: &str, rows: Vec<[String; N]>, out: &mut String) {
    if rows.is_empty() {
        return;
    }
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..N).map(|at| width(at).unwrap_or(0).min(WIDEST)).collect();
    let _ = writeln!(out, "{}", screen::hanging("  ", head, screen::width()));
    let columns = screen::width();
    for row in &rows {
        let Some((last, first)) = row.split_last() else { continue };
        let cells: String =
            first.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}  ")).collect();
        let _ = writeln!(out, "{}", screen::hanging(&format!("    {cells}"), last, columns));
    }
}

/// The widest column that shorter cells are filled up to.
const WIDEST: usize = 40;
