//! Commands of handlers: whether the programs that they start exist. `words.rs` resolves words.

use std::path::{Path, PathBuf};

use hookc_base::builtins;
use hookc_shell::programs;

use super::call::{self, Compiled};
use super::finding::Findings;
use super::script;
use super::words::{self, Argument, HandlerContext};
use crate::files;
use crate::installed::command::{self, Words};
use crate::installed::{fallback, location, on_path};

/// Programs that start others; what these and builtins of the shell start is not checked.
const WRAPPERS: [&str; 5] = ["env", "nohup", "sudo", "time", "xargs"];

/// Checks a command line; `args` are those of a handler without a shell.
pub(super) fn check(
    line: &str,
    args: Option<Vec<String>>,
    mut context: HandlerContext<'_>,
    compiled: &mut Compiled,
    out: &mut Findings,
) {
    let mut line = fallback::split(line).0.to_owned();
    if let Some(args) = args {
        if is_call(&line, &args) {
            return call::check(&line, &args, false, &context, compiled, out);
        }
        // A shell can be given a command line.
        let Some(next) = start(&line, &mut args.iter().map(String::as_str), &context, out) else { return };
        line = next;
    }
    loop {
        context.read_quotes(&line);
        let Words { words, open, rest, .. } = command::words(&line);
        if words.is_empty() && rest.is_none() {
            let message = "the command is empty".to_owned();
            return out.dead("empty-command", context.at, message, "write the command");
        }
        let Some((before, located)) = words.split_at_checked(command::before(&words)) else { return };
        let Some((program, given)) = located.split_first() else { return };
        if !open && is_call(program, given) {
            let off = before.iter().any(|word| word == "HOOKC_DISABLE=1");
            return call::check(program, given, off, &context, compiled, out);
        }
        // Other programs that start one search elsewhere (`sudo`), or download it (`npx`).
        let located = if program.contains('/') {
            before.len()
        } else {
            before.iter().take_while(|word| is_own(word)).count()
        };
        let Some((program, given)) = words.get(located..).and_then(<[_]>::split_first) else { return };
        if let Some(other) = alternative(rest) {
            // Either will do.
            let mut first = Findings::default();
            start(program, &mut given.iter().map(String::as_str), &context, &mut first);
            if first.found.is_empty() {
                return;
            }
            line = other.to_owned();
            continue;
        }
        let name = program.rsplit('/').next().unwrap_or(program);
        if programs::runs_elsewhere(name) && given.iter().any(|word| has_hookc(word)) {
            elsewhere(program, &context, out);
        }
        let mut given = given.iter().map(String::as_str);
        let next = match program.as_str() {
            "cd" => enter(given.find(|word| *word != "--"), rest, &mut context, out),
            program if program.starts_with('-') || is_unchecked(program) => None,
            program => start(program, &mut given, &context, out),
        };
        let Some(next) = next else { return };
        line = next;
    }
}

/// A program that runs after a failed command; `|| true` only hides the failure.
fn alternative(rest: Option<&str>) -> Option<&str> {
    let other = rest?.strip_prefix("||")?;
    let Words { words, .. } = command::words(other);
    let program = words.first()?;
    (!is_unchecked(program)).then_some(other)
}

/// Reports a call of hookc that a program starts on another machine or in a container.
fn elsewhere(program: &str, context: &HandlerContext<'_>, out: &mut Findings) {
    let message = format!("`{program}` starts this call on another machine or in a container");
    let help = "call hookc here: the policy, its history and its log are elsewhere, and the event arrives only if \
                standard input does";
    out.odd("elsewhere", context.at.clone(), message, help);
}

/// Whether a word, or the command line in it, has hookc in it.
fn has_hookc(word: &str) -> bool {
    word.split_whitespace().any(command::is_hookc)
}

fn is_call(program: &str, words: &[String]) -> bool {
    command::is_hookc(program) || command::is_run(words)
}

/// Whether what a word starts is not checked. `cd` is followed.
fn is_unchecked(word: &str) -> bool {
    word != "cd" && (builtins::is_builtin(word) || WRAPPERS.contains(&word))
}

/// Whether a word before a program belongs to the shell, which searches the program on PATH.
fn is_own(word: &str) -> bool {
    command::assignment(word).is_some() || is_unchecked(word) && word != "sudo"
}

