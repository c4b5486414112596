//! `inject: {file: NOTES.md}`: a file of the project for the model.

use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::adapter::{PROJECT, TEXT};
use crate::context::ActionContext;
use crate::open::regular;
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
    let project = project(context).unwrap_or_else(|| PathBuf::from("."));
    let failed = |error| ActionFailure::open(format!("{}: {error}", project.join(name).display()));
    let text = read(&project, name).map_err(failed)?;
    let text = match label {
        Some(label) => format!("{label}: {text}"),
        None => text,
    };
    Ok(Outcome::from(if text.is_empty() { Verdict::default() } else { Verdict::context(text) }))
}

/// The start of a regular file of a project. What a project contains may be a link to a secret of the user.
fn read(project: &Path, name: &str) -> io::Result<String> {
    let path = project.join(name).canonicalize()?;
    if !path.starts_with(project.canonicalize()?) {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "it is outside of the project"));
    }
    let mut bytes = Vec::new();
    regular(&path)?.take(BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The root of the project: that of the event, else what the host knows, else the directory of the event.
fn project(context: &ActionContext<'_>) -> Option<PathBuf> {
    let directory = |member: &str| {
        let path = context.event.text(member).map(|path| PathBuf::from(path.into_owned()));
        path.filter(|path| path.is_absolute())
    };
    directory(PROJECT).or_else(|| context.host.project(context.event)).or_else(|| directory("cwd"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_files_of_the_project_are_read() {
        let directory = tempfile::tempdir().unwrap();
        let (project, secret) = (directory.path().join("p"), directory.path().join("secret"));
        std::fs::create_dir_all(project.join("a")).unwrap();
        std::fs::write(&secret, "key").unwrap();
        std::fs::write(project.join("a/NOTES.md"), "notes").unwrap();
        symlink(&secret, project.join("outside")).unwrap();
        symlink("a/NOTES.md", project.join("inside")).unwrap();
        symlink(directory.path(), project.join("folder")).unwrap();
        for name in ["a/NOTES.md", "inside", "a/../inside"] {
            assert_eq!(read(&project, name).unwrap(), "notes", "{name}");
        }
        for name in ["outside", "folder/secret", "../secret", secret.to_str().unwrap()] {
            assert_eq!(read(&project, name).unwrap_err().kind(), ErrorKind::PermissionDenied, "{name}");
        }
        // The project itself may be reached by a link.
        symlink(&project, directory.path().join("link")).unwrap();
        assert_eq!(read(&directory.path().join("link"), "a/NOTES.md").unwrap(), "notes");
        assert!(read(&project, "a").is_err());
    }
}
