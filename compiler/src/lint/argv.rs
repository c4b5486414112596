//! Syntax of the shell where no shell reads it (W0619): `argv: ["git log | head"]`,
//! `argv: [git, log, '|', head]`. The program gets these words as they are, or cannot be
//! started at all.

use hookc_schema::tree::{Action, Family, Hook};
use hookc_schema::value::{Kind, Value};
use hookc_schema::{Code, Diagnostic, Span};

/// Programs that have operators among their own arguments, or read code.
const OWN: [&str; 21] = [
    "[", "[[", "awk", "bash", "dash", "echo", "expr", "fish", "gawk", "gdb", "ksh", "nu", "parallel",
    "printf", "pwsh", "sh", "test", "time", "tmux", "xonsh", "zsh",
];

/// Words that are operators of the shell and nothing else.
const OPERATORS: [&str; 10] = ["|", "||", "&&", "|&", ">", ">>", "<", "2>&1", "&>", "2>"];

/// Endings of scripts.
const SCRIPTS: [&str; 6] = [".sh", ".py", ".js", ".ts", ".rb", ".pl"];

/// Reports what a shell would have to read in the words of a `run`.
pub(super) fn check(hook: &Hook, out: &mut Vec<Diagnostic>) {
    let action = &hook.action;
    // Handlers of repositories are no lines of a shell either (W0292).
    if action.kind.node != "run" || hook.family == Family::Repository {
        return;
    }
    let words = words(action);
    let Some((program, rest)) = words.split_first() else { return };
    if let Some(found) = in_program(program, rest.is_empty()) {
        out.push(found);
        return;
    }
    let name = program.1.rsplit('/').next().unwrap_or_default();
    if OWN.contains(&name) {
        return;
    }
    out.extend(rest.iter().find(|(_, word)| is_operator(word)).map(|(span, word)| among(*span, word)));
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
    let script = alone && SCRIPTS.iter().any(|ending| first.ends_with(ending));
    let option = rest.split_whitespace().any(|word| word.starts_with('-') && word.len() > 1);
    let operator = rest.split_whitespace().any(is_operator);
    if !(bare || script || option || operator) {
        return None;
    }
    let new = Diagnostic::new(Code::W0619, span, format!("no program is called `{program}`"));
    let new = new.with_label("a command line").note("`argv` starts a program without a shell");
    Some(match operator || rest.contains(['|', ';', '&', '>', '<']) {
        true => new.help(format!("write `command: {}`, which a shell reads", scalar(program))),
        false => {
            let words: Vec<&str> = program.split_whitespace().collect();
            new.help(format!("write each word by itself: `argv: [{}]`", words.join(", ")))
        }
    })
}

/// A text as a scalar of YAML.
fn scalar(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
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
