//! The wire of OpenAI's chat completions: `POST /v1/chat/completions` with server-sent events, as
//! llama.cpp, Ollama and vLLM have it too.

use std::io::Read;

use serde_json::{Value, json};

use super::http::{Client, Reply};
use super::sse::Events;
use super::{Delta, Endpoint, Model, ModelError, Reply as ModelReply, Request};
use crate::message::{Block, Message, Role, Usage};

#[derive(Debug)]
pub(super) struct OpenAi {
    name: String,
    client: Client,
    /// The name of the limit of an answer: local servers know the older one.
    limit: &'static str,
}

impl OpenAi {
    pub(super) fn open(name: &str, endpoint: &Endpoint) -> Result<Self, String> {
        let key = super::http::key("OPENAI_API_KEY", endpoint.base_url.as_deref())?;
        let headers = key.map(|key| ("authorization", format!("Bearer {key}"))).into_iter().collect();
        let base = endpoint.base_url.as_deref();
        let limit = if base.is_none() { "max_completion_tokens" } else { "max_tokens" };
        let base = base.unwrap_or("https://api.openai.com");
        let client = Client::new(base, "/v1/chat/completions", headers, endpoint.timeout);
        Ok(Self { name: name.to_owned(), client, limit })
    }
}

impl Model for OpenAi {
    fn name(&self) -> &str {
        &self.name
    }

