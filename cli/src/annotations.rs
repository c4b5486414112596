//! Format `github`: one workflow command per diagnostic, which GitHub shows as an annotation of the changed line.
//!
//! ```text
//! ::error file=guard.yaml,line=2,endLine=2,col=5,endColumn=9,title=E0201%3A an unknown key::a hook has no key `whne`
//! ```

use std::fmt::Write;

use hookc_schema::{Diagnostic, Severity, Sources, terminal};

use crate::location::Range;

/// Renders all `diagnostics`, a line each.
pub(crate) fn render(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let diagnostic = diagnostic.shown(sources);
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            _ => "notice",
        };
        let _ = write!(out, "::{command} ");
        if let Some(span) = diagnostic.span() {
            let Range { start, end } = Range::new(span, sources);
            let file = property(sources.name(span.source));
            let _ = write!(out, "file={file},line={},endLine={},", start.0, end.0);
            // GitHub reads columns only within one line.
            if start.0 == end.0 {
                let _ = write!(out, "col={},endColumn={},", start.1, end.1);
            }
        }
        let title = property(&format!("{}: {}", diagnostic.code, diagnostic.code.title()));
        let _ = writeln!(out, "title={title}::{}", message(&text(&diagnostic)));
    }
    out
}

/// A message as workflow commands write it: a line end would start another command.
fn message(text: &str) -> String {
    terminal::escape_block(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(&terminal::escape(text)).replace(':', "%3A").replace(',', "%2C")
}

/// Message, notes and help, a line each. The label of the location says the message again in fewer words.
pub(crate) fn text(diagnostic: &Diagnostic) -> String {
    let notes = diagnostic.notes.iter().map(|note| format!("note: {note}"));
    let help = diagnostic.help.iter().map(|help| format!("help: {help}"));
    let lines: Vec<_> = std::iter::once(diagnostic.message.clone()).chain(notes).chain(help).collect();
    lines.join("\n")
}
