//! YAML 1.2, core schema, to spanned values.
//!
//! `events.rs` is the parser's face, `compose.rs` makes the value,
//! `scalar.rs` and `number.rs` say what scalars mean, `align.rs` finds where
//! each byte of a string was written, `problem.rs` words what is not YAML.
//! Time and memory are linear in the text and what its aliases add.

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
use hookc_schema::{Code, Diagnostic, SourceId, Span, diag};

use crate::limits;

/// Reads the one document of a YAML text (JSON is YAML too). `None` when it
/// is not well-formed; an empty document is `null`.
///
/// A value that an alias repeats has the alias's span; what is inside it keeps
/// the places of the anchor.
pub fn read(text: &str, source: SourceId, out: &mut Vec<Diagnostic>) -> Option<Value> {
    if text.len() > limits::SOURCE_BYTES {
        let message = format!("the source is larger than {} bytes", limits::SOURCE_BYTES);
        out.push(Diagnostic::new(Code::E0001, Span::new(source, 0..0), message).help("split the file"));
        return None;
    }
    compose::Composer::new(text, source, out).compose().ok()
}

/// Reads the one document of a text, and of it what `read` makes. What is reported
/// is in source order; `None` when the text is not well-formed.
pub(crate) fn document<T>(
    text: &str,
    source: SourceId,
    out: &mut Vec<Diagnostic>,
    read: impl FnOnce(&Value, &mut Vec<Diagnostic>) -> T,
) -> Option<T> {
    let mut own = Vec::new();
    let made = self::read(text, source, &mut own).map(|root| {
        let unread = unread(&own);
        let made = read(&root, &mut own);
        own.retain(|new| new.code == Code::E0106 || !new.span().is_some_and(|span| unread.contains(&span)));
        made
    });
    diag::sort(&mut own);
    out.append(&mut own);
    made
}

/// The aliases of nothing: what stands there is not known, so that nothing is
/// to be said of its type.
fn unread(reported: &[Diagnostic]) -> HashSet<Span> {
    reported.iter().filter(|new| new.code == Code::E0106).filter_map(Diagnostic::span).collect()
}
