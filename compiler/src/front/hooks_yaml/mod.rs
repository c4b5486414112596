//! Dialect A: thread policy, `hooks.yaml`. (stub)

use hookc_schema::tree::{Cond, Policy};
use hookc_schema::value::Value;
use hookc_schema::{Diagnostic, SourceId};

/// Reads a hooks file. All problems are told; hooks that make no sense are
/// left out.
pub fn read(text: &str, source: SourceId, out: &mut Vec<Diagnostic>) -> Policy {
    let _ = (text, out);
    Policy::empty(source)
}

/// Reads a condition of semantics §3 and §4 from a value (the tests and other
/// dialects use it too).
pub fn condition(value: &Value, out: &mut Vec<Diagnostic>) -> Option<Cond> {
    let _ = (value, out);
    None
}
