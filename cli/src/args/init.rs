//! `init`.

use std::path::PathBuf;

use clap::Args;

use super::Questions;

#[derive(Args, Debug)]
#[command(
    after_help = "Run it anywhere in the repository: it works in its root. On a terminal, `init` asks at most four questions, \
                        shows every change, and writes after you have agreed. An existing policy is used as it is, and \
                        settings keep everything else that is in them."
)]
pub(crate) struct Init {
    /// The agent: claude, gemini, codex, cursor, copilot; can be repeated (default: those of the repository, or else yours)
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// A starter for the policy; can be repeated (default: the parts of `guard`)
    #[arg(long = "starter", value_name = "NAME")]
    pub(crate) starters: Vec<String>,
    /// Whether the agent asks the user, or denies what hooks ask about (`deny`), for unattended agents
    #[arg(long, value_name = "MODE")]
    pub(crate) ask: Option<Questions>,
    /// The file of the policy in the root of the repository
    #[arg(long, value_name = "FILE", default_value = "guard.yaml")]
    pub(crate) into: PathBuf,
    /// Ask nothing: take the defaults
    #[arg(long)]
    pub(crate) yes: bool,
    /// First copy this program to `~/.local/bin/hookc`, or to the path in HOOKC_BIN, and call the copy
    #[arg(long)]
    pub(crate) copy: bool,
    /// Accept a program in a cache, a build directory or a temporary directory, for tests (also HOOKC_ALLOW_TEMPORARY=1)
    #[arg(long)]
    pub(crate) allow_temporary: bool,
    /// Write nothing: show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
}
