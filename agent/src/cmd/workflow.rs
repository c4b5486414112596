//! Runs a workflow.

use std::path::PathBuf;

use super::Outcome;
use crate::args::Common;
use crate::failure::Failure;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: Args) -> Outcome {
    let Args { file, common } = args;
    let _ = common;
    Err(Failure::usage(format!("{}: not implemented yet", file.display())))
}
