//! Syntax of the shell where no shell reads it (W0619): `argv: ["git log | head"]`,
//! `argv: [git, log, '|', head]`. The program gets these words as they are, or cannot be
//! started at all.

use hookc_base::builtins::needs_shell;
use hookc_schema::tree::{Action, Family, Hook};
use hookc_schema::value::{Kind, Value};
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
    if action.kind.node != "run" || hook.family == Family::Repository {
        return;
    }
    if let Some((_, shell)) = action.params.iter().find(|(name, _)| name.node == "shell") {
        out.extend(shell.as_str().and_then(|text| in_shell(shell.span, text)));
    }
    let words = words(action);
    let Some((program, rest)) = words.split_first() else { return };
    if let Some(found) = in_program(program, rest.is_empty()).or_else(|| of_shell(program)) {
        out.push(found);
        return;
    }
    let name = program.1.rsplit('/').next().unwrap_or_default();
    if OWN.contains(&name) || is_shell(name) {
        return;
    }
    out.extend(rest.iter().find_map(|(span, word)| match is_operator(word) {
        true => Some(among(*span, word)),
        false => substituted(*span, word),
    }));
}

/// A command of the shell, or an assignment, in place of a program.
fn of_shell(&(span, program): &(Span, &str)) -> Option<Diagnostic> {
    let report = |label: &str, help: &str| {
        let new = Diagnostic::new(Code::W0619, span, format!("no program is called `{program}`"));
        Some(new.with_label(label.to_owned()).note("`argv` starts a program without a shell").help(help))
    };
    if needs_shell(program) {
        let help = match program {
            "cd" | "pushd" | "popd" => "write the directory as `cwd`",
            _ => "write the line as `command`, which a shell reads",
        };
        return report("a command of the shell", help);
    }
    let name = program.split_once('=').map(|(name, _)| name)?;
    let variable = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if variable { report("an assignment", "write the variable in `env`") } else { None }
}

/// `$(date)`, `` `date` `` in a word.
fn substituted(span: Span, word: &str) -> Option<Diagnostic> {
    let dollar = word.split_once("$(").is_some_and(|(_, rest)| rest.contains(')'));
    let ticks = word.starts_with('`') && word.ends_with('`') && word.len() > 2;
    if !dollar && !ticks {
        return None;
    }
    let what = format!("`{word}` stays as it is: no shell runs the command in it");
    let new = Diagnostic::new(Code::W0619, span, what).with_label("handed to the program");
    Some(
        new.note("`argv` starts a program without a shell")
            .help("write the line as `command`, which a shell reads"),
    )
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
    let param = |name: &str| action.params.iter().find(|(key, _)| key.node == name).map(|(_, value)| value);
    let all = match (param("argv"), param("args")) {
        (Some(argv), _) => list(argv),
        (None, Some(args)) => param("command").into_iter().chain(list(args)).collect(),
        (None, None) => Vec::new(),
    };
    all.into_iter().map_while(|value| Some((value.span, value.as_str()?))).collect()
}

/// The elements of a list.
fn list(value: &Value) -> Vec<&Value> {
    match &value.kind {
        Kind::Seq(items) => items.iter().collect(),
        _ => Vec::new(),
    }
}

/// A whole command line as the name of a program.
fn in_program(&(span, program): &(Span, &str), alone: bool) -> Option<Diagnostic> {
    let (first, rest) = program.trim().split_once(char::is_whitespace)?;
    // `/Applications/My App/bin/x` is one name.
    let bare = !first.contains(['/', '\\', '$']);
    let script = alone && is_script(first);
    let option = rest.split_whitespace().any(|word| word.starts_with('-') && word.len() > 1);
    let operator = rest.split_whitespace().any(is_operator);
    if !(bare || script || option || operator) {
        return None;
    }
    let new = Diagnostic::new(Code::W0619, span, format!("no program is called `{program}`"));
    let new = new.with_label("a command line").note("`argv` starts a program without a shell");
    Some(match operator || rest.contains(['|', ';', '&', '>', '<']) {
        true => new.help(format!("write `command: {}`, which a shell reads", single(program))),
        false => {
            let words: Vec<&str> = program.split_whitespace().collect();
            new.help(format!("write each word by itself: `argv: [{}]`", words.join(", ")))
        }
    })
}

fn is_operator(word: &str) -> bool {
    OPERATORS.contains(&word) || ["2>/", "&>/", ">/", ">>/"].iter().any(|begin| word.starts_with(begin))
}

fn among(span: Span, word: &str) -> Diagnostic {
    let what = format!("`{word}` is an argument here, not an operator of the shell");
    let new = Diagnostic::new(Code::W0619, span, what).with_label("handed to the program");
    new.note("`argv` starts a program without a shell")
        .help("write the line as `command`, which a shell reads")
}
