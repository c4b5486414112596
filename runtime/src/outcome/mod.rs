//! The outcomes of actions, hook by hook and event by event.

mod event;
mod failure;
mod unknown_history;

use std::time::Duration;

use hookc_base::action::{Action, DIRECTORIES, Inject, Kind, Modify, Run};
use hookc_base::{Mode, OnError, OnFailure};
use hookc_history::Verdict as RecordedVerdict;
use hookc_vm::MatchedHook;
use serde_json::Value;

pub(crate) use event::hex;
pub use event::{EventOutcome, HistoryNote};
pub use failure::ActionFailure;
pub(crate) use failure::UNREADABLE;

use crate::event::rounded_number;
use crate::signals::HookResult;
use crate::verdict::{Permission, Verdict};

/// A hook that matched, as far as the runtime knows it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hook {
    /// Its id or label; `rank N` for one of a stripped module.
    pub label: String,
    /// Its position among the hooks of its event type.
    pub rank: u32,
    /// `file:line:column`; not in a stripped module.
    pub source: Option<String>,
    /// Whether it decides, warns, or is only logged.
    pub mode: Mode,
    /// The kind of its action.
    pub kind: String,
    /// How a failure of its action is handled.
    pub on_error: Option<OnError>,
    /// Its failure mode, if it has one.
    pub on_failure: Option<OnFailure>,
}

impl Hook {
    /// From the decision.
    #[must_use]
    pub fn from_match(matched: &MatchedHook<'_>) -> Self {
        let location = |(file, line, column): (&str, u32, u32)| format!("{file}:{line}:{column}");
        Self {
            label: matched.label().map_or_else(|| format!("rank {}", matched.rank()), str::to_owned),
            rank: matched.rank(),
            source: matched.location().map(location),
            mode: matched.mode(),
            kind: matched.kind().to_owned(),
            on_error: matched.on_error(),
            on_failure: matched.on_failure(),
        }
    }

    /// The history in place of a hook, for an event that cannot be recorded.
    pub(crate) fn history() -> Self {
        Self {
            label: "history".to_owned(),
            rank: u32::MAX,
            source: None,
            mode: Mode::Enforce,
            kind: "record".to_owned(),
            on_error: None,
            on_failure: None,
        }
    }

    /// Whether it can only allow.
    pub(crate) fn is_allow(&self) -> bool {
        Kind::parse(&self.kind) == Some(Kind::Allow)
    }

    /// Its failure mode, if declared: by `on_failure`, otherwise by `on_error`.
    pub(crate) fn failure_mode(&self) -> Option<OnFailure> {
        let by_error = match self.on_error {
            Some(OnError::Skip) => Some(OnFailure::Open),
            Some(OnError::Fail) => Some(OnFailure::Closed),
            Some(OnError::Retry) | None => None,
        };
        self.on_failure.or(by_error)
    }
}

/// A hook and its action, ready to be executed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PendingAction {
    /// The hook.
    pub hook: Hook,
    /// Its action, or why it cannot be rendered.
    pub action: Result<Action, ActionFailure>,
}

impl PendingAction {
    /// From the decision: renders the action.
    #[must_use]
    pub fn from_match(matched: &MatchedHook<'_>) -> Self {
        Self { hook: Hook::from_match(matched), action: rendered(matched) }
    }

    /// A hook whose condition is unknown, because the history is.
    pub(crate) fn unknown(matched: &MatchedHook<'_>, why: impl Into<String>) -> Self {
        Self { hook: Hook::from_match(matched), action: Err(ActionFailure::unknown(why)) }
    }

    /// Whether the condition of the hook is unknown and that denies; a hook that can only allow has no verdict then.
    pub(crate) fn fails_closed(&self, mode: impl FnOnce(&Hook) -> OnFailure) -> bool {
        self.is_unknown() && !self.hook.is_allow() && mode(&self.hook) == OnFailure::Closed
    }

    /// Whether the condition of the hook is unknown.
    pub(crate) fn is_unknown(&self) -> bool {
        self.action.as_ref().is_err_and(|failure| failure.is_unknown())
    }

    /// Whether its outcome is known without starting or asking anything.
    pub(crate) fn is_immediate(&self) -> bool {
        self.action.as_ref().map_or(true, |action| action.is_verdict() || matches!(action, Action::Log(_)))
    }

    /// What a history records of it if that is known before it is executed: nothing of it can fail.
    pub(crate) fn recorded_verdict(&self) -> Option<RecordedVerdict> {
        match self.action.as_ref().ok()? {
            Action::Inject(Inject { file: Some(_), .. })
            | Action::Modify(Modify { rewrite: Some(_), .. }) => None,
            action if self.is_immediate() => RecordedVerdict::for_kind(Kind::parse(action.kind())?),
            _ => None,
        }
    }

    /// The messages of the hooks of `mode: warn` that matched. Hooks that are unknown for the same reason have one message.
    #[must_use]
    pub fn warnings<'a>(reported: impl IntoIterator<Item = &'a Self>) -> Vec<String> {
        unknown_history::warnings(reported)
    }

    /// The message of a matching hook of `mode: warn`; `None` for any other.
    fn warning(&self) -> Option<String> {
        let Hook { label, mode: Mode::Warn, kind, .. } = &self.hook else { return None };
        let text = self.action.as_ref().ok().and_then(Action::message);
        let text = text.map(|text| format!(": {text}")).unwrap_or_default();
        Some(format!("hook {label} (warn) would {kind}{text}"))
    }
}

