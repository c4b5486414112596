//! Renderer `text`, for people: rustc's look, by `annotate-snippets`.
//!
//! ```text
//! error[E0401]: unknown operator `equls`
//!  --> hooks.yaml:4:11
//!   |
//! 4 |       op: equls
//!   |           ^^^^^ no such operator
//!   |
//! help: did you mean `eq`?
//!   |
//! 4 -       op: equls
//! 4 +       op: eq
//!   |
//! ```
//!
//! All text is escaped before it is rendered, and only a window of a large source is read.

use annotate_snippets::renderer::DEFAULT_LINE_NUM_STYLE;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Patch, Renderer, Snippet};

use super::window::{MOST_PLACES, Window, single, windows};
use crate::diag::Fix;
use crate::terminal::{escape, escape_block};
use crate::{Diagnostic, Severity, Sources};

/// What the text is written to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// Whether it shows colours.
    pub is_styled: bool,
    /// The columns to which lines of sources are cut.
    pub columns: Option<u16>,
}

/// Renders all `diagnostics` without colours, an empty line between two.
#[must_use]
pub fn render(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    render_for(diagnostics, sources, Screen::default())
}

/// As [`render`], for a screen.
#[must_use]
pub fn render_for(diagnostics: &[Diagnostic], sources: &Sources, screen: Screen) -> String {
    let renderer = if screen.is_styled { Renderer::styled() } else { Renderer::plain() };
    let renderer = match screen.columns {
        Some(columns) => renderer.term_width(usize::from(columns)),
        None => renderer,
    };
    let mut out = String::new();
    for diagnostic in diagnostics {
        if !out.is_empty() {
            out.push('\n');
        }
        one(&diagnostic.shown(sources), sources, &renderer, screen.is_styled, &mut out);
    }
    out
}

fn one(diagnostic: &Diagnostic, sources: &Sources, renderer: &Renderer, styled: bool, out: &mut String) {
    let level = level(diagnostic.severity);
    let message = escape(&diagnostic.message);
    let title = level.clone().primary_title(message).id(diagnostic.code.name());
    *out += &renderer.render(&[Group::with_title(title)]);
    out.push('\n');
    let is_private = diagnostic.span().is_some_and(|span| sources.is_private(span.source));
    let windows = if is_private { Vec::new() } else { windows(diagnostic, sources) };
    let fix = diagnostic.fix.as_ref().and_then(|fix| patch(fix, sources));
    let last = windows.iter().filter(|w| w.own()).map(|w| w.last);
    let last = last.chain(fix.as_ref().map(|(window, _)| window.first)).max().unwrap_or(1);
    if let Some(span) = diagnostic.span() {
        let place = sources.location(span);
        let (on, off) = if styled {
            (DEFAULT_LINE_NUM_STYLE.to_string(), format!("{DEFAULT_LINE_NUM_STYLE:#}"))
        } else {
            Default::default()
        };
        *out += &format!("{:1$}{on}--> {off}{2}\n", "", last.to_string().len(), escape(&place));
    }
    let mut group = Group::with_level(level);
    for (at, window) in windows.iter().enumerate() {
        group = shown(group, at == 0, window, diagnostic, sources);
    }
    let mut groups = vec![footers(group, diagnostic, fix.is_some(), sources)];
    groups.extend(fix.map(|(window, edit)| suggestion(diagnostic, window, edit, sources)));
    groups.retain(|group| !group.is_empty());
    if !groups.is_empty() {
        *out += &renderer.render(&groups);
        out.push('\n');
    }
}

impl Window {
    /// Whether it is shown as source text, even if it comes second in its report.
    fn own(&self) -> bool {
        !self.cut || self.places.iter().any(|&(index, _)| index == 0)
    }
}

/// Adds a window. A cut one that is not the first has no true columns: its
/// place is reported in words.
fn shown<'a>(
    group: Group<'a>,
    first: bool,
    window: &'a Window,
    diagnostic: &'a Diagnostic,
    sources: &'a Sources,
) -> Group<'a> {
    let label = |index: usize| diagnostic.labels.get(index);
    if !window.own() {
        let places = window.places.iter().filter_map(|&(index, _)| label(index));
        let reported = places.map(|l| format!("{}: {}", escape(&sources.location(l.span)), escape(&l.text)));
        return group.elements(reported.map(|text| Level::NOTE.message(text)));
    }
    let annotation = |(index, range): &(usize, std::ops::Range<usize>)| -> Annotation<'a> {
        let kind = if *index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let text = label(*index).map_or("", |label| &label.text);
        kind.span(range.clone()).label((!text.is_empty()).then(|| escape(text)))
    };
    let path = (!first).then(|| escape(sources.name(window.source)));
    group.element(
        Snippet::source(window.text.as_str())
            .line_start(window.first)
            .path(path)
            .annotations(window.places.iter().map(annotation)),
    )
}

/// Adds notes, and the help unless it heads a shown edit.
fn footers<'a>(mut group: Group<'a>, diagnostic: &'a Diagnostic, edit: bool, sources: &Sources) -> Group<'a> {
    let more = diagnostic.labels.len().saturating_sub(MOST_PLACES);
    if more > 0 {
        group = group.element(Level::NOTE.message(format!("and {more} more locations")));
    }
    group = group.elements(diagnostic.notes.iter().map(|note| Level::NOTE.message(escape_block(note))));
    if edit {
        return group;
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(escape_block(help)));
    }
    if let Some(fix) = &diagnostic.fix {
        let text = format!("write this instead: {}", escape_block(&fix.written(sources)));
        group = group.element(Level::HELP.message(text));
    }
    group
}

/// The window of an edit that can be shown: within one line, of one line.
fn patch(fix: &Fix, sources: &Sources) -> Option<(Window, Patch<'static>)> {
    let window = single(fix.span, sources);
    let inside = sources.text(fix.span.source).get(fix.span.range())?;
    let new = fix.written(sources);
    if window.cut || new.contains('\n') || inside.contains('\n') {
        return None;
    }
    let start = window.places.first().map(|(_, range)| range.start)?;
    let end = (start + escape_block(inside).len()).min(window.text.len());
    let edit = Patch::new(start..end, escape_block(&new).into_owned());
    Some((window, edit))
}

fn suggestion<'a>(
    diagnostic: &'a Diagnostic,
    window: Window,
    edit: Patch<'a>,
    sources: &'a Sources,
) -> Group<'a> {
    let title = diagnostic.help.as_deref().map_or("write this instead".into(), escape_block);
    let elsewhere = diagnostic.span().is_none_or(|span| span.source != window.source);
    let path = elsewhere.then(|| escape(sources.name(window.source)));
    let snippet = Snippet::source(window.text).line_start(window.first).path(path).patch(edit);
    Level::HELP.secondary_title(title).element(snippet)
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Note => Level::NOTE,
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    }
}
