//! The files of a directory.

use std::path::{Path, PathBuf};

/// Files and directories that a search visits.
const VISITED: usize = 200_000;

/// The files of a directory and those below it, by path, without `.git`; links are not followed.
/// Whether there are more than a search visits.
pub(super) fn files(root: &Path) -> Result<(Vec<PathBuf>, bool), String> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    let mut visited = 0_usize;
    while let Some(directory) = open.pop() {
        let entries = match std::fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) if directory == root => {
                return Err(format!("cannot read {}: {error}", root.display()));
            }
            // A directory below that cannot be read has no files for this search.
            Err(_) => continue,
        };
        for entry in entries.flatten() {
            visited += 1;
            if visited > VISITED {
                found.sort();
                return Ok((found, true));
            }
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && entry.file_name() != ".git" => open.push(entry.path()),
                Ok(kind) if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found.sort();
    Ok((found, false))
}
