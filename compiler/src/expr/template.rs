//! Templates in action parameters (semantics §7). (stub)

use hookc_schema::tree::Path;
use hookc_schema::value::{Text, Value};
use hookc_schema::{Diagnostic, Span};

/// A string with holes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    /// Text and holes by turns as written; no two texts in a row, none empty;
    /// no piece at all is the empty string.
    pub pieces: Vec<Piece>,
}

/// A part of a [`Template`].
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Literal text, `$${` already undone.
    Text(String),
    /// `${path}` or `${path ?? literal}`
    Hole {
        /// The path.
        path: Path,
        /// What stands for absent and null.
        default: Option<Value>,
    },
}

/// Parses a string of an action parameter. What does not parse is told; `None`
/// then.
pub fn parse(text: &Text, whole: Span, out: &mut Vec<Diagnostic>) -> Option<Template> {
    let _ = (text, whole, out);
    None
}
