//! `starter`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum StarterVerb {
    /// List the starters and recipes of this program
    List,
    /// Print the policy of a starter
    Show(ShowStarter),
    /// Write a starter and its tests to files
    Add(AddStarter),
}

#[derive(Args, Debug)]
pub(crate) struct ShowStarter {
    /// The starter; `hookc starter list` lists them
    pub(crate) name: String,
    /// Print its tests instead
    #[arg(long)]
    pub(crate) tests: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "Writes NAME.yaml and NAME.test.yaml, and never overwrites a file.")]
pub(crate) struct AddStarter {
    /// The starter; `hookc starter list` lists them
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) to: PolicyFile,
}

/// Where a policy of this program is written.
#[derive(Args, Debug)]
pub(crate) struct PolicyFile {
    /// The file of the policy; its tests are next to it (default: NAME.yaml)
    #[arg(long, value_name = "FILE")]
    pub(crate) into: Option<PathBuf>,
    /// Write nothing: show what would be written
    #[arg(long)]
    pub(crate) dry_run: bool,
}
