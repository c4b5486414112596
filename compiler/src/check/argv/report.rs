//! Diagnostics of templates that would be read as code.

use hookc_schema::tree::{Path, print};
use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic};
use hookc_shell::argv::{Finding, Risk};

const RUNS: &str = "the event would determine which program runs";
const LOADS: &str = "the event would determine what is loaded and run";
const NAME_IT: &str = "name the program, and pass the value as an argument after it or in `env`, or read the event from \
     stdin";

fn new(path: &Path, place: &str, why: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    let what = format!("template `${{{}}}` {place}", path.text);
    Diagnostic::new(Code::E0307, path.span, what).with_label(why).help(help)
}

/// In the command line of a shell.
pub(super) fn line(path: &Path) -> Diagnostic {
    let help = "pass it in `argv` or `env`, or read the event from stdin";
    new(path, "in a shell command", "the shell would read the event as code", help)
        .note("for a literal `${`, as in shell syntax, write `$${`")
}

pub(super) fn shell(path: &Path) -> Diagnostic {
    new(path, "in the name of a shell", RUNS, "name the shell itself")
}

pub(super) fn script(path: &Path) -> Diagnostic {
    new(path, "in the name of a script", RUNS, "name the file itself; the script gets the event")
}

pub(super) fn all_variables(path: &Path) -> Diagnostic {
    let help = "list each variable with its value";
    new(path, "in place of all variables", LOADS, help)
}

pub(super) fn variable(name: &str, path: &Path) -> Diagnostic {
    let place = match name {
        "" => "in the name of a variable".to_owned(),
        name => format!("in `{name}`, a variable that controls what programs load"),
    };
    new(path, &place, LOADS, "pass it in a variable of another name, or read the event from stdin")
}

/// In an argument, or in the working directory.
pub(super) fn finding(found: &Finding, path: &Path) -> Diagnostic {
    let program = name(&found.program);
    match &found.risk {
        Risk::Program if found.program.is_empty() => new(path, "in the name of a program", RUNS, NAME_IT),
        Risk::Program => {
            new(path, &format!("in the name of the program that `{program}` runs"), RUNS, NAME_IT)
        }
        Risk::Verb => {
            let why = format!("the event would determine what `{program}` does");
            new(path, &format!("in the subcommand of `{program}`"), why, "write the subcommand itself")
        }
        Risk::Code => {
            let why = format!("`{program}` would read the event as code");
            let help = "pass it as an argument after the code or in `env`, or read the event from stdin";
            new(path, &format!("in the code of `{program}`"), why, help)
        }
        Risk::Loaded(option) => {
            let help = "write the value itself, or pass the template in `env` under another name";
            new(path, &format!("in `{option}` of `{program}`"), LOADS, help)
        }
        Risk::Variable(name) => variable(name, path),
        Risk::Folder(file) => {
            let why = format!("the event would determine which file `{file}` is");
            let help = format!("write the absolute path of `{file}`, or remove the directory");
            new(path, "in the working directory of a relative program", why, help)
        }
        Risk::Option => {
            let what = format!("template `${{{}}}` where `{program}` parses options", path.text);
            let why = "a value that begins with `-` would be an option";
            let help = format!("put `--` or the name of an option before it{}", trust(found));
            maybe(path, what, why)
                .note(format!("options of `{program}` can determine what it runs or loads"))
                .help(help)
        }
        Risk::Unknown(program) => {
            let what = format!("template `${{{}}}` in an argument that may be code", path.text);
            let why = match program.as_str() {
                "" => "after a template that may be a program or an option".to_owned(),
                program => format!("how `{program}` uses it is unknown"),
            };
            let help = match program.starts_with("--") && !program.contains('=') {
                true => format!("join the option and its value with `=`{}", trust(found)),
                false => format!("pass it in `env`, or read the event from stdin{}", trust(found)),
            };
            maybe(path, what, &why).help(help)
        }
    }
}

fn maybe(path: &Path, what: String, why: &str) -> Diagnostic {
    Diagnostic::new(Code::E0312, path.span, what).with_label(why)
}

fn trust(found: &Finding) -> String {
    match found.at.filter(|at| *at > 0) {
        Some(at) => format!("; if any value is safe there, say so with `trusted_args: [{at}]`"),
        None => String::new(),
    }
}

fn name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

pub(super) fn trusted_by_template(path: &Path) -> Diagnostic {
    let what = format!("template `${{{}}}` in `trusted_args`", path.text);
    Diagnostic::new(Code::E0311, path.span, what)
        .with_label("the event would determine what is trusted")
        .help("write the numbers; 1 is the first argument after the program")
}

/// A number of `trusted_args` that points at no template.
pub(super) fn nothing_to_trust(number: &Value, arguments: usize, twice: bool) -> Diagnostic {
    let what =
        format!("`trusted_args` names {}, which is not an argument with a template", print::json(number));
    let why = match twice {
        true => "listed twice".to_owned(),
        false => match arguments.checked_sub(1) {
            None | Some(0) => "there are no arguments".to_owned(),
            Some(last) => format!("the arguments after the program are 1 to {last}"),
        },
    };
    Diagnostic::new(Code::E0311, number.span, what)
        .with_label(why)
        .help("remove it, or write the number of the argument with the template; the program is 0")
}
