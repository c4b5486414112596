//! Finds the files to test, from files and directories.

use std::fs;
use std::path::{Path, PathBuf};

use crate::discover;
use crate::exit::Failure;

/// A file to test.
#[derive(Debug)]
pub(super) struct TestFile {
    pub(super) path: PathBuf,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A test file.
    Suite,
    /// A policy that was named.
    Policy,
    /// A file of a directory that may be a policy.
    MaybePolicy,
}

/// The files of `paths`, each once; directories recursively and sorted by name. Symbolic links to
/// directories are not followed.
pub(super) fn gather(paths: &[PathBuf]) -> Result<Vec<TestFile>, Failure> {
    let mut found: Vec<TestFile> = Vec::new();
    for path in paths {
        let meta = fs::metadata(path).map_err(|error| Failure::io(path, &error))?;
        if meta.is_dir() {
            found.extend(folder(path)?);
        } else {
            let kind = if is_suite(path) { Kind::Suite } else { Kind::Policy };
            found.push(TestFile { path: path.clone(), kind });
        }
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|file| seen.insert(fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone())));
    Ok(found)
}

/// Whether a file has the name of a test file: `*.test.yaml`, `*.test.yml`.
fn is_suite(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    name.ends_with(".test.yaml") || name.ends_with(".test.yml")
}

fn folder(root: &Path) -> Result<Vec<TestFile>, Failure> {
    Ok(discover::files(root)?.into_iter().filter_map(file).collect())
}

/// A file of a directory whose name may be that of a test file or a policy.
fn file(path: PathBuf) -> Option<TestFile> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let kind = match extension.as_str() {
        _ if is_suite(&path) => Kind::Suite,
        "yaml" | "yml" | "json" | "xml" | "md" | "markdown" => Kind::MaybePolicy,
        _ => return None,
    };
    Some(TestFile { path, kind })
}
