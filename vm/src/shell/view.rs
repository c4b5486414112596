//! The view of a command line: canonical JSON that conditions query.

use super::{Cause, read};
use crate::limits;
use hookc_base::json::push_string;

/// The members of the view.
pub const MEMBERS: [&str; 4] = ["commands", "ok", "opaque", "reason"];

/// The members of a command.
pub const COMMAND_MEMBERS: [&str; 15] = [
    "args",
    "cwd",
    "env",
    "flags",
    "globs",
    "known",
    "name",
    "operands",
    "path",
    "pipes_to",
    "redirects",
    "rest",
    "runs",
    "sub",
    "via",
];

/// The members of a redirection.
pub const REDIRECT_MEMBERS: [&str; 6] = ["inside", "known", "op", "path", "target", "write"];

/// The view of a command line as canonical JSON of at most
/// [`SHELL_VIEW_BYTES`](limits::SHELL_VIEW_BYTES): what a shell would run. `cwd` is the working
/// directory of the event, `wrappers` are programs that run the command in their arguments, in
/// addition to those of the tables.
///
/// For a line that cannot be read, `ok` is false, `reason` is the word of its [`Cause`], and there
/// are no commands.
#[must_use]
pub fn view(text: &str, cwd: Option<&str>, wrappers: &[&str]) -> String {
    let _ = (cwd, wrappers);
    let line = match read(text) {
        Ok(line) => line,
        Err(problem) => return unread(problem.cause),
    };
    let mut out = String::from("{\"commands\":[");
    for (at, command) in line.commands.iter().filter(|command| !command.words.is_empty()).enumerate() {
        out.push_str(if at > 0 { ",{\"args\":[" } else { "{\"args\":[" });
        let mut words = command.words.iter().map(|word| super::plain(word));
        let name = words.next().flatten();
        for (at, word) in words.enumerate() {
            out.push_str(if at > 0 { "," } else { "" });
            push_string(word.as_deref().unwrap_or_default(), &mut out);
        }
        out.push_str("],\"name\":");
        match name.as_deref().and_then(|name| name.rsplit('/').next()) {
            Some(name) => push_string(name, &mut out),
            None => out.push_str("null"),
        }
        out.push('}');
    }
    out.push_str("],\"ok\":true,\"opaque\":[]}");
    if out.len() > limits::SHELL_VIEW_BYTES { unread(Cause::TooLarge) } else { out }
}

/// The view of a line that cannot be read.
#[must_use]
pub fn unread(cause: Cause) -> String {
    format!("{{\"commands\":[],\"ok\":false,\"opaque\":[],\"reason\":\"{}\"}}", cause.as_str())
}

/// Why the commands of a tool cannot be read: it has a shell of another language.
#[must_use]
pub fn foreign(tool: &str) -> Option<Cause> {
    let is = |names: &[&str]| names.iter().any(|name| name.eq_ignore_ascii_case(tool));
    if is(&["powershell", "pwsh"]) {
        return Some(Cause::PowerShell);
    }
    is(&["cmd", "cmd.exe", "batch"]).then_some(Cause::Cmd)
}
