//! Handlers that nothing waits for, and their results.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hookc_base::{Family, Mode};
use serde_json::{Value, json};

use crate::ended::{by_output, remarks, with_stderr};
use crate::event::{Event, RepositoryEvent};
use crate::outcome::{ActionFailure, Effect, EventOutcome, HistoryNote, Hook, Outcome, UNREADABLE, hex};
use crate::process::{Command, Ended, Program};
use crate::signals::HookResult;

/// A handler that nothing waits for. Its result changes no decision: it is for the log.
///
/// A host runs it where it lives long enough: in a thread of its own, or, with
/// [`to_json`](Self::to_json), in another process.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BackgroundHandler {
    /// The process, with the event on its standard input.
    pub command: Command,
    /// The hook.
    pub hook: Hook,
    /// The type of the event.
    pub event: String,
    family: Option<Family>,
    /// Whether it prints a `HookResult`.
    signals: bool,
    module: [u8; 32],
}

impl BackgroundHandler {
    pub(crate) fn new(
        command: Command,
        hook: &Hook,
        signals: bool,
        (event, family, module): (&str, Option<Family>, [u8; 32]),
    ) -> Self {
        Self { command, hook: hook.clone(), event: event.to_owned(), family, signals, module }
    }

    /// Runs it to its end, and reads its result. Takes as long as [`Command::run`].
    #[must_use]
    pub fn run(&self) -> BackgroundResult {
        let start = Instant::now();
        let (outcome, status, remarks) = match self.command.run() {
            Ok(ended) => (self.outcome(&ended), Some(ended.status.to_string()), remarks(&ended)),
            Err(error) => {
                let failure = ActionFailure::open(error.to_string()).with_bare(error.bare());
                (Outcome::Failed(failure.with_source(error)), None, Vec::new())
            }
        };
        let took = start.elapsed();
        let effect = Effect { status, remarks, tries: 1, took, ..Effect::new(self.hook.clone(), outcome) };
        let outcome = EventOutcome {
            event: self.event.clone(),
            family: self.family,
            effects: vec![effect],
            reported: Vec::new(),
            module: self.module,
            history: HistoryNote::default(),
        };
        BackgroundResult { event: Event::new(self.command.stdin.as_ref().clone()), outcome, took }
    }

    /// The meaning of its end: a failure fails open, because nothing waits for it.
    fn outcome(&self, ended: &Ended) -> Outcome {
        let failed = |why: String| Outcome::Failed(ActionFailure::open(why).of_handler(ended.status));
        if !ended.status.success() {
            return failed(with_stderr(ended));
        }
        if !self.signals {
            return Outcome::nothing();
        }
        let value = match by_output(ended) {
            Ok(Outcome::Value(value)) => value,
            Ok(other) => return other,
            Err(failure) => return Outcome::Failed(ActionFailure::open(failure.why).with_bare(UNREADABLE)),
        };
        let mut result = HookResult::read(&value, &self.event, &self.hook.label);
        if RepositoryEvent::from_name(&self.event).is_awaited() && !result.signals.is_empty() {
            result.reports.push("signals are ignored: the hook does not block".to_owned());
            result.signals.clear();
        }
        match &result.failed {
            Some(why) => failed(why.clone()),
            None => Outcome::Signals(Box::new(result)),
        }
    }

    /// As JSON, for another process.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let Command { program, env, cwd, stdin, timeout, .. } = &self.command;
        let program = match program {
            Program::Shell { shell, line } => json!({"shell": shell, "line": line}),
            Program::Argv { program, args } => json!({"program": program, "args": args}),
        };
        json!({
            "program": program,
            "env": env,
            "cwd": cwd.as_ref().map(|cwd| cwd.to_string_lossy()),
            "stdin": String::from_utf8_lossy(stdin),
            "timeout_ms": u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX),
            "hook": self.hook.label,
            "rank": self.hook.rank,
            "action": self.hook.kind,
            "event": self.event,
            "family": self.family.map(Family::name),
            "signals": self.signals,
            "module": hex(&self.module),
        })
    }

    /// Parses the result of [`to_json`](Self::to_json); `None` if it is something else.
    #[must_use]
    pub fn from_json(value: &Value) -> Option<Self> {
        let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let family = match value.get("family")? {
            Value::Null => None,
            family => Some(Family::from_name(family.as_str()?)?),
        };
        let hook = Hook {
            label: text("hook")?,
            rank: u32::try_from(value.get("rank")?.as_u64()?).ok()?,
            source: None,
            mode: Mode::Enforce,
            kind: text("action")?,
            on_error: None,
            on_failure: None,
        };
        Some(Self {
            command: command(value)?,
            hook,
            event: text("event")?,
            family,
            signals: value.get("signals")?.as_bool()?,
            module: bytes(&text("module")?)?,
        })
    }
}

/// The result of a background handler.
#[derive(Debug)]
#[non_exhaustive]
pub struct BackgroundResult {
    /// The event that it received.
    pub event: Event,
    /// The hook with its result, alone.
    pub outcome: EventOutcome,
    /// How long it took.
    pub took: Duration,
}

fn command(value: &Value) -> Option<Command> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let texts = |value: &Value| value.as_array()?.iter().map(text).collect::<Option<Vec<_>>>();
    let program = value.get("program")?;
    let mut command = Command::new(match program.get("shell") {
        Some(shell) => Program::Shell { shell: text(shell)?, line: text(program.get("line")?)? },
        None => Program::Argv { program: text(program.get("program")?)?, args: texts(program.get("args")?)? },
    });
    for pair in value.get("env")?.as_array()? {
        command.env.push((text(pair.get(0)?)?, pair.get(1).and_then(text)));
    }
    command.cwd = value.get("cwd").and_then(text).map(Into::into);
    command.stdin = Arc::new(text(value.get("stdin")?)?.into_bytes());
    command.timeout = Duration::from_millis(value.get("timeout_ms")?.as_u64()?);
    Some(command)
}

fn bytes(hex: &str) -> Option<[u8; 32]> {
    let pair = |at: usize| u8::from_str_radix(hex.get(2 * at..2 * at + 2)?, 16).ok();
    let bytes = (hex.len() == 64).then(|| (0..32).map(pair).collect::<Option<Vec<u8>>>())??;
    bytes.try_into().ok()
}
