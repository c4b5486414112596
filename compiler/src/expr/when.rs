//! `when` expressions (semantics §5). (stub)

use hookc_schema::tree::Cond;
use hookc_schema::value::Text;
use hookc_schema::{Diagnostic, Span};

/// Parses the whole of `text` as a condition.
pub fn parse(text: &Text, whole: Span, out: &mut Vec<Diagnostic>) -> Option<Cond> {
    let _ = (text, whole, out);
    None
}
