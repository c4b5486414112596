//! What the files of a git repository say: the branch, and whether something is changed or staged. No program is
//! started, and nothing is written.
//!
//! `index.rs` reads the index, `object.rs` the tree of a commit.

mod index;
mod object;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use index::Index;

/// The tracked files of a repository whose changes are known: looking at that many takes about a tenth of a second.
const GIT_ENTRIES: usize = 50_000;

/// The bytes of a file of git that is read: an index of as many entries, or of a pack, is smaller.
const GIT_FILE_BYTES: u64 = 64 << 20;

/// A repository with a working tree.
#[derive(Debug)]
pub(crate) struct Repository {
    /// The root of the working tree.
    root: PathBuf,
    /// Its own directory: `.git`, or that of a linked working tree.
    directory: PathBuf,
    /// The directory with the objects and the branches.
    common: PathBuf,
}

/// Where `HEAD` is.
#[derive(Debug, PartialEq)]
enum Head {
    /// At this ref, which starts with `refs/`.
    Ref(String),
    /// At this commit.
    Detached(String),
}

impl Repository {
    /// The repository whose working tree has this root.
    pub(crate) fn at(root: &Path) -> Option<Self> {
        let dot = root.join(".git");
        let directory =
            if dot.is_dir() { dot } else { root.join(text(&dot)?.strip_prefix("gitdir: ")?.trim()) };
        let common = match text(&directory.join("commondir")) {
            Some(common) => directory.join(common.trim()),
            None => directory.clone(),
        };
        Some(Self { root: root.to_owned(), directory, common })
    }

    fn head(&self) -> Option<Head> {
        let text = text(&self.directory.join("HEAD"))?;
        let text = text.trim();
        Some(match text.strip_prefix("ref: ") {
            Some(name) => Head::Ref(name.trim().to_owned()),
            None => Head::Detached(text.to_owned()),
        })
    }

    /// The branch that is checked out, also before its first commit; `None` if no branch is, or it is unknown.
    pub(crate) fn branch(&self) -> Option<String> {
        match self.head()? {
            Head::Ref(name) => name.strip_prefix("refs/heads/").map(str::to_owned),
            Head::Detached(_) => None,
        }
    }

    /// Whether a tracked file differs from the index; `None` if the times and sizes of the files do not say it.
    pub(crate) fn is_dirty(&self) -> Option<bool> {
        self.head()?;
        let path = self.directory.join("index");
        if path.symlink_metadata().is_err() {
            return self.commit().is_none().then_some(false);
        }
        let written = path.metadata().and_then(|meta| meta.modified()).ok()?;
        Index::read(&bytes(&path)?)?.differs(&self.root, written)
    }

    /// Whether the index differs from the commit that is checked out; `None` if its files do not say it.
    pub(crate) fn is_staged(&self) -> Option<bool> {
        self.head()?;
        let path = self.directory.join("index");
        let commit = self.commit();
        if path.symlink_metadata().is_err() {
            return commit.is_none().then_some(false);
        }
        let index = Index::read(&bytes(&path)?)?;
        let Some(commit) = commit else { return Some(!index.entries.is_empty()) };
        if index.entries.iter().any(|entry| entry.is_conflict) {
            return Some(true);
        }
        match index.tree? {
            index::Tree::Outdated => Some(true),
            index::Tree::Written(tree) => Some(object::tree_of(&self.common, &commit)? != tree),
        }
    }

    /// The commit that is checked out; `None` before the first one.
    fn commit(&self) -> Option<String> {
        let name = match self.head()? {
            Head::Detached(commit) => return Some(commit),
            Head::Ref(name) => name,
        };
        let loose = text(&self.common.join(&name)).map(|text| text.trim().to_owned());
        loose.or_else(|| {
            let packed = text(&self.common.join("packed-refs"))?;
            let line =
                packed.lines().find(|line| line.split_once(' ').is_some_and(|(_, known)| known == name))?;
            Some(line.split_once(' ')?.0.to_owned())
        })
    }
}

/// The bytes of a regular file of bounded size.
fn bytes(path: &Path) -> Option<Vec<u8>> {
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|meta| meta.is_file()))?;
    let mut bytes = Vec::new();
    file.take(GIT_FILE_BYTES + 1).read_to_end(&mut bytes).ok()?;
    u64::try_from(bytes.len()).ok().filter(|length| *length <= GIT_FILE_BYTES).map(|_| bytes)
}

fn text(path: &Path) -> Option<String> {
    String::from_utf8(bytes(path)?).ok()
}

/// A number of four bytes.
fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(bytes.try_into().ok()?))
}

#[cfg(test)]
mod tests;
