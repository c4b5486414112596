//! What a check may ask of the file system. The compiler never asks by
//! itself: whoever calls it hands an implementation over, or none, and then
//! nothing is asked.

use std::fmt;

/// The file system as checks see it. Paths have `/` and are as sources are
/// named: relative ones start where the caller says that they do.
pub trait Files: fmt::Debug + Send + Sync {
    /// What stands at `path`, links followed; `None` if nothing does.
    fn kind(&self, path: &str) -> Option<FileKind>;

    /// `path` without links, `.` and `..`, from the root; `None` if nothing
    /// stands there. Equal for two paths just if they lead to one file.
    fn canonical(&self, path: &str) -> Option<String>;

    /// Names in a directory, in any order; none if it is no directory.
    fn names(&self, directory: &str) -> Vec<String>;
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// A file.
    File {
        /// Whether it may be executed.
        executable: bool,
    },
    /// A directory.
    Directory,
    /// Neither: a socket, a device.
    Other,
}

/// The directory that a path stands in, up to its last `/`, that included; empty
/// for a bare name.
#[must_use]
pub fn directory(path: &str) -> &str {
    path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or("")
}

/// `path` as it stands in `directory` (see [`directory`]); one from the root is
/// itself.
#[must_use]
pub fn join(directory: &str, path: &str) -> String {
    if path.starts_with('/') || directory.is_empty() {
        return path.to_owned();
    }
    let slash = if directory.ends_with('/') { "" } else { "/" };
    format!("{directory}{slash}{}", path.strip_prefix("./").unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_meet_their_folders() {
        assert_eq!(directory("a/b/SKILL.md"), "a/b/");
        assert_eq!(directory("/SKILL.md"), "/");
        assert_eq!(directory("SKILL.md"), "");
        assert_eq!(join(directory("a/SKILL.md"), "./hooks/x.py"), "a/hooks/x.py");
        assert_eq!(join("a", "x.py"), "a/x.py");
        assert_eq!(join("", "./x.py"), "./x.py");
        assert_eq!(join("a/", "/x.py"), "/x.py");
    }
}
