//! The files of a folder.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{SkipReason, Skipped, Told, Unreadable};

/// Folders that hold other people's files.
const SKIPPED: [&str; 2] = [".git", "node_modules"];
/// In a folder with this file lies what programs make for themselves
/// (bford.info/cachedir); what else is called `target` may be anybody's.
const CACHE: &str = "CACHEDIR.TAG";

/// All files of a folder and of the folders in it, by path. Links to folders
/// are followed where they lead to a folder that is not among these anyway. What
/// is neither file nor folder, such as a link that leads nowhere, is listed too:
/// whoever reads it will be told. `.git`, `node_modules` and caches are left out.
///
/// # Errors
/// A folder that cannot be read.
pub fn files(root: &Path) -> Result<Vec<PathBuf>, Unreadable> {
    walk(root, &mut Vec::new(), &mut Err)
}

/// The same; `skipped` gets the folders that are left out, `told` hears of each that
/// cannot be read, and its error ends the walk.
pub(super) fn walk(
    root: &Path,
    skipped: &mut Vec<Skipped>,
    told: &mut Told<'_>,
) -> Result<Vec<PathBuf>, Unreadable> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let (mut folders, mut links) = (vec![root.to_path_buf()], BTreeSet::new());
    // Links come last: what lies in the folder itself is called by its own path.
    while let Some(folder) = folders.pop().or_else(|| links.pop_first()) {
        let own = match entries(&folder, root, &mut seen, skipped) {
            Ok(own) => own,
            Err(error) => {
                told(Unreadable { path: folder, error })?;
                continue;
            }
        };
        for (path, kind) in own {
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

/// What lies in a folder; nothing if that was seen, or is left out.
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

/// Whether a link leads to the folder that it was found from, or to one above.
fn leads_up(link: &Path, root: &Path) -> bool {
    matches!((link.canonicalize(), root.canonicalize()), (Ok(link), Ok(root)) if root.starts_with(&link))
}

fn skipped(path: &Path) -> bool {
    path.file_name().is_some_and(|name| SKIPPED.iter().any(|skipped| name == *skipped))
        || path.join(CACHE).is_file()
}
