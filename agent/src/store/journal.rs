//! The journal: one JSON object per line, with a hash of its step and of all before it.
//!
//! Each line is one write and on disk before the session continues. A process that is killed within
//! a write leaves an incomplete last line: the step is not done, the line is removed, and this is
//! reported. Anything else that is wrong makes the whole journal unusable.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::fs::{FlockOperation, flock};

use super::step::{Entry, Kind, Step, VERSION};

/// Characters of a hash: enough to find damage, which is not an attack.
const HASH: usize = 16;

/// An open journal. Other processes cannot open it meanwhile.
#[derive(Debug)]
pub(crate) struct Journal {
    end: Mutex<End>,
    path: PathBuf,
}

/// Where the next line follows.
#[derive(Debug)]
struct End {
    file: File,
    /// The hash of the last line; empty before the first.
    hash: String,
}

/// Why a journal cannot be used.
#[derive(Debug)]
pub(crate) enum StoreError {
    Io(PathBuf, io::Error),
    /// Another process has it open.
    Busy(PathBuf),
    /// There is no session of this id.
    Missing(PathBuf),
    /// A session of this id exists.
    Exists(PathBuf),
    /// It is from another version of this program.
    Version(PathBuf, u64),
    /// This line is not what was written.
    Damaged(PathBuf, usize, String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Busy(path) => write!(f, "{}: another process has this session open", path.display()),
            Self::Missing(path) => write!(f, "{}: there is no such session", path.display()),
            Self::Exists(path) => {
                write!(f, "{}: a session of this id exists; continue it with `--resume`", path.display())
            }
            Self::Version(path, version) => write!(
                f,
                "{}: it is from another version of this program: format {version}, expected {VERSION}",
                path.display()
            ),
            Self::Damaged(path, line, why) => {
                write!(f, "{}:{line}: the state is damaged and is not used: {why}", path.display())
            }
        }
    }
}

impl Journal {
    /// Creates the journal of a new session, with its first steps in one write.
    pub(crate) fn create(
        directory: &Path,
        id: &str,
        (kind, project): (Kind, &str),
        more: Vec<Step>,
    ) -> Result<Self, StoreError> {
        let path = file(directory, id);
        let failed = |error| StoreError::Io(path.clone(), error);
        std::fs::create_dir_all(directory).map_err(failed)?;
        let opened = OpenOptions::new().create_new(true).read(true).append(true).mode(0o600).open(&path);
        let opened = opened.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => StoreError::Exists(path.clone()),
            _ => failed(error),
        })?;
        lock(&opened, &path)?;
        let end = End { file: opened, hash: String::new() };
        let journal = Self { end: Mutex::new(end), path: path.clone() };
        let (id, project) = (id.to_owned(), project.to_owned());
        let first = Step::Session { version: VERSION, id, kind, project };
        let entry = |step| Entry { agent: String::new(), step };
        let entries: Vec<Entry> = std::iter::once(first).chain(more).map(entry).collect();
        journal.write_all(&entries).map_err(failed)?;
        Ok(journal)
    }

    /// Opens the journal of a session: its steps, and what was removed of it.
    pub(crate) fn open(directory: &Path, id: &str) -> Result<(Self, Vec<Entry>, Option<String>), StoreError> {
        let path = file(directory, id);
        let failed = |error| StoreError::Io(path.clone(), error);
        let opened = OpenOptions::new().read(true).append(true).open(&path);
        let mut opened = opened.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => StoreError::Missing(path.clone()),
            _ => failed(error),
        })?;
        lock(&opened, &path)?;
        let mut bytes = Vec::new();
        opened.read_to_end(&mut bytes).map_err(failed)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let (lines, torn) = bytes.split_at(whole);
        let (entries, hash) = entries(lines, &path)?;
        let mut removed = None;
        if !torn.is_empty() {
            opened.set_len(whole as u64).map_err(failed)?;
            opened.seek(io::SeekFrom::End(0)).map_err(failed)?;
            removed = Some(format!(
                "{}: the last line is incomplete, so its step was not done; it was removed",
                path.display()
            ));
        }
        let end = End { file: opened, hash };
        Ok((Self { end: Mutex::new(end), path }, entries, removed))
    }

    /// The steps of a session that stays as it is.
    pub(crate) fn read(directory: &Path, id: &str) -> Result<Vec<Entry>, StoreError> {
        let path = file(directory, id);
        let mut opened = File::open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => StoreError::Missing(path.clone()),
            _ => StoreError::Io(path.clone(), error),
        })?;
        lock(&opened, &path)?;
        let mut bytes = Vec::new();
        opened.read_to_end(&mut bytes).map_err(|error| StoreError::Io(path.clone(), error))?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        Ok(entries(bytes.get(..whole).unwrap_or_default(), &path)?.0)
    }

    /// Whether a session has begun. One whose first line was not written completely has not, and is
    /// removed.
    pub(crate) fn has_begun(directory: &Path, id: &str) -> bool {
        let path = file(directory, id);
        let Ok(bytes) = std::fs::read(&path) else { return false };
        let has_begun = bytes.contains(&b'\n');
        if !has_begun {
            // If it stays, creating the session fails and says so.
            let _ = std::fs::remove_file(path);
        }
        has_begun
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a step; it is on disk afterwards.
    pub(crate) fn write(&self, entry: &Entry) -> io::Result<()> {
        self.write_all(std::slice::from_ref(entry))
    }

    /// Appends steps in one write.
    pub(crate) fn write_all(&self, entries: &[Entry]) -> io::Result<()> {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut lines, mut last) = (String::new(), end.hash.clone());
        for entry in entries {
            let text = serde_json::to_string(entry)?;
            last = hash(&last, &text);
            lines.push_str(&format!("{{\"hash\":\"{last}\",\"entry\":{text}}}\n"));
        }
        if lines.is_empty() {
            return Ok(());
        }
        end.file.write_all(lines.as_bytes())?;
        end.hash = last;
        end.file.sync_data()
    }
}

