//! Progress on standard error: a line on a terminal, and everything with `--verbose`.

use std::io::{self, IsTerminal, Write};

use hookc_schema::terminal::{escape, escape_block};

use super::{Event, Origin};

/// Where progress goes.
#[derive(Debug)]
pub(super) struct Progress {
    verbose: bool,
    /// Whether standard error is a terminal, which has one line of progress.
    terminal: bool,
    /// Whether that line is there.
    shown: bool,
    fired: usize,
}

/// Characters of the line.
const WIDTH: usize = 79;

impl Progress {
    pub(super) fn new(verbose: bool) -> Self {
        Self { verbose, terminal: io::stderr().is_terminal(), shown: false, fired: 0 }
    }

    pub(super) fn event(&mut self, origin: &Origin, event: &Event) {
        let who = origin.agent_id.as_ref().map(|id| format!("{id}: ")).unwrap_or_default();
        if self.terminal && !self.verbose {
            self.line(&who, event);
        }
        let text = match event {
            // What a user must see in every format.
            Event::Notice(text) => Some(text.clone()),
            Event::Rejected { reason } => Some(format!("the prompt was rejected: {reason}")),
            Event::Error { error, retry_ms: Some(wait) } => Some(format!("{error}; next try in {wait} ms")),
            Event::Result(own) if own.is_error() && own.subtype != "rejected" => {
                Some(format!("{}: {}", own.subtype, own.text))
            }
            event if self.verbose => details(event),
            _ => None,
        };
        if let Some(text) = text {
            self.clear();
            let text = format!("{who}{text}");
            let _ = writeln!(io::stderr().lock(), "hookc-agent: {}", escape_block(&text));
        }
    }

    /// Shows the running tool and the hooks that fired.
    fn line(&mut self, who: &str, event: &Event) {
        let text = match event {
            Event::ToolStart { name, input, .. } => {
                let hooks = std::mem::take(&mut self.fired);
                Some(format!("{who}{name} {input} ({hooks} hooks fired)"))
            }
            Event::HookStarted { event, name, .. } => {
                self.fired += 1;
                Some(format!("{who}{event}: {name}"))
            }
            Event::Reply(_) | Event::Result(_) => {
                self.clear();
                None
            }
            _ => None,
        };
        if let Some(text) = text {
            let text: String = escape(&text).chars().take(WIDTH).collect();
            let mut out = io::stderr().lock();
            let _ = write!(out, "\r\x1b[K{text}");
            let _ = out.flush();
            self.shown = true;
        }
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}

/// An event with `--verbose`.
fn details(event: &Event) -> Option<String> {
    Some(match event {
        Event::Init { session_id, model, .. } => format!("session {session_id}, model {model}"),
        Event::ToolStart { name, input, .. } => format!("{name} {input}"),
        Event::ToolResult { name, is_error, .. } => {
            format!("{name} {}", if *is_error { "failed" } else { "done" })
        }
        Event::HookEnded { event, name, outcome, status, detail, .. } => {
            let status = status.as_ref().map(|status| format!(" ({status})")).unwrap_or_default();
            let detail = detail.as_ref().map(|detail| format!(": {detail}")).unwrap_or_default();
            format!("{event}: hook {name}: {outcome}{status}{detail}")
        }
        Event::Record(value) => value.to_string(),
        Event::Log(text) => text.clone(),
        _ => return None,
    })
}
