//! Which policies the paths of a command line name.

use std::path::{Path, PathBuf};

use hookc_runtime::policies::{self, Unit, Unreadable};

use crate::exit::Failure;

/// The policies that `paths` name: files as they are, of folders all policies
/// in them. The files that were named are one unit; those of a folder are
/// together only where their format has it so.
pub(crate) fn units(paths: &[PathBuf]) -> Result<Vec<Unit>, Failure> {
    let (folders, named): (Vec<&PathBuf>, Vec<&PathBuf>) = paths.iter().partition(|path| path.is_dir());
    let mut units = Vec::new();
    if !named.is_empty() || folders.is_empty() {
        units.push(Unit { dialect: None, paths: named.into_iter().cloned().collect() });
    }
    for folder in folders {
        let found = in_folder(folder)?;
        if found.is_empty() {
            return Err(none(folder));
        }
        units.extend(found);
    }
    Ok(units)
}

/// The policies in a folder, none if there are none.
pub(crate) fn in_folder(folder: &Path) -> Result<Vec<Unit>, Failure> {
    policies::units(folder).map_err(unreadable)
}

/// The files that a layer names: one, or those of a folder.
pub(crate) fn layer(path: PathBuf) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path]);
    }
    let found = policies::layer(&path).map_err(unreadable)?;
    if found.is_empty() { Err(none(&path)) } else { Ok(found) }
}

/// All files of a folder.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    policies::files(folder).map_err(unreadable)
}

fn none(folder: &Path) -> Failure {
    Failure::usage(format!("{}: there is no policy in this folder", folder.display()))
}

fn unreadable(Unreadable { path, error }: Unreadable) -> Failure {
    Failure::file(&path, &error)
}
