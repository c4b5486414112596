//! The wire of Anthropic's messages: `POST /v1/messages` with server-sent events.

use std::collections::BTreeMap;
use std::io::Read;

use serde_json::{Value, json};

use super::http::{Client, Reply};
use super::sse::Events;
use super::{Delta, Endpoint, Model, ModelError, Reply as ModelReply, Request};
use crate::message::{Block, Message, Usage};

/// The version of the protocol.
const VERSION: &str = "2023-06-01";

#[derive(Debug)]
pub(super) struct Anthropic {
    name: String,
    client: Client,
}

impl Anthropic {
    pub(super) fn open(name: &str, endpoint: &Endpoint) -> Result<Self, String> {
        let key = super::http::key("ANTHROPIC_API_KEY", endpoint.base_url.as_deref())?;
        let mut headers = vec![("anthropic-version", VERSION.to_owned())];
        headers.extend(key.map(|key| ("x-api-key", key)));
        let base = endpoint.base_url.as_deref().unwrap_or("https://api.anthropic.com");
        let client = Client::new(base, "/v1/messages", headers, endpoint.timeout);
        Ok(Self { name: name.to_owned(), client })
    }
}

impl Model for Anthropic {
    fn name(&self) -> &str {
        &self.name
    }

    fn ask(&self, request: &Request<'_>, sink: &mut dyn FnMut(Delta)) -> Result<ModelReply, ModelError> {
        let mut body = json!({
            "model": self.name,
            "max_tokens": request.max_tokens,
            "system": request.system,
            "messages": messages(request.messages),
            "stream": true,
        });
        if let (false, Some(members)) = (request.tools.is_empty(), body.as_object_mut()) {
            members.insert("tools".to_owned(), json!(request.tools));
        }
        match self.client.post(&body)? {
            Reply::Events(stream) => read(stream, sink),
            Reply::Whole(message) => {
                let mut answer = Answer::default();
                for event in events_of(&message) {
                    answer.event(&event, sink)?;
                }
                answer.finish(sink)
            }
        }
    }
}

/// Reads the stream of an answer.
pub(crate) fn read(stream: impl Read, sink: &mut dyn FnMut(Delta)) -> Result<ModelReply, ModelError> {
    let mut events = Events::new(stream);
    let mut answer = Answer::default();
    while let Some(data) = events.next()? {
        let event: Value = serde_json::from_str(&data)
            .map_err(|error| ModelError::new("invalid_stream", format!("an event is not JSON: {error}")))?;
        if answer.event(&event, sink)? {
            return answer.finish(sink);
        }
    }
    Err(ModelError::new("connection_closed", "the connection closed within an answer"))
}

/// The events that a whole message would have been.
fn events_of(message: &Value) -> Vec<Value> {
    if message.get("type").and_then(Value::as_str) == Some("error") {
        return vec![message.clone()];
    }
    let mut values = vec![json!({"type": "message_start", "message": message})];
    let blocks = message.get("content").and_then(Value::as_array);
    for (index, block) in blocks.into_iter().flatten().enumerate() {
        values.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        let delta = match block.get("type").and_then(Value::as_str) {
            Some("text") => json!({"type": "text_delta", "text": block.get("text")}),
            Some("tool_use") => {
                let input = block.get("input").map(Value::to_string);
                json!({"type": "input_json_delta", "partial_json": input})
            }
            _ => json!({}),
        };
        values.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        values.push(json!({"type": "content_block_stop", "index": index}));
    }
    let (reason, usage) = (message.get("stop_reason"), message.get("usage"));
    values.push(json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}));
    values
}

/// The messages without what only this program reads. An empty one is rejected by the endpoint.
fn messages(messages: &[Message]) -> Vec<Value> {
    let block = |block: &Block| match block {
        Block::ToolUse { id, name, input, .. } => {
            json!({"type": "tool_use", "id": id, "name": name, "input": input})
        }
        Block::Text { text } if text.is_empty() => json!({"type": "text", "text": " "}),
        other => json!(other),
    };
    let shown = messages.iter().filter(|message| !message.content.is_empty());
    shown
        .map(|message| {
            let content: Vec<Value> = message.content.iter().map(block).collect();
            json!({"role": message.role, "content": content})
        })
        .collect()
}

/// An answer as its events arrive.
#[derive(Debug, Default)]
struct Answer {
    id: String,
    model: String,
    blocks: BTreeMap<usize, Open>,
    stop_reason: Option<String>,
    usage: Usage,
}

