//! The decision log as the command line has it.

use std::path::PathBuf;

use hookc_compiler::disasm;
use hookc_runtime::log::{Entry, Log, Redaction};
use hookc_vm::Module;

use crate::args::{Global, Logging};
use crate::{load, out, state};

/// The path of the decision log; `None` if it is disabled.
pub(crate) fn path(args: &Logging) -> Option<PathBuf> {
    let default_path = || Some(state::folder()?.join("decisions.jsonl"));
    if args.no_log { None } else { args.log.clone().or_else(default_path) }
}

/// Writes a line for each that `log` hands over, unless the log is disabled. Failures do not
/// change the decision; `-v` reports the first.
pub(crate) fn record(global: &Global, args: &Logging, log: impl FnOnce(&mut dyn FnMut(&Entry<'_>))) {
    let Some(path) = path(args) else { return };
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

/// Reports a text that the history would keep although it is not to be in the log. This verifies the whole module.
pub(super) fn no_conflict(module: &Module, redacted: &[String]) -> Result<(), String> {
    if redacted.is_empty() || !module.keeps_texts() {
        return Ok(());
    }
    let tables = load::tables(module).map_err(|failure| failure.to_string())?;
    let redaction = Redaction::new(redacted.iter().map(String::as_str));
    match disasm::kept_paths(&tables).into_iter().find(|path| redaction.hides(path)) {
        Some(path) => {
            Err(format!("`keep` of a fact lists `{path}`, which `--redact` names: remove one of them"))
        }
        None => Ok(()),
    }
}
