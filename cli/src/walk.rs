//! The files of a folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// Folders that hold other people's files, or none of anybody's.
const SKIPPED: [&str; 3] = [".git", "node_modules", "target"];

/// All files of a folder and the folders in it, by path. Links to folders are
/// followed where they lead to a folder that is not among these anyway.
pub(crate) fn folder(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let (mut folders, mut links) = (vec![root.to_path_buf()], BTreeSet::new());
    // Links come last: what lies in the folder itself is called by its own path.
    while let Some(folder) = folders.pop().or_else(|| links.pop_first()) {
        let real = folder.canonicalize().map_err(|error| Failure::file(&folder, &error))?;
        if skipped(&real) && folder != root || !seen.insert(real) {
            continue;
        }
        let read = |error| Failure::file(&folder, &error);
        for entry in fs::read_dir(&folder).map_err(read)? {
            let entry = entry.map_err(read)?;
            let kind = entry.file_type().map_err(read)?;
            let path = entry.path();
            let path = path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path);
            if path.is_file() {
                found.push(path);
            } else if kind.is_dir() && !skipped(&path) {
                folders.push(path);
            } else if path.is_dir() && !skipped(&path) && !leads_up(&path, root) {
                links.insert(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a link leads to the folder that it was found from, or to one above.
fn leads_up(link: &Path, root: &Path) -> bool {
    matches!((link.canonicalize(), root.canonicalize()), (Ok(link), Ok(root)) if root.starts_with(&link))
}

fn skipped(path: &Path) -> bool {
    path.file_name().is_some_and(|name| SKIPPED.iter().any(|skipped| name == *skipped))
}
