//! The files of a folder.

use std::fs;
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// Folders that hold other people's files, or none of anybody's.
const SKIPPED: [&str; 3] = [".git", "node_modules", "target"];

/// All files of a folder and the folders in it, by path. Links to folders are
/// not followed.
pub(crate) fn folder(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let read = |error| Failure::file(&folder, &error);
        for entry in fs::read_dir(&folder).map_err(read)? {
            let entry = entry.map_err(read)?;
            let kind = entry.file_type().map_err(read)?;
            let path = entry.path();
            let path = path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path);
            if kind.is_dir() && !skipped(&path) {
                folders.push(path);
            } else if !kind.is_dir() && path.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn skipped(path: &Path) -> bool {
    path.file_name().is_some_and(|name| SKIPPED.iter().any(|skipped| name == *skipped))
}
