//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::output::Format;
use crate::values::{amount, base_url, positive, price, seconds};

/// Seconds for one answer of the model.
pub(crate) const MODEL_TIMEOUT: u64 = 900;
/// Most tokens of one answer.
pub(crate) const OUTPUT_TOKENS: u64 = 8192;
/// Tokens that a model can read.
const CONTEXT_WINDOW: u64 = 200_000;
/// How deep sub-agents can start sub-agents.
const DEPTH: u32 = 3;

/// A conversation: one prompt with `-p`, otherwise prompts from the terminal.
#[derive(Debug, clap::Args)]
pub(crate) struct Chat {
    /// The prompt. Standard input that is not a terminal follows it after an empty line, or
    /// replaces it if it is missing.
    #[arg(short, long, value_name = "TEXT", num_args = 0..=1, default_missing_value = "")]
    pub(crate) print: Option<String>,
    /// The prompt, as with `-p`.
    #[arg(value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    #[command(flatten)]
    pub(crate) common: Common,
    /// Continue a session.
    #[arg(long, value_name = "ID")]
    pub(crate) resume: Option<String>,
    /// The id of the new session.
    #[arg(long, value_name = "ID", conflicts_with = "resume")]
    pub(crate) session_id: Option<String>,
}

/// What conversations and directives share.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Common {
    /// `anthropic:NAME`, `openai:NAME` or `script:FILE`.
    #[arg(long, value_name = "MODEL", env = "HOOKC_AGENT_MODEL")]
    pub(crate) model: Option<String>,
    /// The endpoint of the model, such as `http://localhost:11434`.
    #[arg(long, value_name = "URL", value_parser = base_url)]
    pub(crate) base_url: Option<String>,
    /// Seconds for one answer of the model [default: 900].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) model_timeout: Option<u64>,
    /// The format of the output.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) output_format: Format,
    /// Write `json` and `stream-json` as another agent does.
    #[arg(long, value_name = "AGENT")]
    pub(crate) compat: Option<Compat>,
    /// A settings file in addition to those of the user and the project.
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Vec<PathBuf>,
    /// A hooks file in addition to those of the project.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Vec<PathBuf>,
    /// How several settings files combine: `append` (the default) runs the hooks of all, `replace` those
    /// of the last.
    #[arg(long, value_name = "HOW")]
    pub(crate) merge: Option<MergeHooks>,
    /// The root of the project. The default is the working directory.
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Most answers of the model for one prompt.
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) max_turns: Option<u64>,
    /// Most tokens, read and written, of the session.
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) max_tokens: Option<u64>,
    /// Most USD for the model; needs `--price`.
    #[arg(long, visible_alias = "max-budget-usd", value_name = "USD", value_parser = amount)]
    pub(crate) max_budget: Option<f64>,
    /// USD per million tokens read and written, such as `3/15`.
    #[arg(long, value_name = "IN/OUT", value_parser = price)]
    pub(crate) price: Option<(f64, f64)>,
    /// Tokens that the model can read [default: 200000].
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) context_window: Option<u64>,
    /// Most tokens of one answer [default: 8192].
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) max_output_tokens: Option<u64>,
    /// What happens with calls that no rule decides.
    #[arg(long, value_name = "MODE")]
    pub(crate) permission_mode: Option<Mode>,
    /// Rules for calls that need no question, such as `Bash(git status)`.
    #[arg(long, visible_alias = "allowedTools", value_name = "RULE")]
    pub(crate) allow: Vec<String>,
    /// Rules for calls that are denied.
    #[arg(long, visible_alias = "disallowedTools", value_name = "RULE")]
    pub(crate) deny: Vec<String>,
    /// A text to append to the system prompt.
    #[arg(long, value_name = "TEXT")]
    pub(crate) append_system_prompt: Option<String>,
    /// How deep sub-agents can start sub-agents, and directives other directives [default: 3].
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<u32>,
    /// The directory of saved sessions.
    #[arg(long, value_name = "DIR", env = "HOOKC_AGENT_STATE")]
    pub(crate) state: Option<PathBuf>,
    /// The decision log.
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// If a policy escalates and there is no terminal, wait for `hookc-agent answer`.
    #[arg(long)]
    pub(crate) wait: bool,
    /// Show tools, hooks and decisions as they happen.
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl Common {
    pub(crate) fn model_timeout(&self) -> Duration {
        Duration::from_secs(self.model_timeout.unwrap_or(MODEL_TIMEOUT))
    }

    pub(crate) fn context_window(&self) -> u64 {
        self.context_window.unwrap_or(CONTEXT_WINDOW)
    }

    pub(crate) fn max_output_tokens(&self) -> u64 {
        self.max_output_tokens.unwrap_or(OUTPUT_TOKENS)
    }

    pub(crate) fn max_depth(&self) -> u32 {
        self.max_depth.unwrap_or(DEPTH)
    }

    pub(crate) fn merge(&self) -> hookc_compiler::Merge {
        match self.merge {
            None | Some(MergeHooks::Append) => hookc_compiler::Merge::Append,
            Some(MergeHooks::Replace) => hookc_compiler::Merge::Replace,
        }
    }
}

/// Whose output is imitated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Compat {
    /// Claude Code.
    Claude,
}

/// How the hooks of several settings files combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MergeHooks {
    /// All run, as in Claude Code.
    Append,
    /// The hooks of a later file replace those of all earlier ones.
    Replace,
}

/// What happens with calls that no rule decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[value(rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) enum Mode {
    /// Reading is allowed; other calls are asked about on a terminal, and denied without one.
    Default,
    /// As `default`, and changes of files in the project are allowed.
    AcceptEdits,
    /// Only reading.
    Plan,
    /// Everything that no rule and no hook denies.
    BypassPermissions,
}

impl Mode {
    /// As events and outputs write it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::AcceptEdits => "acceptEdits",
            Self::Plan => "plan",
            Self::BypassPermissions => "bypassPermissions",
        }
    }

    /// The mode of this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Default, Self::AcceptEdits, Self::Plan, Self::BypassPermissions]
            .into_iter()
            .find(|mode| mode.as_str() == name)
    }
}
