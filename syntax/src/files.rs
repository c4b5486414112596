//! File system queries of a check. The compiler never accesses the file system itself: the caller
//! passes an implementation, or none, which disables these checks.

use std::fmt;

/// The file system as checks see it. Paths use `/` and the names of sources: relative paths start
/// where the caller defines.
pub trait Files: fmt::Debug + Send + Sync {
    /// The file type at `path`, following symbolic links; `None` if it does not exist.
    fn kind(&self, path: &str) -> Option<FileKind>;

    /// `path` without symbolic links, `.` and `..`, from the root; `None` if it does not exist.
    /// Equal for two paths exactly if they refer to the same file.
    fn canonical(&self, path: &str) -> Option<String>;

    /// The names in a directory, in any order; empty if it is not a directory.
    fn names(&self, directory: &str) -> Vec<String>;
}

/// The type of the file at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// A file.
    File {
        /// Whether it is executable.
        executable: bool,
    },
    /// A directory.
    Directory,
    /// Neither: a socket, a device.
    Other,
}

/// The directory of a path, up to and including its last `/`; empty for a bare name.
#[must_use]
pub fn directory(path: &str) -> &str {
    path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or("")
}

/// `path` relative to `directory` (see [`directory`]); an absolute path is unchanged.
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
