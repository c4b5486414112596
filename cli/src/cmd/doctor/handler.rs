//! Commands of handlers: whether what they start is there. `words.rs` says what
//! words stand for.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::PathBuf;

use super::finding::Findings;
use super::words::{self, Given, Place};
use crate::args;
use crate::cmd::install::command::{self, Ours, Words};
use crate::cmd::install::{hooked, on_path};
use crate::{files, load};

/// Words that a shell knows itself; what they start is not looked at.
const SHELL: &str = " [ [[ . : alias break case command continue declare do done echo elif else env eval exec exit \
                     export false fi for function getopts hash if kill local nohup printf pwd read readonly return \
                     select set shift source sudo test then time trap true type ulimit umask unset until wait \
                     while xargs { } ! ";

/// Policies that were compiled: the events that they have hooks for, or why
/// there are none.
pub(super) type Compiled = BTreeMap<Vec<PathBuf>, Result<BTreeSet<String>, String>>;

/// Looks at a command line; `args` are those of a handler without a shell.
pub(super) fn check(
    line: &str,
    args: Option<Vec<String>>,
    mut place: Place<'_>,
    compiled: &mut Compiled,
    out: &mut Findings,
) {
    if let Some(args) = args {
        start(line, &mut args.iter().map(String::as_str), &place, out);
        return;
    }
    let mut line = line.to_owned();
    loop {
        if let Some(ours) = command::ours(&line) {
            return call(&ours, &place, compiled, out);
        }
        let Words { words, rest } = command::words(&line);
        if words.is_empty() && rest.is_none() {
            let message = "the command is empty".to_owned();
            return out.dead("empty-command", place.at, message, "write what to start");
        }
        let assigned = |word: &&str| word.split_once('=').is_some_and(|(name, _)| words::is_name(name));
        let mut words = words.iter().map(String::as_str).skip_while(assigned);
        let next = match words.next() {
            None => None,
            Some("cd") => enter(words.find(|word| *word != "--"), rest, &mut place, out),
            Some(program) if SHELL.contains(&format!(" {program} ")) => None,
            Some(program) => start(program, &mut words, &place, out),
        };
        let Some(next) = next else { return };
        line = next;
    }
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
    Some(next.to_owned())
}

/// The path that a word means; `None` if that cannot be told here, or was told to
/// be none.
fn resolve(word: &str, place: &Place<'_>, out: &mut Findings) -> Option<PathBuf> {
    let path = place.resolve(word);
    let of_plugins = words::variable(word).is_some_and(|(name, _)| name == "CLAUDE_PLUGIN_ROOT");
    if path.is_none() && of_plugins && place.host.name == "claude" {
        let message = "`CLAUDE_PLUGIN_ROOT` is set for hooks of plugins alone".to_owned();
        let help = "write `$CLAUDE_PROJECT_DIR`, and the path from there";
        out.dead("unset-variable", place.at.clone(), message, help);
    }
    path
}

/// Whether a program is there, as far as can be seen.
fn started(program: &str, place: &Place<'_>, out: &mut Findings) -> bool {
    if !program.contains('/') && !program.starts_with('~') {
        let plain = program.chars().all(|c| c.is_ascii_alphanumeric() || "._+-".contains(c));
        let there = !plain || on_path(program).is_some();
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

fn missing(written: &str, path: &std::path::Path, place: &Place<'_>, out: &mut Findings) {
    let message = format!("the handler `{written}` is not there");
    out.dead("missing-file", place.at.clone(), message, &format!("looked for at {}", path.display()));
}

/// A call of `hookc run`.
fn call(ours: &Ours, place: &Place<'_>, compiled: &mut Compiled, out: &mut Findings) {
    if ours.program != "hookc" && ours.program != "hookc.exe" {
        started(&ours.program, place, out);
    } else if on_path(&ours.program).is_none() {
        let message = "`hookc` is not on PATH".to_owned();
        out.dead("not-on-path", place.at.clone(), message, "put it there, or run `hookc install` again");
    }
    if ours.host != place.host.name {
        let message = format!("the call says `--host {}`, and {} makes it", ours.host, place.host.label);
        out.dead("wrong-host", place.at.clone(), message, &format!("write `--host {}`", place.host.name));
    }
    let paths: Option<Vec<PathBuf>> = ours.policies.iter().map(|word| place.resolve(word)).collect();
    let Some(paths) = paths else { return };
    if let Some((word, path)) = ours.policies.iter().zip(&paths).find(|(_, path)| !path.exists()) {
        let message = format!("the policy `{word}` is not there");
        return out.dead(
            "missing-policy",
            place.at.clone(),
            message,
            &format!("looked for at {}", path.display()),
        );
    }
    match compiled.entry(paths).or_insert_with_key(|paths| events(paths)) {
        Err(why) => {
            let message = format!("the policy does not compile: {why}");
            out.dead("broken-policy", place.at.clone(), message, "`hookc check` tells more");
        }
        Ok(events) => idle(events, place, out),
    }
}

/// The events that policies have hooks for.
fn events(paths: &[PathBuf]) -> Result<BTreeSet<String>, String> {
    let sources = args::Sources::plain();
    if let Some(module) = load::ready(paths, &sources).map_err(|failure| failure.to_string())? {
        return Ok(hooked(&module));
    }
    let built = load::build(paths, &sources, false).map_err(|failure| failure.to_string())?;
    let first = built.compiled.diagnostics.iter().find(|told| told.is_error());
    let why = || first.map(|told| told.message.clone()).unwrap_or_default();
    let bytes = built.compiled.module.ok_or_else(why)?;
    let module = load::open(bytes, "the compiled policy").map_err(|failure| failure.to_string())?;
    Ok(hooked(&module))
}

/// A call for an event that the policy says nothing about.
fn idle(events: &BTreeSet<String>, place: &Place<'_>, out: &mut Findings) {
    let Some(event) = place.host.vocabulary(place.event) else { return };
    if !events.contains(&event) {
        let message = format!("the policy has no hook for `{}`", place.event);
        out.dead("idle-call", place.at.clone(), message, "run `hookc install` again");
    }
}
