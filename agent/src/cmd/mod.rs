//! What the program can do.

pub(crate) mod answer;
mod chat;
pub(crate) mod run;
mod wait;
pub(crate) mod workflow;

use clap::{Parser, Subcommand};

use crate::args::Chat;
use crate::failure::Failure;

/// A small coding agent that fires every hook of a policy.
#[derive(Debug, Parser)]
#[command(name = "hookc-agent", version, about, args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    chat: Chat,
}

/// What to do instead of a conversation.
#[derive(Debug, Subcommand)]
enum Command {
    /// Run a directive as a thread.
    Run(Box<run::Args>),
    /// Answer the open question of a session that waits.
    Answer(answer::Args),
    /// Run a workflow.
    Workflow(workflow::Args),
}

/// The exit status, or why there is no result.
pub(crate) type Outcome = Result<u8, Failure>;

/// Does what the command line says.
pub(crate) fn run(args: Args) -> Outcome {
    match args.command {
        None => chat::run(&args.chat),
        Some(Command::Run(args)) => run::run(*args),
        Some(Command::Answer(args)) => answer::run(&args),
        Some(Command::Workflow(args)) => workflow::run(args),
    }
}
