//! The files of a directory.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{OnUnreadable, SkipReason, Skipped, Unreadable};

/// Directories with other programs' files.
const SKIPPED: [&str; 2] = [".git", "node_modules"];
/// A directory with this file contains generated files (bford.info/cachedir); any other directory
/// named `target` can contain anything.
const CACHE: &str = "CACHEDIR.TAG";

/// All files of a directory tree, by path. Symbolic links to directories outside the tree are
/// followed. Paths that are neither file nor directory, such as broken links, are listed too:
/// reading them reports the error. `.git`, `node_modules` and caches are skipped.
///
/// # Errors
/// A directory that cannot be read.
pub fn files(root: &Path) -> Result<Vec<PathBuf>, Unreadable> {
    walk(root, &mut Vec::new(), &mut Err)
}

/// Like `files`; `skipped` receives skipped directories, `on_unreadable` every unreadable one, and its error
/// ends the walk.
pub(super) fn walk(
    root: &Path,
    skipped: &mut Vec<Skipped>,
    on_unreadable: &mut OnUnreadable<'_>,
) -> Result<Vec<PathBuf>, Unreadable> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let (mut folders, mut links) = (vec![root.to_path_buf()], BTreeSet::new());
    // Links come last, so that a file in the directory itself keeps its own path.
    while let Some(folder) = folders.pop().or_else(|| links.pop_first()) {
        let listed = match entries(&folder, root, &mut seen, skipped) {
            Ok(listed) => listed,
            Err(error) => {
                on_unreadable(Unreadable { path: folder, error })?;
                continue;
            }
        };
        for (path, kind) in listed {
            if kind.is_dir() {
                folders.push(path);
            } else if !path.is_dir() {
                found.push(path);
            } else if !leads_up(&path, root) {
                links.insert(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The content of a directory; empty if it was already visited, or is skipped.
fn entries(
    folder: &Path,
    root: &Path,
    seen: &mut BTreeSet<PathBuf>,
    left_out: &mut Vec<Skipped>,
) -> io::Result<Vec<(PathBuf, fs::FileType)>> {
    let real = folder.canonicalize()?;
    if skipped(&real) && folder != root {
        left_out.push(Skipped { path: folder.to_owned(), why: SkipReason::Folder });
        return Ok(Vec::new());
    }
    if !seen.insert(real) {
        return Ok(Vec::new());
    }
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        let path = entry.path();
        let path = path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path);
        Ok((path, entry.file_type()?))
    };
    fs::read_dir(folder)?.map(entry).collect()
}

/// Whether a link points to its own directory, or to a parent.
fn leads_up(link: &Path, root: &Path) -> bool {
    matches!((link.canonicalize(), root.canonicalize()), (Ok(link), Ok(root)) if root.starts_with(&link))
}

fn skipped(path: &Path) -> bool {
    path.file_name().is_some_and(|name| SKIPPED.iter().any(|skipped| name == *skipped))
        || path.join(CACHE).is_file()
}
