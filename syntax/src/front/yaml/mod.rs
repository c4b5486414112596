//! YAML 1.2, core schema, to spanned values.
//!
//! `events.rs` is the interface to the parser, `compose.rs` builds the value, `scalar.rs` and
//! `number.rs` interpret scalars, `align.rs` maps each byte of a string to the source, `problem.rs`
//! describes errors. Time and memory are linear in the text and its expanded aliases.

mod align;
pub(crate) mod buffers;
mod compose;
pub(crate) mod elements;
pub(crate) mod events;
mod frame;
mod keys;
mod merge;
mod number;
mod problem;
pub(crate) mod scalar;
pub(crate) mod version1;

use std::collections::HashSet;

use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Span};

use crate::limits;
use elements::{ElementReader, Elements};

/// Reads the one document of a YAML text (JSON is YAML too). `None` when it
/// is not well-formed; an empty document is `null`.
///
/// A value repeated by an alias has the alias's span; its content keeps the spans of the anchor.
pub fn read(text: &str, source: SourceId, out: &mut Diagnostics) -> Option<Value> {
    if text.len() > limits::SOURCE_BYTES {
        let message = format!("the source is larger than {} bytes", limits::SOURCE_BYTES);
        out.push(Diagnostic::new(Code::E0001, Span::new(source, 0..0), message).help("split the file"));
        return None;
    }
    compose::Composer::new(text, source, out).compose().ok()
}

/// Reads a text as [`read()`] does, and the elements of a list as soon as they are complete: in the
/// value, an empty object replaces each of them.
fn read_elements(
    text: &str,
    source: SourceId,
    elements: Elements<'_>,
    out: &mut Diagnostics,
) -> Option<Value> {
    if text.len() > limits::SOURCE_BYTES {
        return read(text, source, out);
    }
    compose::Composer::new(text, source, out).with_elements(elements).compose().ok()
}

/// Reads the only document of a text and applies `read` to it. Diagnostics are in source order;
/// `None` if the text is not well-formed.
pub(crate) fn document<T>(
    text: &str,
    source: SourceId,
    out: &mut Diagnostics,
    read: impl FnOnce(&Value, &mut Diagnostics) -> T,
) -> Option<T> {
    let mut diagnostics = Diagnostics::new();
    let root = self::read(text, source, &mut diagnostics);
    interpret(root, diagnostics, out, read)
}

/// As [`document()`], but the elements of the list under `key` of the root are read as soon as they
/// are complete, before the text is known to be well-formed.
pub(crate) fn document_by_element<R: ElementReader>(
    text: &str,
    (source, key): (SourceId, &'static str),
    out: &mut Diagnostics,
    mut reader: R,
) -> Option<R::Document> {
    let mut diagnostics = Diagnostics::new();
    let mut read = |value: &Value| reader.element(value);
    let root = read_elements(text, source, Elements { key, read: &mut read }, &mut diagnostics);
    interpret(root, diagnostics, out, |root, out| reader.document(root, out))
}

/// Applies `read` to the value of a text, and appends all diagnostics in source order.
fn interpret<T>(
    root: Option<Value>,
    mut diagnostics: Diagnostics,
    out: &mut Diagnostics,
    read: impl FnOnce(&Value, &mut Diagnostics) -> T,
) -> Option<T> {
    let made = root.map(|root| {
        let unread = unread(&diagnostics);
        let made = read(&root, &mut diagnostics);
        diagnostics
            .retain(|new| new.code == Code::E0106 || !new.span().is_some_and(|span| unread.contains(&span)));
        made
    });
    diagnostics.sort();
    out.append(&mut diagnostics);
    made
}

/// Aliases of unknown anchors: their value is unknown, so nothing is reported about its type.
fn unread(reported: &[Diagnostic]) -> HashSet<Span> {
    reported.iter().filter(|new| new.code == Code::E0106).filter_map(Diagnostic::span).collect()
}
