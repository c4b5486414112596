//! What a search of a directory finds.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use hookc_compiler::Dialect;

use super::Contents;

/// A file or directory that cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub struct Unreadable {
    /// Which.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}", self.path.display())
    }
}

impl Error for Unreadable {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

/// Policies that are linked to one another.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Unit {
    /// The dialect, if the search determined it.
    pub dialect: Option<Dialect>,
    /// Their files.
    pub paths: Vec<PathBuf>,
}

impl Unit {
    /// Files that are linked to one another, their dialects being detected.
    #[must_use]
    pub fn new(paths: Vec<PathBuf>) -> Self {
        Self { dialect: None, paths }
    }

    /// Sets the dialect, which is then not detected.
    #[must_use]
    pub fn with_dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }
}

/// The content of a directory, as far as readable.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Survey {
    /// All files, as [`files`](super::files) lists them.
    pub files: Vec<PathBuf>,
    /// The policies.
    pub units: Vec<Unit>,
    /// Files that look like policies but match no dialect, with the reason.
    pub suspects: Vec<(PathBuf, &'static str)>,
    /// What was read of the policies and of those suspects.
    pub contents: Contents,
    /// Everything else: files and directories with the reason for skipping them.
    pub skipped: Vec<Skipped>,
    /// Unreadable directories, and unreadable files that may be policies.
    pub unreadable: Vec<Unreadable>,
}

/// A file or directory that a search skips.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// Which.
    pub path: PathBuf,
    /// Why.
    pub why: SkipReason,
}

/// Why a search leaves something out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkipReason {
    /// No notation has files of this name.
    Extension,
    /// A compiled module.
    Module,
    /// A hidden file, such as an editor's.
    Hidden,
    /// A test file.
    Test,
    /// The content of a test file, under a name that tests do not have.
    MisnamedTest,
    /// A file without hooks.
    NoHooks,
    /// An empty file.
    Empty,
    /// A file without hooks, in a directory of policies.
    NextToPolicies,
    /// A policy in a directory of policies, under a name that policies do not have.
    PolicyByContent,
    /// Bytes that are not UTF-8.
    NotText,
    /// Too large to determine its kind.
    TooLarge,
    /// A directory of other programs' files, or a cache.
    Folder,
}

impl SkipReason {
    /// As text.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Extension => "not YAML, JSON, XML or Markdown",
            Self::Module => "a compiled module",
            Self::Hidden => "a hidden file",
            Self::Test => "a test file: `hookc test` runs it",
            Self::MisnamedTest => "the content of a test file, but its name does not end with `.test.yaml`",
            Self::NoHooks => "no known hooks",
            Self::Empty => "empty",
            Self::NextToPolicies => "no known hooks, next to policies",
            Self::PolicyByContent => "the text of a policy, but not YAML, JSON, XML or Markdown by its name",
            Self::NotText => "not UTF-8",
            Self::TooLarge => "larger than 16 MiB",
            Self::Folder => "a directory of other files: `.git`, `node_modules` or a cache",
        }
    }
}
