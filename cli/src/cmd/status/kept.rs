//! The histories that calls keep.

use hookc_runtime::history;
use hookc_runtime::log::rfc3339;
use serde::Serialize;

use crate::cmd::history::directory;
use crate::installed::calls::Call;
use crate::out::plural;

/// The histories of a call.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Kept {
    /// Of how many sessions, agents, projects and users.
    pub(super) histories: usize,
    pub(super) bytes: u64,
    /// When one was written last.
    pub(super) last: Option<String>,
    /// Files that cannot be read, each with the reason.
    pub(super) unreadable: Vec<String>,
}

/// The histories of the user's calls.
#[derive(Debug, Default)]
pub(super) struct Histories(Vec<history::Call>);

impl Histories {
    pub(super) fn read() -> Self {
        Self(directory().and_then(|root| history::calls(&root).ok()).unwrap_or_default())
    }

    /// Those of a call, if it keeps any.
    pub(super) fn kept_for(&self, call: &Call) -> Option<Kept> {
        let is_meant =
            |kept: &&history::Call| kept.agent == call.agent.name && kept.policies == call.policies;
        let files = self.0.iter().find(is_meant)?.files().ok()?;
        let unreadable = files.iter().filter_map(|file| {
            let why = file.partition.as_ref().err()?;
            Some(format!("{}: {why}", file.path.display()))
        });
        Some(Kept {
            histories: files.len(),
            bytes: files.iter().fold(0, |sum, file| sum.saturating_add(file.bytes)),
            last: files.first().and_then(|file| file.modified).map(rfc3339),
            unreadable: unreadable.collect(),
        })
    }
}

impl Kept {
    /// What people need to know.
    pub(super) fn notes(&self, policies: &str, unknown: u64) -> Vec<String> {
        let histories = if self.histories == 1 {
            "1 history".to_owned()
        } else {
            format!("{} histories", self.histories)
        };
        let reads = usize::try_from(unknown).unwrap_or(usize::MAX);
        let unknown = match reads {
            0 => String::new(),
            reads => format!(", unknown at {}", plural(reads, "event")),
        };
        let mut notes = vec![format!("{policies} keeps {histories} in {} bytes{unknown}", self.bytes)];
        let unreadable = self.unreadable.iter();
        notes.extend(unreadable.map(|why| format!("{why}: `hookc history clear` forgets it")));
        notes
    }
}
