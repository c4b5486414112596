//! Inputs of the tools of a coding agent, as samples: an event about `Write` has a
//! file and its content, not a command. The vocabulary has the fields of a tool.

use hookc_schema::vocab::{FieldSchema, Type, Vocabulary};
use serde_json::{Map, Value};

/// What a field may contain, by its name. Fields without a row are left out where others
/// have one.
const EXAMPLES: [(&str, &str); 15] = [
    ("command", "ls"),
    ("content", "example\n"),
    ("description", "List the files"),
    ("file_path", "src/example.txt"),
    ("new_source", "1 + 1"),
    ("new_string", "after"),
    ("notebook_path", "example.ipynb"),
    ("old_string", "before"),
    ("path", "src"),
    ("pattern", "**/*.rs"),
    ("prompt", "List the files"),
    ("query", "example"),
    ("skill", "example"),
    ("subagent_type", "general-purpose"),
    ("url", "https://example.com/"),
];

/// Adds the input that the tool accepts to an event about a tool, and removes fields that only MCP
/// tools have.
pub(super) fn fit(event: &mut Value) {
    let Some(members) = event.as_object_mut() else { return };
    if let Some(tool) = other(members) {
        members.insert("tool_name".to_owned(), tool.into());
    }
    let Some(tool) = members.get("tool_name").and_then(Value::as_str) else { return };
    let (input, mcp) = (input(tool), tool.starts_with("mcp__"));
    if members.contains_key("tool_input") {
        members.insert("tool_input".to_owned(), input);
    }
    if !mcp {
        members.remove("mcp_server");
    }
}

/// Tools that are chosen first, in order.
const COMMON: [&str; 6] = ["Read", "Write", "Edit", "WebFetch", "WebSearch", "Grep"];

/// A tool with the inputs that the event has, if its own tool does not have them.
fn other(event: &Map<String, Value>) -> Option<String> {
    let vocabulary = Vocabulary::builtin();
    let tools = &vocabulary.tools.by_name;
    let wanted = event.get("tool_input")?.as_object()?;
    let has = |tool: &str| {
        let input = tools.get(tool).and_then(|tool| tool.input.as_ref());
        input.is_none_or(|input| wanted.keys().all(|name| input.property(name).is_some()))
    };
    if has(event.get("tool_name")?.as_str()?) {
        return None;
    }
    COMMON.into_iter().chain(tools.keys().map(String::as_str)).find(|tool| has(tool)).map(str::to_owned)
}

/// The input of a tool; empty for an unknown tool.
fn input(tool: &str) -> Value {
    let vocabulary = Vocabulary::builtin();
    let declared = vocabulary.tools.by_name.get(tool).and_then(|tool| tool.input.as_ref());
    let text = |field: &FieldSchema| field.types.types().any(|kind| kind == Type::String);
    // Of a tool that runs no command line, `command` is something that one agent alone sends.
    let is_line = |field: &FieldSchema| field.role.as_ref().is_some_and(|role| role.node.starts_with("line"));
    let is_plain = |name: &str, field: &FieldSchema| text(field) && (name != "command" || is_line(field));
    let fields =
        || declared.iter().flat_map(|input| &input.properties).filter(|(name, field)| is_plain(name, field));
    let example =
        |name: &str| EXAMPLES.iter().find(|(key, _)| *key == name).map(|(_, value)| Value::from(*value));
    let mut known: Map<String, Value> =
        fields().filter_map(|(name, _)| Some((name.clone(), example(name)?))).collect();
    // Members that some agents send in addition to the file are not part of a plain call.
    if known.contains_key("file_path") {
        known.retain(|name, _| !matches!(name.as_str(), "path" | "prompt" | "url"));
    }
    match known.is_empty() {
        true => Value::Object(fields().map(|(name, _)| (name.clone(), "example".into())).collect()),
        false => Value::Object(known),
    }
}
