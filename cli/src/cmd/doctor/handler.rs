//! Commands of handlers: whether the programs that they start exist. `words.rs` resolves words.

use std::path::{Path, PathBuf};

use hookc_base::builtins;
use hookc_shell::{Command, Context, programs, with_commands};

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

/// Checks a command line; `args` are those of a handler without a shell, and `shell` is the name of the shell, if known.
pub(super) fn check(
    line: &str,
    args: Option<Vec<String>>,
    shell: Option<&str>,
    mut context: HandlerContext<'_>,
    compiled: &mut Compiled,
    out: &mut Findings,
) {
    let mut line = fallback::split(line).0.to_owned();
    let mut shell = shell.map(str::to_owned);
    if let Some(args) = args {
        if is_call(&line, &args) {
            return call::check(&line, &args, false, &context, compiled, out);
        }
        // A shell can be given a command line.
        let Some(next) = start(&line, &mut args.iter().map(String::as_str), &context, out) else { return };
        (line, shell) = (next, Some(program_name(&line).to_owned()));
    }
    let (mut has_heredoc, mut may_make) = (false, false);
    loop {
        context.read_quotes(&line);
        let Words { words, open, redirects, rest, .. } = command::words(&line);
        has_heredoc |= opens_heredoc(line.strip_suffix(rest.unwrap_or_default()).unwrap_or(&line));
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
        if let Some(inner) = rest.filter(|_| words.is_empty()).and_then(group) {
            line = inner.to_owned();
            continue;
        }
        let Some((before, located)) = words.split_at_checked(command::before(&words)) else { return };
        let Some((program, given)) = located.split_first() else { return };
        if !open && is_call(program, given) {
            let off = before.iter().any(|word| word == "HOOKC_DISABLE=1");
            environment(&line, before, program, &context, out);
            return call::check(program, given, off, &context, compiled, out);
        }
        // Other programs that start one search elsewhere (`sudo`), or download it (`npx`).
        let located = if program.contains('/') {
            before.len()
        } else {
            before.iter().take_while(|word| is_own(word)).count()
        };
        let (before, command) = words.split_at_checked(located).unwrap_or_default();
        let Some((program, given)) = command.split_first() else { return };
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
        if programs::runs_elsewhere(program_name(program)) && given.iter().any(|word| has_hookc(word)) {
            elsewhere(program, &context, out);
        }
        let mut given = given.iter().map(String::as_str);
        let next = match program.as_str() {
            "cd" => enter(given.find(|word| *word != "--"), rest, &mut context, out).map(str::to_owned),
            "." | "source" => {
                let ends = program == "." && shell.as_deref().is_some_and(script::is_sh);
                return sourced(given.next(), rest, ends, &context, out);
            }
            program if program.starts_with('-') || is_unchecked(program) => None,
            program => start(program, &mut given, &context, out).inspect(|_| {
                shell = Some(program_name(program).to_owned());
            }),
        };
        line = match next {
            Some(next) => next,
            None if program == "cd" => return,
            None => {
                let Some((separator, next)) = following(program, rest) else { return };
                may_make |= redirects || !is_inert(program);
                let is_body = has_heredoc && separator == Separator::Line;
                let is_replaced = separator != Separator::Pipe && before.iter().any(|word| word == "exec");
                if is_body || is_replaced {
                    return;
                }
                context.follows |= may_make && separator != Separator::Pipe;
                next.to_owned()
            }
        };
    }
}

/// The commands of a group or a subshell at the start of a line, unless something runs if one of them fails.
fn group(line: &str) -> Option<&str> {
    let subshell = line.strip_prefix('(').filter(|inner| !inner.starts_with('('));
    let braces = || line.strip_prefix('{').filter(|inner| inner.starts_with(char::is_whitespace));
    subshell.or_else(braces).filter(|inner| !inner.contains("||"))
}

fn program_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Whether a command may start a here-document: the lines after it are its text.
fn opens_heredoc(command: &str) -> bool {
    command.replace("<<<", "").contains("<<")
}

/// Reports a call that `env -i` starts without the variables of the agent.
fn environment(
    line: &str,
    before: &[String],
    program: &str,
    context: &HandlerContext<'_>,
    out: &mut Findings,
) {
    let Some(at) = before.iter().position(|word| program_name(word) == "env") else { return };
    if !is_cleared(line, program) {
        return;
    }
    let given = before.get(at.saturating_add(1)..).unwrap_or_default();
    let assigned = |name: &str| {
        let mut set = given.iter().filter_map(|word| command::assignment(word));
        set.rfind(|(set, _)| *set == name).map(|(_, value)| value)
    };
    // The directory of the state must be absolute.
    let has_state = assigned("XDG_STATE_HOME").is_some_and(|value| value.starts_with(['/', '$', '~']));
    let is_found = |folder: &str| files::runs(&Path::new(folder).join(program));
    let searched = assigned("PATH").is_none() && !program.contains('/');
    // The check of the call reports a program that is not on PATH.
    if searched && on_path(program).is_none() {
        return;
    }
    if searched && !["/bin", "/usr/bin"].into_iter().any(is_found) {
        let message = format!("`env -i` clears PATH, and `{program}` is not in /bin or /usr/bin");
        out.dead("not-on-path", context.at.clone(), message, "remove `-i`, or write the path of the program");
    } else if assigned("HOME").is_none() && !has_state {
        let message = "`env -i` starts this call without `HOME` and `XDG_STATE_HOME`: it has no log, no history and \
                       no cache";
        let message = message.to_owned();
        let help = "remove `-i`: hookc gets the variables of the agent";
        out.odd("environment", context.at.clone(), message, help);
    }
}

