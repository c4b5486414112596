//! Why the program ends without a result.

use std::fmt;
use std::io::Write;
use std::path::Path;

use hookc_runtime::log::Log;

/// The status of a session that ended with an error.
pub(crate) const FAILED: u8 = 1;
/// The status of wrong usage, and of a policy or a state that cannot be read.
pub(crate) const USAGE: u8 = 2;
/// The status of a session that waits for an answer or a resumption.
pub(crate) const WAITING: u8 = 3;

/// There is no default model.
pub(crate) const NO_MODEL: &str = "no model: name one with `--model`, such as `anthropic:NAME`";

/// Why the program ends without a result.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: u8,
    pub(crate) message: String,
}

impl Failure {
    /// Wrong usage, or an input that cannot be read.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { code: USAGE, message: message.into() }
    }

    /// Something failed while the session ran.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self { code: FAILED, message: message.into() }
    }

    /// Writes it to standard error; returns the exit status.
    pub(crate) fn report(&self) -> u8 {
        complain(&self.message);
        self.code
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Opens the decision log, if one is named.
///
/// # Errors
/// It cannot be written.
pub(crate) fn open_log(path: Option<&Path>) -> Result<Option<Log>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let failed = |error| Failure::usage(format!("{}: {error}", path.display()));
    Log::open(path).map(Some).map_err(failed)
}

/// Writes a message for the user to standard error.
pub(crate) fn complain(message: &str) {
    let text = hookc_schema::terminal::escape_block(message);
    let _ = writeln!(std::io::stderr().lock(), "hookc-agent: {text}");
}
