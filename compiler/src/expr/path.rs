//! Paths (semantics §2): the shorthand and RFC 9535 JSONPath. (stub)

use hookc_schema::tree::Path;
use hookc_schema::value::{Text, TextMap};
use hookc_schema::{Diagnostic, Span};

/// Parses the whole of `text` as a path. `whole` and `text.map` say where it
/// was written.
pub fn parse(text: &Text, whole: Span, out: &mut Vec<Diagnostic>) -> Option<Path> {
    let _ = (text, whole, out, TextMap::Whole);
    None
}
