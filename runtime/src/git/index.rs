//! The index: the tracked files as git last saw them (`gitformat-index`).

use std::ffi::OsStr;
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{GIT_ENTRIES, number};

/// The bytes of an object's name.
pub(super) const NAME: usize = 20;

/// The bytes of an entry before its flags: ten numbers, and the name of an object.
const FIXED: usize = 40 + NAME;

/// Bits of the flags of an entry, and of its further flags.
const ASSUME_VALID: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
const NAME_LENGTH: u16 = 0x0fff;
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;

/// The types of files in modes.
const TYPE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const LINK: u32 = 0o120_000;

/// What hookc reads of an index.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) entries: Vec<Entry>,
    /// The tree of the whole index, if git keeps it.
    pub(super) tree: Option<Tree>,
}

/// The tree of an index.
#[derive(Debug, PartialEq)]
pub(super) enum Tree {
    /// Something was staged since it was written.
    Outdated,
    /// It is this one.
    Written([u8; NAME]),
}

/// A tracked file.
#[derive(Debug)]
pub(super) struct Entry {
    path: PathBuf,
    mode: u32,
    size: u32,
    modified: (u32, u32),
    /// Whether a merge left it in several versions.
    pub(super) is_conflict: bool,
    /// Whether its content is not staged yet.
    is_intended: bool,
    /// Whether git does not look at the file.
    is_ignored: bool,
}

/// Whether a file is as in the index.
enum Comparison {
    Same,
    /// Its time differs, or says nothing.
    Unknown,
    Different,
}

impl Index {
    /// Reads an index; `None` if it is of a form that hookc does not read.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let body = bytes.get(..bytes.len().checked_sub(NAME)?)?;
        let (version, count) = (number(body, 4)?, usize::try_from(number(body, 8)?).ok()?);
        if !body.starts_with(b"DIRC") || !(2..=4).contains(&version) || count > GIT_ENTRIES {
            return None;
        }
        let (mut entries, mut at, mut name) = (Vec::new(), 12, Vec::new());
        for _ in 0..count {
            let (entry, next) = Entry::read(body, at, version, &mut name)?;
            entries.push(entry);
            at = next;
        }
        let mut tree = None;
        while at < body.len() {
            let (kind, length) =
                (body.get(at..at.checked_add(4)?)?, usize::try_from(number(body, at + 4)?).ok()?);
            let start = at.checked_add(8)?;
            let content = body.get(start..start.checked_add(length)?)?;
            match kind {
                b"TREE" => tree = root(content),
                // The entries are in another file.
                b"link" => return None,
                _ => {}
            }
            at = start + length;
        }
        Some(Self { entries, tree })
    }

    /// Whether a file differs from its entry, in an index that was written at this time.
    pub(super) fn differs(&self, root: &Path, written: SystemTime) -> Option<bool> {
        let mut is_known = true;
        for entry in self.entries.iter().filter(|entry| !entry.is_ignored) {
            match entry.compare(root, written) {
                Comparison::Different => return Some(true),
                Comparison::Unknown => is_known = false,
                Comparison::Same => {}
            }
        }
        is_known.then_some(false)
    }
}

impl Entry {
    /// Reads the entry at a position; also returns the position after it. `name` is that of the entry before.
    fn read(body: &[u8], at: usize, version: u32, name: &mut Vec<u8>) -> Option<(Self, usize)> {
        let field = |index: usize| number(body, at + index * 4);
        let flags_at = at.checked_add(FIXED)?;
        let word = |at: usize| Some(u16::from_be_bytes(body.get(at..at.checked_add(2)?)?.try_into().ok()?));
        let flags = word(flags_at)?;
        let more = if flags & EXTENDED != 0 { word(flags_at + 2)? } else { 0 };
        let start = flags_at + if flags & EXTENDED != 0 { 4 } else { 2 };
        let end = if version == 4 {
            let (removed, start) = variable(body, start)?;
            name.truncate(name.len().checked_sub(removed)?);
            let length = body.get(start..)?.iter().position(|byte| *byte == 0)?;
            name.extend_from_slice(body.get(start..start + length)?);
            start + length + 1
        } else {
            let stated = usize::from(flags & NAME_LENGTH);
            let length = match flags & NAME_LENGTH {
                NAME_LENGTH => body.get(start..)?.iter().position(|byte| *byte == 0)?,
                _ => stated,
            };
            *name = body.get(start..start.checked_add(length)?)?.to_vec();
            // One to eight zeros, to a multiple of eight bytes.
            at + (start + length - at) / 8 * 8 + 8
        };
        let (mode, size) = (field(6)?, field(9)?);
        let is_file = [REGULAR, LINK].contains(&(mode & TYPE));
        let entry = Self {
            path: PathBuf::from(OsStr::from_bytes(name)),
            mode,
            size,
            modified: (field(2)?, field(3)?),
            is_conflict: flags & STAGE != 0,
            is_intended: more & INTENT_TO_ADD != 0,
            is_ignored: flags & ASSUME_VALID != 0 || more & SKIP_WORKTREE != 0 || !is_file,
        };
        Some((entry, end))
    }

    fn compare(&self, root: &Path, written: SystemTime) -> Comparison {
        let Ok(found) = root.join(&self.path).symlink_metadata() else { return Comparison::Different };
        let is_link = self.mode & TYPE == LINK;
        let is_type = if is_link { found.is_symlink() } else { found.is_file() };
        // Of a file that changed while git looked, it writes the size 0.
        let is_size = self.size != 0 && u64::from(self.size) != found.len() & u64::from(u32::MAX);
        if self.is_conflict || self.is_intended || !is_type || is_size {
            return Comparison::Different;
        }
        let is_mode = is_link || self.mode & 0o100 == found.permissions().mode() & 0o100;
        match is_mode && self.is_time(&found) && found.modified().is_ok_and(|time| time < written) {
            true if self.size != 0 || found.len() == 0 => Comparison::Same,
            _ => Comparison::Unknown,
        }
    }

    /// Whether a file was last modified at the time of the entry, which may lack the part below a second.
    fn is_time(&self, found: &Metadata) -> bool {
        let (seconds, below) = self.modified;
        i64::from(seconds) == found.mtime() && (below == 0 || i64::from(below) == found.mtime_nsec())
    }
}

/// A number of variable length, as offsets of packs have it; also returns the position after it.
fn variable(body: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut value = 0_usize;
    for round in 0..5 {
        let byte = *body.get(at)?;
        at += 1;
        value = (value + usize::from(round > 0)).checked_mul(if round > 0 { 128 } else { 1 })?
            + usize::from(byte & 127);
        if byte & 128 == 0 {
            return Some((value, at));
        }
    }
    None
}

/// The tree of the root: an empty name, the number of entries, that of subtrees, the name of the tree.
fn root(content: &[u8]) -> Option<Tree> {
    let rest = content.strip_prefix(b"\0")?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    if rest.starts_with(b"-") {
        return Some(Tree::Outdated);
    }
    let name = rest.get(end + 1..end + 1 + NAME)?;
    Some(Tree::Written(name.try_into().ok()?))
}
