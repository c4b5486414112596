//! Which dialect a file is in, by its name and shape. (stub)

use hookc_schema::{Code, Diagnostic, SourceId, Span};

use super::Dialect;

/// The dialect of a file, if it can be told.
#[must_use]
pub fn detect(name: &str, text: &str) -> Option<Dialect> {
    let _ = (name, text);
    None
}

/// The diagnostic for a file that fits none: lists what was tried.
#[must_use]
pub fn unknown(source: SourceId, name: &str, text: &str) -> Diagnostic {
    let _ = (name, text);
    Diagnostic::new(Code::E0003, Span { source, start: 0, end: 0 }, "stub")
}
