//! A file for each partition.
//!
//! The holder of the lock reads the file, decides, and appends one record. From time to time it writes a new snapshot next
//! to the file and renames it. A program that is killed at any moment leaves a complete file, or one with an incomplete
//! record at its end: the program had not answered.
//!
//! What cannot be read is [`Unavailable`]: the history is unknown, never empty.

use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hookc_history::{DecodeError, Decoded, Key, Limits, Partition, Reading, Secret};

use super::file::{open_and_lock, read, read_existing};
use super::{Locked, reading, secret};
use crate::limits::{HISTORY_REMOVED, HISTORY_RETENTION};
use crate::outcome::hex;

/// Why a history is unknown.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unavailable {
    /// Another program has had the lock for [`HISTORY_LOCK_WAIT`](crate::limits::HISTORY_LOCK_WAIT).
    Locked,
    /// The file system has no locks.
    NoLocks,
    /// The file belongs to another user, or is not a regular file.
    Foreign,
    /// There are histories, and not the secret by which they are found.
    NoSecret,
    /// The file cannot be opened or read.
    Unreadable(io::Error),
    /// The content of the file is damaged, or newer.
    Invalid(DecodeError),
    /// The content is that of another partition: the file was renamed or copied.
    Misplaced,
}

impl std::fmt::Display for Unavailable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Locked => f.write_str("another program keeps the history locked"),
            Self::NoLocks => f.write_str("the history is on a file system without locks"),
            Self::Foreign => f.write_str("the history belongs to another user, or is not a regular file"),
            Self::NoSecret => f.write_str("the secret of the histories is missing or damaged"),
            Self::Unreadable(error) => write!(f, "the history cannot be read: {error}"),
            Self::Invalid(error) => error.fmt(f),
            Self::Misplaced => f.write_str("the history is that of something else: it was renamed or copied"),
        }
    }
}

impl Unavailable {
    /// One word, for the log.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Locked => "locked",
            Self::NoLocks => "no locks",
            Self::Foreign => "foreign",
            Self::NoSecret => "no secret",
            Self::Unreadable(_) => "unreadable",
            Self::Invalid(DecodeError::Newer(_)) => "newer",
            Self::Invalid(_) => "damaged",
            Self::Misplaced => "misplaced",
        }
    }
}

impl std::error::Error for Unavailable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable(error) => Some(error),
            Self::Invalid(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Unavailable {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// What the absence of a file means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// The partition begins with this event: its history is empty.
    Seen,
    /// The start of the partition should have been recorded, and was not: what happened before is unknown.
    Missed,
}

/// What records survive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// The death of the process.
    #[default]
    Process,
    /// The death of the machine too: each record is synced to the disk.
    Machine,
}

/// The partitions of one installed call, in a directory.
///
/// ```
/// use hookc_history::{Limits, Record};
/// use hookc_runtime::history::{Beginning, Store, reading};
///
/// # let folder = tempfile::tempdir()?;
/// let store = Store::open(folder.path().join("history"), Limits::default())?;
/// let session = store.key(["session", "s1"]);
/// for step in 1..=3 {
///     let mut locked = store.lock(session, || Beginning::Seen)?;
///     let time = locked.partition().clock(reading());
///     assert_eq!(locked.record(Record::new(time))?, step);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Store {
    directory: PathBuf,
    secret: Secret,
    limits: Limits,
    durability: Durability,
}

