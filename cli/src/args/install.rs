//! `install`, `uninstall`, `status` and `doctor`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Questions;

/// The owner of a settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scope {
    /// Your settings for all projects
    User,
    /// The settings of the project in this directory
    Project,
    /// Your settings for this project (`claude` only)
    Local,
}

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Run it in the directory of the project. `install` changes only its own entries in the settings and \
                        keeps a copy of the old file (`.bak`). If you install again, existing entries stay, and entries \
                        for events without hooks are removed."
)]
pub(crate) struct Install {
    /// The agent: claude, gemini, codex, cursor, copilot; for `flat` the settings are printed
    pub(crate) host: String,
    /// Policies or one module
    #[arg(value_name = "POLICY", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Which settings to change
    #[arg(long, default_value = "project")]
    pub(crate) scope: Scope,
    /// Install only for this event, by the agent's name or the policy's; can be repeated
    #[arg(long = "event", value_name = "NAME")]
    pub(crate) events: Vec<String>,
    /// How long the agent waits for an answer, in seconds (default: the agent's own default)
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) timeout: Option<u32>,
    /// First copy this program to `~/.local/bin/hookc`, or to the path in HOOKC_BIN, and call the copy
    #[arg(long)]
    pub(crate) copy: bool,
    /// Accept a program in a cache, a build directory or a temporary directory, for tests (also HOOKC_ALLOW_TEMPORARY=1)
    #[arg(long)]
    pub(crate) allow_temporary: bool,
    /// Whether the agent asks the user, or denies what hooks ask about (`deny`), for unattended agents
    #[arg(long, value_name = "MODE")]
    pub(crate) ask: Option<Questions>,
    /// Let the calls accept only a module that was signed with this public key
    #[arg(long, value_name = "FILE")]
    pub(crate) verify_key: Option<PathBuf>,
    /// Let Copilot's cloud agent run without the policy where this program is not installed (`copilot` only)
    #[arg(long)]
    pub(crate) cloud: bool,
    /// Write nothing: show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Removes every call of `hookc run` for the agent, and nothing else.")]
pub(crate) struct Uninstall {
    /// The agent: claude, gemini, codex, cursor, copilot
    pub(crate) host: String,
    /// Which settings to change
    #[arg(long, default_value = "project")]
    pub(crate) scope: Scope,
    /// Write nothing: show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Reads the decision log that each call writes. Exits 0 if every call was made since it was \
                        installed or writes no log (`--no-log`). Exits 1 if a call was never made, if its log or the \
                        settings cannot be read, or if no call is installed."
)]
pub(crate) struct Status {
    /// The directory of the project (default: the current directory)
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Show only this agent: claude, gemini, codex, cursor, copilot; can be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// Also read this log, such as a rotated one; can be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Vec<PathBuf>,
    /// Print one JSON line per call
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Exits 1 if a hook is dead: it can never fire, or it always fails.")]
pub(crate) struct Doctor {
    /// Settings, policies, or directories (default: the current directory and your own settings)
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}
