//! The built-in tools of coding agents: those that agents share from `schema/data/tools-agent.json`,
//! and what single agents add (`sends.rs`).
//!
//! Tools have the names that events contain after translation, and the inputs of all agents that
//! have the tool, so that one policy serves all agents.

use std::sync::Arc;

use super::load::field;
use super::{EventType, FieldSchema, ToolField, ToolType, Tools, Type, TypeSet, Vocabulary, sends};
use crate::diag::Diagnostics;
use crate::tree::Family;
use crate::value::{Kind, Member, Value};

/// The data.
pub(super) const FILE: &str = include_str!("../../data/tools-agent.json");

/// Fields of events whose members depend on the tool.
const FIELDS: [(&str, ToolField); 2] =
    [("tool_input", ToolField::Input), ("tool_response", ToolField::Response)];

/// Adds the tools, and marks the fields of events that depend on them.
pub(super) fn load(vocabulary: &mut Vocabulary, data: &Value, out: &mut Diagnostics) {
    let mut tools = Tools { any_response: object(), ..Tools::default() };
    for member in members(data, "tools") {
        tools.by_name.insert(member.key.node.clone(), tool(&member.value, out));
    }
    sends::load(&mut tools, out);
    for tool in tools.by_name.values_mut() {
        tool.response = tool.response.take().map(|response| response.with(&tools.any_response));
    }
    vocabulary.tools = Arc::new(tools);
    vocabulary.events.values_mut().filter(|event| event.family == Family::Agent).for_each(mark);
}

/// An object whose members are not declared yet.
pub(super) fn object() -> FieldSchema {
    FieldSchema { types: TypeSet::only(Type::Object), ..FieldSchema::default() }
}

pub(super) fn members<'v>(data: &'v Value, section: &str) -> &'v [Member] {
    data.get(section).map(Value::members).unwrap_or_default()
}

pub(super) fn tool(value: &Value, out: &mut Diagnostics) -> ToolType {
    let mut part = |name: &str| value.get(name).map(|schema| field(schema, out));
    ToolType {
        input: part("input"),
        response: part("response"),
        now: names(value.get("now")),
        description: value.get("description").and_then(Value::as_str).unwrap_or_default().to_owned(),
    }
}

fn names(value: Option<&Value>) -> Vec<String> {
    match value.map(|value| &value.kind) {
        Some(Kind::Seq(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
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
