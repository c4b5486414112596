//! Sessions on disk: a journal of steps, from which a session is resumed.
//!
//! A step that has an effect outside (a tool) is written before it and after it. After the process
//! was killed, each step is therefore known to be done, not started, or started with an unknown
//! result; none is done twice.

mod journal;
mod saved;
mod step;

use std::path::{Path, PathBuf};

pub(crate) use journal::{Journal, StoreError};
pub(crate) use saved::{Saved, SavedFile};
pub(crate) use step::{Child, DirectiveOf, Entry, Kind, Mark, Step};

/// The directory of saved sessions: `--state`, or the one of the user.
pub(crate) fn directory(path: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(path) = path {
        return Ok(path.to_owned());
    }
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = variable("XDG_STATE_HOME").or_else(|| Some(variable("HOME")?.join(".local/state")));
    let state = state.ok_or("neither HOME nor XDG_STATE_HOME is set: name a directory with `--state`")?;
    Ok(state.join("hookc-agent/sessions"))
}
