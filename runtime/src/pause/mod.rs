//! A window that a person opens with `hookc pause`: until it ends, `hookc run` lets every call pass undecided and logs it.
//!
//! The window is a file in the user's state directory. It applies only if the file is private to the user, is not a
//! link, and does not last longer than [`limits::LONGEST_PAUSE`](crate::limits::LONGEST_PAUSE).

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::limits::LONGEST_PAUSE;
use crate::log::{parse_time, rfc3339};
use crate::open;

/// The name of the file.
const NAME: &str = "pause.json";

/// Most bytes of the file.
const BYTES: usize = 16 << 10;

/// A window in which no call is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pause {
    from: SystemTime,
    until: SystemTime,
    reason: String,
}

impl Pause {
    /// A window that starts now, of at most [`LONGEST_PAUSE`].
    #[must_use]
    pub fn new(now: SystemTime, length: Duration, reason: impl Into<String>) -> Self {
        Self { from: now, until: now + length.min(LONGEST_PAUSE), reason: reason.into() }
    }

    /// When it ends.
    #[must_use]
    pub fn until(&self) -> SystemTime {
        self.until
    }

    /// Why a person opened it.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The file of a state directory.
    #[must_use]
    pub fn file(folder: &Path) -> PathBuf {
        folder.join(NAME)
    }

    /// The window of a state directory that is open at a time.
    #[must_use]
    pub fn active(folder: &Path, now: SystemTime) -> Option<Self> {
        let file = Self::file(folder);
        let found = file.symlink_metadata().ok()?;
        let is_own = found.uid() == rustix::process::geteuid().as_raw();
        if !(found.is_file() && is_own && found.mode() & 0o077 == 0) {
            return None;
        }
        let value: Value = serde_json::from_slice(&open::read(&file, BYTES).ok()?).ok()?;
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let (from, until) = (parse_time(text("from")?)?, parse_time(text("until")?)?);
        let is_bounded = until.duration_since(from).is_ok_and(|length| length <= LONGEST_PAUSE);
        let is_open = from <= now && now < until;
        (is_bounded && is_open).then(|| Self {
            from,
            until,
            reason: text("reason").unwrap_or_default().to_owned(),
        })
    }

    /// Opens the window in a state directory, in place of another one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn open(&self, folder: &Path) -> io::Result<()> {
        let file = Self::file(folder);
        let new = folder.join(format!(".{NAME}-{}", std::process::id()));
        let _ = fs::remove_file(&new);
        let value = json!({"from": rfc3339(self.from), "until": rfc3339(self.until), "reason": self.reason});
        let write = || {
            let mut out = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
            // Whatever the process creates files with.
            out.set_permissions(Permissions::from_mode(0o600))?;
            writeln!(out, "{value}")?;
            out.sync_all()?;
            fs::rename(&new, &file)
        };
        write().inspect_err(|_| {
            let _ = fs::remove_file(&new);
        })
    }

    /// Ends the window of a state directory; whether there was a file.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn end(folder: &Path) -> io::Result<bool> {
        match fs::remove_file(Self::file(folder)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(folder: &Path, now: SystemTime) -> bool {
        Pause::active(folder, now).is_some()
    }

    #[test]
    fn a_window_has_a_start_and_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        assert!(!at(folder.path(), now));
        Pause::new(now, Duration::from_secs(60), "a release").open(folder.path()).unwrap();
        let found = Pause::active(folder.path(), now + Duration::from_secs(1)).unwrap();
        assert_eq!(found.reason(), "a release");
        assert!(!at(folder.path(), now + Duration::from_secs(61)));
        assert!(!at(folder.path(), now - Duration::from_secs(10)), "a clock that was set back");
        assert!(Pause::end(folder.path()).unwrap() && !Pause::end(folder.path()).unwrap());
        assert!(!at(folder.path(), now + Duration::from_secs(1)));
    }

    #[test]
    fn a_long_window_is_cut() {
        let now = SystemTime::now();
        assert_eq!(Pause::new(now, LONGEST_PAUSE * 2, "").until(), now + LONGEST_PAUSE);
    }

    #[test]
    fn only_a_private_file_of_bounded_length_applies() {
        let folder = tempfile::tempdir().unwrap();
        let (now, soon) = (SystemTime::now(), SystemTime::now() + Duration::from_secs(1));
        let file = Pause::file(folder.path());
        Pause::new(now, Duration::from_secs(60), "x").open(folder.path()).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        assert!(!at(folder.path(), soon), "readable by others");
        let other = tempfile::tempdir().unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink(&file, Pause::file(other.path())).unwrap();
        assert!(at(folder.path(), soon) && !at(other.path(), soon), "a link");
        let long =
            Pause { from: now, until: now + LONGEST_PAUSE + Duration::from_secs(2), reason: String::new() };
        long.open(folder.path()).unwrap();
        assert!(!at(folder.path(), soon), "too long");
        for text in ["", "{}", "[]", "{\"from\": 1, \"until\": 2}"] {
            fs::write(&file, text).unwrap();
            assert!(!at(folder.path(), soon), "{text}");
        }
    }
}
