//! `check` and `list`.

use clap::builder::PossibleValuesParser;
use hookc_schema::agents;
use std::path::PathBuf;

use clap::Args;

use super::Sources;

#[derive(Args, Debug)]
#[command(mut_arg("verify_key", |arg| arg.hide(true)))]
pub(crate) struct Check {
    /// Policies, or directories that contain policies; `-` is standard input
    #[arg(value_name = "PATH")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
    /// Report what this agent cannot do; repeat the option for several agents (default: those with settings
    /// in the project)
    #[arg(long = "host", value_name = "NAME",
          value_parser = PossibleValuesParser::new(agents::Id::ANSWERED.iter().map(|id| id.name())))]
    pub(crate) hosts: Vec<String>,
    /// The timeout of the installed call, as given to `install` (default: the agent's)
    #[arg(long, value_name = "SECONDS", requires = "hosts")]
    pub(crate) timeout: Option<u32>,
    /// Exit with an error if there are warnings
    #[arg(long, value_name = "WHAT", value_parser = ["warnings"])]
    pub(crate) deny: Option<String>,
    /// Apply the fixes that certainly have the intended meaning, and report what is left
    #[arg(long)]
    pub(crate) fix: bool,
    /// Also apply the fixes that may have another meaning: read the difference
    #[arg(long = "unsafe", requires = "fix")]
    pub(crate) unsafe_fixes: bool,
    /// Show what would change, and write nothing
    #[arg(long, requires = "fix")]
    pub(crate) diff: bool,
    /// Also check the inline examples of hooks
    #[arg(long)]
    pub(crate) examples: bool,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Summaries and declared effects have columns if a hook has them. `-v` and `--format json` also show the command of each hook. On a terminal the table fits the \
                        width (or `COLUMNS`): columns with the same value for every hook are omitted, and long cells \
                        wrap. In a pipe, lines have at most 120 columns, and long cells are cut unless `-v`. A module lists the linked hooks, without their conditions."
)]
pub(crate) struct List {
    /// Policies, one module, or directories that contain policies; `-` is standard input (default:
    /// the nearest `.system/hooks`)
    #[arg(value_name = "PATH")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) sources: Sources,
}
