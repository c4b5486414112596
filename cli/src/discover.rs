//! Which policies the paths of a command line name.

use std::path::{Path, PathBuf};

use hookc_runtime::policies::{self, Skipped, Unit, Unreadable};

use crate::exit::Failure;

/// What the paths of a command line name.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The policies. The files that were named are one unit; those of a folder are
    /// together only where their format has it so.
    pub(crate) units: Vec<Unit>,
    /// Files of folders that look like policies and fit no dialect, and why.
    pub(crate) suspects: Vec<(PathBuf, &'static str)>,
    /// Files and folders of folders that were left out.
    pub(crate) skipped: Vec<Skipped>,
    /// How many files there are in the folders.
    pub(crate) files: usize,
}

/// The policies that `paths` name: files as they are, of folders all policies
/// in them.
pub(crate) fn search(paths: &[PathBuf]) -> Result<Found, Failure> {
    let (folders, named): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(|path| path.is_dir());
    let mut all = Found::default();
    if !named.is_empty() || folders.is_empty() {
        all.units.push(Unit { dialect: None, paths: named.into_iter().cloned().collect() });
    }
    for folder in folders {
        let found = policies::search(folder).map_err(unreadable)?;
        if found.units.is_empty() && found.suspects.is_empty() {
            return Err(none(folder, &found.skipped));
        }
        all.units.extend(found.units);
        all.suspects.extend(found.suspects);
        all.files += found.files.len();
        all.skipped.extend(found.skipped);
    }
    Ok(all)
}

/// The files that a layer names: one, or those of a folder.
pub(crate) fn layer(path: PathBuf) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path]);
    }
    let found = policies::layer(&path).map_err(unreadable)?;
    if found.is_empty() { Err(none(&path, &[])) } else { Ok(found) }
}

/// All files of a folder.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    policies::files(folder).map_err(unreadable)
}

fn none(folder: &Path, skipped: &[Skipped]) -> Failure {
    let files = match skipped.len() {
        0 => String::new(),
        1 => " (1 file was skipped)".to_owned(),
        count => format!(" ({count} files were skipped)"),
    };
    Failure::usage(format!("{}: there is no policy in this folder{files}", folder.display()))
}

fn unreadable(Unreadable { path, error }: Unreadable) -> Failure {
    Failure::file(&path, &error)
}
