//! Handlers that run once per session.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

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

    /// Whether `hook` is to run now: the first time of a session. A folder that
    /// cannot be written means that it runs once more, never that it does not.
    pub fn first(&self, session: &str, hook: &str) -> bool {
        let key = (session.to_owned(), hook.to_owned());
        if !self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(key) {
            return false;
        }
        let Some(folder) = &self.folder else { return true };
        let folder = folder.join(file_name(session));
        let _ = fs::create_dir_all(&folder);
        let made = OpenOptions::new().write(true).create_new(true).open(folder.join(file_name(hook)));
        !made.is_err_and(|error| error.kind() == std::io::ErrorKind::AlreadyExists)
    }
}

/// A name that is a file name everywhere: other bytes as two hexadecimal digits.
fn file_name(name: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => char::from(byte).to_string(),
        _ => format!("%{byte:02x}"),
    };
    let name: String = name.bytes().take(80).map(byte).collect();
    if name.is_empty() { "%".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::Once;

    #[test]
    fn once_per_session_also_across_processes() {
        let folder = tempfile::tempdir().unwrap();
        let first = Once::in_folder(folder.path().join("once"));
        assert!(first.first("s/1", "a") && !first.first("s/1", "a") && first.first("s/2", "a"));
        let second = Once::in_folder(folder.path().join("once"));
        assert!(!second.first("s/1", "a") && second.first("s/1", "b"));
    }
}
