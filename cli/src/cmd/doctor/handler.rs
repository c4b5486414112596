//! Commands of handlers: whether what they start is there.

use std::path::Path;

use super::call::{self, Compiled};
use super::finding::Findings;
use crate::cmd::install::command::{self, Words};
use crate::cmd::install::host::Host;
use crate::cmd::install::{on_path, place};
use crate::files;

/// Words that a shell knows itself; what they start is not looked at.
const SHELL: &str = " [ [[ . : alias break case cd command continue declare do done echo elif else env eval exec exit \
                     export false fi for function getopts hash if kill local nohup printf pwd read readonly return \
                     select set shift source sudo test then time trap true type ulimit umask unset until wait \
                     while xargs { } ! ";

/// Programs whose first argument is a script.
const INTERPRETERS: [&str; 14] = [
    "sh", "bash", "zsh", "dash", "fish", "python", "python3", "node", "bun", "ruby", "perl", "php", "tsx",
    "pwsh",
];

/// Words that the program stands behind.
const BEFORE: [&str; 6] = ["command", "env", "exec", "nohup", "time", "!"];

/// Where a handler stands.
pub(super) struct Place<'p> {
    pub(super) host: &'p Host,
    /// The host's event.
    pub(super) event: &'p str,
    /// `file:line:column` of the command.
    pub(super) at: String,
    /// The file.
    pub(super) file: &'p Path,
    /// The folder that relative paths are seen from, the project's; none if the
    /// file counts in every project.
    pub(super) root: Option<&'p Path>,
}

/// Looks at a command line; `args` are those of a handler without a shell.
pub(super) fn check(
    line: &str,
    args: Option<Vec<String>>,
    place: &Place<'_>,
    compiled: &mut Compiled,
    out: &mut Findings,
) {
    let Words { words, open, .. } = match args {
        Some(args) => {
            Words { words: std::iter::once(line.to_owned()).chain(args).collect(), ..Words::default() }
        }
        None => command::words(line),
    };
    let before = |word: &&String| BEFORE.contains(&word.as_str()) || is_assignment(word);
    let start = words.iter().take_while(before).count();
    let Some((program, rest)) = words.get(start..).and_then(<[_]>::split_first) else {
        if words.iter().all(|word| is_assignment(word)) && !open {
            let message = "the command is empty".to_owned();
            out.dead("empty-command", place.at.clone(), message, "write what to start");
        }
        return;
    };
    if !open && (command::is_hookc(program) || command::is_run(rest)) {
        let off = words.iter().take(start).any(|word| word == "HOOKC_DISABLE=1");
        return call::check(program, rest, off, place, compiled, out);
    }
    if SHELL.contains(&format!(" {program} ")) || program.starts_with('-') {
        return;
    }
    if started(program, place, out) && is_interpreter(program) {
        script(rest, place, out);
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| is_name(name))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_interpreter(program: &str) -> bool {
    program.rsplit('/').next().is_some_and(|name| INTERPRETERS.contains(&name))
}

/// Whether a program is there, as far as can be seen.
pub(super) fn started(program: &str, place: &Place<'_>, out: &mut Findings) -> bool {
    if !program.contains('/') && !program.starts_with('~') {
        let plain = program.chars().all(|c| c.is_ascii_alphanumeric() || "._+-".contains(c));
        let there = !plain || on_path(program).is_some();
        if !there {
            let message = format!("`{program}` is not on PATH");
            out.dead("not-on-path", place.at.clone(), message, "install it, or write its path");
        }
        return there;
    }
    in_all_projects(program, place, out);
    let Some(path) = place::resolve(program, place.root) else { return true };
    if !path.is_file() {
        missing(program, &path, place, out);
        return false;
    }
    if !files::runs(&path) {
        let message = format!("the handler `{program}` has no run bit");
        out.dead("not-executable", place.at.clone(), message, &format!("chmod +x {}", path.display()));
        return false;
    }
    true
}

/// Tells of a path that means another file in each project, where it counts in all.
fn in_all_projects(word: &str, place: &Place<'_>, out: &mut Findings) {
    if place.root.is_none() && place::by_project(word) {
        let message = format!("`{word}` is looked for in every project, whichever that is");
        let help = "name it in full: these settings count in all projects";
        out.odd("project-path", place.at.clone(), message, help);
    }
}

fn missing(written: &str, path: &Path, place: &Place<'_>, out: &mut Findings) {
    let message = format!("the handler `{written}` is not there");
    out.dead("missing-file", place.at.clone(), message, &format!("looked for at {}", path.display()));
}

/// The script that an interpreter is given; other than in a file it is not
/// looked for.
fn script(words: &[String], place: &Place<'_>, out: &mut Findings) {
    let Some(word) = words.first().filter(|word| !word.starts_with('-')) else { return };
    let is_file = word.contains('/') || word.rsplit_once('.').is_some_and(|(name, _)| !name.is_empty());
    if is_file {
        in_all_projects(word, place, out);
    }
    let Some(path) = place::resolve(word, place.root).filter(|_| is_file) else { return };
    if !path.is_file() {
        missing(word, &path, place, out);
    }
}
