//! Dialect B: directive XML, bare or in a Markdown fence. (stub)

use hookc_schema::tree::Policy;
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Diagnostic, SourceId};

/// Reads a directive. `vocabulary` says the types of action parameters.
pub fn read(text: &str, source: SourceId, vocabulary: &Vocabulary, out: &mut Vec<Diagnostic>) -> Policy {
    let _ = (text, vocabulary, out);
    Policy::empty(source)
}
