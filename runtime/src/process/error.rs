//! Why a handler could not be started.

use std::error::Error;
use std::fmt;
use std::io;

/// Why a handler could not be started. Nothing was executed.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// This process is terminating and starts nothing any more.
    Ending,
    /// The program does not exist.
    Missing(String),
    /// The program is not executable: no execute permission, or a directory on the path is not
    /// accessible.
    NotExecutable(String),
    /// The working directory is invalid.
    Folder(String),
    /// An argument or a variable contains a zero byte; its name.
    Nul(String),
    /// A variable's name is empty or contains `=`.
    Name(String),
    /// An argument or a variable is larger than the system passes on.
    TooLarge {
        /// Which.
        what: String,
        /// Its bytes.
        bytes: usize,
    },
    /// The error of the operating system.
    System {
        /// The program.
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
    /// The reason without names and directories, which may come from an event: for a log.
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

impl Error for StartError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            // Its text is part of this error's own.
            Self::System { error, .. } => error.source(),
            _ => None,
        }
    }
}
