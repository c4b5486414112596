//! Cursor: `permission` for tools, `continue` for prompts, a follow-up message
//! for an agent that stops. <https://cursor.com/docs/hooks>

use hookc_schema::agents::{CURSOR_EVENTS, CURSOR_TOOLS, translated};
use serde_json::Value;
use serde_json::value::RawValue;

use super::members::Members;
use super::object::Object;
use super::{Adapter, Answer, Can, Incoming, event_of, native, put, rename, told, within};
use crate::event::EventError;
use crate::verdict::{Permission, Verdict};

/// See the module.
#[derive(Debug)]
pub(super) struct Cursor;

/// Events that can be refused.
const BLOCKS: [&str; 9] = [
    "preToolUse",
    "beforeShellExecution",
    "beforeMCPExecution",
    "beforeReadFile",
    "beforeTabFileRead",
    "beforeSubmitPrompt",
    "stop",
    "subagentStart",
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

    fn read(&self, bytes: Vec<u8>, event: Option<&str>) -> Result<Incoming, EventError> {
        let mut members = Members::read(&bytes)?;
        let native = native(&members, event, CURSOR_EVENTS)?;
        let name = translated(CURSOR_EVENTS, &native).to_owned();
        rename(&mut members, &native, &name);
        tool(&mut members, &native)?;
        super::rename_tool(&mut members, CURSOR_TOOLS);
        let fields = super::fields::translate(&mut members)?;
        members.copy("conversation_id", "session_id");
        let roots = members.get("workspace_roots").map(RawValue::get).unwrap_or_default();
        let root =
            serde_json::from_str::<Vec<&RawValue>>(roots).ok().and_then(|roots| roots.first().copied());
        if let Some(root) = root.map(ToOwned::to_owned)
            && !members.has("cwd")
        {
            members.set("cwd", root);
        }
        let (blocks, context) = (BLOCKS.contains(&native.as_str()), CONTEXT.contains(&native.as_str()));
        let incoming = Incoming { fields, ..Incoming::new(event_of(members.event()?, bytes), name, native) };
        Ok(super::answered(incoming, blocks, context))
    }

    fn answer(&self, incoming: &Incoming, verdict: &Verdict) -> Answer {
        let native = incoming.native.as_str();
        let tool = incoming.name == "PreToolUse";
        let asks = tool && ASKS.contains(&native);
        let can = Can { asks, changes: native == "preToolUse", ..Can::default() };
        let verdict = within(verdict, incoming, can);
        let denied = verdict.permission == Some(Permission::Deny);
        let mut all = Object::default();
        match native {
            "beforeSubmitPrompt" if denied => {
                put(&mut all, "continue", Value::Bool(false));
                put(&mut all, "user_message", told(&both(&verdict)));
            }
            "stop" | "subagentStop" => {
                put(&mut all, "followup_message", told(&verdict.reasons).filter(|_| denied));
            }
            _ if tool || native == "subagentStart" => permission(&mut all, incoming, &verdict),
            _ => {}
        }
        put(&mut all, "additional_context", told(&verdict.contexts));
        let said = all.has("user_message");
        let answer = Answer::json(all);
        if said { answer } else { super::with_messages(answer, &verdict) }
    }
}

/// Events whose permission may be `ask`: Cursor takes the word at `preToolUse`
/// and does not ask.
const ASKS: [&str; 2] = ["beforeShellExecution", "beforeMCPExecution"];

fn permission(all: &mut Object, incoming: &Incoming, verdict: &Verdict) {
    if let Some(permission) = verdict.permission {
        put(all, "permission", Value::from(super::claude::word(permission)));
        let told_to_model = told(&verdict.reasons).filter(|_| permission == Permission::Deny);
        put(all, "user_message", told(&both(verdict)));
        put(all, "agent_message", told_to_model);
    }
    let updated = verdict.change.as_ref().map(|change| incoming.changed_json(change));
    put(all, "updated_input", updated);
}

fn both(verdict: &Verdict) -> Vec<String> {
    verdict.reasons.iter().chain(&verdict.messages).cloned().collect()
}

/// What the events of single tools say, as the event of a tool has it: the tool,
/// its input, and the member that holds its output.
fn tool(members: &mut Members<'_>, native: &str) -> Result<(), EventError> {
    let (name, input, output): (&str, &[&str], &str) = match native {
        "beforeShellExecution" => ("Bash", &["command", "cwd"], ""),
        "afterShellExecution" => ("Bash", &["command"], "output"),
        "beforeReadFile" | "beforeTabFileRead" => ("Read", &["file_path"], ""),
        "afterFileEdit" | "afterTabFileEdit" => ("Edit", &["file_path", "edits"], ""),
        "afterMCPExecution" => ("", &[], "result_json"),
        "postToolUse" => ("", &[], "tool_output"),
        _ => ("", &[], ""),
    };
    if !name.is_empty() {
        let mut fields = Members::default();
        for field in input {
            fields.lend(field, members);
        }
        members.put("tool_name", name);
        let input = fields.to_raw()?;
        members.set_object("tool_input", input);
    }
    if let Some(output) = members.value(output).filter(|output| output.get() != "null") {
        members.add("tool_response", output);
    }
    super::parse_input(members)
}
