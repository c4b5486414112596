//! Diagnostics of schemas.

use hookc_schema::{Code, Diagnostic, Span};

use super::index::Index;

/// A keyword with an invalid value.
pub(super) fn unfit(span: Span, what: &str, label: &str) -> Diagnostic {
    Diagnostic::new(Code::E0420, span, what).with_label(label)
}

/// A keyword that cannot be honoured.
pub(super) fn unknown(span: Span, what: &str, label: &str) -> Diagnostic {
    Diagnostic::new(Code::E0419, span, what).with_label(label)
}

/// A reference that leads nowhere, or in a circle.
pub(super) fn unresolved(span: Span, what: &str, label: &str) -> Diagnostic {
    Diagnostic::new(Code::E0421, span, what).with_label(label)
}

/// Names the subschema.
pub(super) fn within(new: Diagnostic, index: &Index<'_>, place: usize) -> Diagnostic {
    match place {
        0 => new,
        _ => new.note(format!("in the schema at `{}`", index.pointer(place))),
    }
}
