//! The decision log: a JSON line per event.
//!
//! Lines of concurrent writers, in this process and others, never mix. An incomplete line (a full
//! disk, a killed writer) is at the end of the file until the next writer removes it; a complete
//! line is never lost to that. Failures never change a decision.

mod append;
#[cfg(test)]
mod model;
mod redact;
mod summary;
mod time;

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use hookc_base::text::floor_char_boundary;
use hookc_schema::terminal::escape_json;
use serde_json::{Map, Value, json};

pub use append::{LINE_BYTES, is_torn};
pub use redact::Redaction;
#[cfg(feature = "compiler")]
pub use redact::RedactionError;
pub use time::{parse as parse_time, rfc3339};

use crate::event::Event;
use crate::host::BackgroundResult;
use crate::open;
use crate::outcome::{ActionFailure, Effect, EventOutcome, Outcome, PendingAction, hex};

/// A log that is open.
///
/// ```no_run
/// use std::path::Path;
///
/// use hookc_runtime::log::Log;
///
/// let log = Log::open(Path::new("decisions.jsonl"))?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Log {
    file: Mutex<File>,
    payload: Option<Redaction>,
}

/// The outcome of an event, for the log: a JSON line (`docs/runtime.md`).
///
/// ```
/// use std::time::Duration;
///
/// use hookc_runtime::Event;
/// use hookc_runtime::log::{Entry, Log};
///
/// # let folder = std::env::temp_dir().join(format!("hookc-entry-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("decisions.jsonl");
/// let event = Event::new(r#"{"hook_event_name": "Stop"}"#);
/// let entry = Entry::new("my-host", &event, Err("the policy is missing"), Duration::from_millis(2));
/// Log::open(&path)?.write(&entry)?;
/// assert!(std::fs::read_to_string(&path)?.contains(r#""error":"the policy is missing""#));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// The sender: `claude`, `flat`, ...
    pub host: &'a str,
    /// The event.
    pub event: &'a Event,
    /// The outcome, or why there is no decision.
    pub result: Result<&'a EventOutcome, &'a str>,
    /// From its arrival to the answer.
    pub took: Duration,
    /// Which call in an agent's settings decided, if one did.
    pub caller: Option<&'a Caller>,
    /// Whether it is the result of a background handler, whose start is another line.
    pub background: bool,
    /// Whether the event passed undecided because of `hookc pause`.
    pub paused: bool,
}

impl<'a> Entry<'a> {
    /// The outcome of `event`, which `host` sent, or why there is no decision; `took` is the time
    /// from its arrival to the answer.
    #[must_use]
    pub fn new(
        host: &'a str,
        event: &'a Event,
        result: Result<&'a EventOutcome, &'a str>,
        took: Duration,
    ) -> Self {
        Self { host, event, result, took, caller: None, background: false, paused: false }
    }

    /// The result of a background handler. It never has the payload, which is in the line about its
    /// start.
    #[must_use]
    pub fn of_background(host: &'a str, ended: &'a BackgroundResult) -> Self {
        let entry = Self::new(host, &ended.event, Ok(&ended.outcome), ended.took);
        Self { background: true, ..entry }
    }

    /// An event that passed undecided because of `hookc pause`.
    #[must_use]
    pub fn of_pause(host: &'a str, event: &'a Event, took: Duration) -> Self {
        Self { paused: true, ..Self::new(host, event, Err(""), took) }
    }

    /// The hooks that ran, as the log has them, with the text of their failures.
    #[must_use]
    pub fn hooks(handled: &EventOutcome) -> Vec<Value> {
        handled.effects.iter().map(|one| effect(one, true)).collect()
    }

    /// Sets which call in an agent's settings decided.
    #[must_use]
    pub fn with_caller(mut self, caller: &'a Caller) -> Self {
        self.caller = Some(caller);
        self
    }
}

/// Who described an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// The agent, which made the call.
    #[default]
    Agent,
    /// A person: the log says so, and `hookc status` counts no call of the agent.
    Person,
}

