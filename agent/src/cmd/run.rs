//! Runs a directive as a thread.

use std::path::PathBuf;

use super::Outcome;
use crate::args::Common;
use crate::failure::Failure;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file.
    #[arg(value_name = "DIRECTIVE")]
    pub(crate) directive: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}

pub(crate) fn run(args: Args) -> Outcome {
    let Args { directive, common } = args;
    let _ = common;
    Err(Failure::usage(format!("{}: not implemented yet", directive.display())))
}
