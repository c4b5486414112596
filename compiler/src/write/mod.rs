//! Writers: the tree back to a dialect (`hookc convert`).

pub mod directive_xml;
pub mod hooks_yaml;

use hookc_schema::Span;

/// A thing that the target dialect cannot say.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// Where it was written.
    pub span: Span,
    /// What it is and why it cannot be said, naming the hook.
    pub what: String,
}
