//! Printers of paths, values and conditions (as `when` expressions). The output parses to an equal
//! tree, if a front end can produce the tree: no empty path, numbers in JSON notation.

mod history;
mod predicate;
mod query;
mod text;
mod when;

use hookc_schema::tree::{Cond, EventPattern, Path, Predicate, Query, Step};
use hookc_schema::value::Value;

use text::Style;

/// How comparisons are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operators {
    /// `<`
    Symbols,
    /// `lt`: what XML would have to escape is spelled out. Strings and the filters of a `$` path may still contain such
    /// characters, which the XML writer escapes.
    Words,
}

/// A condition as a `when` expression that parses to the same tree. Strings are raw, `'...'`,
/// except those with invisible characters; a case-insensitive pattern is `=~ '...' nocase`.
#[must_use]
pub fn when(cond: &Cond, operators: Operators) -> String {
    let mut out = String::new();
    when::Printer { out: &mut out, operators, in_history: false }.cond(cond, when::Position::Top);
    out
}

/// A predicate as a `when` expression.
#[must_use]
pub fn predicate(predicate: &Predicate) -> String {
    let mut out = String::new();
    predicate::print(&mut out, predicate);
    out
}

/// A pattern of events as in a selection.
#[must_use]
pub fn pattern(pattern: &EventPattern) -> String {
    let mut out = String::new();
    when::Printer { out: &mut out, operators: Operators::Symbols, in_history: true }.pattern(pattern);
    out
}

/// A string as a literal of a `when` expression.
#[must_use]
pub fn literal(value: &str) -> String {
    let mut out = String::new();
    text::literal(&mut out, value);
    out
}

/// A path in canonical form; parses to the same path.
#[must_use]
pub fn path(path: &Path) -> String {
    let mut out = String::new();
    query::path(&mut out, path, Style::SINGLE, |_| false);
    out
}

/// A query from `$` if `root`, otherwise from `@`, in canonical form.
#[must_use]
pub fn query(root: bool, query: &Query) -> String {
    let mut out = String::new();
    query::rooted(&mut out, root, query, Style::SINGLE);
    out
}

/// A query from the value at the end of some steps from the event's root.
#[must_use]
pub fn nodes(start: &[Step], rest: &Query) -> String {
    if Step::around_view(start).is_some() {
        let mut out = steps(start);
        query::behind_view(&mut out, rest, Style::SINGLE);
        return out;
    }
    let start = start.iter().filter_map(Step::segment);
    query(true, &Query { segments: start.chain(rest.segments.iter().cloned()).collect() })
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
