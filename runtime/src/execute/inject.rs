//! `inject: {file: NOTES.md}`: a file of the project for the model.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::adapter::{PROJECT, TEXT, repositories};
use crate::context::ActionContext;
use crate::outcome::{ActionFailure, Outcome};
use crate::verdict::Verdict;

/// The bytes that are read: agents get at most [`TEXT`] characters, of at most four bytes each.
const BYTES: u64 = 4 * TEXT as u64;

/// The text of a file as context. A file that cannot be read denies nothing: the user reads why.
pub(super) fn file(
    name: &str,
    label: Option<&str>,
    context: &ActionContext<'_>,
) -> Result<Outcome, ActionFailure> {
    let path = project(context).unwrap_or_default().join(name);
    let text = read(&path).map_err(|error| ActionFailure::open(format!("{}: {error}", path.display())))?;
    let text = match label {
        Some(label) => format!("{label}: {text}"),
        None => text,
    };
    Ok(Outcome::from(if text.is_empty() { Verdict::default() } else { Verdict::context(text) }))
}

/// The start of a regular file.
fn read(path: &Path) -> io::Result<String> {
    // Opening a named pipe would wait for somebody who writes to it.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The root of the project: that of the event, or the repository of its directory, or that directory.
fn project(context: &ActionContext<'_>) -> Option<PathBuf> {
    let directory = |member: &str| context.event.text(member).map(|path| PathBuf::from(path.into_owned()));
    let is_absolute = |path: &PathBuf| path.is_absolute();
    directory(PROJECT).filter(is_absolute).or_else(|| {
        let cwd = directory("cwd").filter(is_absolute)?;
        let home = std::env::var_os("HOME").map(PathBuf::from);
        Some(repositories(&cwd, home).next().map_or_else(|| cwd.clone(), Path::to_owned))
    })
}
