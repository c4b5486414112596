//! How a command that could not run ends: a message on standard error, and the exit status.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use hookc_schema::terminal;

use crate::args::Cli;
use crate::exit::Failure;
use crate::out;

/// The exit status if the output is closed: 128 plus the number of SIGPIPE.
const UNREAD: u8 = 141;

/// Reports why a command could not run.
pub(crate) fn failure(failure: &Failure) -> ExitCode {
    let (message, code) = match failure {
        Failure::Usage(message) => (message.as_str(), 2),
        Failure::Input(message) => (message.as_str(), 1),
        // Exits like a program terminated by SIGPIPE: lost output is not success.
        Failure::Closed => return ExitCode::from(UNREAD),
    };
    out::complain(&format!("hookc: {}", terminal::escape(message)));
    ExitCode::from(code)
}

/// What people type who know other programs, and what to write instead.
const MEANT: [(&str, &str); 18] = [
    ("lint", "hookc check"),
    ("validate", "hookc check"),
    ("verify", "hookc check"),
    ("format", "hookc fmt"),
    ("logs", "hookc log"),
    ("docs", "hookc guide"),
    ("simulate", "hookc explain"),
    ("why", "hookc explain"),
    ("--json", "--format json"),
    ("--command", "--tool Bash --input command='LINE'"),
    ("--tool-input", "--input NAME=VALUE"),
    ("--file", "--input file_path=PATH"),
    ("--agent", "--host"),
    ("--output", "--format json"),
    ("--fail-on", "--deny warnings"),
    ("--fail-on-warnings", "--deny warnings"),
    ("--warnings-as-errors", "--deny warnings"),
    ("--no-color", "--color never"),
];

/// The verb or option that is meant, if the command line has none of that name.
fn meant(error: &clap::Error) -> Option<String> {
    let kind = match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => return None,
    };
    let Some(ContextValue::String(typed)) = error.get(kind) else { return None };
    let (typed, instead) = MEANT.iter().find(|(word, instead)| word == typed && is_option_here(instead))?;
    Some(format!("hookc: there is no `{typed}`: write `{instead}`"))
}

/// Whether the verb of this command line has the option with which a text starts; true for a text without an option.
fn is_option_here(text: &str) -> bool {
    let Some(option) = text.strip_prefix("--").and_then(|text| text.split(' ').next()) else { return true };
    let mut command = Cli::command();
    command.build();
    let verb = std::env::args_os().skip(1).find_map(|word| command.find_subcommand(word));
    verb.unwrap_or(&command).get_arguments().any(|argument| argument.get_long() == Some(option))
}

/// Reports a wrong command line: exit 2, or 0 for `--help` and `--version`.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    if let Some(message) = meant(error) {
        out::complain(&message);
        return ExitCode::from(2);
    }
    let rendered = error.render();
    if error.use_stderr() {
        // The quoted part of the command line may contain colours of its own.
        let hostile = |arg: OsString| arg.to_string_lossy().contains(terminal::is_hostile);
        if std::env::args_os().any(hostile) {
            out::message(terminal::escape_block(&rendered.to_string()).as_bytes());
        } else {
            let _ = error.print();
        }
        return ExitCode::from(2);
    }
    let ansi = rendered.ansi().to_string();
    let coloured = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let shown = if coloured { ansi } else { rendered.to_string() };
    match out::styled_text(&shown) {
        Ok(()) => ExitCode::SUCCESS,
        Err(wrong) => failure(&wrong),
    }
}
