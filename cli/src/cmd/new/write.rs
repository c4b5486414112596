//! Writing the files: all of them, and none over another.

use std::fs;
use std::path::Path;

use super::plan::{Plan, Role};
use crate::exit::Failure;
use crate::files;

/// Writes all files; if one cannot be written, none is left.
pub(super) fn all(plan: &Plan) -> Result<(), Failure> {
    if let Some(there) = plan.files().find(|file| fs::symlink_metadata(&file.path).is_ok()) {
        let path = there.path.display();
        return Err(Failure::usage(format!(
            "{path} is there already: nothing was written; choose another `--id`"
        )));
    }
    let mut written: Vec<&Path> = Vec::new();
    for file in plan.files() {
        let done = files::create(&file.path, file.text.as_bytes()).and_then(|()| {
            written.push(&file.path);
            if file.role == Role::Handler { runnable(&file.path) } else { Ok(()) }
        });
        if let Err(failure) = done {
            written.iter().for_each(|path| drop(fs::remove_file(path)));
            return Err(failure);
        }
    }
    Ok(())
}

/// Takes the files away again.
pub(super) fn undo(plan: &Plan) {
    plan.files().for_each(|file| drop(fs::remove_file(&file.path)));
}

/// Whoever may read it may run it.
#[cfg(unix)]
fn runnable(path: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    let set = || {
        let mut permissions = fs::metadata(path)?.permissions();
        let mode = permissions.mode();
        permissions.set_mode(mode | ((mode & 0o444) >> 2));
        fs::set_permissions(path, permissions)
    };
    set().map_err(|error| Failure::file(path, &error))
}

#[cfg(not(unix))]
fn runnable(_: &Path) -> Result<(), Failure> {
    Ok(())
}
