//! `ability run`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Logging, RepositoryHooks};

#[derive(Debug, Subcommand)]
pub(crate) enum Ability {
    /// Ask the guards, run the command, then run the hooks that follow a call
    Run(AbilityRun),
}

#[derive(Args, Debug)]
#[command(
    after_help = "Exits with the status of the command. 120: a guard denies the call; 121: a guard requires a human \
                        decision; 122: no decision was possible; 126 and 127: the command cannot be run; 128 plus the \
                        signal number: a signal ended the command. Standard error contains the reason."
)]
pub(crate) struct AbilityRun {
    /// The ability
    #[arg(long, value_name = "ID", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) ability: String,
    /// The kind of caller
    #[arg(long, value_name = "SOURCE")]
    pub(crate) source: CallSource,
    /// The session, for a call from one
    #[arg(long, value_name = "ID", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) session: Option<String>,
    /// The job or pipeline
    #[arg(long, value_name = "ID")]
    pub(crate) job: Option<String>,
    /// The person or process that started the call
    #[arg(long, value_name = "TEXT")]
    pub(crate) triggered_by: Option<String>,
    #[command(flatten)]
    pub(crate) hooks: RepositoryHooks,
    /// Also write the command's standard output to this file, and pass its path to later hooks
    #[arg(long, value_name = "FILE")]
    pub(crate) stdout_log: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) logging: Logging,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    pub(crate) command: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum CallSource {
    AiSession,
    BackgroundJob,
    CiPipeline,
    ManualCli,
}
