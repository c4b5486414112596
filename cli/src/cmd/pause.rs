//! `hookc pause`: a person opens a window in which no call is decided. The terminal itself is asked, so that an agent
//! that starts this command without one cannot answer.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hookc_runtime::log::{Log, rfc3339};
use hookc_runtime::pause::Pause;
use hookc_schema::terminal::escape;
use rustix::process::getpgrp;

use crate::args::{Format, Global, PauseArgs};
use crate::exit::{Exit, Failure, Outcome};
use crate::{out, state};

pub(crate) fn run(global: &Global, args: &PauseArgs) -> Outcome {
    let folder = state::folder().ok_or_else(|| Failure::usage("no directory for the user's state"))?;
    let (Some(length), Some(reason)) = (args.length, args.reason.as_deref()) else {
        return if args.end { end(global, &folder) } else { show(global, &folder) };
    };
    let minutes = length.as_secs().div_ceil(60);
    let length_text = if minutes == 1 { "a minute".to_owned() } else { format!("{minutes} minutes") };
    let question = format!(
        "For {length_text}, no hook of any agent of yours will be decided. Reason: {}\n",
        escape(reason)
    );
    if !is_confirmed(&question)? {
        return Err(Failure::input("nothing was paused"));
    }
    let pause = Pause::new(SystemTime::now(), length, reason);
    pause.open(&folder).map_err(|error| Failure::file(&Pause::file(&folder), &error))?;
    note(global, &folder, "pause", &pause);
    out::say(global, &format!("{}; end it with `hookc pause --end`", text(&pause)));
    Ok(Exit::Done)
}

/// The open window of this user.
pub(crate) fn active() -> Option<Pause> {
    let folder = state::path(&|name| std::env::var_os(name).map(PathBuf::from))?;
    Pause::active(&folder, SystemTime::now())
}

/// A window for people.
pub(crate) fn text(pause: &Pause) -> String {
    format!("every guard is paused until {}: {}", rfc3339(pause.until()), pause.reason())
}

fn show(global: &Global, folder: &Path) -> Outcome {
    let pause = Pause::active(folder, SystemTime::now());
    if global.format == Format::Json {
        let until = pause.as_ref().map(|pause| rfc3339(pause.until()));
        let reason = pause.as_ref().map(Pause::reason);
        out::json(&format!("{}\n", serde_json::json!({"until": until, "reason": reason})))?;
    } else {
        let text = pause.map_or_else(|| "no guard is paused".to_owned(), |pause| text(&pause));
        out::text(&format!("{}\n", escape(&text)))?;
    }
    Ok(Exit::Done)
}

fn end(global: &Global, folder: &Path) -> Outcome {
    let pause = Pause::active(folder, SystemTime::now());
    Pause::end(folder).map_err(|error| Failure::file(&Pause::file(folder), &error))?;
    match &pause {
        Some(pause) => {
            note(global, folder, "resume", pause);
            out::say(global, "the guards decide again");
        }
        None => out::say(global, "no guard is paused"),
    }
    Ok(Exit::Done)
}

/// Writes a line to the log. The window applies without it too.
fn note(global: &Global, folder: &Path, outcome: &str, pause: &Pause) {
    let log = folder.join("decisions.jsonl");
    let written = Log::open(&log).and_then(|log| log.write_pause(outcome, pause.until(), pause.reason()));
    if let Err(error) = written {
        out::say(global, &format!("hookc: {}: {error}", log.display()));
    }
}

/// Asks the terminal of this process for a number that it shows.
///
/// # Errors
/// There is no terminal, or this process is in its background.
fn is_confirmed(question: &str) -> Result<bool, Failure> {
    let none = |_: io::Error| Failure::usage("only a person at a terminal can pause the guards");
    let mut terminal = OpenOptions::new().read(true).write(true).open("/dev/tty").map_err(none)?;
    if rustix::termios::tcgetpgrp(&terminal) != Ok(getpgrp()) {
        return Err(Failure::usage("only a command in the foreground of a terminal can pause the guards"));
    }
    let number = number()?;
    write!(terminal, "{question}Type {number} to pause: ")?;
    let mut line = String::new();
    BufReader::new((&terminal).take(100)).read_line(&mut line)?;
    Ok(line.trim() == number)
}

/// Four random digits.
fn number() -> io::Result<String> {
    let mut bytes = [0; 4];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| char::from(b'0' + byte % 10)).collect())
}
