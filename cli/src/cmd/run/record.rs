//! The decision log as the command line has it.

use hookc_runtime::log::{Entry, Log, Redaction};

use super::state;
use crate::args::{Global, Logging};
use crate::out;

/// Writes a line for each, unless the log is disabled. Failures do not change the decision; `-v`
/// reports them.
pub(crate) fn record(global: &Global, args: &Logging, entries: &[Entry<'_>]) {
    let own = || Some(state::folder()?.join("decisions.jsonl"));
    let Some(path) = (!args.no_log).then(|| args.log.clone().or_else(own)).flatten() else { return };
    let written = Log::open(&path).and_then(|log| {
        let redaction = Redaction::new(args.redact.iter().map(String::as_str));
        let log = if args.log_payload { log.with_payload(redaction) } else { log };
        log.write_all(entries)
    });
    if let Err(error) = written
        && global.verbose > 0
    {
        out::say(global, &format!("hookc: {}: {error}", path.display()));
    }
}
