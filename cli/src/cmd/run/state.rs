//! Where a user's state is kept.

use std::path::PathBuf;

/// `hookc` in the folder that the XDG base directory specification names; `None`
/// without a home. `variable` is what the environment has.
pub(crate) fn path(variable: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.as_os_str().is_empty());
    let base = set("XDG_STATE_HOME").filter(|path| path.is_absolute());
    Some(base.or_else(|| Some(set("HOME")?.join(".local/state")))?.join("hookc"))
}

/// The same in this environment, made if it is not there.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = path(&|name| std::env::var_os(name).map(PathBuf::from))?;
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder)
}
