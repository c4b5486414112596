//! `json` and `stream-json` as Claude Code prints them (2.1), so that programs written for it run.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Event, Origin, Summary, Writer};
use crate::id::uuid;
use crate::message::{Block, Usage};

/// Writes Claude Code's messages.
#[derive(Debug)]
pub(super) struct Claude {
    /// Whether only the result is written.
    only_result: bool,
    session: String,
}

impl Claude {
    pub(super) fn json() -> Self {
        Self { only_result: true, session: String::new() }
    }

    pub(super) fn stream() -> Self {
        Self { only_result: false, session: String::new() }
    }

    fn message(&self, origin: &Origin, event: &Event) -> Option<Value> {
        let parent = &origin.tool_use_id;
        let mut value = match event {
            Event::Init { model, cwd, tools, commands, permission_mode, .. } => {
                json!({"type": "system", "subtype": "init", "cwd": cwd, "tools": tools, "mcp_servers": [],
                    "model": model, "permissionMode": permission_mode, "slash_commands": commands,
                    "apiKeySource": "none", "output_style": "default", "agents": [], "skills": commands,
                    "plugins": [], "claude_code_version": concat!("hookc-agent ", env!("CARGO_PKG_VERSION"))})
            }
            Event::Reply(reply) => {
                let message = json!({"id": reply.id, "type": "message", "role": "assistant",
                    "model": reply.model, "content": blocks(&reply.content), "stop_reason": reply.stop_reason,
                    "stop_sequence": null, "usage": usage(reply.usage)});
                json!({"type": "assistant", "message": message, "parent_tool_use_id": parent})
            }
            Event::ToolResult { id, content, is_error, .. } => {
                let block = json!({"type": "tool_result", "tool_use_id": id, "content": content,
                    "is_error": is_error});
                json!({"type": "user", "message": {"role": "user", "content": [block]},
                    "parent_tool_use_id": parent})
            }
            Event::HookStarted { id, event, name } => {
                json!({"type": "system", "subtype": "hook_started", "hook_id": id, "hook_name": name,
                    "hook_event": event})
            }
            Event::HookEnded { id, event, name, outcome, status, detail } => {
                let failed = outcome == "failed";
                json!({"type": "system", "subtype": "hook_response", "hook_id": id, "hook_name": name,
                    "hook_event": event, "output": detail.as_deref().unwrap_or_default(), "stdout": "",
                    "stderr": "", "exit_code": status.as_deref().and_then(exit_code),
                    "outcome": if failed { "error" } else { "success" }})
            }
            Event::Error { error, retry_ms: Some(wait) } => {
                json!({"type": "system", "subtype": "api_retry", "error": error.kind,
                    "error_status": error.status, "retry_delay_ms": wait})
            }
            Event::Result(summary) => result(summary),
            _ => return None,
        };
        if let Some(members) = value.as_object_mut() {
            members.insert("session_id".to_owned(), self.session.as_str().into());
            members.insert("uuid".to_owned(), uuid().into());
        }
        Some(value)
    }
}

impl Writer for Claude {
    fn event(&mut self, origin: &Origin, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        if let Event::Init { session_id, .. } = event {
            self.session.clone_from(session_id);
        }
        if self.only_result && !matches!(event, Event::Result(_)) {
            return Ok(());
        }
        match self.message(origin, event) {
            Some(value) => writeln!(out, "{value}"),
            None => Ok(()),
        }
    }
}

/// The number of `exit status N`.
fn exit_code(status: &str) -> Option<u64> {
    status.strip_prefix("exit status ")?.parse().ok()
}

/// The content as the endpoint has it.
fn blocks(content: &[Block]) -> Vec<Value> {
    let block = |block: &Block| {
        let mut value = json!(block);
        if let Some(members) = value.as_object_mut() {
            members.remove("invalid");
        }
        value
    };
    content.iter().map(block).collect()
}

fn usage(usage: Usage) -> Value {
    json!({"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens,
        "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0})
}

/// The last message.
fn result(summary: &Summary) -> Value {
    let known = ["success", "error_max_turns", "error_max_budget_usd", "error_during_execution"];
    let subtype = match summary.is_error() {
        false => "success",
        true if known.contains(&summary.subtype.as_str()) => summary.subtype.as_str(),
        true => "error_during_execution",
    };
    let mut value = json!({"type": "result", "subtype": subtype, "is_error": summary.is_error(),
        "duration_ms": summary.duration_ms, "duration_api_ms": summary.model_ms, "num_turns": summary.turns,
        "stop_reason": summary.stop_reason, "total_cost_usd": summary.cost.unwrap_or_default(),
        "usage": usage(summary.usage), "modelUsage": {}, "permission_denials": summary.denials});
    if let Some(members) = value.as_object_mut() {
        match summary.is_error() {
            false => members.insert("result".to_owned(), summary.text.as_str().into()),
            true => members.insert("errors".to_owned(), json!([summary.text])),
        };
    }
    value
}
