//! The scripts of agents that run one for each event: an executable file with the name of the event, in a directory.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::command;
use super::target::Target;

/// The scripts of an agent in a directory that are there.
pub(crate) fn files(agent: Target, folder: &Path) -> Vec<PathBuf> {
    let files = agent.event_names().map(|event| folder.join(event));
    files.filter(|file| file.symlink_metadata().is_ok()).collect()
}

/// The call of a script: its last line that is not a comment.
fn line(text: &str) -> Option<&str> {
    text.lines().map(str::trim).rfind(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The settings that would make the call of a script.
pub(crate) fn as_settings(file: &Path, text: &str) -> String {
    let event = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    json!({"hooks": {event: [{"command": line(text).unwrap_or_default()}]}}).to_string()
}

/// Whether a script is the one of a call of `hookc run` for the agent.
pub(crate) fn is_ours(agent: Target, text: &str) -> bool {
    line(text).and_then(command::ours).is_some_and(|ours| ours.host == agent.name)
}
