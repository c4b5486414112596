//! What the program can do.

pub(crate) mod answer;
mod chat;
pub(crate) mod run;
pub(crate) mod workflow;

use crate::args::{Args, Command};
use crate::failure::Failure;

/// The exit status, or why there is no result.
pub(crate) type Outcome = Result<u8, Failure>;

/// Does what the command line says.
pub(crate) fn run(args: Args) -> Outcome {
    match args.command {
        None => chat::run(args.chat),
        Some(Command::Run(args)) => run::run(args),
        Some(Command::Answer(args)) => answer::run(args),
        Some(Command::Workflow(args)) => workflow::run(args),
    }
}
