//! Handler processes: run to their end, whatever they do.
//!
//! A handler gets its input on stdin and answers by its outputs and its exit
//! status. It runs in a process group of its own, and when [`Command::run`]
//! returns the group is gone: a handler that outlives its timeout gets SIGTERM
//! and, [`limits::KILL_AFTER`] later, SIGKILL; what it leaves behind when it
//! ends itself has [`limits::DRAIN`] to close the outputs and gets SIGKILL then.
//! A process that makes a session of its own (`setsid`) leaves the group, and
//! with it this care. A process that is told to end takes its handlers along
//! with [`end_all`]; one that is killed (SIGKILL) cannot.
//!
//! One thread does it all: the pipes do not block, and `poll` waits for them and
//! for the end of the handler, so that neither a handler that never reads nor
//! one that never stops printing holds anything up.
//!
//! [`limits::KILL_AFTER`]: crate::limits::KILL_AFTER
//! [`limits::DRAIN`]: crate::limits::DRAIN

mod error;
mod live;
mod output;
mod pump;
mod start;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use error::StartError;
pub(crate) use live::{Live, start as start_group, status};
pub use live::{end_all, is_ending, unless_ending};
pub use output::{Ended, Output, Status};

use crate::limits;

/// What to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// A line for a shell, which gets it behind `-c`.
    Shell {
        /// The shell: a name that is looked up in `PATH`, or a path.
        shell: String,
        /// The line.
        line: String,
    },
    /// A program and its arguments, started directly.
    Argv {
        /// The program: a name that is looked up in `PATH`, or a path.
        program: String,
        /// Its arguments.
        args: Vec<String>,
    },
}

/// A handler and all that it gets.
#[derive(Clone, Debug)]
pub struct Command {
    /// What to run.
    pub program: Program,
    /// Variables to set (`Some`) and to take away (`None`), over the ones that
    /// this process has.
    pub env: Vec<(String, Option<String>)>,
    /// Working folder; this process' own when not said.
    pub cwd: Option<PathBuf>,
    /// What is written to its standard input: shared, since handlers of one event run in
    /// parallel and each gets the whole of it.
    pub stdin: Arc<Vec<u8>>,
    /// How long it may take.
    pub timeout: Duration,
    /// From SIGTERM to SIGKILL after the timeout.
    pub kill_after: Duration,
    /// Bytes kept of each output; the rest is read and counted.
    pub keep: usize,
}

impl Command {
    /// A command with the limits of [`crate::limits`] and nothing else.
    #[must_use]
    pub fn new(program: Program) -> Self {
        Self {
            program,
            env: Vec::new(),
            cwd: None,
            stdin: Arc::default(),
            timeout: limits::TIMEOUT,
            kill_after: limits::KILL_AFTER,
            keep: limits::OUTPUT_BYTES,
        }
    }

    /// A line for `sh`.
    #[must_use]
    pub fn shell(line: impl Into<String>) -> Self {
        Self::new(Program::Shell { shell: "sh".to_owned(), line: line.into() })
    }

    /// Starts the handler and waits for its end. Takes at most `timeout`,
    /// `kill_after` and a fraction of a second.
    ///
    /// # Errors
    /// It could not be started, or nothing is to start any more ([`end_all`]). Once
    /// it is started there is always an [`Ended`].
    pub fn run(&self) -> Result<Ended, StartError> {
        start::start(self).map(|(child, live)| pump::run(child, live, self))
    }
}
