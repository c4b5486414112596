//! The directory of a user's state.

use std::path::PathBuf;

/// `hookc` in the directory of the XDG base directory specification; `None` without a home.
/// `variable` reads the environment.
pub(crate) fn path(variable: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.as_os_str().is_empty());
    let base = set("XDG_STATE_HOME").filter(|path| path.is_absolute());
    Some(base.or_else(|| Some(set("HOME")?.join(".local/state")))?.join("hookc"))
}

/// The state directory of this environment, created if missing.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = path(&|name| std::env::var_os(name).map(PathBuf::from))?;
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder)
}

/// Reports that `HOOKC_DISABLE=1` disables all hooks, if it does.
pub(crate) fn report_disabled() -> bool {
    let is_disabled = hookc_runtime::engine::disabled();
    if is_disabled {
        crate::out::complain("hookc: HOOKC_DISABLE=1: all hooks are disabled");
    }
    is_disabled
}
