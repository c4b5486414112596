//! `hookc log`: what hooks denied, from the decision log.
//!
//! `line.rs` selects and prints lines, `since.rs` reads times.

mod line;
mod since;

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use hookc_runtime::log::LINE_BYTES;
use hookc_runtime::open;
use line::{Printer, Selection};

use crate::args::{Global, LogArgs};
use crate::exit::{Exit, Failure, Outcome};
use crate::{out, state};

/// How often a followed log is read.
const PAUSE: Duration = Duration::from_millis(200);

pub(crate) fn run(global: &Global, args: &LogArgs) -> Outcome {
    let since = since::start(args.since.as_deref(), SystemTime::now())?;
    let (session, host) = (args.session.clone(), args.host.clone());
    let selection = Selection { since, session, host, has_all: args.all };
    let mut printer = Printer::new(global, selection);
    let logs = logs(args)?;
    if let ([path], true) = (&logs[..], args.follow) {
        return follow(path, &mut printer);
    }
    if args.follow {
        return Err(Failure::usage("`--follow` takes one log"));
    }
    for path in &logs {
        let file = match open(path)? {
            Some(file) => file,
            None if args.logs.is_empty() => {
                out::say(global, &format!("hookc: no call is logged yet: {}", path.display()));
                return Ok(Exit::Done);
            }
            None => return Err(Failure::usage(format!("{}: the log does not exist", path.display()))),
        };
        let mut lines = Lines::new(file);
        lines.read(path, &mut printer)?;
    }
    if printer.is_foreign() {
        let names: Vec<_> = logs.iter().map(|path| path.display().to_string()).collect();
        return Err(Failure::input(format!("{}: not one line is of a decision log", names.join(", "))));
    }
    printer.summary()?;
    Ok(Exit::Done)
}

/// The logs that the arguments name, or the user's.
fn logs(args: &LogArgs) -> Result<Vec<PathBuf>, Failure> {
    if !args.logs.is_empty() {
        return Ok(args.logs.clone());
    }
    let default = state::folder().map(|folder| vec![folder.join("decisions.jsonl")]);
    default.ok_or_else(|| Failure::usage("without a home directory, name a log"))
}

/// The file of a log; `None` if it does not exist.
fn open(path: &Path) -> Result<Option<File>, Failure> {
    match open::regular(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::file(path, &error)),
    }
}

/// Prints lines until the process is ended. A log that is removed, replaced or cut is read again from its start.
fn follow(path: &Path, printer: &mut Printer) -> Outcome {
    let mut lines: Option<Lines> = None;
    loop {
        if !lines.as_mut().is_some_and(|lines| lines.is_at(path)) {
            lines = open(path)?.map(Lines::new);
        }
        if let Some(lines) = &mut lines {
            lines.read(path, printer)?;
        }
        thread::sleep(PAUSE);
    }
}

/// The lines of a log, one in memory at a time. The last one may be incomplete: its writer is at it.
struct Lines {
    from: BufReader<File>,
    line: Vec<u8>,
    /// Whether the rest of the line is skipped: it is too long.
    is_skipped: bool,
}

impl Lines {
    fn new(file: File) -> Self {
        Self { from: BufReader::with_capacity(1 << 16, file), line: Vec::new(), is_skipped: false }
    }

    /// Whether the path still leads to this file, and the file has what was read.
    fn is_at(&mut self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt;
        let same = |here: std::fs::Metadata, there: std::fs::Metadata| {
            (here.dev(), here.ino()) == (there.dev(), there.ino())
        };
        let read = self.from.stream_position().unwrap_or_default();
        let (here, there) = (self.from.get_ref().metadata(), path.metadata());
        here.ok()
            .filter(|here| here.len() >= read)
            .zip(there.ok())
            .is_some_and(|(here, there)| same(here, there))
    }

    /// Prints the complete lines that were not read yet.
    fn read(&mut self, path: &Path, printer: &mut Printer) -> Result<(), Failure> {
        loop {
            let room = LINE_BYTES.saturating_sub(self.line.len()) as u64;
            let read = (&mut self.from).take(room).read_until(b'\n', &mut self.line);
            let read = read.map_err(|error| Failure::file(path, &error))?;
            if self.line.ends_with(b"\n") {
                if !self.is_skipped {
                    printer.line(&self.line)?;
                }
                self.is_skipped = false;
                self.line.clear();
            } else if self.line.len() >= LINE_BYTES {
                self.is_skipped = true;
                self.line.clear();
            } else if read == 0 {
                return Ok(());
            }
        }
    }
}
