//! `history`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Each is about the histories of the user's installed calls.
#[derive(Debug, Subcommand)]
pub(crate) enum HistoryVerb {
    /// Show what is kept: how many events of how many sessions, and what cannot be read
    Show(ShowHistory),
    /// Forget the history of a session, or all of it. A damaged file is kept with the extension `damaged`
    Clear(ClearHistory),
    /// Check the file of a history
    Verify(VerifyHistory),
}

#[derive(Args, Debug)]
pub(crate) struct ShowHistory {
    /// Only this session
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
}

#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct ClearHistory {
    /// The session
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// The histories of all sessions, projects and calls
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyHistory {
    /// The file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}
