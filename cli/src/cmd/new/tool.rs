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
    let Some(tool) = members.get("tool_name").and_then(Value::as_str) else { return };
    let (input, mcp) = (input(tool), tool.starts_with("mcp__"));
    if members.contains_key("tool_input") {
        members.insert("tool_input".to_owned(), input);
    }
    if !mcp {
        members.remove("mcp_server");
    }
}

/// The input of a tool; empty for an unknown tool.
fn input(tool: &str) -> Value {
    let vocabulary = Vocabulary::builtin();
    let declared = vocabulary.tools.by_name.get(tool).and_then(|tool| tool.input.as_ref());
    let text = |field: &FieldSchema| field.types.types().any(|kind| kind == Type::String);
    let fields = || declared.iter().flat_map(|input| &input.properties).filter(|(_, field)| text(field));
    let example =
        |name: &str| EXAMPLES.iter().find(|(own, _)| *own == name).map(|(_, value)| Value::from(*value));
    let mut known: Map<String, Value> =
        fields().filter_map(|(name, _)| Some((name.clone(), example(name)?))).collect();
    // Members that some agents send in addition to the file are not part of a plain call.
    if known.contains_key("file_path") {
        known.retain(|name, _| !matches!(name.as_str(), "command" | "path" | "prompt" | "url"));
    }
    match known.is_empty() {
        true => Value::Object(fields().map(|(name, _)| (name.clone(), "example".into())).collect()),
        false => Value::Object(known),
    }
}