    fn ask(&self, request: &Request<'_>, sink: &mut dyn FnMut(Delta)) -> Result<ModelReply, ModelError> {
        let mut body = json!({
            "model": self.name,
            "messages": messages(request),
            "stream": true,
            "stream_options": {"include_usage": true},
        });
        if let Some(members) = body.as_object_mut() {
            members.insert(self.limit.to_owned(), request.max_tokens.into());
            if !request.tools.is_empty() {
                let tool = |tool: &crate::message::ToolSpec| {
                    json!({"type": "function", "function": {"name": tool.name, "description": tool.description,
                        "parameters": tool.input_schema}})
                };
                members.insert("tools".to_owned(), request.tools.iter().map(tool).collect());
            }
        }
        match self.client.post(&body)? {
            Reply::Events(stream) => read(stream, sink),
            Reply::Whole(completion) => {
                let mut answer = Answer::default();
                answer.event(&chunk_of(completion), sink)?;
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
        if data.trim() == "[DONE]" {
            return answer.finish(sink);
        }
        let event: Value = serde_json::from_str(&data)
            .map_err(|error| ModelError::new("invalid_stream", format!("an event is not JSON: {error}")))?;
        answer.event(&event, sink)?;
    }
    Err(ModelError::new("connection_closed", "the connection closed within an answer"))
}

/// The chunk that a whole completion would have been.
fn chunk_of(mut completion: Value) -> Value {
    let choice = completion.pointer_mut("/choices/0").and_then(Value::as_object_mut);
    if let Some(choice) = choice
        && let Some(message) = choice.remove("message")
    {
        choice.insert("delta".to_owned(), message);
    }
    completion
}

/// The messages in this wire's form: each result is a message of its own.
fn messages(request: &Request<'_>) -> Vec<Value> {
    let mut values = vec![json!({"role": "system", "content": request.system})];
    for message in request.messages {
        match message.role {
            Role::User => user(message, &mut values),
            Role::Assistant => values.extend(assistant(message)),
        }
    }
    values
}

fn user(message: &Message, values: &mut Vec<Value>) {
    for block in &message.content {
        if let Block::ToolResult { tool_use_id, content, is_error } = block {
            let content = if *is_error { format!("Error: {content}") } else { content.clone() };
            values.push(json!({"role": "tool", "tool_call_id": tool_use_id, "content": content}));
        }
    }
    let text = message.text();
    if !text.is_empty() {
        values.push(json!({"role": "user", "content": text}));
    }
}

/// `None` for an answer without content, which endpoints reject.
fn assistant(message: &Message) -> Option<Value> {
    let call = |block: &Block| match block {
        Block::ToolUse { id, name, input, .. } => Some(json!({"id": id, "type": "function",
            "function": {"name": name, "arguments": input.to_string()}})),
        _ => None,
    };
    let (text, calls): (String, Vec<Value>) =
        (message.text(), message.content.iter().filter_map(call).collect());
    let mut value = json!({"role": "assistant", "content": (!text.is_empty()).then_some(text.as_str())});
    if calls.is_empty() && text.is_empty() {
        return None;
    }
    if let (false, Some(members)) = (calls.is_empty(), value.as_object_mut()) {
        members.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    Some(value)
}

/// An answer as its events arrive.
#[derive(Debug, Default)]
struct Answer {
    id: String,
    model: String,
    is_started: bool,
    text: Option<String>,
    calls: Vec<Call>,
    finish: Option<String>,
    usage: Usage,
    /// The block that arrives.
    open: Option<usize>,
}

/// A call that arrives.
#[derive(Debug)]
struct Call {
    /// The number that the wire gives it.
    number: u64,
    /// Its place among the blocks.
    index: usize,
    id: String,
    name: String,
    json: String,
}

impl Answer {
    fn event(&mut self, event: &Value, sink: &mut dyn FnMut(Delta)) -> Result<(), ModelError> {
        let text =
            |pointer: &str| event.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
            let text = |name: &str| error.get(name).and_then(Value::as_str).map(str::to_owned);
            let kind = text("type").or_else(|| text("code")).unwrap_or_else(|| "api_error".to_owned());
            return Err(ModelError::new(kind, text("message").unwrap_or_else(|| error.to_string())));
        }
        if !self.is_started {
            (self.id, self.model, self.is_started) = (text("/id"), text("/model"), true);
            sink(Delta::MessageStart { id: self.id.clone(), model: self.model.clone() });
        }
        let count = |pointer: &str| event.pointer(pointer).and_then(Value::as_u64);
        if let Some(read) = count("/usage/prompt_tokens") {
            self.usage = Usage {
                input_tokens: read,
                output_tokens: count("/usage/completion_tokens").unwrap_or_default(),
            };
        }
        let content = text("/choices/0/delta/content");
        if !content.is_empty() {
            if self.text.is_none() {
                self.begin(0, Block::text(""), sink);
            }
            self.text.get_or_insert_with(String::new).push_str(&content);
            sink(Delta::Text { index: 0, text: content });
        }
        let calls = event.pointer("/choices/0/delta/tool_calls").and_then(Value::as_array);
        for (n, call) in calls.into_iter().flatten().enumerate() {
            self.call(n as u64, call, sink);
        }
        let finish = text("/choices/0/finish_reason");
        if !finish.is_empty() {
            self.finish = Some(finish);
        }
        Ok(())
    }

    /// A part of a call: `index` identifies the call.
    fn call(&mut self, n: u64, part: &Value, sink: &mut dyn FnMut(Delta)) {
        let text = |pointer: &str| part.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let number = part.get("index").and_then(Value::as_u64).unwrap_or(n);
        if !self.calls.iter().any(|call| call.number == number) {
            let index = self.calls.len() + usize::from(self.text.is_some());
            let (id, name) = (text("/id").to_owned(), text("/function/name").to_owned());
            self.begin(index, super::empty_call(&id, &name), sink);
            self.calls.push(Call { number, index, id, name, json: String::new() });
        }
        let arguments = text("/function/arguments");
        if let Some(call) = self.calls.iter_mut().find(|call| call.number == number)
            && !arguments.is_empty()
        {
            call.json.push_str(arguments);
            sink(Delta::Input { index: call.index, json: arguments.to_owned() });
        }
    }

    /// A block begins, so the one before it has ended.
    fn begin(&mut self, index: usize, block: Block, sink: &mut dyn FnMut(Delta)) {
        if let Some(open) = self.open.replace(index) {
            sink(Delta::BlockStop { index: open });
        }
        sink(Delta::BlockStart { index, block });
    }

    fn finish(self, sink: &mut dyn FnMut(Delta)) -> Result<ModelReply, ModelError> {
        let finish = self
            .finish
            .ok_or_else(|| ModelError::new("invalid_stream", "the answer ended without a finish reason"))?;
        if let Some(open) = self.open {
            sink(Delta::BlockStop { index: open });
        }
        let stop_reason = match finish.as_str() {
            // Some servers finish with `stop` after calls.
            "stop" if self.calls.is_empty() => "end_turn".to_owned(),
            "stop" | "tool_calls" | "function_call" => "tool_use".to_owned(),
            "length" => "max_tokens".to_owned(),
            _ => finish,
        };
        let mut content: Vec<Block> = self.text.map(Block::text).into_iter().collect();
        content.extend(self.calls.into_iter().map(|call| {
            let (input, invalid) = super::input(&call.json);
            Block::ToolUse { id: call.id, name: call.name, input, invalid }
        }));
        sink(Delta::MessageEnd { stop_reason: stop_reason.clone(), usage: self.usage });
        Ok(ModelReply { id: self.id, model: self.model, content, stop_reason, usage: self.usage })
    }
}
