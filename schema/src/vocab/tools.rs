//! The built-in tools of coding agents, from `schema/data/tools-agent.json`.
//!
//! Tools have the names that events contain after translation, and the inputs of all agents that
//! have the tool, so that one policy serves all agents. `some_agents` contains root fields that
//! only some agents send, by event type, with those of every event under `all`. `any_response`
//! contains the fields that the response of any tool can have.

use std::sync::Arc;

use super::load::field;
use super::{EventType, FieldSchema, ToolField, ToolType, Tools, Vocabulary};
use crate::diag::Diagnostic;
use crate::tree::Family;
use crate::value::{Kind, Member, Value};

/// The data.
pub(super) const FILE: &str = include_str!("../../data/tools-agent.json");

/// Fields of events whose members depend on the tool.
const FIELDS: [(&str, ToolField); 2] =
    [("tool_input", ToolField::Input), ("tool_response", ToolField::Response)];

/// Adds the tools, and marks the fields of events that depend on them.
pub(super) fn load(all: &mut Vocabulary, data: &Value, out: &mut Vec<Diagnostic>) {
    let any = data.get("any_response").map(|any| field(any, out)).unwrap_or_default();
    let mut tools = Tools { any_response: any.clone(), ..Tools::default() };
    for member in members(data, "tools") {
        tools.by_name.insert(member.key.node.clone(), tool(&member.value, &any, out));
    }
    for member in members(data, "some_agents") {
        let event = if member.key.node == "all" { "" } else { &member.key.node };
        tools.some_agents.insert(event.to_owned(), field(&member.value, out));
    }
    all.tools = Arc::new(tools);
    all.events.values_mut().filter(|event| event.family == Family::Agent).for_each(mark);
}

fn members<'v>(data: &'v Value, section: &str) -> &'v [Member] {
    match data.get(section).map(|section| &section.kind) {
        Some(Kind::Map(members)) => members,
        _ => &[],
    }
}

fn tool(value: &Value, any: &FieldSchema, out: &mut Vec<Diagnostic>) -> ToolType {
    let mut part = |name: &str| value.get(name).map(|schema| field(schema, out));
    ToolType {
        input: part("input"),
        response: part("response").map(|response| response.with(any)),
        description: value.get("description").and_then(Value::as_str).unwrap_or_default().to_owned(),
    }
}

fn mark(event: &mut EventType) {
    if event.schema.property("tool_name").is_none() {
        return;
    }
    let schema = Arc::make_mut(&mut event.schema);
    for (name, holds) in FIELDS {
        if let Some(field) = schema.properties.get_mut(name) {
            field.tool = Some(holds);
        }
    }
}
