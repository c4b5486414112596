//! Runs handler processes until they end or are killed.
//!
//! A handler receives its input on stdin and answers with its outputs and its exit status. It runs
//! in its own process group, and when [`Command::run`] returns the group is gone: a handler that
//! exceeds its timeout receives SIGTERM and, [`limits::KILL_GRACE`] later, SIGKILL; processes that
//! it leaves running have [`limits::DRAIN`] to close the outputs and then receive SIGKILL. A process
//! with its own session (`setsid`) leaves the group, and is no longer supervised. A terminating
//! process ends its handlers with [`terminate_all`]; one that is killed (SIGKILL) cannot.
//!
//! One thread does it all: the pipes are non-blocking, and `poll` waits for them and for the end of
//! the handler, so that neither a handler that never reads nor one that never stops printing blocks
//! anything.
//!
//! [`limits::KILL_GRACE`]: crate::limits::KILL_GRACE
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
pub use live::{is_ending, terminate_all, unless_ending};
pub use output::{Ended, Output, Status};

use crate::limits;

/// What to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// A command line for a shell, which receives it after `-c`.
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
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// use hookc_runtime::process::Command;
///
/// let mut command = Command::shell("cat; exit 3");
/// command.stdin = Arc::new(b"hello".to_vec());
/// command.timeout = Duration::from_secs(10);
/// let ended = command.run()?;
/// assert_eq!((ended.stdout.text.as_str(), ended.status.to_string()), ("hello", "exit status 3".to_owned()));
/// # Ok::<(), hookc_runtime::process::StartError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Command {
    /// What to run.
    pub program: Program,
    /// Variables to set (`Some`) and to take away (`None`), over the ones that
    /// this process has.
    pub env: Vec<(String, Option<String>)>,
    /// The working directory; by default that of this process.
    pub cwd: Option<PathBuf>,
    /// The content of its standard input: shared, because handlers of one event run in parallel and
    /// each receives all of it.
    pub stdin: Arc<Vec<u8>>,
    /// The timeout.
    pub timeout: Duration,
    /// From SIGTERM to SIGKILL after the timeout.
    pub kill_after: Duration,
    /// Bytes kept of each output; the rest is read and counted.
    pub keep: usize,
}

impl Command {
    /// A command with the limits of [`crate::limits`] and no other settings.
    #[must_use]
    pub fn new(program: Program) -> Self {
        Self {
            program,
            env: Vec::new(),
            cwd: None,
            stdin: Arc::default(),
            timeout: limits::TIMEOUT,
            kill_after: limits::KILL_GRACE,
            keep: limits::OUTPUT_BYTES,
        }
    }

    /// A line for `sh`.
    #[must_use]
    pub fn shell(line: impl Into<String>) -> Self {
        Self::new(Program::Shell { shell: "sh".to_owned(), line: line.into() })
    }

    /// Starts the handler and waits for its end. Takes at most `timeout`, `kill_after` and a
    /// fraction of a second.
    ///
    /// # Errors
    /// It could not be started, or starting is forbidden ([`terminate_all`]). Once started, there is
    /// always an [`Ended`].
    pub fn run(&self) -> Result<Ended, StartError> {
        start::start(self).map(|(child, live)| pump::run(child, live, self))
    }
}
