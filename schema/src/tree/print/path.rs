//! Paths in one canonical spelling: a dot if the name allows it, brackets otherwise. The printed
//! path parses to the same path, unless it is a value of the history.

use super::json::escape;
use crate::terminal::is_hostile;
use crate::tree::{Comparable, CompareOp, Filter, Function, Path, PathKind, Query, Segment, Selector, Step};

/// A path of either kind.
#[must_use]
pub fn path(path: &Path) -> String {
    match &path.kind {
        PathKind::Short(short) => steps(short),
        PathKind::Query(inner) => format!("${}", query(inner)),
        PathKind::View(view) if view.kind.reads_text() => {
            format!("{}({}){}", view.kind, self::path(&view.source), query(&view.rest))
        }
        PathKind::View(view) => format!("{}(){}", view.kind, query(&view.rest)),
        PathKind::Recall(recall) => super::history::recall(recall),
    }
}

/// Steps in shorthand. A first name that could be read as a literal is written in brackets.
#[must_use]
pub fn steps(steps: &[Step]) -> String {
    if let Some((source, kind, rest)) = Step::around_view(steps) {
        return format!("{kind}({}){}", self::steps(source), below(rest, 1));
    }
    below(steps, 0)
}

/// Steps after `before` others.
fn below(steps: &[Step], before: usize) -> String {
    let mut out = String::new();
    for (at, step) in (before..).zip(steps) {
        match step {
            Step::Name(name) if at == 0 && plain(name) && !literal(name) => out.push_str(name),
            Step::Name(name) if at > 0 && plain(name) => {
                out.push('.');
                out.push_str(name);
            }
            Step::Name(name) => out.push_str(&format!("[{}]", quoted(name))),
            Step::Index(index) => out.push_str(&format!("[{index}]")),
            Step::View(_) => {}
        }
    }
    out
}

/// The part of a query after `$` or `@`.
#[must_use]
pub fn query(query: &Query) -> String {
    query.segments.iter().map(segment).collect()
}

/// Whether a name is allowed after a dot (RFC 9535 `member-name-shorthand`).
fn plain(name: &str) -> bool {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_' || !c.is_ascii();
    let rest = |c: char| first(c) || c.is_ascii_digit();
    name.chars().next().is_some_and(first) && name.chars().all(|c| rest(c) && !is_hostile(c))
}

fn literal(name: &str) -> bool {
    matches!(name, "true" | "false" | "null")
}

/// A string in single quotes with JSON's escapes.
fn quoted(text: &str) -> String {
    let mut out = String::from("'");
    for c in text.chars() {
        match c {
            '\'' => out.push_str("\\'"),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_hostile(c) => escape(c, &mut out),
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

fn segment(segment: &Segment) -> String {
    match segment {
        Segment::Child(selectors) => match selectors.as_slice() {
            [Selector::Name(name)] if plain(name) => format!(".{name}"),
            many => bracketed(many),
        },
        Segment::Descendant(selectors) => match selectors.as_slice() {
            [Selector::Name(name)] if plain(name) => format!("..{name}"),
            [Selector::Wildcard] => "..*".to_owned(),
            many => format!("..{}", bracketed(many)),
        },
    }
}

fn bracketed(selectors: &[Selector]) -> String {
    let inner: Vec<String> = selectors.iter().map(selector).collect();
    format!("[{}]", inner.join(", "))
}

fn selector(selector: &Selector) -> String {
    let bound = |bound: &Option<i64>| bound.map(|n| n.to_string()).unwrap_or_default();
    match selector {
        Selector::Name(name) => quoted(name),
        Selector::Wildcard => "*".to_owned(),
        Selector::Index(index) => index.to_string(),
        Selector::Slice { start, end, step } => {
            let step = step.filter(|&step| step != 1).map(|n| format!(":{n}")).unwrap_or_default();
            format!("{}:{}{step}", bound(start), bound(end))
        }
        Selector::Filter(inner) => format!("?{}", filter(&inner.node, 0)),
    }
}

/// A filter; `level` is the precedence of the operator around it: 0 none, 1
/// `||`, 2 `&&`, 3 `!`.
fn filter(node: &Filter, level: u8) -> String {
    let list = |parts: &[Filter], word: &str, inner: u8| {
        let parts: Vec<String> = parts.iter().map(|part| filter(part, inner)).collect();
        parts.join(word)
    };
    let (text, binds) = match node {
        Filter::Or(parts) => (list(parts, " || ", 1), 1),
        Filter::And(parts) => (list(parts, " && ", 2), 2),
        Filter::Not(inner) => (format!("!{}", filter(inner, 4)), 3),
        Filter::Exists(root, inner) => (rooted(*root, inner), 5),
        Filter::Call(call) => (function(call), 5),
        Filter::Compare(a, op, b) => (format!("{} {} {}", side(a), symbol(*op), side(b)), 3),
    };
    if binds < level { format!("({text})") } else { text }
}

fn symbol(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Lte => "<=",
        CompareOp::Gt => ">",
        CompareOp::Gte => ">=",
    }
}

fn rooted(root: bool, inner: &Query) -> String {
    format!("{}{}", if root { '$' } else { '@' }, query(inner))
}

fn side(side: &Comparable) -> String {
    match side {
        Comparable::Null => "null".to_owned(),
        Comparable::Bool(value) => value.to_string(),
        Comparable::Num(number) => number.text(),
        Comparable::Str(text) => quoted(text),
        Comparable::Query(root, inner) => rooted(*root, inner),
        Comparable::Call(call) => function(call),
    }
}

fn function(call: &Function) -> String {
    match call {
        Function::Length(a) => format!("length({})", side(a)),
        Function::Count(root, a) => format!("count({})", rooted(*root, a)),
        Function::Match(a, b) => format!("match({}, {})", side(a), side(b)),
        Function::Search(a, b) => format!("search({}, {})", side(a), side(b)),
        Function::Value(root, a) => format!("value({})", rooted(*root, a)),
    }
}
