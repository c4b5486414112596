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