/// A call of `hookc run`, which identifies it for `hookc status`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Caller {
    /// Its policies, then its layers (`NAME=FILE`), each by its real path.
    pub policies: Vec<String>,
    /// The agent's name of the event, if the vocabulary has another one.
    pub event: Option<String>,
    /// The agent that the call names, if another one sent the event.
    pub called_as: Option<&'static str>,
    /// Who described the event.
    pub origin: Origin,
}

impl Log {
    /// Opens a log for appending, and creates it, accessible only to its owner, if missing.
    ///
    /// # Errors
    /// It cannot be opened, or is not a regular file: a pipe without a reader would block every
    /// writer.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = open::to_append(path)?;
        Ok(Self { file: Mutex::new(file), payload: None })
    }

    /// Also writes the events, without redacted values.
    #[must_use]
    pub fn with_payload(mut self, redaction: Redaction) -> Self {
        self.payload = Some(redaction);
        self
    }

    /// Appends a line.
    ///
    /// # Errors
    /// It could not be written completely, or another program keeps the file locked: the line is
    /// not in the log.
    pub fn write(&self, entry: &Entry<'_>) -> io::Result<()> {
        self.write_all(std::slice::from_ref(entry))
    }

    /// Appends one line each, under one lock.
    ///
    /// # Errors
    /// As [`write`](Self::write); some of the lines may be in the log.
    pub fn write_all(&self, entries: &[Entry<'_>]) -> io::Result<()> {
        let heads: Vec<Head> = entries.iter().map(|entry| self.head(entry)).collect();
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        append::append(&mut *file, |out| {
            entries.iter().zip(&heads).try_for_each(|(entry, head)| self.write_line(entry, head, out))
        })
    }

    /// Appends a line about the start or the end of a window of `hookc pause`: `outcome` is `pause` or `resume`.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_pause(&self, outcome: &str, until: SystemTime, reason: &str) -> io::Result<()> {
        let line = json!({
            "time": rfc3339(SystemTime::now()), "host": "hookc", "outcome": outcome, "until": rfc3339(until),
            "reason": cut(reason),
        });
        let text = escape_json(&line.to_string()).into_owned();
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        append::append(&mut *file, |out| writeln!(out, "{text}"))
    }

    /// Writes a line. The event is not copied: it may be as long as an event may be.
    fn write_line(&self, entry: &Entry<'_>, head: &Head, out: &mut dyn Write) -> io::Result<()> {
        let text = escape_json(&head.text);
        let Some(redaction) = self.payload.as_ref().filter(|_| head.has_payload) else {
            return writeln!(out, "{text}");
        };
        write!(out, "{},\"payload\":", text.strip_suffix('}').unwrap_or(&text))?;
        redaction.write(entry.event, &mut |piece| write_escaped(piece, out))?;
        out.write_all(b"}\n")
    }

    /// The members of a line before the payload.
    fn head(&self, entry: &Entry<'_>) -> Head {
        let mut line = Members(Map::new());
        line.add("time", rfc3339(SystemTime::now()));
        line.add("host", entry.host);
        line.add_ids(entry.event);
        if entry.background {
            line.add("background", true);
        }
        if let Some(caller) = entry.caller {
            line.add_caller(caller);
        }
        match entry.result {
            Ok(handled) => self.add_outcome(handled, entry.event, &mut line),
            Err(why) => line.add_trouble(entry, why),
        }
        if !entry.background && is_about(entry.result) {
            let tool = entry.event.text("tool_name").filter(|name| is_name(name));
            line.add_some("tool", tool.as_deref());
            line.add_some("summary", summary::summary(entry.event, self.payload.as_ref()));
        }
        line.add("duration_ms", millis(entry.took));
        let payload = self.payload.as_ref().filter(|_| !entry.background);
        let left_out = payload.and_then(|_| entry.event.readable().err());
        let has_payload = payload.is_some() && left_out.is_none();
        line.add_some("payload_left_out", left_out.map(|why| why.to_string()));
        Head { text: Value::Object(line.0).to_string(), has_payload }
    }

    /// What an event led to.
    fn add_outcome(&self, handled: &EventOutcome, event: &Event, line: &mut Members) {
        // The name of an event that the policy does not know is arbitrary text.
        let name = Some(handled.event.as_str()).filter(|name| handled.family.is_some() || is_name(name));
        line.add("event", name);
        line.add("outcome", outcome(handled));
        line.add("hooks", handled.effects.iter().map(|one| self.effect(one, event)).collect::<Value>());
        if !handled.reported.is_empty() {
            line.add("reported", handled.reported.iter().map(reported).collect::<Value>());
        }
        line.add("module", hex(&handled.module));
        line.add_some("step", handled.history.step);
        line.add_some("history", handled.history.unknown.map(|word| json!({"unknown": word})));
    }

    /// A hook that ran. Its lines for the log may quote the event.
    fn effect(&self, one: &Effect, event: &Event) -> Value {
        let Some(redaction) = self.payload.as_ref().filter(|_| !one.logs.is_empty()) else {
            return effect(one, self.payload.is_some());
        };
        let logs = one.logs.iter().map(|line| redaction.hide(event, line.clone())).collect();
        effect(&Effect { logs, ..one.clone() }, true)
    }
}

