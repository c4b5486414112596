//! The directory of an installed call: its partitions, and which call it is.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hookc_history::{Limits, Partition};
use serde_json::{Value, json};

use super::{Durability, Store, Unavailable};
use crate::open;
use crate::outcome::hex;

/// The file that says whose partitions are in a directory.
const CALL: &str = "call.json";
/// Bytes of that file: an agent and the paths of policies.
const CALL_BYTES: usize = 1 << 20;
/// Directories, and files of one, that a person can look at.
const MOST: usize = 10_000;

/// What the history of a session without a file is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistoryMode {
    /// Unknown, if the start of the session should have been recorded.
    #[default]
    Strict,
    /// Empty.
    Lenient,
}

/// Where the history of an installed call is, and how it is kept.
///
/// ```
/// use hookc_runtime::history::HistoryOptions;
///
/// let policies = ["/home/me/guard.yaml".to_owned()];
/// let options = HistoryOptions::new("/home/me/.local/state/hookc/history".as_ref(), "claude", &policies);
/// assert!(options.directory().starts_with("/home/me/.local/state/hookc/history"));
/// ```
#[derive(Clone, Debug)]
pub struct HistoryOptions {
    directory: PathBuf,
    call: Value,
    /// What the history of a session without a file is.
    pub mode: HistoryMode,
    /// What records survive.
    pub durability: Durability,
}

impl HistoryOptions {
    /// The history of a call by an agent of these policies, as [`Caller::policies`](crate::log::Caller) has them. `root`
    /// contains the histories of all calls.
    #[must_use]
    pub fn new(root: &Path, agent: &str, policies: &[String]) -> Self {
        let call = json!({"agent": agent, "policies": policies});
        let hash = blake3::hash(call.to_string().as_bytes());
        let name = hash.as_bytes().first_chunk::<16>().map(|bytes| hex(bytes)).unwrap_or_default();
        Self {
            directory: root.join(name),
            call,
            mode: HistoryMode::default(),
            durability: Durability::default(),
        }
    }

    /// The directory with the partitions.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Opens the store, and creates it if it is not there.
    ///
    /// # Errors
    /// See [`Store::open`].
    pub fn open(&self) -> Result<Store, Unavailable> {
        let store = Store::open(self.directory.clone(), Limits::default())?.with_durability(self.durability);
        let (call, text) = (self.directory.join(CALL), self.call.to_string());
        let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
        // A writer may have been killed. All of them write the same text.
        if call.symlink_metadata().map_or(true, |found| found.len() != length) {
            let mut file = open::private(&call, true)?;
            file.write_all(text.as_bytes())?;
            file.set_len(length)?;
        }
        Ok(store)
    }
}

/// A call whose history is kept.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Call {
    /// The agent.
    pub agent: String,
    /// Its policies, then its layers (`NAME=FILE`), each by its real path.
    pub policies: Vec<String>,
    /// The directory with its partitions.
    pub directory: PathBuf,
}

/// The file of a partition.
#[derive(Debug)]
#[non_exhaustive]
pub struct PartitionFile {
    /// Its path.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// When it was written last.
    pub modified: Option<SystemTime>,
    /// Its content.
    pub partition: Result<Partition, Unavailable>,
}

/// The calls whose histories are in a directory, without an error for one that is not there.
///
/// # Errors
/// The directory cannot be read.
pub fn calls(root: &Path) -> io::Result<Vec<Call>> {
    let entries = match fs::read_dir(root) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let directories = entries.flatten().map(|entry| entry.path()).take(MOST);
    let mut found: Vec<Call> = directories.filter_map(Call::read).collect();
    found.sort_by(|a, b| (&a.policies, &a.agent).cmp(&(&b.policies, &b.agent)));
    Ok(found)
}

impl Call {
    fn read(directory: PathBuf) -> Option<Self> {
        let text = open::read(&directory.join(CALL), CALL_BYTES).ok()?;
        let call: Value = serde_json::from_slice(&text).ok()?;
        let policies = call.get("policies")?.as_array()?.iter();
        let policies = policies.filter_map(|policy| policy.as_str().map(str::to_owned)).collect();
        Some(Self { agent: call.get("agent")?.as_str()?.to_owned(), policies, directory })
    }

    /// Its store.
    ///
    /// # Errors
    /// See [`Store::open`].
    pub fn store(&self) -> Result<Store, Unavailable> {
        Store::open(self.directory.clone(), Limits::default())
    }

    /// The files of its partitions, the one that was written last first.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn files(&self) -> io::Result<Vec<PartitionFile>> {
        let paths = fs::read_dir(&self.directory)?.flatten().map(|entry| entry.path());
        let paths = paths.filter(|path| path.extension().is_none() && Store::is_partition(path)).take(MOST);
        let mut files: Vec<PartitionFile> = paths.map(PartitionFile::read).collect();
        // A file that is locked before its first record is empty.
        files.retain(|file| file.bytes > 0);
        files.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.path.cmp(&b.path)));
        Ok(files)
    }

    /// The damaged files that were kept when their histories were cleared.
    #[must_use]
    pub fn damaged(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "damaged")).collect()
    }
}

impl PartitionFile {
    /// Reads a file.
    #[must_use]
    pub fn read(path: PathBuf) -> Self {
        let found = path.symlink_metadata().ok();
        Self {
            bytes: found.as_ref().map_or(0, fs::Metadata::len),
            modified: found.and_then(|found| found.modified().ok()),
            partition: Store::read_file(&path, Limits::default()),
            path,
        }
    }

    /// Like [`PartitionFile::read`]. A snapshot with a cell that cannot be read is damaged: elsewhere, only what needs the
    /// cell is unknown.
    #[must_use]
    pub fn verify(path: PathBuf) -> Self {
        let verified = Store::verify_file(&path, Limits::default());
        let file = Self::read(path);
        Self { partition: file.partition.and_then(|partition| verified.map(|()| partition)), ..file }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_a_writer_that_was_killed_is_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let options = HistoryOptions::new(folder.path(), "claude", &["/p/hooks.yaml".to_owned()]);
        for cut in
            ["", "{\"agent\":", "a text that is longer than the one that says which call it is, by far"]
        {
            fs::create_dir_all(options.directory()).unwrap();
            fs::write(options.directory().join(CALL), cut).unwrap();
            options.open().unwrap();
            let found = calls(folder.path()).unwrap();
            assert_eq!(found.iter().map(|call| call.agent.as_str()).collect::<Vec<_>>(), ["claude"], "{cut}");
        }
    }
}
