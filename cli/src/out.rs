//! Output to standard output and standard error.
//!
//! Each kind of output has its function: [`text`] for people, [`json`] for programs, [`file()`] for
//! the content of a file, [`verbatim`] for our own texts, [`answer`] for an agent. All but the last
//! two pass through `hookc_schema::terminal`, so that untrusted text never reaches a terminal as a
//! command. A failing write is an error in every verb.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use hookc_runtime::adapter::Printed;
use hookc_schema::diag::render;
use hookc_schema::{Diagnostic, Severity, Sources, terminal};
use rustix::event::PollFlags;
use rustix::io::Errno;

use crate::annotations;
use crate::args::{Color, Format, Global};
use crate::exit::Failure;
use crate::{screen, stdio};

/// How long a message waits for a blocked standard error: it must not delay an answer or an exit
/// status.
const PATIENCE: Duration = Duration::from_secs(1);

/// Writes a text for people. A value within a line passes through [`terminal::escape`] first,
/// because a line end in it would start another line.
pub(crate) fn text(text: &str) -> Result<(), Failure> {
    verbatim(terminal::escape_block(text).as_bytes())
}

/// Writes a text for people with colours of our own.
pub(crate) fn styled_text(text: &str) -> Result<(), Failure> {
    verbatim(terminal::escape_styled(text).as_bytes())
}

/// Writes lines of words for people, no wider than the terminal.
pub(crate) fn lines(lines: &str) -> Result<(), Failure> {
    text(&screen::folded(lines, screen::width()))
}

/// Like `lines`, with colours of our own.
pub(crate) fn styled_lines(lines: &str) -> Result<(), Failure> {
    styled_text(&screen::folded(lines, screen::width()))
}

/// Writes JSON.
pub(crate) fn json(json: &str) -> Result<(), Failure> {
    verbatim(terminal::escape_json(json).as_bytes())
}

/// Writes the content of a file: unchanged, except on a terminal.
pub(crate) fn file(bytes: &[u8]) -> Result<(), Failure> {
    if io::stdout().is_terminal() { text(&String::from_utf8_lossy(bytes)) } else { verbatim(bytes) }
}

/// Writes bytes that are hookc's own or already escaped.
pub(crate) fn verbatim(bytes: &[u8]) -> Result<(), Failure> {
    Ok(Stdout.write_all(bytes)?)
}

/// Writes the answer for a host. It is an error if the host cannot read it: output to a closed
/// standard output is lost silently, because the null device replaces it, open for reading too.
pub(crate) fn answer(answer: &Printed) -> Result<(), Failure> {
    if !answer.is_empty() && is_lost(&io::stdout()) {
        return Err(Failure::usage("standard output is closed"));
    }
    answer.each(|piece| verbatim(piece.as_bytes()))
}

/// Standard output that reports every error: the standard library ignores a descriptor that is not
/// open for writing.
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

/// Standard error: a failing write is ignored.
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

/// Writes a text for people and a line end to standard error, regardless of `-q`.
pub(crate) fn complain(text: &str) {
    let text = terminal::escape_block(text);
    message(format!("{}\n", screen::folded(&text, screen::stderr_width())).as_bytes());
}

/// Writes as much as is accepted. A non-blocking descriptor (shared with another program) is waited
/// for, indefinitely or until `late`.
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
        let _ = stdio::ready(to, PollFlags::OUT, left)?;
    }
}

/// Whether a file is the null device, open for both reading and writing.
fn is_lost(file: &impl AsFd) -> bool {
    use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};
    let both = fcntl_getfl(file).is_ok_and(|flags| flags.contains(OFlags::RDWR));
    both && matches!((fstat(file), stat("/dev/null")), (Ok(output), Ok(null)) if output.st_rdev == null.st_rdev && output.st_ino == null.st_ino)
}

/// Writes a line to standard error, unless `-q`.
pub(crate) fn say(global: &Global, line: &str) {
    if !global.quiet {
        let line = terminal::escape(line);
        message(format!("{}\n", screen::folded(&line, screen::stderr_width())).as_bytes());
    }
}

/// A count with its noun, which gets an `s` for any number except one.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    let end = if noun.ends_with('x') { "es" } else { "s" };
    format!("{count} {noun}{}", if count == 1 { "" } else { end })
}

/// Writes the diagnostics to standard error in the chosen format: notes only with `-v`, only errors
/// with `-q`. Then a line with their number.
pub(crate) fn diagnostics(global: &Global, diagnostics: &[Diagnostic], sources: &Sources) {
    message(rendered(global, diagnostics, sources).as_bytes());
}

/// Writes the diagnostics of a verb whose result they are: JSON to standard output, for programs, and text for people
/// to standard error, like all messages.
pub(crate) fn result(global: &Global, diagnostics: &[Diagnostic], sources: &Sources) -> Result<(), Failure> {
    if matches!(global.format, Format::Json | Format::Github) {
        return verbatim(rendered(global, diagnostics, sources).as_bytes());
    }
    self::diagnostics(global, diagnostics, sources);
    Ok(())
}

/// The least severity that is reported: notes only with `-v`, only errors with `-q`.
pub(crate) fn least(global: &Global) -> Severity {
    match (global.quiet, global.verbose) {
        (true, _) => Severity::Error,
        (false, 0) => Severity::Warning,
        (false, _) => Severity::Note,
    }
}

fn rendered(global: &Global, diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let least = least(global);
    let mut shown: Vec<Diagnostic> = diagnostics.iter().filter(|d| d.severity >= least).cloned().collect();
    if matches!(global.format, Format::Text | Format::Junit) {
        shown = render::group::grouped(&shown, sources);
    }
    let mut text = match global.format {
        Format::Text | Format::Junit => {
            // Text for people goes to standard error.
            let width = screen::stderr_width();
            let screen = render::text::Screen { is_styled: styled(global.color), columns: width };
            let text = render::text::render_for(&shown, sources, screen);
            screen::folded(&text, width).into_owned()
        }
        Format::Short => render::short::render(&shown, sources),
        // A log of SARIF has all diagnostics together: what is reported on its own is for people.
        Format::Sarif => render::text::render(&shown, sources),
        Format::Json => render::json::render(&shown, sources),
        Format::Github => annotations::render(&shown, sources),
    };
    if matches!(global.format, Format::Text | Format::Junit) && !shown.is_empty() {
        text.push_str(&render::summary(&shown));
        text.push('\n');
    }
    text
}

fn styled(color: Color) -> bool {
    coloured(color, &io::stderr())
}

/// Whether standard output supports colours.
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

/// A duration in milliseconds. One beyond 2^64 of them, 500 million years, is as good as for ever.
pub(crate) fn saturating_millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
