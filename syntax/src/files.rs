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

    /// Names in a folder, in any order; none if it is no folder.
    fn names(&self, folder: &str) -> Vec<String>;
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// A file.
    File {
        /// Whether it may be executed.
        executable: bool,
    },
    /// A folder.
    Folder,
    /// Neither: a socket, a device.
    Other,
}

/// The folder that a path stands in, up to its last `/`, that included; empty
/// for a bare name.
#[must_use]
pub fn folder(path: &str) -> &str {
    path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or("")
}

/// `path` as it stands in `folder` (see [`folder`]); one from the root is
/// itself.
#[must_use]
pub fn join(folder: &str, path: &str) -> String {
    if path.starts_with('/') || folder.is_empty() {
        return path.to_owned();
    }
    let slash = if folder.ends_with('/') { "" } else { "/" };
    format!("{folder}{slash}{}", path.strip_prefix("./").unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_meet_their_folders() {
        assert_eq!(folder("a/b/SKILL.md"), "a/b/");
        assert_eq!(folder("/SKILL.md"), "/");
        assert_eq!(folder("SKILL.md"), "");
        assert_eq!(join(folder("a/SKILL.md"), "./hooks/x.py"), "a/hooks/x.py");
        assert_eq!(join("a", "x.py"), "a/x.py");
        assert_eq!(join("", "./x.py"), "./x.py");
        assert_eq!(join("a/", "/x.py"), "/x.py");
    }
}
