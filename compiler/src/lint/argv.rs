//! Syntax of the shell where no shell reads it (W0619): `argv: ["git log | head"]`,
//! `argv: [git, log, '|', head]`. The program gets these words as they are, or cannot be
//! started at all.

use hookc_base::action::Kind;
use hookc_base::builtins::needs_shell;
use hookc_schema::tree::{Action, Family, Hook};
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic, Diagnostics, Span};
use hookc_shell::programs::interpreters::{is_script, is_shell};
use hookc_syntax::scalar::single;

/// Programs, besides shells, that have operators among their own arguments, or read code.
const OWN: [&str; 15] = [
    "[", "[[", "awk", "echo", "expr", "gawk", "gdb", "nu", "parallel", "printf", "pwsh", "test", "time",
    "tmux", "xonsh",
];

/// Words that are operators of the shell and nothing else.
const OPERATORS: [&str; 10] = ["|", "||", "&&", "|&", ">", ">>", "<", "2>&1", "&>", "2>"];

/// Reports what a shell would have to read in the words of a `run`.
pub(super) fn check(hook: &Hook, out: &mut Diagnostics) {
    let action = &hook.action;
    // Handlers of repositories are no lines of a shell either (W0292).
    if action.known() != Some(Kind::Run) || hook.family == Family::Repository {
        return;
    }
    out.extend(action.param("shell").and_then(|shell| in_shell(shell.span, shell.as_str()?)));
    let words = words(action);
    let Some((&(span, program), rest)) = words.split_first() else { return };
    if let Some(found) = in_program(span, program, rest.is_empty()).or_else(|| not_program(span, program)) {
        out.push(found);
        return;
    }
    let name = program.rsplit('/').next().unwrap_or_default();
    if !OWN.contains(&name) && !is_shell(name) {
        out.extend(rest.iter().find_map(|(span, word)| in_argument(*span, word)));
    }
}

/// A diagnostic about a word of a program that starts without a shell.
fn report(span: Span, what: String, label: &str, help: impl Into<String>) -> Diagnostic {
    let new = Diagnostic::new(Code::W0619, span, what).with_label(label.to_owned());
    new.note("`argv` starts a program without a shell").help(help)
}

/// What to write in most cases.
const COMMAND: &str = "write the line as `command`, which a shell reads";

/// A command of the shell, or an assignment, in place of a program.
fn not_program(span: Span, program: &str) -> Option<Diagnostic> {
    let what = format!("no program is called `{program}`");
    if needs_shell(program) {
        let help = match program {
            "cd" | "pushd" | "popd" => "write the directory as `cwd`",
            _ => COMMAND,
        };
        return Some(report(span, what, "a command of the shell", help));
    }
    let name = program.split_once('=').map(|(name, _)| name)?;
    let is_variable = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_variable.then(|| report(span, what, "an assignment", "write the variable in `env`"))
}

/// An operator, or `$(date)`, `` `date` `` in a word.
fn in_argument(span: Span, word: &str) -> Option<Diagnostic> {
    let dollar = word.split_once("$(").is_some_and(|(_, rest)| rest.contains(')'));
    let ticks = word.starts_with('`') && word.ends_with('`') && word.len() > 2;
    let what = if is_operator(word) {
        format!("`{word}` is an argument here, not an operator of the shell")
    } else if dollar || ticks {
        format!("`{word}` stays as it is: no shell runs the command in it")
    } else {
        return None;
    };
    Some(report(span, what, "handed to the program", COMMAND))
}

/// Options in the name of a shell.
fn in_shell(span: Span, shell: &str) -> Option<Diagnostic> {
    let (first, rest) = shell.trim().split_once(char::is_whitespace)?;
    if !rest.split_whitespace().any(|word| word.starts_with('-')) {
        return None;
    }
    let new = Diagnostic::new(Code::W0619, span, format!("no program is called `{shell}`"));
    let new = new.with_label("a command line").note("`shell` is the name of a program");
    Some(new.help(format!("write `shell: {first}`, and the options in the command: `set {rest}`")))
}

/// The program and its arguments, as far as they are texts.
fn words(action: &Action) -> Vec<(Span, &str)> {
    let items = |name: &str| action.param(name).map(Value::items).unwrap_or_default().iter();
    let program = action.param("command").filter(|_| action.param("args").is_some());
    let words: Vec<&Value> = match action.param("argv") {
        Some(argv) => argv.items().iter().collect(),
        None => program.into_iter().chain(items("args")).collect(),
    };
    words.into_iter().map_while(|value| Some((value.span, value.as_str()?))).collect()
}

/// A whole command line as the name of a program.
fn in_program(span: Span, program: &str, alone: bool) -> Option<Diagnostic> {
    let (first, rest) = program.trim().split_once(char::is_whitespace)?;
    // `/Applications/My App/bin/x` is one name.
    let bare = !first.contains(['/', '\\', '$']);
    let script = alone && is_script(first);
    let option = rest.split_whitespace().any(|word| word.starts_with('-') && word.len() > 1);
    let operator = rest.split_whitespace().any(is_operator);
    if !(bare || script || option || operator) {
        return None;
    }
    let help = match operator || rest.contains(['|', ';', '&', '>', '<']) {
        true => format!("write `command: {}`, which a shell reads", single(program)),
        false => {
            let words: Vec<&str> = program.split_whitespace().collect();
            format!("write each word by itself: `argv: [{}]`", words.join(", "))
        }
    };
    Some(report(span, format!("no program is called `{program}`"), "a command line", help))
}

fn is_operator(word: &str) -> bool {
    OPERATORS.contains(&word) || ["2>/", "&>/", ">/", ">>/"].iter().any(|begin| word.starts_with(begin))
}
