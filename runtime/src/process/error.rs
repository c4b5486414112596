//! Why a handler could not be started.

use std::error::Error;
use std::fmt;
use std::io;

/// Why a handler could not be started. Nothing ran then.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// This process is to end, and starts nothing any more.
    Ending,
    /// There is no such program.
    Missing(String),
    /// The program may not be run: no run bit, or a folder on the way is shut.
    NotExecutable(String),
    /// The working folder is none.
    Folder(String),
    /// An argument or a variable holds a zero byte; its name.
    Nul(String),
    /// A variable's name is empty or holds `=`.
    Name(String),
    /// An argument or a variable is larger than the system passes on.
    TooLarge {
        /// Which.
        what: String,
        /// Its bytes.
        bytes: usize,
    },
    /// What the system said.
    System {
        /// Of which program.
        program: String,
        /// Its error.
        error: io::Error,
    },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ending => f.write_str("not started, because this process is terminating"),
            Self::Missing(program) => write!(f, "no program `{program}`"),
            Self::NotExecutable(program) => write!(f, "`{program}` is not executable"),
            Self::Folder(folder) => write!(f, "the working directory `{folder}` does not exist"),
            Self::Nul(what) => write!(f, "{what} contains a zero byte, which is not allowed"),
            Self::Name(name) => write!(f, "`{name}` is not a valid name of an environment variable"),
            Self::TooLarge { what, bytes } => {
                write!(f, "{what} has {bytes} bytes, more than the operating system allows")
            }
            Self::System { program, error } => write!(f, "`{program}` cannot be started: {error}"),
        }
    }
}

impl StartError {
    /// Why, without names and folders, which may come from an event: for a log.
    #[must_use]
    pub fn bare(&self) -> String {
        match self {
            Self::Missing(_) => "its program does not exist".to_owned(),
            Self::NotExecutable(_) => "its program is not executable".to_owned(),
            Self::Folder(_) => "its working directory does not exist".to_owned(),
            Self::System { error, .. } => format!("its program cannot be started: {}", error.kind()),
            Self::Ending | Self::Nul(_) | Self::Name(_) | Self::TooLarge { .. } => self.to_string(),
        }
    }
}

impl Error for StartError {}
