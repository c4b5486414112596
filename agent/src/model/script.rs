//! A scripted model: a file with one JSON object per line, one line per answer.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::{Delta, Model, ModelError, Reply, Request};
use crate::message::{Block, Usage};

/// A line of a script.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Line {
    text: Option<String>,
    tool_calls: Vec<Call>,
    error: Option<ScriptedError>,
    close: bool,
    delay_ms: u64,
    usage: Option<Usage>,
    stop_reason: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    name: String,
    /// An object; a string is the text of an input, which may be broken JSON.
    #[serde(default)]
    input: Value,
    id: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ScriptedError {
    status: Option<u16>,
    retry_after: Option<Value>,
    r#type: Option<String>,
    message: Option<String>,
}

/// A scripted model.
#[derive(Debug)]
pub(super) struct Script {
    name: String,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    lines: VecDeque<Line>,
    taken: u64,
}

impl Script {
    pub(super) fn open(file: &str) -> Result<Self, String> {
        let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {file}: {error}"))?;
        let mut lines = VecDeque::new();
        for (number, text) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            lines.push_back(line(text).map_err(|why| format!("{file}:{}: {why}", number + 1))?);
        }
        let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = stem.unwrap_or_else(|| "script".to_owned());
        Ok(Self { name, state: Mutex::new(State { lines, taken: 0 }) })
    }
}

/// What a line has to say.
const CONTENT: &str = "expected an object with `text`, `tool_calls`, `error` or `close`";

/// A line. A list instead of an object would be read by position, so it is rejected.
fn line(text: &str) -> Result<Line, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let members = value.as_object().ok_or(CONTENT)?;
    let is_object = |value: &Value| value.is_object() || value.is_null();
    if let Some(name) = ["error", "usage"].iter().find(|name| !members.get(**name).is_none_or(is_object)) {
        return Err(format!("`{name}` is not an object"));
    }
    let calls = members.get("tool_calls").and_then(Value::as_array);
    if calls.is_some_and(|calls| !calls.iter().all(Value::is_object)) {
        return Err("a call in `tool_calls` is not an object with `name` and `input`".to_owned());
    }
    let line: Line = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let Line { text, tool_calls, error, close, .. } = &line;
    if text.is_none() && tool_calls.is_empty() && error.is_none() && !close {
        return Err(format!("it says nothing: {CONTENT}"));
    }
    if error.is_some() && (text.is_some() || !tool_calls.is_empty() || *close) {
        return Err("it has `error` and an answer: an error has no answer".to_owned());
    }
    Ok(line)
}

impl Model for Script {
    fn name(&self) -> &str {
        &self.name
    }

    fn ask(&self, _: &Request<'_>, sink: &mut dyn FnMut(Delta)) -> Result<Reply, ModelError> {
        let (line, number) = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let line = state.lines.pop_front().ok_or_else(|| {
                ModelError::new("script_ended", format!("the script ends after {} answers", state.taken))
            })?;
            state.taken += 1;
            (line, state.taken)
        };
        std::thread::sleep(Duration::from_millis(line.delay_ms));
        if let Some(error) = line.error {
            return Err(error.into_error());
        }
        let reply = reply(&self.name, number, &line);
        stream(&reply, sink, line.close)?;
        Ok(reply)
    }

    fn position(&self) -> Option<u64> {
        Some(self.state.lock().unwrap_or_else(PoisonError::into_inner).taken)
    }

    fn seek(&self, position: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.taken < position && state.lines.pop_front().is_some() {
            state.taken += 1;
        }
    }
}

impl ScriptedError {
    fn into_error(self) -> ModelError {
        let kind = self.r#type.unwrap_or_else(|| "api_error".to_owned());
        let message = self.message.unwrap_or_else(|| "an error of the script".to_owned());
        let after = self.retry_after.map(|value| match value {
            Value::String(text) => text,
            other => other.to_string(),
        });
        let headers = after.map(|after| ("retry-after".to_owned(), super::http::seconds(&after, None)));
        ModelError {
            status: self.status,
            headers: headers.into_iter().collect(),
            ..ModelError::new(kind, message)
        }
    }
}

/// The answer of a line.
fn reply(model: &str, number: u64, line: &Line) -> Reply {
    let text = line.text.iter().filter(|text| !text.is_empty()).map(Block::text);
    let call = |(n, call): (usize, &Call)| {
        let id = call.id.clone().unwrap_or_else(|| format!("call_{number}_{}", n + 1));
        let (input, invalid) = match &call.input {
            Value::String(text) => super::input(text),
            Value::Null => super::input(""),
            input => super::input(&input.to_string()),
        };
        Block::ToolUse { id, name: call.name.clone(), input, invalid }
    };
    let content: Vec<Block> = text.chain(line.tool_calls.iter().enumerate().map(call)).collect();
    let usual = if line.tool_calls.is_empty() { "end_turn" } else { "tool_use" };
    Reply {
        id: format!("msg_{number}"),
        model: model.to_owned(),
        content,
        stop_reason: line.stop_reason.clone().unwrap_or_else(|| usual.to_owned()),
        usage: line.usage.unwrap_or_default(),
    }
}

/// Gives the parts of an answer; only the first part of it if the connection closes.
fn stream(reply: &Reply, sink: &mut dyn FnMut(Delta), closes: bool) -> Result<(), ModelError> {
    let closed = || ModelError::new("connection_closed", "the connection closed within an answer");
    sink(Delta::MessageStart { id: reply.id.clone(), model: reply.model.clone() });
    for (index, block) in reply.content.iter().enumerate() {
        match block {
            Block::Text { text } => {
                sink(Delta::BlockStart { index, block: Block::text("") });
                let half = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
                let (first, rest) = text.split_at(half);
                for text in [first, rest].into_iter().take(if closes { 1 } else { 2 }) {
                    sink(Delta::Text { index, text: text.to_owned() });
                }
            }
            Block::ToolUse { id, name, input, .. } => {
                let block = Block::ToolUse {
                    id: id.clone(),
                    name: name.clone(),
                    input: Value::Object(Default::default()),
                    invalid: None,
                };
                sink(Delta::BlockStart { index, block });
                sink(Delta::Input { index, json: input.to_string() });
            }
            Block::ToolResult { .. } => {}
        }
        if closes {
            return Err(closed());
        }
        sink(Delta::BlockStop { index });
    }
    if closes {
        return Err(closed());
    }
    sink(Delta::MessageEnd { stop_reason: reply.stop_reason.clone(), usage: reply.usage });
    Ok(())
}
