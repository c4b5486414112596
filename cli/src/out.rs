//! What goes to standard output and standard error.

use std::io::{self, IsTerminal, Write};

use hookc_schema::diag::render;
use hookc_schema::{Diagnostic, Severity, Sources};

use crate::args::{Color, Format, Global};
use crate::exit::Failure;

/// Writes results.
pub(crate) fn stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(())
}

/// Writes what a host is to read. Where nobody can read it, that is an error: what
/// goes to a standard output that was closed is lost without a word, since what
/// stands in for it is the null device, open for reading too.
pub(crate) fn answer(bytes: &[u8]) -> Result<(), Failure> {
    if !bytes.is_empty() && is_lost(&io::stdout()) {
        return Err(Failure::usage("standard output is closed"));
    }
    stdout(bytes)
}

/// Whether a file is the null device, open for reading as well as for writing.
#[cfg(unix)]
fn is_lost(file: &impl std::os::fd::AsFd) -> bool {
    use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};
    let both = fcntl_getfl(file).is_ok_and(|flags| flags.contains(OFlags::RDWR));
    both && matches!((fstat(file), stat("/dev/null")), (Ok(own), Ok(null)) if own.st_rdev == null.st_rdev && own.st_ino == null.st_ino)
}

#[cfg(not(unix))]
fn is_lost<T>(_: &T) -> bool {
    false
}

/// Says a line on standard error, unless `-q`.
pub(crate) fn say(global: &Global, line: &str) {
    if !global.quiet {
        let _ = writeln!(io::stderr(), "{line}");
    }
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
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

fn styled(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
        }
    }
}
