//! Exit codes, and the failures that end a command immediately.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success, or nothing found.
    Done,
    /// The input has errors, which were reported as diagnostics.
    Errors,
    /// A test or an example failed.
    Failed,
    /// A host was answered, with the code that it reads.
    Host(u8),
}

impl Exit {
    pub(crate) fn code(self) -> ExitCode {
        ExitCode::from(match self {
            Self::Done => 0,
            Self::Errors => 1,
            Self::Failed => 3,
            Self::Host(code) => code,
        })
    }

    /// `Errors` if `bad`.
    pub(crate) fn errors_if(bad: bool) -> Self {
        if bad { Self::Errors } else { Self::Done }
    }
}

/// Why a command could not run.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong usage, or an unreadable file: exit 2.
    Usage(String),
    /// Invalid input: exit 1.
    Input(String),
    /// The output is closed: ends silently, but not with success.
    Closed,
}

pub(crate) type Outcome = Result<Exit, Failure>;

impl Failure {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::Input(message.into())
    }

    pub(crate) fn file(path: &Path, error: &dyn fmt::Display) -> Self {
        Self::Usage(format!("{}: {error}", path.display()))
    }

    /// A file that cannot be read or written, with a suggestion.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        Self::file(path, &reason(path, error))
    }
}

/// Why a file cannot be read or written, with a suggestion.
pub(crate) fn reason(path: &Path, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound if path.symlink_metadata().is_ok() => {
            "the symbolic link is broken".to_owned()
        }
        io::ErrorKind::NotFound => missing(path),
        io::ErrorKind::IsADirectory => "is a directory: name a file".to_owned(),
        _ => error.to_string(),
    }
}

/// The maximum number of directory entries that are compared for a suggestion.
const NAMES: usize = 1000;

/// The message for a missing file.
fn missing(path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(folder) else {
        return format!("no directory {}", folder.display());
    };
    let names: Vec<String> =
        entries.take(NAMES).flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    let near = hookc_schema::suggest::slip(&wanted, names.iter().map(String::as_str));
    let near = near.map(|near| format!("; did you mean {}?", path.with_file_name(near).display()));
    format!("no such file{}", near.unwrap_or_default())
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Input(message) => f.write_str(message),
            Self::Closed => f.write_str("the reader closed the output"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::Usage(error.to_string()),
        }
    }
}
