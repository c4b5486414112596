//! Which policies the paths of a command line name.

use std::path::{Path, PathBuf};

use hookc_runtime::policies::{self, Skipped, Unit, Unreadable};

use crate::exit::Failure;
use crate::files::Texts;

/// Resolves the paths of a command line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// The policies. Named files form one unit; files of a directory are linked only where their
    /// format says so.
    pub(crate) units: Vec<Unit>,
    /// Files in directories that look like policies but match no dialect, and why.
    pub(crate) suspects: Vec<(PathBuf, &'static str)>,
    /// Skipped files and directories.
    pub(crate) skipped: Vec<Skipped>,
    /// The number of files in the directories.
    pub(crate) files: usize,
}

/// The policies that `paths` name: files directly, and all policies in directories, whose contents
/// `texts` receives.
pub(crate) fn search(paths: &[PathBuf], texts: &mut Texts) -> Result<Found, Failure> {
    texts.named.add(paths);
    let (folders, named): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(|path| path.is_dir());
    let mut result = Found::default();
    if !named.is_empty() || folders.is_empty() {
        result.units.push(Unit::new(named.into_iter().cloned().collect()));
    }
    for folder in folders {
        let found = policies::search(folder, &mut |path| texts.known(path)).map_err(unreadable)?;
        if found.units.is_empty() && found.suspects.is_empty() {
            return Err(none(folder, &found.skipped));
        }
        result.units.extend(found.units);
        result.suspects.extend(found.suspects);
        result.files += found.files.len();
        result.skipped.extend(found.skipped);
        texts.add(found.contents);
    }
    Ok(result)
}

/// The files of a layer: one file, or those of a directory, whose contents `texts` receives.
pub(crate) fn layer(path: PathBuf, texts: &mut Texts) -> Result<Vec<PathBuf>, Failure> {
    texts.named.add([&path]);
    if !path.is_dir() {
        return Ok(vec![path]);
    }
    let found = policies::layer(&path).map_err(unreadable)?;
    if found.is_empty() {
        return Err(none(&path, &[]));
    }
    let paths = found.keys().cloned().collect();
    texts.add(found);
    Ok(paths)
}

/// All files of a directory.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    policies::files(folder).map_err(unreadable)
}

fn none(folder: &Path, skipped: &[Skipped]) -> Failure {
    let files = match skipped.len() {
        0 => String::new(),
        1 => " (1 file was skipped)".to_owned(),
        count => format!(" ({count} files were skipped)"),
    };
    Failure::usage(format!("{}: no policy in this directory{files}", folder.display()))
}

fn unreadable(Unreadable { path, error, .. }: Unreadable) -> Failure {
    Failure::file(&path, &error)
}
