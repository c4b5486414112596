//! Diagnostics that several dialects share.

use hookc_schema::{Code, Diagnostic, Span};

/// The diagnostic for a policy without hooks.
pub(crate) fn no_hooks(span: Span, what: &str, help: &str) -> Diagnostic {
    Diagnostic::new(Code::W0612, span, format!("{what} has no hooks"))
        .with_label("no hook here")
        .note("it never decides")
        .help(help)
}