fn rendered(matched: &MatchedHook<'_>) -> Result<Action, ActionFailure> {
    let mut json = String::new();
    matched.render(&mut json).map_err(|error| unrendered(error.to_string()).with_source(error))?;
    let action = Action::parse(&json).map_err(|error| unrendered(error.to_string()).with_source(error))?;
    match &action {
        Action::Run(run) if has_nul(run) => Err(unrendered(NUL)),
        Action::Modify(_) => match rounded_number(&json) {
            Some(number) => Err(unrendered(format!("the number {number} of the new input would be rounded"))),
            None => Ok(action),
        },
        _ => marked(action, &json, matched)
            .ok_or_else(|| unrendered("its text with marks is larger than an action may be")),
    }
}

fn unrendered(why: impl Into<String>) -> ActionFailure {
    ActionFailure::closed(why).with_bare("its parameters are invalid for this event")
}

/// Why an action with U+0000 in its arguments fails. The marks of [`marked`] are removed before the
/// program starts, so the event's own U+0000 is rejected here.
const NUL: &str = "an argument contains U+0000, which no program can receive";

/// Whether an argument that is not read by a shell contains U+0000.
fn has_nul(run: &Run) -> bool {
    let command = run.command.iter().filter(|_| run.args.is_some());
    run.argv.iter().chain(&run.args).flatten().chain(command).any(|word| word.contains('\0'))
}

/// The action, in whose arguments text of the event is marked ([`MatchedHook::render_marked`])
/// where some of it looks like a variable that is filled in when the program starts. `None` if it cannot be
/// marked: marks make it longer.
fn marked(action: Action, json: &str, matched: &MatchedHook<'_>) -> Option<Action> {
    let Action::Run(mut run) = action else { return Some(action) };
    if !json.contains("${") || !DIRECTORIES.iter().any(|name| json.contains(name)) {
        return Some(Action::Run(run));
    }
    let mut json = String::new();
    matched.render_marked(&mut json).ok()?;
    let Action::Run(mut handler) = Action::parse(&json).ok()? else { return None };
    // In a word that is a list or an object, the mark is escaped as in any JSON.
    for word in handler.argv.iter_mut().chain(&mut handler.args).flatten().chain(&mut handler.command) {
        *word = word.replace("$\\u0000", "$\0");
    }
    if handler.args.is_some() {
        run.command = handler.command;
    }
    (run.argv, run.args) = (handler.argv, handler.args);
    Some(Action::Run(run))
}

/// What executing an action gave.
///
/// ```
/// use hookc_runtime::Outcome;
/// use hookc_runtime::verdict::Verdict;
/// use serde_json::json;
///
/// assert_eq!(Outcome::from(json!({"ok": true})).as_str(), "done");
/// assert_eq!(Outcome::from(Verdict::deny("not now")).as_str(), "deny");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// A verdict about the event.
    Verdict(Box<Verdict>),
    /// A value.
    Value(Value),
    /// The result of a repository hook.
    Signals(Box<HookResult>),
    /// It was started in the background.
    Started,
    /// It was not executed, for this reason.
    Skipped(String),
    /// It failed.
    Failed(ActionFailure),
}

impl Outcome {
    /// No result.
    #[must_use]
    pub fn nothing() -> Self {
        Self::Value(Value::Null)
    }

    /// One word for the log.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Verdict(verdict) => match verdict.permission {
                Some(Permission::Deny) => "deny",
                _ if verdict.stop.is_some() => "stop",
                Some(Permission::Defer) => "defer",
                Some(Permission::Ask) => "ask",
                Some(Permission::Allow) => "allow",
                None if verdict.is_silent() => "no opinion",
                None if verdict.change.is_some() => "modify",
                None if verdict.is_message_only() => "tell",
                None => "inject",
            },
            Self::Signals(result) if result.denies() => match result.verdict().permission {
                Some(Permission::Ask) => "ask",
                _ => "deny",
            },
            Self::Value(_) | Self::Signals(_) => "done",
            Self::Started => "started",
            Self::Skipped(_) => "skipped",
            Self::Failed(_) => "failed",
        }
    }
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Self {
        Self::Verdict(Box::new(verdict))
    }
}

impl From<Value> for Outcome {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// A hook and what executing its action gave.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Effect {
    /// The hook.
    pub hook: Hook,
    /// The outcome of executing its action.
    pub outcome: Outcome,
    /// How a process ended, if one ran: `exit status 2`.
    pub status: Option<String>,
    /// Further messages: discarded output, a conflict.
    pub remarks: Vec<String>,
    /// The line that an action `log` writes.
    pub logs: Vec<String>,
    /// How often it was executed.
    pub tries: u32,
    /// Its duration.
    pub took: Duration,
}

impl Effect {
    pub(crate) fn new(hook: Hook, outcome: Outcome) -> Self {
        Self {
            hook,
            outcome,
            status: None,
            remarks: Vec::new(),
            logs: Vec::new(),
            tries: 0,
            took: Duration::ZERO,
        }
    }

    /// Its verdict about the event: a failure that fails closed denies, and one that fails open is
    /// reported to the user. A denying guard denies every kind of event.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match &self.outcome {
            Outcome::Verdict(verdict) => verdict.as_ref().clone(),
            Outcome::Failed(failure) => failure.verdict(&format!("hook {}", self.hook.label)),
            Outcome::Signals(result) => result.verdict(),
            Outcome::Value(_) | Outcome::Started | Outcome::Skipped(_) => Verdict::default(),
        }
    }
}
