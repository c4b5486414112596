//! Compiled modules of policies in source, so that a process does not compile what another one has compiled.
//!
//! An entry is found by the hash of all that the compiler sees: the texts, names and order of the sources, the options, and
//! this very program. It is a file of the user's state directory, private, with a hash of its content; what is torn, foreign
//! or older is compiled again, and the module is verified as every module is.
//!
//! Whoever can write an entry decides what the policy decides. So the cache is used only for policies that this user owns
//! and could change as well, and never where it is inside a repository or the working directory, which others fill.

use std::fmt::Debug;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use hookc_compiler::Files;
use hookc_runtime::disk::Disk;
use hookc_syntax::files::FileKind;
use rustix::fs::OFlags;
use rustix::process::geteuid;

use crate::state;

/// The directory in the user's state directory.
const NAME: &str = "modules";
/// The first bytes of an entry; another layout gets another number.
const MAGIC: &[u8] = b"hookc cache 1\n";
/// The bytes of a hash.
const HASH: usize = 32;
/// The most entries: a person has a few policies, and each change of one is an entry.
const ENTRIES: usize = 64;
/// The largest entry. A policy of 10,000 hooks has 10 MB.
const ENTRY_BYTES: usize = 32 << 20;

/// Where the module of a compilation is, or will be.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    folder: PathBuf,
    hash: blake3::Hash,
}

/// A module of the cache.
pub(crate) struct Entry {
    pub(crate) module: Vec<u8>,
    /// Whether its compilation reported something.
    pub(crate) is_silent: bool,
}

/// Collects what a compilation depends on.
pub(crate) struct Key(blake3::Hasher);

impl Key {
    /// With what identifies this program; `None` if that is unknown.
    pub(crate) fn new() -> Option<Self> {
        let program = fs::metadata(std::env::current_exe().ok()?).ok()?;
        let mut key = Self(blake3::Hasher::new());
        key.add(env!("CARGO_PKG_VERSION").as_bytes());
        let build = (program.len(), program.ino(), program.mtime(), program.mtime_nsec());
        key.debug(&build);
        Some(key)
    }

    /// A text, with its length, so that no two lists of texts are one.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    pub(crate) fn debug(&mut self, value: &dyn Debug) {
        self.add(format!("{value:?}").as_bytes());
    }

    /// The place of the module; `None` if the user's state directory cannot be trusted.
    pub(crate) fn place(self) -> Option<Place> {
        let folder = state::folder()?.join(NAME);
        let mut builder = fs::DirBuilder::new();
        match builder.mode(0o700).create(&folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return None,
            _ => {}
        }
        let is_private = folder.symlink_metadata().ok().is_some_and(|found| {
            found.is_dir() && found.uid() == geteuid().as_raw() && found.mode() & 0o077 == 0
        });
        let folder = folder.canonicalize().ok().filter(|folder| is_private && !is_shared(folder))?;
        Some(Place { folder, hash: self.0.finalize() })
    }
}

/// Whether a directory is in a repository or in the working directory: what is there may have come with them.
fn is_shared(folder: &Path) -> bool {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    here.is_ok_and(|here| folder.starts_with(here))
        || folder.ancestors().any(|above| above.join(".git").symlink_metadata().is_ok())
}

/// Whether this user owns a file: who can write entries can change it as well.
pub(crate) fn is_owned(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.uid() == geteuid().as_raw())
}

impl Place {
    fn file(&self) -> PathBuf {
        self.folder.join(self.hash.to_hex().as_str())
    }

    /// The entry, if it is there, whole, and of this user.
    pub(crate) fn get(&self) -> Option<Entry> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        let flags = i32::try_from(flags.bits()).ok()?;
        let file = OpenOptions::new().read(true).custom_flags(flags).open(self.file()).ok()?;
        let found = file.metadata().ok()?;
        let is_private = found.is_file()
            && found.uid() == geteuid().as_raw()
            && found.mode() & 0o077 == 0
            && found.nlink() == 1;
        if !is_private || found.len() > ENTRY_BYTES as u64 {
            return None;
        }
        let mut bytes = Vec::with_capacity(usize::try_from(found.len()).ok()?);
        file.take(ENTRY_BYTES as u64).read_to_end(&mut bytes).ok()?;
        let rest = bytes.strip_prefix(MAGIC)?.strip_prefix(self.hash.as_bytes())?;
        let (sum, rest) = rest.split_at_checked(HASH)?;
        if blake3::hash(rest).as_bytes() != sum {
            return None;
        }
        let (silent, module) = rest.split_first()?;
        Some(Entry { is_silent: *silent == 1, module: module.to_vec() })
    }

    /// Writes the entry. A failure costs the next process a compilation.
    pub(crate) fn put(&self, entry: &Entry) {
        if entry.module.len() < ENTRY_BYTES - MAGIC.len() - 2 * HASH {
            let _ = self.write(entry);
            self.sweep();
        }
    }

    fn write(&self, entry: &Entry) -> io::Result<()> {
        let content = [&[u8::from(entry.is_silent)], entry.module.as_slice()].concat();
        let bytes =
            [MAGIC, self.hash.as_bytes(), blake3::hash(&content).as_bytes(), content.as_slice()].concat();
        let path = self.folder.join(format!(".{}-{}", std::process::id(), self.hash.to_hex()));
        let write = || -> io::Result<()> {
            let mut file: File = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
            file.write_all(&bytes)?;
            fs::rename(&path, self.file())
        };
        write().inspect_err(|_| drop(fs::remove_file(&path)))
    }

    /// Removes the oldest entries beyond the limit, and what a killed process left.
    fn sweep(&self) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let age = |entry: &fs::DirEntry| entry.metadata().and_then(|found| found.modified()).ok();
        let mut entries_by_age: Vec<(Option<SystemTime>, PathBuf)> =
            entries.map(|entry| (age(&entry), entry.path())).collect();
        entries_by_age.sort();
        let surplus = entries_by_age.len().saturating_sub(ENTRIES);
        for (_, path) in entries_by_age.into_iter().take(surplus) {
            let _ = fs::remove_file(path);
        }
    }
}

/// The disk, with a note of whether the compiler has asked about it: the cache does not know what it would answer now.
#[derive(Debug, Default)]
pub(crate) struct WatchedDisk(AtomicBool);

impl WatchedDisk {
    pub(crate) fn was_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn asked(&self) -> Disk {
        self.0.store(true, Ordering::Relaxed);
        Disk
    }
}

impl Files for WatchedDisk {
    fn kind(&self, path: &str) -> Option<FileKind> {
        self.asked().kind(path)
    }

    fn canonical(&self, path: &str) -> Option<String> {
        self.asked().canonical(path)
    }

    fn names(&self, directory: &str) -> Vec<String> {
        self.asked().names(directory)
    }
}
