//! Writing the files: all of them, and none over another.

use std::fs;
use std::path::{Path, PathBuf};

use super::plan::{Placement, Plan, Role};
use crate::edit::save;
use crate::exit::Failure;
use crate::inside;

/// Writes all files or none. Returns the backup of a changed file.
pub(super) fn all(plan: &Plan) -> Result<Option<PathBuf>, Failure> {
    if let Some(there) = plan.files().find(|file| fs::symlink_metadata(&file.path).is_ok()) {
        let path = there.path.display();
        return Err(Failure::usage(format!(
            "{path} already exists: nothing was written; choose another `--id`"
        )));
    }
    let mut written: Vec<&Path> = Vec::new();
    let mut create = || -> Result<Option<PathBuf>, Failure> {
        for file in plan.files() {
            save::create(&file.path, file.text.as_bytes())?;
            written.push(&file.path);
            if file.role == Role::Handler {
                runnable(&file.path)?;
            }
        }
        match &plan.placement {
            Placement::Into(old) => inside::check(&plan.policy.path)
                .map_err(|error| Failure::file(&plan.policy.path, &error))
                .and_then(|()| save::change(&plan.policy.path, Some(old), &plan.policy.text)),
            _ => Ok(None),
        }
    };
    create().inspect_err(|_| written.iter().for_each(|path| drop(fs::remove_file(path))))
}

/// Removes the files again.
pub(super) fn undo(plan: &Plan) {
    plan.files().for_each(|file| drop(fs::remove_file(&file.path)));
    if let Placement::Into(old) = &plan.placement {
        let _ = save::replace(&plan.policy.path, plan.policy.text.as_bytes(), old.as_bytes());
    }
}

/// Everyone who can read it can execute it.
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
