//! YAML 1.2, core schema, to spanned values.
//!
//! `events.rs` is the interface to the parser, `compose.rs` builds the value, `scalar.rs` and
//! `number.rs` interpret scalars, `align.rs` maps each byte of a string to the source, `problem.rs`
//! describes errors. Time and memory are linear in the text and its expanded aliases.

mod align;
mod compose;
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

/// Reads the only document of a text and applies `read` to it. Diagnostics are in source order;
/// `None` if the text is not well-formed.
pub(crate) fn document<T>(
    text: &str,
    source: SourceId,
    out: &mut Diagnostics,
    read: impl FnOnce(&Value, &mut Diagnostics) -> T,
) -> Option<T> {
    let mut own = Diagnostics::new();
    let made = self::read(text, source, &mut own).map(|root| {
        let unread = unread(&own);
        let made = read(&root, &mut own);
        own.retain(|new| new.code == Code::E0106 || !new.span().is_some_and(|span| unread.contains(&span)));
        made
    });
    own.sort();
    out.append(&mut own);
    made
}

/// Aliases of unknown anchors: their value is unknown, so nothing is reported about its type.
fn unread(reported: &[Diagnostic]) -> HashSet<Span> {
    reported.iter().filter(|new| new.code == Code::E0106).filter_map(Diagnostic::span).collect()
}
