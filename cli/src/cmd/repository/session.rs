//! The state of a session in a file, which every call of the session reads and changes.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use hookc_runtime::open;
use hookc_runtime::turn::{SessionState, exact_object};

use crate::edit::save;

/// Bytes of a state: thousands of abilities with their reasons.
const BYTES: usize = 1 << 20;

/// The state in a file, if one is used. A missing file is a new session.
///
/// # Errors
/// It cannot be read, or is something else: abilities that it disables must not be called.
pub(crate) fn state(path: Option<&Path>, session: &str) -> Result<SessionState, String> {
    let Some(path) = path else { return Ok(SessionState::new(session)) };
    let wrong = |why: &dyn std::fmt::Display| format!("the session file {}: {why}", path.display());
    let Some(text) = read(path).map_err(|why| wrong(&why))? else { return Ok(SessionState::new(session)) };
    let members = exact_object(&text).map_err(|why| wrong(&why))?;
    let state = SessionState::from_json(&members.into()).map_err(|error| wrong(&error))?;
    if state.session != session {
        return Err(wrong(&format!("it is about the session `{}`, not `{session}`", state.session)));
    }
    Ok(state)
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match open::read(path, BYTES) {
        Ok(text) if text.len() > BYTES => Err(format!("it is larger than {BYTES} bytes")),
        Ok(text) => Ok(Some(text)),
        Err(_) if path.is_symlink() && !path.exists() => Err("the symbolic link is broken".to_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// Adds disabled abilities to the state in a file, with those that other calls of the session have
/// added meanwhile.
///
/// # Errors
/// They could not be written; the file is as it was.
pub(crate) fn keep(path: &Path, session: &str, disabled: &BTreeMap<String, String>) -> Result<(), String> {
    let merge = || {
        let _turn = save::turn(path).map_err(|failure| failure.to_string())?;
        let mut state = state(Some(path), session)?;
        for (ability, reason) in disabled {
            state.disabled.entry(ability.clone()).or_insert_with(|| reason.clone());
        }
        let text = format!("{}\n", state.to_json());
        let written = match read(path)? {
            Some(old) => save::replace(path, &old, text.as_bytes()),
            None => save::create(path, text.as_bytes()),
        };
        written.map_err(|failure| failure.to_string())
    };
    merge().map_err(|why| format!("the disabled abilities could not be kept: {why}"))
}