/// The file of a session.
fn file(directory: &Path, id: &str) -> PathBuf {
    directory.join(format!("{id}.jsonl"))
}

fn lock(file: &File, path: &Path) -> Result<(), StoreError> {
    flock(file, FlockOperation::NonBlockingLockExclusive).map_err(|error| match error {
        rustix::io::Errno::WOULDBLOCK => StoreError::Busy(path.to_owned()),
        error => StoreError::Io(path.to_owned(), error.into()),
    })
}

/// The hash of an entry after a line with the hash `before`.
fn hash(before: &str, text: &str) -> String {
    blake3::hash(format!("{before}{text}").as_bytes()).to_hex().chars().take(HASH).collect()
}

/// The entry of a line and its hash, or why the line is invalid after one with the hash `before`.
fn entry(line: &str, before: &str) -> Result<(Entry, String), String> {
    let rest = line.strip_prefix("{\"hash\":\"").ok_or("it does not begin with a hash")?;
    let (written, rest) = rest.split_at_checked(HASH).ok_or("it is too short")?;
    let text = rest.strip_prefix("\",\"entry\":").and_then(|rest| rest.strip_suffix('}'));
    let text = text.ok_or("it has no entry")?;
    if hash(before, text) != written {
        return Err("its hash does not match: it was changed, or lines before it were".to_owned());
    }
    let entry = serde_json::from_str(text).map_err(|error| error.to_string())?;
    Ok((entry, written.to_owned()))
}

/// The entries of complete lines, and the hash of the last. The version is checked before anything
/// else is read.
fn entries(lines: &[u8], path: &Path) -> Result<(Vec<Entry>, String), StoreError> {
    let damaged = |line: usize, why: String| StoreError::Damaged(path.to_owned(), line, why);
    let text = std::str::from_utf8(lines).map_err(|error| damaged(1, error.to_string()))?;
    let (mut entries, mut last) = (Vec::new(), String::new());
    for (number, line) in text.lines().enumerate() {
        if number == 0
            && let Some(version) = other_version(line)
        {
            return Err(StoreError::Version(path.to_owned(), version));
        }
        let (entry, hash) = entry(line, &last).map_err(|why| damaged(number + 1, why))?;
        entries.push(entry);
        last = hash;
    }
    match entries.first() {
        Some(Entry { step: Step::Session { .. }, .. }) => Ok((entries, last)),
        _ => Err(damaged(1, "it does not begin with a session".to_owned())),
    }
}

/// The version of a first line, if it is another one.
fn other_version(line: &str) -> Option<u64> {
    let value: serde_json::Value = serde_json::from_str(line).ok()?;
    let version = value.pointer("/entry/step/version")?.as_u64()?;
    (version != VERSION).then_some(version)
}
