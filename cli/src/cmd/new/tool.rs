//! Inputs of the tools of a coding agent, as samples: an event about `Write` has a
//! file and its content, not a command.

use serde_json::{Value, json};

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
    const FILE: &str = "src/example.txt";
    match tool {
        "Bash" | "PowerShell" => json!({"command": "ls", "description": "List files"}),
        "Write" => json!({"file_path": FILE, "content": "example\n"}),
        "Edit" => json!({"file_path": FILE, "old_string": "before", "new_string": "after"}),
        "MultiEdit" => {
            json!({"file_path": FILE, "edits": [{"old_string": "before", "new_string": "after"}]})
        }
        "NotebookEdit" => json!({"notebook_path": "example.ipynb", "new_source": "1 + 1"}),
        "Read" => json!({"file_path": FILE}),
        "Glob" => json!({"pattern": "**/*.rs"}),
        "Grep" => json!({"pattern": "example"}),
        "LS" => json!({"path": "src"}),
        "WebFetch" => json!({"url": "https://example.com/", "prompt": "What is it about?"}),
        "WebSearch" => json!({"query": "example"}),
        "Task" | "Agent" => {
            json!({"description": "Look around", "prompt": "List the files", "subagent_type": "general-purpose"})
        }
        "Skill" => json!({"skill": "example"}),
        _ => json!({}),
    }
}
