//! Commands of handlers: whether what they start is there.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::finding::Findings;
use crate::args;
use crate::cmd::install::command::{self, Ours};
use crate::cmd::install::host::Host;
use crate::cmd::install::{hooked, on_path};
use crate::{files, load};

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

/// Where a handler stands.
pub(super) struct Place<'p> {
    pub(super) host: &'p Host,
    /// The host's event.
    pub(super) event: &'p str,
    /// `file:line:column` of the command.
    pub(super) at: String,
    /// The project's folder, if the file is one of a project.
    pub(super) root: Option<&'p Path>,
}

/// Policies that were compiled: the events that they have hooks for, or why
/// there are none.
pub(super) type Compiled = BTreeMap<Vec<PathBuf>, Result<BTreeSet<String>, String>>;

/// Looks at a command line; `args` are those of a handler without a shell.
pub(super) fn check(
    line: &str,
    args: Option<Vec<String>>,
    place: &Place<'_>,
    compiled: &mut Compiled,
    out: &mut Findings,
) {
    if let Some(ours) = command::ours(line).filter(|_| args.is_none()) {
        return call(&ours, place, compiled, out);
    }
    let words = match args {
        Some(args) => std::iter::once(line.to_owned()).chain(args).collect(),
        None => command::words(line).words,
    };
    let assigned = |word: &&String| word.split_once('=').is_some_and(|(name, _)| is_name(name));
    let mut words = words.iter().skip_while(assigned);
    let Some(program) = words.next() else {
        let message = "the command is empty".to_owned();
        return out.dead("empty-command", place.at.clone(), message, "write what to start");
    };
    if SHELL.contains(&format!(" {program} ")) {
        return;
    }
    if started(program, place, out) && is_interpreter(program) {
        script(words, place, out);
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_interpreter(program: &str) -> bool {
    program.rsplit('/').next().is_some_and(|name| INTERPRETERS.contains(&name))
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
    let Some(path) = resolve(program, place.root) else { return true };
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

fn missing(written: &str, path: &Path, place: &Place<'_>, out: &mut Findings) {
    let message = format!("the handler `{written}` is not there");
    out.dead("missing-file", place.at.clone(), message, &format!("looked for at {}", path.display()));
}

/// The script that an interpreter is given; other than in a file it is not
/// looked for.
fn script<'w>(mut words: impl Iterator<Item = &'w String>, place: &Place<'_>, out: &mut Findings) {
    let Some(word) = words.next().filter(|word| !word.starts_with('-')) else { return };
    let is_file = word.contains('/') || word.rsplit_once('.').is_some_and(|(name, _)| !name.is_empty());
    let Some(path) = resolve(word, place.root).filter(|_| is_file) else { return };
    if !path.is_file() {
        missing(word, &path, place, out);
    }
}

/// The path that a word means; `None` if that cannot be told here.
fn resolve(word: &str, root: Option<&Path>) -> Option<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let roots = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "PWD"].map(|name| (name, root));
    let (folder, rest) = match variable(word) {
        Some(("HOME", rest)) => (home.as_deref()?, rest),
        Some((name, rest)) => (roots.iter().find(|(root, _)| *root == name)?.1?, rest),
        None => match word.strip_prefix("~/") {
            Some(rest) => (home.as_deref()?, rest),
            None if Path::new(word).is_absolute() => (Path::new("/"), word),
            None => (root?, word),
        },
    };
    if rest.contains(['$', '*', '?', '{', '~']) {
        return None;
    }
    Some(folder.join(rest.strip_prefix('/').unwrap_or(rest)))
}

/// The variable that a word begins with, and what follows.
fn variable(word: &str) -> Option<(&str, &str)> {
    let rest = word.strip_prefix('$')?;
    if let Some(braced) = rest.strip_prefix('{') {
        let (name, rest) = braced.split_once('}')?;
        return Some((name.split(':').next()?, rest));
    }
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    rest.split_at_checked(end)
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
    let paths: Option<Vec<PathBuf>> = ours.policies.iter().map(|word| resolve(word, place.root)).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_as_handlers_have_them() {
        let root = Some(Path::new("/p"));
        let path = |word| resolve(word, root).map(|path| path.to_str().unwrap().to_owned());
        for (word, expected) in [
            ("a/b.sh", Some("/p/a/b.sh")),
            ("/a/b.sh", Some("/a/b.sh")),
            ("$CLAUDE_PROJECT_DIR/x.sh", Some("/p/x.sh")),
            ("${CLAUDE_PROJECT_DIR:-.}/x.sh", Some("/p/x.sh")),
            ("$CLAUDE_PLUGIN_ROOT/x.sh", None),
            ("a/$X/b.sh", None),
            ("*/b.sh", None),
        ] {
            assert_eq!(path(word).as_deref(), expected, "{word}");
        }
        assert_eq!(resolve("a/b.sh", None), None);
    }
}
