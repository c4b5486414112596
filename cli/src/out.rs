//! What goes to standard output and standard error.
//!
//! Each kind of output has its function: [`text`] for people, [`json`] for programs,
//! [`file()`] for what would be a file, [`verbatim`] for texts of our own, [`answer`]
//! for an agent. All but the last two pass through `hookc_schema::terminal`, so
//! that nothing that somebody else wrote reaches a terminal as a command. An output
//! that cannot be written is an error, whatever the verb.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use hookc_runtime::adapter::Printed;
use hookc_schema::diag::render;
use hookc_schema::{Diagnostic, Severity, Sources, terminal};
use rustix::event::PollFlags;
use rustix::io::Errno;

use crate::args::{Color, Format, Global};
use crate::exit::Failure;
use crate::files;

/// How long a message waits for a standard error that takes nothing: it must not
/// keep an answer or an exit status from anybody.
const PATIENCE: Duration = Duration::from_secs(1);

/// Writes a text for people. A value within a line goes through
/// [`terminal::escape`] before, since a line end in it would begin another line.
pub(crate) fn text(text: &str) -> Result<(), Failure> {
    verbatim(terminal::escape_block(text).as_bytes())
}

/// Writes a text for people with colours of our own.
pub(crate) fn styled_text(text: &str) -> Result<(), Failure> {
    verbatim(terminal::escape_styled(text).as_bytes())
}

/// Writes JSON.
pub(crate) fn json(json: &str) -> Result<(), Failure> {
    verbatim(terminal::escape_json(json).as_bytes())
}

/// Writes what stands for a file: byte by byte, but for a terminal.
pub(crate) fn file(bytes: &[u8]) -> Result<(), Failure> {
    if io::stdout().is_terminal() { text(&String::from_utf8_lossy(bytes)) } else { verbatim(bytes) }
}

/// Writes bytes that are hookc's own, or that were made harmless.
pub(crate) fn verbatim(bytes: &[u8]) -> Result<(), Failure> {
    Ok(Stdout.write_all(bytes)?)
}

/// Writes what a host is to read. Where nobody can read it, that is an error: what
/// goes to a standard output that was closed is lost without a word, since what
/// stands in for it is the null device, open for reading too.
pub(crate) fn answer(answer: &Printed) -> Result<(), Failure> {
    if !answer.is_empty() && is_lost(&io::stdout()) {
        return Err(Failure::usage("standard output is closed"));
    }
    answer.each(|piece| verbatim(piece.as_bytes()))
}

/// Standard output without what the standard library makes of it, which passes over
/// a descriptor that is not open for writing.
#[derive(Debug)]
pub(crate) struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        patiently(&io::stdout(), bytes, None)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Standard error: what cannot be written there changes nothing.
struct Stderr(Instant);

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        patiently(&io::stderr(), bytes, Some(self.0))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes bytes of our own to standard error.
pub(crate) fn message(bytes: &[u8]) {
    let _ = Stderr(Instant::now() + PATIENCE).write_all(bytes);
}

/// Writes a text for people and a line end to standard error, whatever `-q` says.
pub(crate) fn complain(text: &str) {
    message(format!("{}\n", terminal::escape_block(text)).as_bytes());
}

/// Writes what is taken now. A descriptor that does not block (another program shares
/// it) is waited for, for ever or until `late`.
fn patiently(to: &impl AsFd, bytes: &[u8], late: Option<Instant>) -> io::Result<usize> {
    loop {
        match rustix::io::write(to, bytes) {
            Err(Errno::AGAIN) => {}
            written => return Ok(written?),
        }
        let left = late.map(|late| late.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return Err(ErrorKind::TimedOut.into());
        }
        files::ready(to, PollFlags::OUT, left)?;
    }
}

/// Whether a file is the null device, open for reading as well as for writing.
fn is_lost(file: &impl AsFd) -> bool {
    use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};
    let both = fcntl_getfl(file).is_ok_and(|flags| flags.contains(OFlags::RDWR));
    both && matches!((fstat(file), stat("/dev/null")), (Ok(own), Ok(null)) if own.st_rdev == null.st_rdev && own.st_ino == null.st_ino)
}

/// Says a line on standard error, unless `-q`.
pub(crate) fn say(global: &Global, line: &str) {
    if !global.quiet {
        message(format!("{}\n", terminal::escape(line)).as_bytes());
    }
}

/// A count and its noun, with an `s` for any number but one.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Tells the diagnostics on standard error in the chosen format: notes only
/// with `-v`, errors alone with `-q`. Then a line that counts them.
pub(crate) fn diagnostics(global: &Global, diagnostics: &[Diagnostic], sources: &Sources) {
    let least = match (global.quiet, global.verbose) {
        (true, _) => Severity::Error,
        (false, 0) => Severity::Warning,
        (false, _) => Severity::Note,
    };
    let shown: Vec<Diagnostic> = diagnostics.iter().filter(|d| d.severity >= least).cloned().collect();
    let mut text = match global.format {
        Format::Text | Format::Junit if styled(global.color) => {
            render::text::render_styled(&shown, sources, true)
        }
        Format::Text | Format::Junit => render::text::render(&shown, sources),
        Format::Short => render::short::render(&shown, sources),
        Format::Json => render::json::render(&shown, sources),
    };
    if matches!(global.format, Format::Text | Format::Junit) && !shown.is_empty() {
        text.push_str(&render::summary(&shown));
        text.push('\n');
    }
    message(text.as_bytes());
}

fn styled(color: Color) -> bool {
    coloured(color, &io::stderr())
}

/// Whether text on standard output has colours.
pub(crate) fn styled_stdout(color: Color) -> bool {
    coloured(color, &io::stdout())
}

fn coloured(color: Color, to: &impl IsTerminal) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => to.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
    }
}
