//! Renderer `json`: one JSON object per line, for programs.
//!
//! ```json
//! {"code":"E0401","severity":"error","title":"...","message":"...",
//!  "labels":[{"file":"hooks.yaml","start":{"line":3,"column":11,"offset":40},"end":{...},"text":"..."}],
//!  "notes":[],"help":"...","fix":{"file":"...","start":{...},"end":{...},"replacement":"eq","safe":false}}
//! ```
//!
//! Lines and columns start at 1, columns count characters; offsets are bytes from 0; `end` is after
//! the last character. The first label is the primary one. `help` and `fix` are `null` if absent.

use std::borrow::Cow;

use serde::Serialize;

use crate::span::Span;
use crate::terminal::escape_json;
use crate::{Diagnostic, Sources};

#[derive(Serialize)]
struct Line<'a> {
    code: &'a str,
    severity: &'a str,
    title: &'a str,
    message: &'a str,
    labels: Vec<Label<'a>>,
    notes: &'a [String],
    help: Option<&'a str>,
    fix: Option<Fix<'a>>,
}

#[derive(Serialize)]
struct Label<'a> {
    #[serde(flatten)]
    place: Location<'a>,
    text: &'a str,
}

#[derive(Serialize)]
struct Fix<'a> {
    #[serde(flatten)]
    place: Location<'a>,
    replacement: Cow<'a, str>,
    safe: bool,
}

#[derive(Serialize)]
struct Location<'a> {
    file: &'a str,
    start: Point,
    end: Point,
}

#[derive(Serialize)]
struct Point {
    line: u32,
    column: u32,
    offset: u32,
}

/// Renders all `diagnostics`, each a line.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        // Only strings and numbers: nothing can fail.
        out += &escape_json(
            &serde_json::to_string(&line(&diagnostic.shown(sources), sources)).unwrap_or_default(),
        );
        out.push('\n');
    }
    out
}

fn line<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Line<'a> {
    let label =
        |label: &'a crate::diag::Label| Label { place: location(label.span, sources), text: &label.text };
    let fix = |fix: &'a crate::diag::Fix| Fix {
        place: location(fix.span, sources),
        replacement: fix.written(sources),
        safe: fix.safe,
    };
    Line {
        code: diagnostic.code.name(),
        severity: diagnostic.severity.name(),
        title: diagnostic.code.title(),
        message: &diagnostic.message,
        labels: diagnostic.labels.iter().map(label).collect(),
        notes: &diagnostic.notes,
        help: diagnostic.help.as_deref(),
        fix: diagnostic.fix.as_ref().map(fix),
    }
}

fn location(span: Span, sources: &Sources) -> Location<'_> {
    let point = |offset: u32| {
        let (line, column) = sources.line_col(Span { start: offset, end: offset, ..span });
        Point { line, column, offset }
    };
    Location { file: sources.name(span.source), start: point(span.start), end: point(span.end) }
}