/// Whether a line says which call it is about: a hook matched, or nothing could be decided.
fn is_about(result: Result<&EventOutcome, &str>) -> bool {
    result.map_or(true, |handled| !handled.effects.is_empty() || !handled.reported.is_empty())
}

/// A line without the payload.
struct Head {
    text: String,
    /// Whether the payload follows.
    has_payload: bool,
}

/// Writes a part of JSON text, safe for a terminal.
fn write_escaped(mut rest: &str, out: &mut dyn Write) -> io::Result<()> {
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(floor_char_boundary(rest, append::CHUNK));
        out.write_all(escape_json(chunk).as_bytes())?;
        rest = after;
    }
    Ok(())
}

/// The members of a line, in the order of writing.
struct Members(Map<String, Value>);

impl Members {
    fn add(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    fn add_some(&mut self, name: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.add(name, value);
        }
    }

    /// The session and the agent of an event, if their texts can be ids.
    fn add_ids(&mut self, event: &Event) {
        let is_short = |name: &&str| event.raw(name).is_some_and(|raw| raw.len() <= ID_TEXT);
        let text = |name: &str| Some(name).filter(is_short).and_then(|name| event.text(name));
        let id = |name: &str| text(name).filter(|id| is_id(id));
        self.add_some("session", id("session_id").or_else(|| id("thread_id")).as_deref());
        self.add_some("agent", id("agent_id").as_deref());
    }

    fn add_caller(&mut self, caller: &Caller) {
        self.add_some("host_event", caller.event.as_deref());
        self.add_some("called_as", caller.called_as);
        self.add("policies", caller.policies.iter().map(String::as_str).collect::<Value>());
        if caller.origin == Origin::Person {
            self.add("by_hand", true);
        }
    }

    /// Why an event was not decided.
    fn add_trouble(&mut self, entry: &Entry<'_>, why: &str) {
        let member = |name: &&str| entry.event.member(name).ok().flatten();
        let name = ["hook_event_name", "event_type"].iter().find_map(member);
        self.add("event", name.as_ref().and_then(Value::as_str).filter(|name| is_name(name)));
        if entry.paused {
            self.add("outcome", "paused");
        } else {
            self.add("outcome", "error");
            self.add("error", why);
        }
    }
}

