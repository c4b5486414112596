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
use crate::installed::target::Target;
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
        if let [word] = words.as_slice()
            && rest.is_none()
            && command::words(word).words.split_first().is_some_and(|(_, given)| command::is_run(given))
        {
            let message = "quotes make this line one word: no program has that name".to_owned();
            return out.dead("missing-file", context.at, message, "remove the quotes around the line");
        }
        let Some((before, located)) = words.split_at_checked(command::before(&words)) else { return };
        let Some((program, given)) = located.split_first() else { return };
        if !open && is_call(program, given) {
            let off = before.iter().any(|word| word == "HOOKC_DISABLE=1");
            environment(before, program, &context, out);
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
            "." | "source" => sourced(given.next(), &context, out),
            program if program.starts_with('-') || is_unchecked(program) => following(program, rest),
            program => start(program, &mut given, &context, out).or_else(|| following(program, rest)),
        };
        let Some(next) = next else { return };
        line = next;
    }
}

/// Reports a call that `env -i` starts without the variables of the agent.
fn environment(before: &[String], program: &str, context: &HandlerContext<'_>, out: &mut Findings) {
    let Some(at) = before.iter().position(|word| word.rsplit('/').next() == Some("env")) else { return };
    let given = before.get(at.saturating_add(1)..).unwrap_or_default();
    let clears = |word: &String| match word.strip_prefix("--") {
        Some(long) => long == "ignore-environment",
        None => word == "-" || word.contains('i'),
    };
    if !given.iter().take_while(|word| word.starts_with('-')).any(clears) {
        return;
    }
    let sets =
        |name: &str| given.iter().filter_map(|word| command::assignment(word)).any(|(set, _)| set == name);
    let is_found = |folder: &str| files::runs(&Path::new(folder).join(program));
    if !sets("PATH") && !program.contains('/') && !["/bin", "/usr/bin"].into_iter().any(is_found) {
        let message = format!("`env -i` clears PATH, and `{program}` is not in /bin or /usr/bin");
        out.dead("not-on-path", context.at.clone(), message, "remove `-i`, or write the path of the program");
    } else if !sets("HOME") {
        let message =
            "`env -i` starts this call without `HOME`: it has no log, no history and no cache".to_owned();
        out.odd(
            "environment",
            context.at.clone(),
            message,
            "remove `-i`: hookc gets the variables of the agent",
        );
    }
}

/// The commands that run after a command, or read its output, whatever its status is.
fn following(program: &str, rest: Option<&str>) -> Option<String> {
    if builtins::is_builtin(program) && !is_inert(program) {
        return None;
    }
    let rest = rest?;
    let next =
        rest.strip_prefix("|&").or_else(|| rest.strip_prefix('|').filter(|next| !next.starts_with('|')));
    let next = next.or_else(|| rest.strip_prefix(';')).or_else(|| rest.strip_prefix('\n'))?;
    (!next.trim().is_empty()).then(|| next.to_owned())
}

/// Whether a builtin neither ends the line nor changes which program a name is.
fn is_inert(program: &str) -> bool {
    programs::find(program).is_some_and(|row| {
        row.is("plain") && row.text("operands") == Some("TEXT...") && row.text("status") != Some("shell")
    })
}

/// Checks a script that the shell of the line reads itself.
fn sourced(script: Option<&str>, context: &HandlerContext<'_>, out: &mut Findings) -> Option<String> {
    // A name without `/` is searched for on PATH too.
    let script = script.filter(|script| script.contains('/'))?;
    let path = resolve(script, context, out).filter(|path| !path.exists())?;
    missing(script, &path, context, out);
    None
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
    if let (None, Some((name, _)), Some(agent)) = (&path, location::variable(word), context.agent) {
        // `${NAME:-DEFAULT}` has a value anyway.
        if !word.split('}').next().is_some_and(|start| start.contains('-')) {
            unset(name, agent, context, out);
        }
    }
    path
}

/// Reports a variable in front of a path that the agent does not set, and nothing here.
pub(super) fn unset(name: &str, agent: Target, context: &HandlerContext<'_>, out: &mut Findings) {
    if name == "CLAUDE_PLUGIN_ROOT" && agent.name == "claude" {
        let message = "`CLAUDE_PLUGIN_ROOT` is set only for hooks of plugins".to_owned();
        let help = "write `$CLAUDE_PROJECT_DIR` and the relative path";
        return out.dead("unset-variable", context.at.clone(), message, help);
    }
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !is_name || context.sample || context.sets(name) || agent.settings.plugin.is_some() {
        return;
    }
    let message = format!("{} is not known to set `{name}`, and it is not set here", agent.label);
    let help = match agent.settings.root.as_deref() {
        Some(root) => format!("the directory of the project is in `${root}`"),
        None => "write the path".to_owned(),
    };
    out.odd("unset-variable", context.at.clone(), message, &help);
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
        let plain = program.chars().all(|c| c.is_ascii_alphanumeric() || "._+-:\\".contains(c));
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
