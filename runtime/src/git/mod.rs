//! What the files of a git repository say: the branch, and whether something is changed or staged. No program is
//! started, and nothing is written.
//!
//! `files.rs` reads files within a limit, `refs.rs` what `HEAD` leads to, `index.rs` the index, `object.rs` the tree of
//! a commit. What these files do not say, or say in a form that hookc does not read, is unknown.

mod files;
mod index;
mod object;
mod refs;

use std::path::{Path, PathBuf};

use files::Files;
use index::{Index, Tree};
use refs::{Commit, Head};

/// The bytes of an object's name where no commit shows how many they are.
const SHA1: usize = 20;

/// A repository.
#[derive(Debug)]
pub(crate) struct Repository {
    /// The root of the working tree; `None` for a repository without one.
    root: Option<PathBuf>,
    /// Its own directory: `.git`, or that of a linked working tree.
    directory: PathBuf,
    /// The directory with the objects and the branches.
    common: PathBuf,
    files: Files,
}

/// The facts that somebody wants to know.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) branch: bool,
    pub(crate) dirty: bool,
    pub(crate) staged: bool,
}

/// What the files of a repository say; `None` for what is unknown, or was not wanted.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Facts {
    /// The branch that is checked out, also before its first commit.
    pub(crate) branch: Option<String>,
    /// Whether a tracked file differs from the index.
    pub(crate) dirty: Option<bool>,
    /// Whether the index differs from the commit that is checked out.
    pub(crate) staged: Option<bool>,
}

/// What a directory is to git.
enum Found {
    Repository(Repository),
    /// Git looks for a repository in the directory above.
    Nothing,
    /// Git stops here with an error.
    Broken,
}

/// Whether git looks no further than a directory for the root of a working tree.
pub(crate) fn is_root(directory: &Path) -> bool {
    match Repository::at(directory) {
        Found::Repository(repository) => repository.root.is_some(),
        Found::Broken => true,
        Found::Nothing => false,
    }
}

impl Repository {
    /// The repository that git finds from a directory.
    pub(crate) fn around(directory: &Path) -> Option<Self> {
        // Git goes up from the physical directory.
        let directory = directory.canonicalize().ok()?;
        for above in directory.ancestors() {
            match Self::at(above) {
                Found::Repository(repository) => return Some(repository),
                Found::Nothing => {}
                Found::Broken => return None,
            }
        }
        None
    }

    /// The repository that the variables `GIT_DIR` and `GIT_WORK_TREE` name for a directory.
    pub(crate) fn named(directory: &Path, git: &str, tree: Option<&str>) -> Option<Self> {
        let root = tree.map_or_else(|| directory.to_owned(), |tree| directory.join(tree));
        Self::new(Some(&root), directory.join(git), Files::default())
    }

    /// What is at a directory: a working tree, or a repository itself.
    fn at(root: &Path) -> Found {
        let files = Files::default();
        let dot = root.join(".git");
        match dot.metadata() {
            Ok(found) if found.is_file() => {
                let directory = files.text(&dot).and_then(|text| {
                    Some(root.join(text.strip_prefix("gitdir: ")?.trim_end_matches(['\r', '\n'])))
                });
                match directory.and_then(|directory| Self::new(Some(root), directory, files)) {
                    Some(repository) => Found::Repository(repository),
                    None => Found::Broken,
                }
            }
            found => {
                let is_directory = found.is_ok_and(|found| found.is_dir());
                let tree = is_directory.then(|| Self::new(Some(root), dot, Files::default())).flatten();
                let repository = tree.or_else(|| Self::new(None, root.to_owned(), files));
                repository.map_or(Found::Nothing, Found::Repository)
            }
        }
    }

    /// The repository with this directory, if git takes it for one: it has a `HEAD`, objects and refs.
    fn new(root: Option<&Path>, directory: PathBuf, files: Files) -> Option<Self> {
        if !refs::is_head(&directory.join("HEAD"), &files) {
            return None;
        }
        let common = directory.join("commondir");
        let common = match common.symlink_metadata() {
            Ok(_) => directory.join(files.text(&common)?.trim_end_matches(['\r', '\n'])),
            Err(_) => directory.clone(),
        };
        let has = |name: &str| common.join(name).is_dir();
        let root = root.map(Path::to_owned);
        (has("objects") && has("refs")).then_some(Self { root, directory, common, files })
    }

    /// What its files say.
    pub(crate) fn facts(&self, wanted: Wanted) -> Facts {
        let Some(head) = refs::head(self) else { return Facts::default() };
        let branch = match &head {
            Head::Ref(name) => name.strip_prefix("refs/heads/").map(str::to_owned),
            Head::Detached(_) => None,
        };
        let mut facts = Facts { branch: branch.filter(|_| wanted.branch), ..Facts::default() };
        if let Some(root) = self.root.as_ref().filter(|_| wanted.dirty || wanted.staged) {
            let compared = self.compare(root, &head, wanted);
            (facts.dirty, facts.staged) = compared.unwrap_or_default();
        }
        facts
    }

    /// Whether something is dirty, and whether something is staged.
    fn compare(&self, root: &Path, head: &Head, wanted: Wanted) -> Option<(Option<bool>, Option<bool>)> {
        let commit = refs::commit(self, head)?;
        let path = self.directory.join("index");
        if path.symlink_metadata().is_err() {
            let clean = (commit == Commit::Unborn).then_some(false);
            return Some((clean, clean));
        }
        let written = path.metadata().and_then(|meta| meta.modified()).ok()?;
        let hash = match &commit {
            Commit::Name(name) => name.len() / 2,
            Commit::Unborn => SHA1,
        };
        let index = Index::read(&self.files.bytes(&path)?, hash, wanted.dirty.then_some((root, written)))?;
        let staged = wanted.staged.then(|| self.is_staged(&index, &commit)).flatten();
        Some((index.dirty, staged))
    }

    fn is_staged(&self, index: &Index, commit: &Commit) -> Option<bool> {
        let commit = match commit {
            Commit::Unborn => return Some(index.count > 0),
            Commit::Name(name) => name,
        };
        if index.has_conflict {
            return Some(true);
        }
        match index.tree.as_ref()? {
            Tree::Outdated => Some(true),
            Tree::Written(tree) => Some(object::tree_of(&self.files, &self.common, commit)? != *tree),
        }
    }
}

/// A number of four bytes.
fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(bytes.try_into().ok()?))
}

#[cfg(test)]
mod tests;
