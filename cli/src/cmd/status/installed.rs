//! Since when calls are installed: `install` keeps a line for each that it writes, in
//! `installed.jsonl` beside the default decision log.

use std::io::Write;
use std::path::Path;
use std::time::SystemTime;

use hookc_runtime::log::rfc3339;
use hookc_runtime::open;
use serde::{Deserialize, Serialize};

use super::calls::{self, Call};
use crate::cmd::install::host::Host;
use crate::cmd::run::state;

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

/// What is kept.
#[derive(Debug, Default)]
pub(crate) struct Records(Vec<Record>);

impl Records {
    /// When a call was written last; none if that was not kept.
    pub(crate) fn time(&self, call: &Call) -> Option<&str> {
        let settings = calls::name(&call.file);
        let same = |record: &&Record| {
            record.settings == settings
                && record.host == call.host.name
                && record.event == call.event
                && record.policies == call.policies
        };
        self.0.iter().rev().find(same).map(|record| record.time.as_str())
    }
}

/// Reads what is kept, and skips lines that cannot be read.
pub(crate) fn read() -> Records {
    let path = state::path(&|name| std::env::var_os(name).map(Into::into)).map(|folder| folder.join(NAME));
    let bytes = path.and_then(|path| open::read(&path, BYTES).ok()).unwrap_or_default();
    let lines = bytes.split(|byte| *byte == b'\n');
    Records(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

/// Keeps the calls of a settings file that its text has now, and had not before. What
/// goes wrong here changes nothing: `status` then knows of no time.
pub(crate) fn keep(host: &'static Host, file: &Path, root: Option<&Path>, old: &str, new: &str) {
    let all = |text: &str| calls::of_text(host, "", file, root, text).unwrap_or_default();
    let before = all(old);
    let is_new =
        |call: &Call| !before.iter().any(|old| old.event == call.event && old.policies == call.policies);
    let record = |call: Call| Record {
        time: rfc3339(SystemTime::now()),
        settings: calls::name(file),
        host: host.name.to_owned(),
        event: call.event,
        policies: call.policies,
    };
    let new = all(new).into_iter().filter(is_new).map(record);
    let lines = new.filter_map(|record| serde_json::to_string(&record).ok()).map(|line| line + "\n");
    let lines: String = lines.collect();
    if let Some(folder) = state::folder().filter(|_| !lines.is_empty()) {
        let _ = open::to_append(&folder.join(NAME)).and_then(|mut file| file.write_all(lines.as_bytes()));
    }
}
