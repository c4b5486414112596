//! Handlers that run once per session.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Characters of one part of a path.
const PART: usize = 200;

/// Which handlers ran in which session. Kept in memory, and, for processes that
/// live for one event only, as empty files of a folder.
#[derive(Debug, Default)]
pub struct Once {
    seen: Mutex<HashSet<(String, String)>>,
    folder: Option<PathBuf>,
}

impl Once {
    /// Kept in a folder too, which is made when it is needed.
    #[must_use]
    pub fn in_folder(folder: PathBuf) -> Self {
        Self { seen: Mutex::default(), folder: Some(folder) }
    }

    /// Whether `hook` ran in a session. What cannot be found out means that it
    /// runs once more, never that it does not.
    #[must_use]
    pub fn has_run(&self, session: &str, hook: &str) -> bool {
        let key = (session.to_owned(), hook.to_owned());
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner).contains(&key);
        seen || self.file(session, hook).is_some_and(|file| file.exists())
    }

    /// Keeps that `hook` ran in a session. Where there is no session, all
    /// processes would be one: then it is kept for this process alone.
    pub fn ran(&self, session: &str, hook: &str) {
        let key = (session.to_owned(), hook.to_owned());
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(key);
        if let Some(file) = self.file(session, hook) {
            let _ = file.parent().map(fs::create_dir_all);
            let _ = OpenOptions::new().write(true).create(true).truncate(false).open(file);
        }
    }

    fn file(&self, session: &str, hook: &str) -> Option<PathBuf> {
        let folder = self.folder.as_ref().filter(|_| !session.is_empty())?;
        Some(below(&below(folder, session, ".session"), hook, ".ran"))
    }
}

/// A path that no other name has: bytes that are not for file names as two
/// hexadecimal digits, and what is too long for one part in several. Only the
/// last part has the ending, whose `.` is in no other.
fn below(folder: &Path, name: &str, ending: &str) -> PathBuf {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => char::from(byte).to_string(),
        _ => format!("%{byte:02x}"),
    };
    let mut name: String = name.bytes().map(byte).collect();
    let mut folder = folder.to_owned();
    while name.len() > PART {
        let rest = name.split_off(PART);
        folder.push(std::mem::replace(&mut name, rest));
    }
    folder.join(name + ending)
}

#[cfg(test)]
mod tests {
    use super::Once;

    #[test]
    fn once_per_session_also_across_processes() {
        let folder = tempfile::tempdir().unwrap();
        let first = Once::in_folder(folder.path().join("once"));
        assert!(!first.has_run("s/1", "a"));
        first.ran("s/1", "a");
        assert!(first.has_run("s/1", "a") && !first.has_run("s/2", "a"));
        let second = Once::in_folder(folder.path().join("once"));
        assert!(second.has_run("s/1", "a") && !second.has_run("s/1", "b"));
    }

    #[test]
    fn long_names_differ_and_no_session_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let first = Once::in_folder(folder.path().to_owned());
        let long = "x".repeat(500);
        first.ran("s", &format!("{long}a"));
        first.ran("", "h");
        let second = Once::in_folder(folder.path().to_owned());
        assert!(second.has_run("s", &format!("{long}a")) && !second.has_run("s", &format!("{long}b")));
        assert!(!second.has_run("s", &long) && first.has_run("", "h") && !second.has_run("", "h"));
    }
}
