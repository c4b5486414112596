//! Adds members to JSON texts and removes them, leaving everything else unchanged.

use std::ops::Range;

use hookc_schema::value::{Kind, Member, Value};

use super::change::Edit;
use super::gap;
use super::layout::Layout;

/// A member of an object or an item of an array to add.
#[derive(Debug)]
pub(super) struct Piece<'v> {
    pub(super) key: Option<&'v str>,
    pub(super) value: serde_json::Value,
    /// How many levels of it are brackets that may become empty again.
    pub(super) open: usize,
}

/// The ranges of the members or items of a value, including keys.
pub(super) fn children(value: &Value) -> Vec<Range<usize>> {
    match &value.kind {
        Kind::Seq(items) => items.iter().map(|item| item.span.range()).collect(),
        Kind::Map(members) => {
            let member = |m: &Member| m.key.span.range().start.saturating_sub(1)..m.value.span.range().end;
            members.iter().map(member).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether the first child of a value directly follows its bracket, as it does if it was added to
/// an existing empty value.
pub(super) fn was_empty(value: &Value) -> bool {
    let start = value.span.range().start + 1;
    children(value).first().is_some_and(|first| first.start == start)
}

/// Adds texts after all children of a value.
pub(super) fn append(layout: &Layout<'_>, value: &Value, root: bool, pieces: &[Piece<'_>]) -> Vec<Edit> {
    let whole = value.span.range();
    let end = whole.end.saturating_sub(1);
    let Some(last) = children(value).pop() else {
        return match root {
            true => vec![into_root(layout, whole.start + 1, end, pieces)],
            false => vec![into_empty(layout, whole.start + 1, pieces)],
        };
    };
    let comma = gap::read_gap(layout.text, last.end, end).comma;
    let mut edits = Vec::new();
    if comma.is_none() {
        edits.push(Edit::insert(last.end, ","));
    }
    let after = comma.map_or(last.end, |comma| comma + 1);
    let place = gap::after(layout.text, after);
    let line_comment = layout.between(after, place).contains("//");
    let mut text = match layout.own_line(last.start) {
        Some(indent) => lines(layout, indent, pieces),
        None if line_comment => lines(layout, layout.indent(last.start), pieces),
        None => joined(pieces, ",", |piece| format!(" {}", spelled(layout, piece, "", true))),
    };
    if comma.is_some() {
        text.push(',');
    }
    edits.push(Edit::insert(place, text));
    edits
}

/// Into a root without members: after its comments, on separate lines.
fn into_root(layout: &Layout<'_>, start: usize, end: usize, pieces: &[Piece<'_>]) -> Edit {
    let place = gap::read_gap(layout.text, start, end).comments.unwrap_or(start);
    let mut text = lines(layout, &layout.unit, pieces);
    if !layout.between(place, end).contains('\n') {
        text.push_str(layout.end);
    }
    Edit::insert(place, text)
}

/// Into an existing empty value: directly after its bracket.
fn into_empty(layout: &Layout<'_>, start: usize, pieces: &[Piece<'_>]) -> Edit {
    let indent = layout.indent(start);
    let text = joined(pieces, ", ", |piece| spelled(layout, piece, indent, layout.one_line));
    Edit::insert(start, text)
}

fn lines(layout: &Layout<'_>, indent: &str, pieces: &[Piece<'_>]) -> String {
    joined(pieces, ",", |piece| format!("{}{indent}{}", layout.end, spelled(layout, piece, indent, false)))
}

fn joined(pieces: &[Piece<'_>], with: &str, spell: impl Fn(&Piece<'_>) -> String) -> String {
    pieces.iter().map(spell).collect::<Vec<_>>().join(with)
}

fn spelled(layout: &Layout<'_>, piece: &Piece<'_>, indent: &str, one_line: bool) -> String {
    let key = piece.key.map(|key| layout.key(key)).unwrap_or_default();
    key + &layout.value(&piece.value, indent, one_line, piece.open)
}

/// Removes the children of a value that `gone` marks, with the whitespace before them and their
/// commas.
pub(super) fn remove(layout: &Layout<'_>, value: &Value, root: bool, gone: &[bool]) -> Vec<Edit> {
    let whole = value.span.range();
    let siblings = children(value);
    let end = whole.end.saturating_sub(1);
    let kept = gone.iter().rposition(|gone| !gone);
    let mut edits = Vec::new();
    let mut before = whole.start + 1;
    let mut comma_kept = None;
    let mut trailing = false;
    for (at, (child, gone)) in siblings.iter().zip(gone).enumerate() {
        let next = siblings.get(at + 1).map_or(end, |next| next.start);
        let comma = gap::read_gap(layout.text, child.end, next).comma;
        trailing = comma.is_some();
        if *gone {
            let open = before == child.start;
            edits.push(taken(layout, before, child, comma));
            edits.extend(comma.map(|comma| Edit::delete(comma, past(layout, comma + 1, next, open))));
        } else if kept == Some(at) {
            comma_kept = comma;
        }
        before = child.end;
    }
    let is_followed = kept.is_some_and(|kept| kept + 1 < siblings.len());
    edits.extend(comma_kept.filter(|_| is_followed && !trailing).map(|comma| Edit::delete(comma, comma + 1)));
    if root && kept.is_none() {
        edits.extend(emptied(layout, whole.start + 1, end, siblings.last().map_or(end, |last| last.end)));
    }
    edits
}

/// A child and the white space before it, unless that ends a comment.
fn taken(layout: &Layout<'_>, before: usize, child: &Range<usize>, comma: Option<usize>) -> Edit {
    let gap = gap::read_gap(layout.text, before, child.start);
    let rest = layout.between(comma.map_or(child.end, |comma| comma + 1), layout.text.len());
    let line_ends = rest.trim_start_matches([' ', '\t']).starts_with(['\r', '\n']);
    let start = if gap.line_comment && !line_ends { child.start } else { gap.solid };
    Edit::delete(start, child.end)
}

/// After a comma: the start of the next child on the same line, if the previous child directly
/// followed the bracket.
fn past(layout: &Layout<'_>, at: usize, next: usize, open: bool) -> usize {
    let rest = layout.between(at, next);
    let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    if open { at + spaces } else { at }
}

/// The white space that is left in a root without members and comments.
fn emptied(layout: &Layout<'_>, start: usize, end: usize, last: usize) -> Option<Edit> {
    let comments = gap::read_gap(layout.text, last, end).comments;
    let only = layout.between(start, last).trim_start().starts_with('"');
    (comments.is_none() && only).then(|| Edit::delete(gap::read_gap(layout.text, last, end).solid, end))
}
