//! Dialect settings: not there yet.

use hookc_schema::tree::Policy;
use hookc_schema::{Diagnostic, SourceId};

/// Reads a source; `name` is its path as given, with `/`.
pub fn read(name: &str, text: &str, source: SourceId, out: &mut Vec<Diagnostic>) -> Policy {
    let _ = (name, text, out);
    Policy::empty(source)
}

/// Reads a mapping of events to groups of handlers, as `hooks` holds it.
pub(crate) fn events(
    groups: &hookc_schema::value::Value,
    out: &mut Vec<Diagnostic>,
) -> Vec<hookc_schema::tree::Hook> {
    let _ = (groups, out);
    Vec::new()
}
