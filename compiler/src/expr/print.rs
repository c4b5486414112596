//! Printers: of a path, of a condition as a `when` expression. (stub)

use hookc_schema::tree::{Cond, Path, Step};
use hookc_schema::value::Value;

/// A condition as a `when` expression that parses back to the same tree.
/// With `words`, operators that XML would have to escape are spelled out.
#[must_use]
pub fn when(cond: &Cond, words: bool) -> String {
    let _ = (cond, words);
    String::new()
}

/// A path as it may be written; parses back to the same path.
#[must_use]
pub fn path(path: &Path) -> String {
    path.text.clone()
}

/// Steps in the shorthand.
#[must_use]
pub fn steps(steps: &[Step]) -> String {
    let _ = steps;
    String::new()
}

/// A value as compact JSON, members in the order written.
#[must_use]
pub fn json(value: &Value) -> String {
    let _ = value;
    String::new()
}
