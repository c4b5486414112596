//! Models: what is asked, what is answered, and how asking fails.

pub(crate) mod anthropic;
mod http;
pub(crate) mod openai;
mod script;
mod sse;

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use crate::message::{Block, Message, ToolSpec, Usage};

/// A model that can be asked. It is shared between the session and its sub-agents.
pub(crate) trait Model: Send + Sync + fmt::Debug {
    /// Its name, as events and outputs show it.
    fn name(&self) -> &str;

    /// Asks it. `sink` gets the parts of the answer as they arrive.
    ///
    /// # Errors
    /// There is no complete answer. What `sink` got then is not part of the conversation.
    fn ask(&self, request: &Request<'_>, sink: &mut dyn FnMut(Delta)) -> Result<Reply, ModelError>;

    /// How many answers were taken, if that is a state to resume from (a script).
    fn position(&self) -> Option<u64> {
        None
    }

    /// Continues after this number of answers.
    fn seek(&self, position: u64) {
        let _ = position;
    }
}

/// What a model is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'r> {
    pub(crate) system: &'r str,
    pub(crate) messages: &'r [Message],
    pub(crate) tools: &'r [ToolSpec],
    /// Most tokens of the answer.
    pub(crate) max_tokens: u64,
}

/// A part of an answer that arrives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Delta {
    MessageStart {
        id: String,
        model: String,
    },
    BlockStart {
        index: usize,
        block: Block,
    },
    Text {
        index: usize,
        text: String,
    },
    /// A piece of the JSON text of a tool's input.
    Input {
        index: usize,
        json: String,
    },
    BlockStop {
        index: usize,
    },
    MessageEnd {
        stop_reason: String,
        usage: Usage,
    },
}

/// A complete answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reply {
    pub(crate) id: String,
    pub(crate) model: String,
    pub(crate) content: Vec<Block>,
    /// `end_turn`, `tool_use`, `max_tokens`, or another word of the endpoint.
    pub(crate) stop_reason: String,
    pub(crate) usage: Usage,
}

/// Why there is no complete answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ModelError {
    /// A word: `rate_limit_error`, `connection_closed`, ...
    pub(crate) kind: String,
    pub(crate) message: String,
    /// The HTTP status.
    pub(crate) status: Option<u16>,
    /// Headers of the answer in lower case; `retry-after` in seconds.
    pub(crate) headers: Vec<(String, String)>,
}

impl ModelError {
    pub(crate) fn new(kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind: kind.into(), message: message.into(), status: None, headers: Vec::new() }
    }

    /// The `error` of an event.
    pub(crate) fn to_value(&self) -> Value {
        let headers: serde_json::Map<String, Value> =
            self.headers.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
        let code = self.status.map(|status| status.to_string());
        json!({"type": self.kind, "message": self.message, "code": code, "status": self.status,
            "headers": headers})
    }
}

impl ModelError {
    /// The error that an event has.
    pub(crate) fn from_value(value: &Value) -> Self {
        let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
        let headers = value.get("headers").and_then(Value::as_object).into_iter().flatten();
        let header = |(name, value): (&String, &Value)| Some((name.clone(), value.as_str()?.to_owned()));
        Self {
            status: value.get("status").and_then(Value::as_u64).and_then(|status| u16::try_from(status).ok()),
            headers: headers.filter_map(header).collect(),
            ..Self::new(text("type"), text("message"))
        }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            Some(status) => write!(f, "{} (status {status}): {}", self.kind, self.message),
            None => write!(f, "{}: {}", self.kind, self.message),
        }
    }
}

/// Where a model is, and how long an answer may take.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    pub(crate) base_url: Option<String>,
    pub(crate) timeout: Duration,
}

/// Opens a model: `script:FILE`, `anthropic:NAME` or `openai:NAME`.
///
/// # Errors
/// The name has another form, the script cannot be read, or a key is missing.
pub(crate) fn open(name: &str, endpoint: &Endpoint) -> Result<Box<dyn Model>, String> {
    match name.split_once(':') {
        Some((wire @ ("script" | "anthropic" | "openai"), own)) if own.trim().is_empty() => {
            Err(format!("`{name}` names no model: expected something after `{wire}:`"))
        }
        Some(("script", _)) if endpoint.base_url.is_some() => {
            Err("`--base-url` is for `anthropic:NAME` and `openai:NAME`: a script has no endpoint".to_owned())
        }
        Some(("script", file)) => Ok(Box::new(script::Script::open(file)?)),
        Some(("anthropic", model)) => Ok(Box::new(anthropic::Anthropic::open(model, endpoint)?)),
        Some(("openai", model)) => Ok(Box::new(openai::OpenAi::open(model, endpoint)?)),
        _ => {
            Err(format!("unknown model `{name}`: expected `anthropic:NAME`, `openai:NAME` or `script:FILE`"))
        }
    }
}

/// The input of a tool's call from the JSON text that a model wrote; what cannot be read becomes
/// an empty object with the reason. No text is an empty object.
fn input(text: &str) -> (Value, Option<String>) {
    let empty = || Value::Object(serde_json::Map::new());
    if text.trim().is_empty() {
        return (empty(), None);
    }
    match serde_json::from_str::<Value>(text) {
        Ok(value @ Value::Object(_)) => (value, None),
        Ok(_) => (empty(), Some("the input of the call is JSON, but not an object".to_owned())),
        Err(error) => (empty(), Some(format!("the input of the call is not JSON: {error}"))),
    }
}

/// A call whose input has not arrived yet.
fn empty_call(id: &str, name: &str) -> Block {
    let input = Value::Object(serde_json::Map::new());
    Block::ToolUse { id: id.to_owned(), name: name.to_owned(), input, invalid: None }
}
