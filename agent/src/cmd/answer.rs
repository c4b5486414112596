//! Answers the open question of a session that waits.

use std::path::PathBuf;

use super::Outcome;
use crate::failure::Failure;
use crate::store::{self, Entry, Journal, Step};

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session.
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// The answer.
    #[arg(value_name = "ANSWER")]
    pub(crate) answer: YesNo,
    /// The directory of saved sessions.
    #[arg(long, value_name = "DIR", env = "HOOKC_AGENT_STATE")]
    pub(crate) state: Option<PathBuf>,
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum YesNo {
    Yes,
    No,
}

pub(crate) fn run(args: &Args) -> Outcome {
    if !crate::id::is_session(&args.id) {
        return Err(Failure::usage(crate::id::wrong(&args.id)));
    }
    let directory = store::directory(args.state.as_deref()).map_err(Failure::usage)?;
    let opened = Journal::open(&directory, &args.id).map_err(|error| Failure::usage(error.to_string()))?;
    let (journal, entries, _) = opened;
    let Some(agent) = asking(&entries) else {
        return Err(Failure::usage(format!("session {} has no open question", args.id)));
    };
    let entry = Entry { agent, step: Step::Answered { approved: args.answer == YesNo::Yes } };
    journal.write(&entry).map_err(|error| Failure::failed(error.to_string()))?;
    Ok(0)
}

/// The agent whose question is open.
pub(super) fn asking(entries: &[Entry]) -> Option<String> {
    let mut open = None;
    for Entry { agent, step } in entries {
        match step {
            Step::Thread { since: Some(_), .. } => open = Some(agent.clone()),
            Step::Thread { .. } | Step::Answered { .. } if open.as_ref() == Some(agent) => open = None,
            _ => {}
        }
    }
    open
}