/// Checks a program and its arguments; returns the command line if it is a shell with one.
fn start(
    program: &str,
    words: &mut dyn Iterator<Item = &str>,
    context: &HandlerContext<'_>,
    out: &mut Findings,
) -> Option<String> {
    if !started(program, context, out) {
        return None;
    }
    match words::argument(program, words) {
        Argument::Nothing => None,
        Argument::Line(line) => Some(line.to_owned()),
        Argument::Script(word) => {
            let path = resolve(word, context, out)?;
            match path.is_file() {
                true if script::is_sh(program) => script::check(&path, out),
                true => {}
                false => missing(word, &path, context, out),
            }
            None
        }
    }
}

/// Changes the directory, and returns the following command line.
fn enter(
    folder: Option<&str>,
    rest: Option<&str>,
    context: &mut HandlerContext<'_>,
    out: &mut Findings,
) -> Option<String> {
    let (must, next) = match rest?.strip_prefix("&&") {
        Some(next) => (true, next),
        None => (false, rest?.strip_prefix(';')?),
    };
    split(folder.unwrap_or_default(), context, out);
    let path = context.resolve(folder.unwrap_or("~/"));
    if let (Some(path), Some(folder), true) = (path.as_ref().filter(|path| !path.is_dir()), folder, must) {
        let message = format!("the directory `{folder}` does not exist");
        out.dead("missing-file", context.at.clone(), message, &format!("searched for {}", path.display()));
        return None;
    }
    context.folder = path.filter(|path| path.is_dir());
    context.beside.clear();
    context.entered = true;
    Some(next.to_owned())
}

/// The path of a word; `None` if unknown here or already reported as missing.
fn resolve(word: &str, context: &HandlerContext<'_>, out: &mut Findings) -> Option<PathBuf> {
    if context.is_by_project(word) {
        let message = format!("the path `{word}` is relative to the current project");
        let help = "write the absolute path: these settings apply to all projects";
        out.odd("project-path", context.at.clone(), message, help);
    }
    split(word, context, out);
    let path = context.resolve(word);
    let of_plugins = location::variable(word).is_some_and(|(name, _)| name == "CLAUDE_PLUGIN_ROOT");
    if path.is_none() && of_plugins && context.agent.is_some_and(|agent| agent.name == "claude") {
        let message = "`CLAUDE_PLUGIN_ROOT` is set only for hooks of plugins".to_owned();
        let help = "write `$CLAUDE_PROJECT_DIR` and the relative path";
        out.dead("unset-variable", context.at.clone(), message, help);
    }
    path
}

/// Reports a path that the shell splits.
pub(super) fn split(word: &str, context: &HandlerContext<'_>, out: &mut Findings) {
    if let Some(folder) = context.split(word) {
        let message = format!("the shell splits `{word}` at the space in {}", folder.display());
        out.dead("split-path", context.at.clone(), message, "write the variable in double quotes");
    }
}

/// Whether a program exists, as far as visible.
pub(super) fn started(program: &str, context: &HandlerContext<'_>, out: &mut Findings) -> bool {
    if !program.contains('/') && !program.starts_with('~') {
        let plain = program.chars().all(|c| c.is_ascii_alphanumeric() || "._+-".contains(c));
        let elsewhere = context.env.iter().any(|(name, _)| name == "PATH");
        let there = !plain || elsewhere || on_path(program).is_some();
        if !there {
            let message = format!("`{program}` is not on PATH");
            out.dead("not-on-path", context.at.clone(), message, "install it, or write its path");
        }
        return there;
    }
    let Some(path) = resolve(program, context, out) else { return true };
    if !path.is_file() {
        missing(program, &path, context, out);
        return false;
    }
    if !files::runs(&path) {
        let message = format!("the handler `{program}` is not executable");
        out.dead("not-executable", context.at.clone(), message, &format!("chmod +x {}", path.display()));
        return false;
    }
    if script::has_sh(&path) {
        script::check(&path, out);
    }
    true
}

pub(super) fn missing(written: &str, path: &Path, context: &HandlerContext<'_>, out: &mut Findings) {
    let message = format!("the handler `{written}` does not exist");
    out.dead("missing-file", context.at.clone(), message, &format!("searched for {}", path.display()));
}
