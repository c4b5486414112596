//! Renderer `short`: `file:line:col: error[E0101]: message`, one line each,
//! for editors and for `grep`.

use std::fmt::Write;

use crate::terminal::escape;
use crate::{Diagnostic, Sources};

/// Renders all `diagnostics`, each ending in a newline. Characters that could
/// trick a terminal are replaced.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let diagnostic = diagnostic.shown(sources);
        if let Some(span) = diagnostic.span() {
            let _ = write!(out, "{}: ", escape(&sources.location(span)));
        }
        let (severity, code) = (diagnostic.severity.name(), diagnostic.code);
        let _ = writeln!(out, "{severity}[{code}]: {}", escape(&diagnostic.message));
    }
    out
}
