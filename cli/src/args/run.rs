//! `run`, and the options of the decision log.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hookc_runtime::log::{Redaction, RedactionError};
use hookc_runtime::{bridge, history};

use super::{EventFlags, Sources};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailureMode {
    /// The event is allowed, and the failure is reported
    Open,
    /// The event is denied with the reason
    Closed,
}

/// What a hook with `ask` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Questions {
    /// The agent asks the user, where it can
    User,
    /// The event is denied with the reason of the question
    Deny,
}

impl From<Questions> for bridge::Questions {
    fn from(questions: Questions) -> Self {
        match questions {
            Questions::User => Self::User,
            Questions::Deny => Self::Deny,
        }
    }
}

/// What a session without a history is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HistoryMode {
    /// Its history is unknown, if the start of the session should have been recorded
    Strict,
    /// Its history is empty
    Lenient,
}

impl From<HistoryMode> for history::HistoryMode {
    fn from(mode: HistoryMode) -> Self {
        match mode {
            HistoryMode::Strict => Self::Strict,
            HistoryMode::Lenient => Self::Lenient,
        }
    }
}

/// `--event` of `run` is the agent's own name.
const EVENT: &str = "The agent's name of the event, for agents that do not send it. With `--tool`, `--input` and \
                     `--set`, which replace standard input, the policy's name is accepted too";

#[derive(Args, Debug)]
#[command(
    after_help = "Reads the event from standard input, prints the answer that the agent reads, and exits with the \
                        status that the agent expects. If no hook matches, prints nothing and exits 0. \
                        HOOKC_DISABLE=1 disables all hooks.",
    mut_arg("event", |event| event.help(EVENT))
)]
pub(crate) struct Run {
    /// Policies or one module; optional with `--layer` and `--or-starter`
    #[arg(value_name = "POLICY", required_unless_present_any = ["layers", "or_starter"])]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// The agent: claude, flat, gemini, codex, cursor, copilot, vscode. An event that another agent sends is recognized
    #[arg(long, value_name = "NAME")]
    pub(crate) host: String,
    #[command(flatten)]
    pub(crate) given: EventFlags,
    /// The failure mode for events that cannot be evaluated and for hooks without `on_failure`
    #[arg(long, value_name = "MODE")]
    pub(crate) on_failure: Option<FailureMode>,
    /// Whether the agent asks the user, or denies what hooks ask about (`deny`), for unattended agents
    #[arg(long, value_name = "MODE", default_value = "user")]
    pub(crate) ask: Questions,
    /// The root of the project, for agents that do not give it (default: the nearest repository above the event's `cwd`)
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// The version of `hookc install` that wrote this call: an older `hookc` warns once
    #[arg(long, value_name = "VERSION")]
    pub(crate) since: Option<String>,
    /// Without a policy, decide by `guard.yaml`, `hooks.yaml` or `.hooks` of the project, or by this starter. Do nothing
    /// if the agent's settings call `hookc run`, for plugins
    #[arg(long, value_name = "NAME", conflicts_with = "verify_key")]
    pub(crate) or_starter: Option<String>,
    /// What the history of a session is that has no file: for conditions about earlier events
    #[arg(long, value_name = "MODE", default_value = "strict")]
    pub(crate) history: HistoryMode,
    /// Sync each record of the history to the disk, so that it survives the death of the machine
    #[arg(long)]
    pub(crate) history_sync: bool,
    #[command(flatten)]
    pub(crate) logging: Logging,
}

#[derive(Args, Debug)]
pub(crate) struct Logging {
    /// The decision log (default: `hookc/decisions.jsonl` in the user's state directory)
    #[arg(long, value_name = "FILE", conflicts_with = "no_log")]
    pub(crate) log: Option<PathBuf>,
    /// Write no decision log
    #[arg(long)]
    pub(crate) no_log: bool,
    /// Also write the events to the log
    #[arg(long, conflicts_with = "no_log")]
    pub(crate) log_payload: bool,
    /// Remove the values at this path, such as `tool_input.env.*`, from the logged events
    #[arg(long, value_name = "PATH", requires = "log_payload", value_parser = redacted)]
    pub(crate) redact: Vec<String>,
}

/// A path that can be redacted. An invalid path would redact nothing, and the
/// user would notice too late.
fn redacted(path: &str) -> Result<String, RedactionError> {
    Redaction::check(path).map(|()| path.to_owned())
}
