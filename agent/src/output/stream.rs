//! One JSON object per event.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Event, Origin, Writer};
use crate::model::Delta;

/// Writes each event as it happens.
#[derive(Debug, Default)]
pub(super) struct Stream;

impl Writer for Stream {
    fn event(&mut self, origin: &Origin, event: &Event, out: &mut dyn Write) -> io::Result<()> {
        let Some(mut value) = object(event) else { return Ok(()) };
        if let (Some(agent), Some(members)) = (&origin.agent_id, value.as_object_mut()) {
            members.insert("agent_id".to_owned(), agent.as_str().into());
        }
        writeln!(out, "{value}")
    }
}

fn delta(delta: &Delta) -> Value {
    match delta {
        Delta::MessageStart { id, model } => {
            json!({"type": "message_start", "message": {"id": id, "type": "message", "role": "assistant",
                "model": model, "content": []}})
        }
        Delta::BlockStart { index, block } => {
            json!({"type": "content_block_start", "index": index, "content_block": block})
        }
        Delta::Text { index, text } => json!({"type": "text_delta", "index": index, "text": text}),
        Delta::Input { index, json } => {
            json!({"type": "input_json_delta", "index": index, "partial_json": json})
        }
        Delta::BlockStop { index } => json!({"type": "content_block_stop", "index": index}),
        Delta::MessageEnd { stop_reason, usage } => {
            json!({"type": "message_delta", "delta": {"stop_reason": stop_reason}, "usage": usage})
        }
    }
}

fn object(event: &Event) -> Option<Value> {
    Some(match event {
        Event::Init { session_id, model, cwd, tools, commands, permission_mode } => {
            json!({"type": "session_start", "session_id": session_id, "model": model, "cwd": cwd,
                "tools": tools, "commands": commands, "permission_mode": permission_mode})
        }
        Event::Delta(part) => delta(part),
        Event::Reply(_) => json!({"type": "message_stop"}),
        Event::ToolStart { id, name, input } => {
            json!({"type": "tool_start", "tool_use_id": id, "name": name, "input": input})
        }
        Event::ToolResult { id, name, content, is_error } => {
            json!({"type": "tool_result", "tool_use_id": id, "name": name, "content": content,
                "is_error": is_error})
        }
        Event::Rejected { reason } => json!({"type": "prompt_rejected", "reason": reason}),
        Event::HookStarted { id, event, name } => {
            json!({"type": "hook_started", "id": id, "event": event, "hook": name})
        }
        Event::HookEnded { id, event, name, outcome, status, detail } => {
            json!({"type": "hook_response", "id": id, "event": event, "hook": name, "outcome": outcome,
                "status": status, "detail": detail})
        }
        Event::Record(value) => value.clone(),
        Event::Notice(text) => json!({"type": "notice", "text": text}),
        Event::Log(text) => json!({"type": "log", "text": text}),
        // What arrived of the answer since `message_start` does not count.
        Event::Error { error, retry_ms } => {
            json!({"type": "error", "error": error.to_value(), "retry_ms": retry_ms})
        }
        Event::Result(summary) => {
            json!({"type": "result", "subtype": summary.subtype, "is_error": summary.is_error(), "result": summary.text,
                "session_id": summary.session_id, "num_turns": summary.turns, "usage": summary.usage,
                "stop_reason": summary.stop_reason, "total_cost_usd": summary.cost, "duration_ms": summary.duration_ms,
                "permission_denials": summary.denials})
        }
    })
}
