//! The decision log as the command line has it.

use hookc_runtime::log::{Entry, Log, Redaction};

use crate::args::{Global, Logging};
use crate::out;
use crate::state;

/// Writes a line for each that `log` hands over, unless the log is disabled. Failures do not
/// change the decision; `-v` reports the first.
pub(crate) fn record(global: &Global, args: &Logging, log: impl FnOnce(&mut dyn FnMut(&Entry<'_>))) {
    let own = || Some(state::folder()?.join("decisions.jsonl"));
    let Some(path) = (!args.no_log).then(|| args.log.clone().or_else(own)).flatten() else { return };
    let mut written = Ok(());
    match Log::open(&path) {
        Ok(file) => {
            let redaction = Redaction::new(args.redact.iter().map(String::as_str));
            let file = if args.log_payload { file.with_payload(redaction) } else { file };
            log(&mut |entry| {
                if written.is_ok() {
                    written = file.write(entry);
                }
            });
        }
        Err(error) => written = Err(error),
    }
    if let Err(error) = written
        && global.verbose > 0
    {
        out::say(global, &format!("hookc: {}: {error}", path.display()));
    }
}
