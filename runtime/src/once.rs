//! Handlers that run once per session.

use std::collections::{HashMap, HashSet};
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Characters of one part of a path.
const PART: usize = 200;

/// Records which handlers ran in which session: in memory, and, for processes that handle only one
/// event, as empty files in a directory.
///
/// ```
/// use hookc_runtime::OnceStore;
///
/// let once = OnceStore::default();
/// once.mark("session", "hook");
/// assert!(once.has_run("session", "hook") && !once.has_run("another", "hook"));
/// ```
#[derive(Debug, Default)]
pub struct OnceStore {
    seen: Mutex<HashSet<(String, String)>>,
    folder: Option<PathBuf>,
    held: Option<Mutex<HashMap<(String, String), bool>>>,
}

impl OnceStore {
    /// Also in a directory, which is created when needed.
    #[must_use]
    pub fn in_folder(folder: PathBuf) -> Self {
        Self { seen: Mutex::default(), folder: Some(folder), held: None }
    }

    /// Marks take effect when this value is dropped: for several events of one call, each of which
    /// a guard must check.
    #[must_use]
    pub fn deferred(mut self) -> Self {
        self.held = Some(Mutex::default());
        self
    }

    /// Whether `hook` ran in a session. If that is unknown, it runs once more rather than never.
    #[must_use]
    pub fn has_run(&self, session: &str, hook: &str) -> bool {
        let key = (session.to_owned(), hook.to_owned());
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner).contains(&key);
        seen || self.file(session, hook).is_some_and(|file| file.exists())
    }

    /// Records that `hook` ran in a session. Without a session all processes would share one, so it
    /// is recorded only for this process.
    pub fn mark(&self, session: &str, hook: &str) {
        let key = (session.to_owned(), hook.to_owned());
        if let Some(held) = &self.held {
            held.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(true);
            return;
        }
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(key);
        if let Some(file) = self.file(session, hook) {
            let _ = file.parent().map(fs::create_dir_all);
            let _ = OpenOptions::new().write(true).create(true).truncate(false).open(file);
        }
    }

    /// `hook` must run again in a session, whatever it did for another event of the same call.
    pub fn unmark(&self, session: &str, hook: &str) {
        if let Some(held) = &self.held {
            let key = (session.to_owned(), hook.to_owned());
            held.lock().unwrap_or_else(PoisonError::into_inner).insert(key, false);
        }
    }

    fn file(&self, session: &str, hook: &str) -> Option<PathBuf> {
        let folder = self.folder.as_ref().filter(|_| !session.is_empty())?;
        Some(below(&below(folder, session, ".session"), hook, ".ran"))
    }
}

impl Drop for OnceStore {
    fn drop(&mut self) {
        let held = self.held.take().map(|held| held.into_inner().unwrap_or_else(PoisonError::into_inner));
        let done = held.into_iter().flatten().filter(|(_, done)| *done);
        done.for_each(|((session, hook), _)| self.mark(&session, &hook));
    }
}

/// A path that is unique per name: bytes not allowed in file names as two hexadecimal digits, and a
/// name too long for one component in several. Only the last component has the extension, whose `.`
/// occurs in no other.
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
    use super::OnceStore;

    #[test]
    fn once_per_session_also_across_processes() {
        let folder = tempfile::tempdir().unwrap();
        let first = OnceStore::in_folder(folder.path().join("once"));
        assert!(!first.has_run("s/1", "a"));
        first.mark("s/1", "a");
        assert!(first.has_run("s/1", "a") && !first.has_run("s/2", "a"));
        let second = OnceStore::in_folder(folder.path().join("once"));
        assert!(second.has_run("s/1", "a") && !second.has_run("s/1", "b"));
    }

    #[test]
    fn deferred_steps_are_applied_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let call = OnceStore::in_folder(folder.path().to_owned()).deferred();
        for hook in ["a", "b"] {
            call.mark("s", hook);
            assert!(!call.has_run("s", hook));
        }
        call.unmark("s", "b");
        call.mark("s", "b");
        drop(call);
        let next = OnceStore::in_folder(folder.path().to_owned());
        assert!(next.has_run("s", "a") && !next.has_run("s", "b"));
    }

    #[test]
    fn long_names_differ_and_no_session_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let first = OnceStore::in_folder(folder.path().to_owned());
        let long = "x".repeat(500);
        first.mark("s", &format!("{long}a"));
        first.mark("", "h");
        let second = OnceStore::in_folder(folder.path().to_owned());
        assert!(second.has_run("s", &format!("{long}a")) && !second.has_run("s", &format!("{long}b")));
        assert!(!second.has_run("s", &long) && first.has_run("", "h") && !second.has_run("", "h"));
    }
}
