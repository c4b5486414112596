//! How a handler ended, as a result: by its status, by its output, and what is remarked about it.

use crate::agent;
use crate::json;
use crate::outcome::{ActionFailure, Outcome};
use crate::process::{Ended, Status};

/// A handler by its exit status: every status except 0 is a failure, and so is a denial on its output, which nothing
/// reads.
pub(crate) fn by_status(ended: &Ended) -> Result<Outcome, ActionFailure> {
    match ended.status {
        Status::Exited(0) if agent::lost(ended) == Some(agent::Lost::Denial) => {
            Err(ActionFailure::closed("it prints a denial, which is not read with `result: status`"))
        }
        Status::Exited(0) => Ok(Outcome::nothing()),
        _ => Err(ActionFailure::closed(with_stderr(ended))),
    }
}

/// How a handler ended, and what it printed to standard error.
pub(crate) fn with_stderr(ended: &Ended) -> String {
    let (status, stderr) = (ended.status, ended.stderr.text.trim());
    if stderr.is_empty() { status.to_string() } else { format!("{status}: {stderr}") }
}

/// A JSON value on standard output, whose shape the caller checks; no output is `null`. A duplicate
/// key could hide a denial.
pub(crate) fn by_output(ended: &Ended) -> Result<Outcome, ActionFailure> {
    if !ended.status.success() {
        return Err(ActionFailure::closed(with_stderr(ended)));
    }
    if ended.stdout.dropped > 0 {
        return Err(ActionFailure::closed("its output is larger than the limit"));
    }
    let text = ended.stdout.text.trim();
    if text.is_empty() {
        return Ok(Outcome::nothing());
    }
    json::unique(text).map(Outcome::Value).map_err(ActionFailure::closed)
}

/// Messages about a handler that answered.
pub(crate) fn remarks(ended: &Ended) -> Vec<String> {
    let mut names = Vec::new();
    for (name, output) in [("standard output", &ended.stdout), ("standard error", &ended.stderr)] {
        names.extend(output.remark().map(|remark| format!("{name}: {remark}")));
    }
    if ended.left_behind {
        names.push("it left processes running that kept its outputs open".to_owned());
    }
    names
}
