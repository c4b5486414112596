//! The index: the tracked files as git last saw them (`gitformat-index`).

use std::ffi::OsStr;
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::time::SystemTime;

use super::number;

/// The tracked files of a repository whose changes are known: looking at that many takes about a tenth of a second.
const ENTRIES: usize = 50_000;

/// The longest name of a tracked file: systems have no longer paths.
const NAME_BYTES: usize = 4096;

/// The bytes of an entry before the name of its object: ten numbers.
const NUMBERS: usize = 40;

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
    /// How many entries it has.
    pub(super) count: usize,
    /// Whether a merge left a file in several versions.
    pub(super) has_conflict: bool,
    /// Whether a file differs from its entry; `None` if the times and sizes of the files do not say it, or nobody asked.
    pub(super) dirty: Option<bool>,
    /// The tree of the whole index, if git keeps it.
    pub(super) tree: Option<Tree>,
}

/// The tree of an index.
#[derive(Debug, PartialEq)]
pub(super) enum Tree {
    /// Something was staged since it was written.
    Outdated,
    /// It is this one.
    Written(Vec<u8>),
}

/// A tracked file.
#[derive(Debug)]
struct Entry {
    mode: u32,
    size: u32,
    modified: (u32, u32),
    /// Whether a merge left it in several versions.
    is_conflict: bool,
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
    /// Reads an index in which names of objects have `hash` bytes; `None` if it is of a form that hookc does not read.
    /// `compared` is the root of the working tree and when the index was written, if its files are to be compared.
    pub(super) fn read(bytes: &[u8], hash: usize, compared: Option<(&Path, SystemTime)>) -> Option<Self> {
        let body = bytes.get(..bytes.len().checked_sub(hash)?)?;
        let (version, count) = (number(body, 4)?, usize::try_from(number(body, 8)?).ok()?);
        if !body.starts_with(b"DIRC") || !(2..=4).contains(&version) || count > ENTRIES {
            return None;
        }
        let (mut at, mut name, mut has_conflict) = (12, Vec::new(), false);
        let mut dirty = compared.map(|_| false);
        for _ in 0..count {
            let (entry, next) = Entry::read(body, at, (version, hash), &mut name)?;
            has_conflict |= entry.is_conflict;
            let compared = compared.filter(|_| !entry.is_ignored && dirty != Some(true));
            if let Some((root, written)) = compared {
                match entry.compare(&root.join(OsStr::from_bytes(&name)), written) {
                    Comparison::Different => dirty = Some(true),
                    Comparison::Unknown => dirty = None,
                    Comparison::Same => {}
                }
            }
            at = next;
        }
        Some(Self { count, has_conflict, dirty, tree: tree(body, at, hash).ok()? })
    }
}

/// An extension that changes what the entries mean, or that is cut off.
struct Unreadable;

/// The tree of the whole index, if the extensions after its entries have one.
fn tree(body: &[u8], mut at: usize, hash: usize) -> Result<Option<Tree>, Unreadable> {
    let mut tree = None;
    while at < body.len() {
        let (kind, content, next) = extension(body, at).ok_or(Unreadable)?;
        match kind {
            b"TREE" => tree = root(content, hash),
            // Some entries are directories, which are not compared.
            b"sdir" => {}
            // As `link`, with the entries in another file.
            [first, ..] if first.is_ascii_lowercase() => return Err(Unreadable),
            _ => {}
        }
        at = next;
    }
    Ok(tree)
}

/// The kind of the extension at a position, its content, and the position after it.
fn extension(body: &[u8], at: usize) -> Option<(&[u8], &[u8], usize)> {
    let kind = body.get(at..at.checked_add(4)?)?;
    let length = usize::try_from(number(body, at + 4)?).ok()?;
    let start = at.checked_add(8)?;
    let end = start.checked_add(length)?;
    Some((kind, body.get(start..end)?, end))
}

impl Entry {
    /// Reads the entry at a position; also returns the position after it. `name` is that of the entry before, and then
    /// its own.
    fn read(
        body: &[u8],
        at: usize,
        (version, hash): (u32, usize),
        name: &mut Vec<u8>,
    ) -> Option<(Self, usize)> {
        let field = |index: usize| number(body, at + index * 4);
        let flags_at = at.checked_add(NUMBERS + hash)?;
        let word = |at: usize| Some(u16::from_be_bytes(body.get(at..at.checked_add(2)?)?.try_into().ok()?));
        let flags = word(flags_at)?;
        let more = if flags & EXTENDED != 0 { word(flags_at + 2)? } else { 0 };
        let start = flags_at + if flags & EXTENDED != 0 { 4 } else { 2 };
        let end = if version == 4 {
            let (removed, start) = variable(body, start)?;
            name.truncate(name.len().checked_sub(removed)?);
            let length = length_of(body, start)?;
            name.extend_from_slice(body.get(start..start + length)?);
            start + length + 1
        } else {
            let stated = usize::from(flags & NAME_LENGTH);
            let length = match flags & NAME_LENGTH {
                NAME_LENGTH => length_of(body, start)?,
                _ => stated,
            };
            name.clear();
            name.extend_from_slice(body.get(start..start.checked_add(length)?)?);
            // One to eight zeros, to a multiple of eight bytes.
            at + (start + length - at) / 8 * 8 + 8
        };
        if name.len() > NAME_BYTES {
            return None;
        }
        let (mode, size) = (field(6)?, field(9)?);
        let is_file = [REGULAR, LINK].contains(&(mode & TYPE));
        let entry = Self {
            mode,
            size,
            modified: (field(2)?, field(3)?),
            is_conflict: flags & STAGE != 0,
            is_intended: more & INTENT_TO_ADD != 0,
            is_ignored: flags & ASSUME_VALID != 0 || more & SKIP_WORKTREE != 0 || !is_file,
        };
        Some((entry, end))
    }

    fn compare(&self, path: &Path, written: SystemTime) -> Comparison {
        let Ok(found) = path.symlink_metadata() else { return Comparison::Different };
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

/// The length of the name at a position, which ends with a zero.
fn length_of(body: &[u8], start: usize) -> Option<usize> {
    body.get(start..)?.iter().take(NAME_BYTES + 1).position(|byte| *byte == 0)
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
fn root(content: &[u8], hash: usize) -> Option<Tree> {
    let rest = content.strip_prefix(b"\0")?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    if rest.starts_with(b"-") {
        return Some(Tree::Outdated);
    }
    let name = rest.get(end + 1..end + 1 + hash)?;
    Some(Tree::Written(name.to_vec()))
}
