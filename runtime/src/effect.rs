//! What carrying out came to, hook by hook.

use std::time::Duration;

use hookc_vm::MatchedHook;
use hookc_vm::module::{Mode, OnError, OnFailure};
use serde_json::Value;

use crate::action::Action;
use crate::turn::HookResult;
use crate::verdict::{Permission, Verdict};

/// A hook that matched, as far as it is known here.
#[derive(Clone, Debug, PartialEq)]
pub struct Hook {
    /// Its id or label; `rank N` for one of a stripped module.
    pub label: String,
    /// Its place among the hooks of its event type.
    pub rank: u32,
    /// `file:line:column`; not in a stripped module.
    pub source: Option<String>,
    /// Whether it decides, tells, or is only logged.
    pub mode: Mode,
    /// The kind of its action.
    pub kind: String,
    /// What happens when carrying out makes an error.
    pub on_error: Option<OnError>,
    /// Which way a failure falls.
    pub on_failure: Option<OnFailure>,
}

impl Hook {
    /// From the decision.
    #[must_use]
    pub fn of(fired: &MatchedHook<'_>) -> Self {
        let place = |(file, line, column): (&str, u32, u32)| format!("{file}:{line}:{column}");
        Self {
            label: fired.label().map_or_else(|| format!("rank {}", fired.rank()), str::to_owned),
            rank: fired.rank(),
            source: fired.place().map(place),
            mode: fired.mode(),
            kind: fired.kind().to_owned(),
            on_error: fired.on_error(),
            on_failure: fired.on_failure(),
        }
    }
}

impl Hook {
    /// Which way it says that its failures fall, if it does: by `on_failure`, else by
    /// `on_error`.
    pub(crate) fn falls(&self) -> Option<OnFailure> {
        let by_error = match self.on_error {
            Some(OnError::Skip) => Some(OnFailure::Open),
            Some(OnError::Fail) => Some(OnFailure::Closed),
            Some(OnError::Retry) | None => None,
        };
        self.on_failure.or(by_error)
    }
}

/// A hook and its action, ready to be carried out.
#[derive(Clone, Debug)]
pub struct PendingAction {
    /// The hook.
    pub hook: Hook,
    /// Its action, or why it cannot be rendered.
    pub action: Result<Action, String>,
}

impl PendingAction {
    /// From the decision: renders the action.
    #[must_use]
    pub fn of(fired: &MatchedHook<'_>) -> Self {
        let mut json = String::new();
        let rendered = fired.render(&mut json).map_err(|error| error.to_string());
        Self { hook: Hook::of(fired), action: rendered.and_then(|()| Action::parse(&json)) }
    }
}

impl PendingAction {
    /// What a hook of `mode: warn` that matched tells; `None` for another one.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let Hook { label, mode: Mode::Warn, kind, .. } = &self.hook else { return None };
        let text = |action: &Action| {
            ["reason", "text", "message", "error_message"]
                .iter()
                .find_map(|name| action.text(name).map(str::to_owned))
        };
        let text = self.action.as_ref().ok().and_then(text);
        let text = text.map(|text| format!(": {text}")).unwrap_or_default();
        Some(format!("hook {label} (warn) would {kind}{text}"))
    }
}

/// What an action came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It says this about the event.
    Verdict(Box<Verdict>),
    /// It gave this back.
    Value(Value),
    /// It is a repository hook's, and gave this back.
    Signals(Box<HookResult>),
    /// It was begun and is not waited for.
    Started,
    /// It was not carried out, for this reason.
    Skipped(String),
    /// It failed.
    Failed(Failure),
}

impl Outcome {
    /// One word for the log.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Verdict(verdict) => match verdict.permission {
                Some(Permission::Deny) => "deny",
                _ if verdict.stop.is_some() => "stop",
                Some(Permission::Defer) => "defer",
                Some(Permission::Ask) => "ask",
                Some(Permission::Allow) => "allow",
                None if verdict.is_silent() => "no opinion",
                None if verdict.change.is_some() => "modify",
                None if verdict.is_told_only() => "tell",
                None => "inject",
            },
            Self::Signals(result) if result.refuses() => match result.verdict().permission {
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

/// Why an action could not be carried out, and which way that falls.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// Why.
    pub why: String,
    /// The same without what handlers, hosts and events said, if `why` may hold
    /// some of it.
    pub bare: Option<String>,
    /// As if refused, or as if there were no opinion.
    pub falls: OnFailure,
}

/// A hook and what its action came to.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The hook.
    pub hook: Hook,
    /// What its action came to.
    pub outcome: Outcome,
    /// How a process ended, if one ran: `exit status 2`.
    pub status: Option<String>,
    /// What is to be said about it beside: output thrown away, a disagreement.
    pub remarks: Vec<String>,
    /// How often it was tried.
    pub tries: u32,
    /// How long it took.
    pub took: Duration,
}

impl Effect {
    /// What it says about the event: a failure that falls closed refuses, one
    /// that falls open is told to the user, and neither is silent. A guard's
    /// refusal is one, whoever asks.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match &self.outcome {
            Outcome::Verdict(verdict) => verdict.as_ref().clone(),
            Outcome::Failed(failure) => {
                let text = format!("hook {} failed: {}", self.hook.label, failure.why);
                match failure.falls {
                    OnFailure::Closed => Verdict::deny(text),
                    OnFailure::Open => Verdict::message(text),
                }
            }
            Outcome::Signals(result) => result.verdict(),
            Outcome::Value(_) | Outcome::Started | Outcome::Skipped(_) => Verdict::default(),
        }
    }
}
