//! How a command that could not run ends: a message on standard error, and the exit status.

mod advice;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use hookc_schema::terminal;

use crate::exit::Failure;
use crate::{out, screen};

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

/// Reports a wrong command line: exit 2, or 0 for `--help` and `--version`.
pub(crate) fn usage(mut error: clap::Error) -> ExitCode {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(message) = advice::instead(&error, &words) {
        out::complain(&format!("hookc: {message}"));
        return ExitCode::from(2);
    }
    let more = advice::more(&mut error, &words);
    let rendered = error.render();
    if error.use_stderr() {
        // The quoted part of the command line may contain colours of its own.
        let hostile = |arg: OsString| arg.to_string_lossy().contains(terminal::is_hostile);
        let is_plain = AutoStream::choice(&io::stderr()) == ColorChoice::Never;
        let shown = if std::env::args_os().any(hostile) {
            terminal::escape_block(&rendered.to_string()).into_owned()
        } else if is_plain {
            rendered.to_string()
        } else {
            rendered.ansi().to_string()
        };
        out::message(screen::folded(&shown, screen::stderr_width()).as_bytes());
        if let Some(line) = more {
            out::complain(&line);
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