/// A block that arrives.
#[derive(Debug)]
enum Open {
    Text(String),
    Tool {
        id: String,
        name: String,
        json: String,
    },
    /// A kind that this program does not use, such as thinking.
    Other,
}

/// An event of the stream.
#[derive(Clone, Copy)]
struct Received<'e>(&'e Value);

impl Received<'_> {
    fn text(self, pointer: &str) -> String {
        self.0.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    fn count(self, pointer: &str) -> Option<u64> {
        self.0.pointer(pointer).and_then(Value::as_u64)
    }

    /// The number of the block that it is about.
    fn index(self) -> usize {
        self.count("/index").and_then(|index| usize::try_from(index).ok()).unwrap_or_default()
    }
}

impl Answer {
    /// Takes an event; whether it was the last.
    fn event(&mut self, event: &Value, sink: &mut dyn FnMut(Delta)) -> Result<bool, ModelError> {
        let event = Received(event);
        match event.text("/type").as_str() {
            "message_start" => self.start(event, sink),
            "content_block_start" => self.start_block(event, sink),
            "content_block_delta" => self.add(event, sink)?,
            "content_block_stop" if !matches!(self.blocks.get(&event.index()), None | Some(Open::Other)) => {
                sink(Delta::BlockStop { index: event.index() });
            }
            "message_delta" => {
                self.stop_reason = Some(event.text("/delta/stop_reason")).filter(|reason| !reason.is_empty());
                let tokens = event.count("/usage/output_tokens");
                self.usage.output_tokens = tokens.unwrap_or(self.usage.output_tokens);
            }
            "message_stop" => return Ok(true),
            "error" => {
                let kind = Some(event.text("/error/type")).filter(|kind| !kind.is_empty());
                let kind = kind.unwrap_or_else(|| "api_error".to_owned());
                return Err(ModelError::new(kind, event.text("/error/message")));
            }
            _ => {}
        }
        Ok(false)
    }

    fn start(&mut self, event: Received<'_>, sink: &mut dyn FnMut(Delta)) {
        (self.id, self.model) = (event.text("/message/id"), event.text("/message/model"));
        let read = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
        let read = read.map(|name| event.count(&format!("/message/usage/{name}")).unwrap_or_default());
        self.usage.input_tokens = read.iter().sum();
        sink(Delta::MessageStart { id: self.id.clone(), model: self.model.clone() });
    }

    fn start_block(&mut self, event: Received<'_>, sink: &mut dyn FnMut(Delta)) {
        let index = event.index();
        let open = match event.text("/content_block/type").as_str() {
            "text" => {
                sink(Delta::BlockStart { index, block: Block::text("") });
                Open::Text(String::new())
            }
            "tool_use" => {
                let (id, name) = (event.text("/content_block/id"), event.text("/content_block/name"));
                sink(Delta::BlockStart { index, block: super::empty_call(&id, &name) });
                Open::Tool { id, name, json: String::new() }
            }
            _ => Open::Other,
        };
        self.blocks.insert(index, open);
    }

    /// Adds a part of a block.
    fn add(&mut self, event: Received<'_>, sink: &mut dyn FnMut(Delta)) -> Result<(), ModelError> {
        let index = event.index();
        match (self.blocks.get_mut(&index), event.text("/delta/type").as_str()) {
            (Some(Open::Text(joined)), "text_delta") => {
                let text = event.text("/delta/text");
                joined.push_str(&text);
                sink(Delta::Text { index, text });
            }
            (Some(Open::Tool { json: joined, .. }), "input_json_delta") => {
                let json = event.text("/delta/partial_json");
                joined.push_str(&json);
                sink(Delta::Input { index, json });
            }
            (None, _) => {
                return Err(ModelError::new("invalid_stream", "a part of a block that has not begun"));
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(self, sink: &mut dyn FnMut(Delta)) -> Result<ModelReply, ModelError> {
        let stop_reason = self
            .stop_reason
            .ok_or_else(|| ModelError::new("invalid_stream", "the answer ended without a stop reason"))?;
        let content = self.blocks.into_values().filter_map(|open| match open {
            Open::Text(text) => (!text.is_empty()).then(|| Block::text(text)),
            Open::Tool { id, name, json } => {
                let (input, invalid) = super::input(&json);
                Some(Block::ToolUse { id, name, input, invalid })
            }
            Open::Other => None,
        });
        sink(Delta::MessageEnd { stop_reason: stop_reason.clone(), usage: self.usage });
        Ok(ModelReply {
            id: self.id,
            model: self.model,
            content: content.collect(),
            stop_reason,
            usage: self.usage,
        })
    }
}
