//! When calls were installed: `install` writes a line per call to `installed.jsonl`, next to the
//! default decision log.

use std::io::Write;
use std::path::Path;
use std::time::SystemTime;

use hookc_runtime::log::rfc3339;
use hookc_runtime::open;
use serde::{Deserialize, Serialize};

use super::calls::{self, Call};
use super::target::Target;
use crate::state;

/// Most bytes that are read: a line is some hundred.
const BYTES: usize = 16 << 20;
const NAME: &str = "installed.jsonl";

#[derive(Debug, Deserialize, Serialize)]
struct Record {
    time: String,
    settings: String,
    host: String,
    event: String,
    policies: Vec<String>,
}

/// A recorded installation.
#[derive(Debug, Default)]
pub(crate) struct Records(Vec<Record>);

impl Records {
    /// When a call was last written; `None` if not recorded.
    pub(crate) fn time(&self, call: &Call) -> Option<&str> {
        let settings = calls::name(&call.file);
        let same = |record: &&Record| {
            record.settings == settings
                && record.host == call.agent.name
                && record.event == call.event
                && record.policies == call.policies
        };
        self.0.iter().rev().find(same).map(|record| record.time.as_str())
    }
}

/// Reads the records, skipping unreadable lines.
pub(crate) fn read() -> Records {
    let path = state::path(&|name| std::env::var_os(name).map(Into::into)).map(|folder| folder.join(NAME));
    let bytes = path.and_then(|path| open::read(&path, BYTES).ok()).unwrap_or_default();
    let lines = bytes.split(|byte| *byte == b'\n');
    Records(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

/// Records the calls that are new in the text of a settings file. Failures are ignored: `status`
/// then knows no time.
pub(crate) fn keep(agent: Target, file: &Path, root: Option<&Path>, old: &str, new: &str) {
    let calls_in = |text: &str| calls::of_text(agent, "", file, root, text).unwrap_or_default();
    let before = calls_in(old);
    let is_new =
        |call: &Call| !before.iter().any(|old| old.event == call.event && old.policies == call.policies);
    let record = |call: Call| Record {
        time: rfc3339(SystemTime::now()),
        settings: calls::name(file),
        host: agent.name.clone(),
        event: call.event,
        policies: call.policies,
    };
    let new = calls_in(new).into_iter().filter(is_new).map(record);
    let lines = new.filter_map(|record| serde_json::to_string(&record).ok()).map(|line| line + "\n");
    let lines: String = lines.collect();
    if let Some(folder) = state::folder().filter(|_| !lines.is_empty()) {
        let _ = open::to_append(&folder.join(NAME)).and_then(|mut file| file.write_all(lines.as_bytes()));
    }
}
