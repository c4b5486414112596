//! What a session reports: one event type, and a writer for each format.

mod claude;
mod json;
mod progress;
mod stream;
mod text;

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::message::{Block, Usage};
use crate::model::{Delta, ModelError, Reply};

/// Whose event it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The sub-agent; `None` for the session's own agent.
    pub(crate) agent_id: Option<String>,
    /// The call of the tool that started the sub-agent.
    pub(crate) tool_use_id: Option<String>,
}

/// What happens in a session.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// The session starts.
    Init {
        session_id: String,
        model: String,
        cwd: String,
        tools: Vec<String>,
        commands: Vec<String>,
        permission_mode: String,
    },
    /// A part of an answer arrives.
    Delta(Delta),
    /// An answer is complete, and part of the conversation.
    Reply(Reply),
    /// A tool starts.
    ToolStart { id: String, name: String, input: Value },
    /// A tool's result, as the model gets it.
    ToolResult { id: String, name: String, content: String, is_error: bool },
    /// The user's message was rejected by a hook.
    Rejected { reason: String },
    /// Hooks of an event start.
    HookStarted { id: String, event: String, name: String },
    /// Hooks of an event have ended.
    HookEnded {
        id: String,
        event: String,
        name: String,
        outcome: String,
        status: Option<String>,
        detail: Option<String>,
    },
    /// A control message for the model, or a record of a policy (`emit_event`).
    Record(Value),
    /// A message of a hook, or of the agent, for the user.
    Notice(String),
    /// A line of a hook's or the agent's log.
    Log(String),
    /// A request failed. `retry_ms` is the wait until the next try, if there is one.
    Error { error: ModelError, retry_ms: Option<u64> },
    /// The end.
    Result(Box<Summary>),
}

/// How a session, or one prompt of it, ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Summary {
    pub(crate) session_id: String,
    /// `success`, `error_max_turns`, `error_max_budget_usd`, `error_during_execution`, `waiting`, ...
    pub(crate) subtype: String,
    /// The text of the last answer, or the error.
    pub(crate) text: String,
    /// Its blocks.
    pub(crate) content: Vec<Block>,
    pub(crate) model: String,
    pub(crate) stop_reason: Option<String>,
    pub(crate) usage: Usage,
    pub(crate) turns: u64,
    pub(crate) duration_ms: u64,
    pub(crate) model_ms: u64,
    /// In USD; `None` without prices.
    pub(crate) cost: Option<f64>,
    /// Tool calls that were denied: `tool_name`, `tool_use_id`, `tool_input`.
    pub(crate) denials: Vec<Value>,
}

impl Summary {
    /// The end of a session that could not run.
    pub(crate) fn failed(why: &str) -> Self {
        Self { subtype: "error_during_execution".to_owned(), text: why.to_owned(), ..Self::default() }
    }

    pub(crate) fn is_error(&self) -> bool {
        !matches!(self.subtype.as_str(), "success" | "stopped")
    }
}

/// A format of the output.
pub(crate) trait Writer: Send {
    /// Writes what the event gives.
    fn event(&mut self, origin: &Origin, event: &Event, out: &mut dyn Write) -> io::Result<()>;
}

/// The formats of `--output-format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// The answers as text.
    Text,
    /// One JSON object at the end.
    Json,
    /// One JSON object per event.
    StreamJson,
}

/// The output of a session, shared by its sub-agents.
pub(crate) struct Output {
    inner: Mutex<Inner>,
}

struct Inner {
    writer: Box<dyn Writer>,
    progress: progress::Progress,
    out: Box<dyn Write + Send>,
    /// The first error of writing; nothing is written after it.
    broken: Option<io::Error>,
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}

impl Output {
    /// To standard output; progress goes to standard error.
    pub(crate) fn new(format: Format, claude: bool, verbose: bool) -> Self {
        let writer: Box<dyn Writer> = match format {
            Format::Text => Box::new(text::Text::default()),
            Format::Json if claude => Box::new(claude::Claude::json()),
            Format::StreamJson if claude => Box::new(claude::Claude::stream()),
            Format::Json => Box::new(json::Json),
            Format::StreamJson => Box::new(stream::Stream),
        };
        Self::with(writer, progress::Progress::new(verbose), Box::new(io::stdout()))
    }

    /// To nowhere; progress goes to standard error.
    pub(crate) fn silent(verbose: bool) -> Self {
        Self::with(Box::new(text::Text::default()), progress::Progress::new(verbose), Box::new(io::sink()))
    }

    fn with(writer: Box<dyn Writer>, progress: progress::Progress, out: Box<dyn Write + Send>) -> Self {
        Self { inner: Mutex::new(Inner { writer, progress, out, broken: None }) }
    }

    /// Reports an event.
    pub(crate) fn event(&self, origin: &Origin, event: &Event) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Inner { writer, progress, out, broken } = &mut *inner;
        progress.event(origin, event);
        if broken.is_none() {
            let written = writer.event(origin, event, out.as_mut()).and_then(|()| out.flush());
            *broken = written.err();
        }
    }

    /// Whether the output can no longer be written, and why.
    pub(crate) fn broken(&self) -> Option<String> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.broken.as_ref().map(ToString::to_string)
    }
}