/// The combined outcome of all hooks, as a word.
fn outcome(handled: &EventOutcome) -> &'static str {
    match handled.effects.as_slice() {
        [] => "no opinion",
        [one] => one.outcome.as_str(),
        several => {
            let word = Outcome::from(handled.verdict().0).as_str();
            let without_verdict = ["failed", "done", "started"];
            let came = |word: &&&str| several.iter().any(|effect| effect.outcome.as_str() == **word);
            // The message of a hook that failed open does not represent the others.
            match without_verdict.iter().find(came) {
                Some(came) if ["no opinion", "tell"].contains(&word) => came,
                _ => word,
            }
        }
    }
}

/// Most characters of the name of an event, and of an id.
const NAME: usize = 64;
const ID: usize = 128;
/// Most bytes of an id as JSON writes it: each character escaped.
const ID_TEXT: usize = 6 * ID + 2;

/// Whether a text can be logged as the name of an event: an event can contain any text there.
pub(crate) fn is_name(text: &str) -> bool {
    let of_names = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
    !text.is_empty() && text.len() <= NAME && text.chars().all(of_names)
}

/// Whether a text can be logged as the id of a session, thread or agent.
fn is_id(text: &str) -> bool {
    !text.is_empty() && text.len() <= ID && text.chars().all(|c| c.is_ascii_graphic() && c != '"')
}

/// Characters of an error, and of a line that a hook has for the log.
const ERROR: usize = 1000;
/// Most lines of a hook for the log.
const LOGS: usize = 100;

/// The output of a failed handler may be the event itself: it is logged only with the payload.
fn error(failure: &ActionFailure, payload: bool) -> &str {
    cut(failure.bare.as_deref().filter(|_| !payload).unwrap_or(&failure.why))
}

fn cut(text: &str) -> &str {
    text.char_indices().nth(ERROR).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

/// What else is to be reported. A mistake in a result may quote the event, so that without the
/// payload only the number of mistakes is logged.
fn remarks(effect: &Effect, payload: bool) -> Vec<String> {
    let mut names = effect.remarks.clone();
    if let Outcome::Signals(result) = &effect.outcome {
        match result.reports.len() {
            0 => {}
            _ if payload => names.extend(result.reports.iter().map(|report| cut(report).to_owned())),
            1 => names.push("its result has 1 mistake".to_owned()),
            count => names.push(format!("its result has {count} mistakes")),
        }
    }
    names
}

fn effect(effect: &Effect, payload: bool) -> Value {
    let mut line = json!({
        "hook": effect.hook.label,
        "action": effect.hook.kind,
        "outcome": effect.outcome.as_str(),
    });
    let mut add = |name: &str, value: Value| {
        if let Value::Object(line) = &mut line {
            line.insert(name.to_owned(), value);
        }
    };
    if let Some(status) = &effect.status {
        add("status", status.as_str().into());
    }
    match &effect.outcome {
        Outcome::Failed(failure) => {
            add("error", error(failure, payload).into());
            add("falls", failure.failure_mode.name().into());
        }
        Outcome::Skipped(why) => {
            add("why", why.as_str().into());
        }
        _ => {}
    }
    let logs = match &effect.outcome {
        Outcome::Signals(result) => &result.logs,
        _ => &effect.logs,
    };
    if !logs.is_empty() {
        add("logs", logs.iter().take(LOGS).map(|text| cut(text)).collect());
        if logs.len() > LOGS {
            add("logs_left_out", (logs.len() - LOGS).into());
        }
    }
    let remarks = remarks(effect, payload);
    if !remarks.is_empty() {
        add("remarks", remarks.into());
    }
    add("duration_ms", millis(effect.took));
    line
}

fn reported(due: &PendingAction) -> Value {
    let mut line = json!({"hook": due.hook.label, "mode": due.hook.mode.name(), "action": due.hook.kind});
    if let (Err(failure), Value::Object(line)) = (&due.action, &mut line)
        && failure.is_unknown()
    {
        line.insert("error".to_owned(), error(failure, false).into());
    }
    line
}

fn millis(time: Duration) -> Value {
    json!((time.as_micros() as f64) / 1000.0)
}
