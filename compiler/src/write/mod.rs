//! Writers: the tree back to a dialect (`hookc convert`).

pub mod directive_xml;
pub mod hooks_yaml;

use hookc_schema::{Code, Diagnostic, Span};

use crate::Dialect;

/// A thing that the target dialect cannot say.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// Where it was written.
    pub span: Span,
    /// What it is and why it cannot be said, naming the hook.
    pub what: String,
}

/// The diagnostic that tells a loss.
#[must_use]
pub fn diagnostic(loss: &Loss, target: Dialect) -> Diagnostic {
    Diagnostic::new(Code::E0801, loss.span, format!("{} cannot say this: {}", target.name(), loss.what))
        .help("write it another way, or leave it out with --lossy")
}
