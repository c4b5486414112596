//! Where a user's state is kept.

use std::path::PathBuf;

/// `hookc` in the folder that the XDG base directory specification names,
/// made if it is not there; `None` without a home.
pub(super) fn folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let folder = base.or_else(|| Some(set("HOME")?.join(".local/state")))?.join("hookc");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder)
}
