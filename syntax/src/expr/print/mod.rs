//! Printers: of a path, of a value, of a condition as a `when` expression.
//! What they print parses back to an equal tree, if the tree is one that a
//! front end can make: every path not empty, numbers as JSON writes them.

mod query;
mod text;
mod when;

use hookc_schema::tree::{Cond, Path, Query, Step};
use hookc_schema::value::Value;

use text::Style;

/// A condition as a `when` expression that parses back to the same tree.
/// Strings are raw, `'...'`, but for those with characters that are not seen;
/// a pattern that ignores case is `=~ '...' nocase`. With `words`, operators that
/// XML would have to escape are spelled out; strings and the filters of a `$`
/// path may still hold such characters, which the writer of XML escapes.
#[must_use]
pub fn when(cond: &Cond, words: bool) -> String {
    let mut out = String::new();
    when::Printer { out: &mut out, words }.cond(cond, when::Position::Top);
    out
}

/// A string as a literal of a `when` expression.
#[must_use]
pub fn literal(value: &str) -> String {
    let mut out = String::new();
    text::literal(&mut out, value);
    out
}

/// A path as it may be written; parses back to the same path.
#[must_use]
pub fn path(path: &Path) -> String {
    let mut out = String::new();
    query::path(&mut out, path, Style::SINGLE, |_| false);
    out
}

/// A query from `$` if `root`, else from `@`, as it may be written.
#[must_use]
pub fn query(root: bool, query: &Query) -> String {
    let mut out = String::new();
    query::rooted(&mut out, root, query, Style::SINGLE);
    out
}

/// Steps in the shorthand. The empty list is `$`.
#[must_use]
pub fn steps(steps: &[Step]) -> String {
    let mut out = String::new();
    if steps.is_empty() {
        out.push('$');
    }
    query::steps(&mut out, steps, Style::SINGLE, |_| false);
    out
}

/// A value as compact JSON, members in the order written.
#[must_use]
pub fn json(value: &Value) -> String {
    let mut out = String::new();
    text::value(&mut out, value, Style::JSON);
    out
}
