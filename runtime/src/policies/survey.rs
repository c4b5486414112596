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

hookc_base::named_enums! {
    /// Why a search leaves something out.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum SkipReason as_str {
        /// No notation has files of this name.
        Extension "not YAML, JSON, XML or Markdown";
        /// A compiled module.
        Module "a compiled module";
        /// A hidden file, such as an editor's.
        Hidden "a hidden file";
        /// A test file.
        Test "a test file: `hookc test` runs it";
        /// The content of a test file, under a name that tests do not have.
        MisnamedTest "the content of a test file, but its name does not end with `.test.yaml`";
        /// A file without hooks.
        NoHooks "no known hooks";
        /// An empty file.
        Empty "empty";
        /// A file without hooks, in a directory of policies.
        NextToPolicies "no known hooks, next to policies";
        /// A policy in a directory of policies, under a name that policies do not have.
        PolicyByContent "the text of a policy, but not YAML, JSON, XML or Markdown by its name";
        /// Bytes that are not UTF-8.
        NotText "not UTF-8";
        /// Too large to determine its kind.
        TooLarge "larger than 16 MiB";
        /// A directory of other programs' files, or a cache.
        Folder "a directory of other files: `.git`, `node_modules` or a cache";
    }
}