/// Whether an `env` that starts a program clears the environment.
fn is_cleared(line: &str, program: &str) -> bool {
    let clears = |command: Command<'_>| {
        let mut words = command.words().skip(1).map(|word| word.text());
        command.name() == Some("env") && (command.has_flag("i") || words.next() == Some("-"))
    };
    with_commands(line, &Context::default(), |commands| {
        let call = commands.iter().find(|command| {
            command.starter().is_some() && command.program().is_some_and(|word| word.text() == program)
        });
        std::iter::successors(call, |command| command.starter()).any(clears)
    })
    .unwrap_or(false)
}

/// What is between two commands that both run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    /// `|` or `|&`: both start at the same time.
    Pipe,
    /// `;`: the first one ends before the second one starts.
    Semicolon,
    /// The end of a line, which the text of a here-document can follow.
    Line,
}

/// The commands that run after a command, or read its output, whatever its status is.
fn following<'l>(program: &str, rest: Option<&'l str>) -> Option<(Separator, &'l str)> {
    if builtins::is_builtin(program) && !is_inert(program) {
        return None;
    }
    let rest = rest?;
    let piped =
        rest.strip_prefix("|&").or_else(|| rest.strip_prefix('|').filter(|next| !next.starts_with('|')));
    let semicolon = || rest.strip_prefix(';').map(|next| (Separator::Semicolon, next));
    let line = || rest.strip_prefix('\n').map(|next| (Separator::Line, next));
    let next = piped.map(|next| (Separator::Pipe, next)).or_else(semicolon).or_else(line);
    next.filter(|(_, next)| !next.trim().is_empty())
}

/// Whether the line continues after this builtin with the same programs on PATH.
fn is_inert(program: &str) -> bool {
    programs::find(program).is_some_and(|row| {
        row.is("plain") && row.text("operands") == Some("TEXT...") && row.text("status") != Some("shell")
    })
}

/// Checks a script that the shell of the line reads itself; `ends` states whether the shell ends if it is missing.
fn sourced(
    script: Option<&str>,
    rest: Option<&str>,
    ends: bool,
    context: &HandlerContext<'_>,
    out: &mut Findings,
) {
    // A name without `/` is searched for on PATH too.
    let Some(script) = script.filter(|script| script.contains('/')) else { return };
    let Some(path) = resolve(script, context, out).filter(|path| !path.exists()) else { return };
    let rest = rest.unwrap_or_default();
    if !ends && rest.starts_with("||") {
        return;
    }
    let is_last = rest.is_empty() || rest.starts_with("&&") && !rest.contains([';', '\n', '|']);
    if ends || is_last {
        return missing(script, &path, context, out);
    }
    let message = format!("the script `{script}` does not exist");
    out.odd("missing-file", context.at.clone(), message, &format!("searched for {}", path.display()));
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
fn enter<'l>(
    folder: Option<&str>,
    rest: Option<&'l str>,
    context: &mut HandlerContext<'_>,
    out: &mut Findings,
) -> Option<&'l str> {
    let (must, next) = match rest?.strip_prefix("&&") {
        Some(next) => (true, next),
        None => (false, rest?.strip_prefix(';')?),
    };
    split(folder.unwrap_or_default(), context, out);
    let path = context.resolve(folder.unwrap_or("~/"));
    if let (Some(path), Some(folder), true) = (path.as_ref().filter(|path| !path.is_dir()), folder, must) {
        let message = format!("the directory `{folder}` does not exist");
        context.absent("missing-file", message, &format!("searched for {}", path.display()), out);
        return None;
    }
    context.folder = path.filter(|path| path.is_dir());
    context.beside.clear();
    context.entered = true;
    Some(next)
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
    let variable = location::variable(word).filter(|variable| !variable.has_default);
    if let (None, Some(variable), Some(agent)) = (&path, variable, context.agent) {
        unset(variable.name, agent, context, out);
    }
    path
}

/// Reports a variable at the start of a path that neither the agent nor this environment sets.
pub(super) fn unset(name: &str, agent: Target, context: &HandlerContext<'_>, out: &mut Findings) {
    if name == "CLAUDE_PLUGIN_ROOT" && agent.name == "claude" {
        let message = "`CLAUDE_PLUGIN_ROOT` is set only for hooks of plugins".to_owned();
        let help = "write `$CLAUDE_PROJECT_DIR` and the relative path";
        return out.dead("unset-variable", context.at.clone(), message, help);
    }
    if !location::is_name(name) || context.sample || context.sets(name) || agent.settings.plugin.is_some() {
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
            context.absent("not-on-path", message, "install it, or write its path", out);
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
        context.absent("not-executable", message, &format!("chmod +x {}", path.display()), out);
        return false;
    }
    if script::has_sh(&path) {
        script::check(&path, out);
    }
    true
}

pub(super) fn missing(written: &str, path: &Path, context: &HandlerContext<'_>, out: &mut Findings) {
    let message = format!("the handler `{written}` does not exist");
    context.absent("missing-file", message, &format!("searched for {}", path.display()), out);
}
