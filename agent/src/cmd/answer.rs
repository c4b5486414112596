//! Answers the open question of a session that waits.

use super::Outcome;
use crate::failure::Failure;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session.
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// The answer.
    #[arg(value_name = "ANSWER")]
    pub(crate) answer: YesNo,
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum YesNo {
    Yes,
    No,
}

pub(crate) fn run(args: Args) -> Outcome {
    Err(Failure::usage(format!("{}: {:?}: not implemented yet", args.id, args.answer)))
}