impl Store {
    /// Opens a directory, which is created for this user alone.
    ///
    /// # Errors
    /// The directory or the file of the secret cannot be created or read.
    pub fn open(directory: PathBuf, limits: Limits) -> Result<Self, Unavailable> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&directory)?;
        let secret = secret::load(&directory.join("key"))?;
        Ok(Self { directory, secret, limits, durability: Durability::default() })
    }

    /// With records that survive this.
    #[must_use]
    pub fn with_durability(self, durability: Durability) -> Self {
        Self { durability, ..self }
    }

    /// The secret of the hashes of values.
    #[must_use]
    pub fn secret(&self) -> &Secret {
        &self.secret
    }

    /// The name of a partition: a hash of what its events share, such as `["session", ID]`.
    #[must_use]
    pub fn key<T: AsRef<[u8]>>(&self, parts: impl IntoIterator<Item = T>) -> Key {
        self.secret.key(parts)
    }

    /// The file of a partition.
    #[must_use]
    pub fn path(&self, partition: Key) -> PathBuf {
        self.directory.join(hex(partition.as_bytes()))
    }

    /// Whether a partition has a file.
    #[must_use]
    pub fn has(&self, partition: Key) -> bool {
        self.path(partition).symlink_metadata().is_ok_and(|found| found.len() > 0)
    }

    /// Locks a partition, and reads it. Dropping the value releases the lock. Without a file, `beginning` says what that
    /// means.
    ///
    /// # Errors
    /// See [`Unavailable`].
    pub fn lock(&self, partition: Key, beginning: impl FnOnce() -> Beginning) -> Result<Locked, Unavailable> {
        self.lock_at(partition, reading(), beginning)
    }

    /// Like [`Store::lock`], with what the clocks show now.
    pub(super) fn lock_at(
        &self,
        partition: Key,
        now: Reading,
        beginning: impl FnOnce() -> Beginning,
    ) -> Result<Locked, Unavailable> {
        let path = self.path(partition);
        let opened = open_and_lock(&path, true)?;
        Locked::read(opened, path, (partition, self.limits, self.is_synced()), now, beginning)
    }

    /// The file of a partition by its name.
    pub(super) fn named(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    pub(super) fn is_synced(&self) -> bool {
        self.durability == Durability::Machine
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// Whether a file has the name of a partition, whatever its extension.
    pub(crate) fn is_partition(path: &Path) -> bool {
        owner(path).is_some()
    }

    /// Reads the file of a partition. A file with another name may be that of any.
    pub(crate) fn read_file(path: &Path, limits: Limits) -> Result<Partition, Unavailable> {
        Ok(decode(&read(path)?, owner(path), limits)?.partition)
    }

    /// Checks that each cell of the snapshot in a file can be read.
    pub(super) fn verify_file(path: &Path, limits: Limits) -> Result<(), Unavailable> {
        let mut bytes = read(path)?;
        bytes.truncate(decode(&bytes, owner(path), limits)?.snapshot);
        let is_readable = decode(&bytes, owner(path), limits)?.partition.is_readable();
        if is_readable { Ok(()) } else { Err(Unavailable::Invalid(DecodeError::Damaged)) }
    }

    /// Reads a partition without changing it; `None` if it has no file.
    ///
    /// # Errors
    /// See [`Unavailable`].
    pub fn read(&self, partition: Key) -> Result<Option<Partition>, Unavailable> {
        let bytes = read_existing(&self.path(partition))?.filter(|bytes| !bytes.is_empty());
        let decoded = bytes.map(|bytes| decode(&bytes, Some(partition), self.limits)).transpose()?;
        Ok(decoded.map(|decoded| decoded.partition))
    }

    /// Forgets a partition. A damaged file is kept next to it, with the extension `damaged`, and so is that of something
    /// else.
    ///
    /// # Errors
    /// The file cannot be removed, or another program has it.
    pub fn clear(&self, partition: Key) -> Result<(), Unavailable> {
        Self::clear_file(&self.path(partition))
    }

    /// Like [`Store::clear`] for the file of a partition.
    ///
    /// # Errors
    /// See [`Store::clear`].
    pub fn clear_file(path: &Path) -> Result<(), Unavailable> {
        let (_file, bytes) = open_and_lock(path, true)?;
        match decode(&bytes, owner(path), Limits::default()) {
            Err(_) if !bytes.is_empty() => fs::rename(path, path.with_extension("damaged"))?,
            _ => fs::remove_file(path)?,
        }
        Ok(())
    }

    /// Like [`Store::clear`] for the partitions whose names begin with this.
    pub(super) fn clear_all(&self, prefix: &str) -> Result<(), Unavailable> {
        for entry in fs::read_dir(&self.directory)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.extension().is_none() && name.starts_with(prefix) {
                Self::clear_file(&path)?;
            }
        }
        Ok(())
    }

    /// Removes files without an event for [`HISTORY_RETENTION`], at most [`HISTORY_REMOVED`]. Returns how many.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn remove_old(&self, now: SystemTime) -> io::Result<usize> {
        let is_old = |path: &Path| {
            let modified = fs::metadata(path).and_then(|found| found.modified());
            modified
                .is_ok_and(|modified| now.duration_since(modified).is_ok_and(|age| age > HISTORY_RETENTION))
        };
        let entries = fs::read_dir(&self.directory)?
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| Self::is_partition(path));
        let mut removed = 0_usize;
        for path in entries.filter(|path| is_old(path)).take(HISTORY_REMOVED) {
            // Under its lock, so that no program appends to a file that is being removed.
            let is_removed =
                open_and_lock(&path, false).is_ok_and(|_| is_old(&path) && fs::remove_file(&path).is_ok());
            removed = removed.saturating_add(usize::from(is_removed));
        }
        Ok(removed)
    }
}

/// The partition whose file has this name, whatever its extension.
fn owner(path: &Path) -> Option<Key> {
    let name = path.file_stem()?.to_str().filter(|name| name.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let number = u128::from_str_radix(name, 16).ok().filter(|_| name.len() == 32)?;
    Some(Key::from(number.to_be_bytes()))
}

/// Reads the bytes of the history of `owner`.
pub(super) fn decode(bytes: &[u8], owner: Option<Key>, limits: Limits) -> Result<Decoded, Unavailable> {
    let mut decoded = Partition::decode(bytes, limits).map_err(Unavailable::Invalid)?;
    claim(&mut decoded.partition, owner)?;
    Ok(decoded)
}

/// Makes a history that was read that of `owner`, unless it says that it is another one's. Version 2 of the format does
/// not say whose it is.
pub(super) fn claim(partition: &mut Partition, owner: Option<Key>) -> Result<(), Unavailable> {
    let found = partition.owner();
    if found.zip(owner).is_some_and(|(found, owner)| found != owner) {
        return Err(Unavailable::Misplaced);
    }
    partition.set_owner(owner.or(found));
    Ok(())
}
