//! Cursor: `permission` for tools, `continue` for prompts, a follow-up message
//! for an agent that stops. <https://cursor.com/docs/hooks>

use serde_json::{Map, Value, json};

use super::names::{self, CURSOR_EVENTS, CURSOR_TOOLS};
use super::{Adapter, Answer, Can, Incoming, native, object, put, rename, told, within};
use crate::event::Event;
use crate::host::HostError;
use crate::opinion::{Opinion, Permission};

/// See the module.
#[derive(Debug)]
pub(super) struct Cursor;

/// Events that can be refused.
const BLOCKS: [&str; 8] = [
    "preToolUse",
    "beforeShellExecution",
    "beforeMCPExecution",
    "beforeReadFile",
    "beforeTabFileRead",
    "beforeSubmitPrompt",
    "stop",
    "subagentStop",
];

/// Events that take `additional_context`.
const CONTEXT: [&str; 2] = ["sessionStart", "postToolUse"];

impl Adapter for Cursor {
    fn name(&self) -> &'static str {
        "cursor"
    }

    fn renamed(&self) -> &'static [(&'static str, &'static str)] {
        CURSOR_EVENTS
    }

    fn read(&self, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, HostError> {
        let mut object = object(&bytes)?;
        let native = native(&object, event)?;
        let name = names::of(CURSOR_EVENTS, &native).to_owned();
        rename(&mut object, &native, &name);
        tool(&mut object, &native)?;
        super::rename_tool(&mut object, CURSOR_TOOLS);
        if let Some(id) = object.get("conversation_id").cloned() {
            object.entry("session_id").or_insert(id);
        }
        let root = object.get("workspace_roots").and_then(|roots| roots.get(0)).cloned();
        if let Some(root) = root {
            object.entry("cwd").or_insert(root);
        }
        let (blocks, context) = (BLOCKS.contains(&native.as_str()), CONTEXT.contains(&native.as_str()));
        Ok(super::answered(Incoming::new(Event::of(Value::Object(object)), name, native), blocks, context))
    }

    fn answer(&self, incoming: &Incoming, opinion: &Opinion) -> Answer {
        let native = incoming.native.as_str();
        let tool = incoming.name == "PreToolUse";
        let asks = tool && ASKS.contains(&native);
        let can = Can { asks, changes: native == "preToolUse", ..Can::default() };
        let opinion = within(opinion, incoming, can);
        let denied = opinion.permission == Some(Permission::Deny);
        let mut all = Map::new();
        match native {
            "beforeSubmitPrompt" if denied => {
                put(&mut all, "continue", Value::Bool(false));
                put(&mut all, "user_message", told(&both(&opinion)));
            }
            "stop" | "subagentStop" => {
                put(&mut all, "followup_message", told(&opinion.reasons).filter(|_| denied));
            }
            _ if tool => permission(&mut all, incoming, &opinion),
            _ => {}
        }
        put(&mut all, "additional_context", told(&opinion.contexts));
        let said = all.contains_key("user_message");
        let answer = Answer::json(all);
        if said { answer } else { super::with_messages(answer, &opinion) }
    }
}

/// Events whose permission may be `ask`: Cursor takes the word at `preToolUse`
/// and does not ask.
const ASKS: [&str; 2] = ["beforeShellExecution", "beforeMCPExecution"];

fn permission(all: &mut Map<String, Value>, incoming: &Incoming, opinion: &Opinion) {
    if let Some(permission) = opinion.permission {
        put(all, "permission", Value::from(super::claude::word(permission)));
        let told_to_model = told(&opinion.reasons).filter(|_| permission == Permission::Deny);
        put(all, "user_message", told(&both(opinion)));
        put(all, "agent_message", told_to_model);
    }
    let updated = opinion.change.as_ref().map(|change| Value::Object(incoming.changed(change)));
    put(all, "updated_input", updated);
}

fn both(opinion: &Opinion) -> Vec<String> {
    opinion.reasons.iter().chain(&opinion.messages).cloned().collect()
}

/// What the events of single tools say, as the event of a tool has it.
fn tool(object: &mut Map<String, Value>, native: &str) -> Result<(), HostError> {
    let get = |name: &str| object.get(name).cloned().unwrap_or_default();
    let (name, input, output) = match native {
        "beforeShellExecution" => ("Bash", json!({"command": get("command"), "cwd": get("cwd")}), None),
        "afterShellExecution" => ("Bash", json!({"command": get("command")}), Some(get("output"))),
        "beforeReadFile" | "beforeTabFileRead" => ("Read", json!({"file_path": get("file_path")}), None),
        "afterFileEdit" | "afterTabFileEdit" => {
            ("Edit", json!({"file_path": get("file_path"), "edits": get("edits")}), Some(Value::Null))
        }
        "afterMCPExecution" => ("", Value::Null, Some(get("result_json"))),
        "postToolUse" => ("", Value::Null, Some(get("tool_output"))),
        _ => ("", Value::Null, None),
    };
    if !name.is_empty() {
        object.insert("tool_name".to_owned(), name.into());
        object.insert("tool_input".to_owned(), input);
    }
    if let Some(output) = output.filter(|output| !output.is_null()) {
        object.insert("tool_response".to_owned(), output);
    }
    super::parse_input(object)
}
