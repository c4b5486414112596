//! Commands of handlers: whether what they start is there. `words.rs` says what
//! words stand for.

use std::path::{Path, PathBuf};

use super::call::{self, Compiled};
use super::finding::Findings;
use super::words::{self, Given, Place};
use crate::cmd::install::command::{self, Words};
use crate::cmd::install::{on_path, place};
use crate::files;

/// Words that a shell knows itself; what they start is not looked at.
const SHELL: &str = " [ [[ . : alias break case command continue declare do done echo elif else env eval exec exit \
                     export false fi for function getopts hash if kill local nohup printf pwd read readonly return \
                     select set shift source sudo test then time trap true type ulimit umask unset until wait \
                     while xargs { } ! ";

/// Words that the program stands behind.
const BEFORE: [&str; 6] = ["command", "env", "exec", "nohup", "time", "!"];

/// Looks at a command line; `args` are those of a handler without a shell.
pub(super) fn check(
    line: &str,
    args: Option<Vec<String>>,
    mut place: Place<'_>,
    compiled: &mut Compiled,
    out: &mut Findings,
) {
    let mut line = line.to_owned();
    if let Some(args) = args {
        if is_call(&line, &args) {
            return call::check(&line, &args, false, &place, compiled, out);
        }
        // A shell may be given a line.
        let Some(next) = start(&line, &mut args.iter().map(String::as_str), &place, out) else { return };
        line = next;
    }
    loop {
        let Words { words, open, rest, .. } = command::words(&line);
        if words.is_empty() && rest.is_none() {
            let message = "the command is empty".to_owned();
            return out.dead("empty-command", place.at, message, "write what to start");
        }
        let before = |word: &&String| BEFORE.contains(&word.as_str()) || is_assignment(word);
        let own = words.iter().take_while(before).count();
        let Some((program, given)) = words.get(own..).and_then(<[_]>::split_first) else { return };
        if !open && is_call(program, given) {
            let off = words.iter().take(own).any(|word| word == "HOOKC_DISABLE=1");
            return call::check(program, given, off, &place, compiled, out);
        }
        if let Some(other) = alternative(rest) {
            // Either will do.
            let mut first = Findings::default();
            start(program, &mut given.iter().map(String::as_str), &place, &mut first);
            if first.found.is_empty() {
                return;
            }
            line = other.to_owned();
            continue;
        }
        let mut given = given.iter().map(String::as_str);
        let next = match program.as_str() {
            "cd" => enter(given.find(|word| *word != "--"), rest, &mut place, out),
            program if program.starts_with('-') || SHELL.contains(&format!(" {program} ")) => None,
            program => start(program, &mut given, &place, out),
        };
        let Some(next) = next else { return };
        line = next;
    }
}

/// What runs where a command fails, if that is a program: `|| true` only hides that
/// it did.
fn alternative(rest: Option<&str>) -> Option<&str> {
    let other = rest?.strip_prefix("||")?;
    let Words { words, .. } = command::words(other);
    let program = words.first()?;
    (!SHELL.contains(&format!(" {program} "))).then_some(other)
}

fn is_call(program: &str, words: &[String]) -> bool {
    command::is_hookc(program) || command::is_run(words)
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| words::is_name(name))
}

/// Looks at a program and what it is given: the line, if that is one for a shell.
fn start(
    program: &str,
    words: &mut dyn Iterator<Item = &str>,
    place: &Place<'_>,
    out: &mut Findings,
) -> Option<String> {
    if !started(program, place, out) {
        return None;
    }
    match words::given(program, words) {
        Given::Nothing => None,
        Given::Line(line) => Some(line.to_owned()),
        Given::Script(word) => {
            let path = resolve(word, place, out).filter(|path| !path.is_file())?;
            missing(word, &path, place, out);
            None
        }
    }
}

/// Goes into a folder: the line that follows there.
fn enter(
    folder: Option<&str>,
    rest: Option<&str>,
    place: &mut Place<'_>,
    out: &mut Findings,
) -> Option<String> {
    let (must, next) = match rest?.strip_prefix("&&") {
        Some(next) => (true, next),
        None => (false, rest?.strip_prefix(';')?),
    };
    let path = place.resolve(folder.unwrap_or("~/"));
    if let (Some(path), Some(folder), true) = (path.as_ref().filter(|path| !path.is_dir()), folder, must) {
        let message = format!("the folder `{folder}` is not there");
        out.dead("missing-file", place.at.clone(), message, &format!("looked for at {}", path.display()));
        return None;
    }
    place.folder = path.filter(|path| path.is_dir());
    place.beside.clear();
    place.entered = true;
    Some(next.to_owned())
}

/// The path that a word means; `None` if that cannot be told here, or was told to
/// be none.
fn resolve(word: &str, place: &Place<'_>, out: &mut Findings) -> Option<PathBuf> {
    if place.is_by_project(word) {
        let message = format!("`{word}` is looked for in every project, whichever that is");
        let help = "name it in full: these settings count in all projects";
        out.odd("project-path", place.at.clone(), message, help);
    }
    let path = place.resolve(word);
    let of_plugins = place::variable(word).is_some_and(|(name, _)| name == "CLAUDE_PLUGIN_ROOT");
    if path.is_none() && of_plugins && place.host.is_some_and(|host| host.name == "claude") {
        let message = "`CLAUDE_PLUGIN_ROOT` is set for hooks of plugins alone".to_owned();
        let help = "write `$CLAUDE_PROJECT_DIR`, and the path from there";
        out.dead("unset-variable", place.at.clone(), message, help);
    }
    path
}

/// Whether a program is there, as far as can be seen.
pub(super) fn started(program: &str, place: &Place<'_>, out: &mut Findings) -> bool {
    if !program.contains('/') && !program.starts_with('~') {
        let plain = program.chars().all(|c| c.is_ascii_alphanumeric() || "._+-".contains(c));
        let elsewhere = place.env.iter().any(|(name, _)| name == "PATH");
        let there = !plain || elsewhere || on_path(program).is_some();
        if !there {
            let message = format!("`{program}` is not on PATH");
            out.dead("not-on-path", place.at.clone(), message, "install it, or write its path");
        }
        return there;
    }
    let Some(path) = resolve(program, place, out) else { return true };
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

pub(super) fn missing(written: &str, path: &Path, place: &Place<'_>, out: &mut Findings) {
    let message = format!("the handler `{written}` is not there");
    out.dead("missing-file", place.at.clone(), message, &format!("looked for at {}", path.display()));
}
