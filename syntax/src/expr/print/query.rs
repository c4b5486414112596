//! Paths: the shorthand and JSONPath.

use std::fmt::Write as _;

use hookc_schema::tree::{
    Comparable, CompareOp, Filter, Function, Path, PathKind, Query, Segment, Selector, Step, ViewKind,
};
use hookc_schema::vocab::LENGTH;

use super::text::{Style, string};
use crate::expr::path::is_bare;

/// A path; a `reserved` first segment is written in brackets.
pub(super) fn path(out: &mut String, path: &Path, style: Style, reserved: fn(&str) -> bool) {
    match &path.kind {
        PathKind::Short(list) => steps(out, list, style, reserved),
        PathKind::Query(found) => {
            out.push('$');
            query(out, found, style, is_member_name);
        }
        PathKind::View(view) => {
            out.extend([view.kind.name(), "("]);
            if view.kind.reads_text() {
                self::path(out, &view.source, style, |_| false);
            }
            out.push(')');
            if !is_length(view.kind, &view.rest) {
                behind_view(out, &view.rest, style);
            }
        }
        PathKind::Recall(found) => super::history::recall(out, found, style),
    }
}

/// Steps in the shorthand.
pub(super) fn steps(out: &mut String, steps: &[Step], style: Style, reserved: fn(&str) -> bool) {
    let Some((source, kind, rest)) = Step::around_view(steps) else {
        return steps_from(0, out, steps, style, reserved);
    };
    out.extend([kind.name(), "("]);
    match source {
        [Step::Name(_), ..] => steps_from(0, out, source, style, |_| false),
        _ if !kind.reads_text() => {}
        _ => {
            out.push('$');
            steps_from(1, out, source, style, |_| false);
        }
    }
    out.push(')');
    if kind != ViewKind::Size || *rest != [Step::Name(LENGTH.to_owned())] {
        steps_from(1, out, rest, style, |_| false);
    }
}

/// Whether a path is `size(PATH)` alone.
fn is_length(kind: ViewKind, rest: &Query) -> bool {
    let is_name = |segment: &Segment| matches!(segment, Segment::Child(one) if *one == [Selector::Name(LENGTH.to_owned())]);
    kind == ViewKind::Size && matches!(rest.segments.as_slice(), [one] if is_name(one))
}

/// Steps after `before` others.
fn steps_from(before: usize, out: &mut String, steps: &[Step], style: Style, reserved: fn(&str) -> bool) {
    for (at, step) in (before..).zip(steps) {
        match step {
            Step::Name(name) if at == 0 && is_bare_step(name) && !reserved(name) => out.push_str(name),
            Step::Name(name) if at > 0 && is_bare_step(name) => out.extend([".", name]),
            Step::Name(name) => bracketed(out, name, style),
            Step::Index(index) => index_in_brackets(out, *index),
            Step::View(_) => {}
        }
    }
}

fn is_bare_step(name: &str) -> bool {
    is_bare(name) && !name.bytes().all(|byte| byte.is_ascii_digit())
}

fn bracketed(out: &mut String, name: &str, style: Style) {
    out.push('[');
    string(out, name, style);
    out.push(']');
}

fn index_in_brackets(out: &mut String, index: i64) {
    let _infallible = write!(out, "[{index}]");
}

/// The segments after a view.
pub(super) fn behind_view(out: &mut String, rest: &Query, style: Style) {
    query(out, rest, style, is_view_name);
}

/// The segments after `$`, `@` or a view; a `plain` name is written after a dot.
fn query(out: &mut String, query: &Query, style: Style, plain: fn(&str) -> bool) {
    for segment in &query.segments {
        let (dots, selectors) = match segment {
            Segment::Child(selectors) => (".", selectors),
            Segment::Descendant(selectors) => ("..", selectors),
        };
        match selectors.as_slice() {
            [Selector::Name(name)] if plain(name) => out.extend([dots, name]),
            [Selector::Wildcard] if dots == ".." => out.push_str("..*"),
            many => {
                if dots == ".." {
                    out.push_str(dots);
                }
                list(out, many, style);
            }
        }
    }
}

/// Whether RFC 9535 allows a name after a dot; beyond ASCII only letters and digits, for
/// readability.
fn is_member_name(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || c == '_';
    !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(plain)
}

/// Like `is_member_name` after a view, where names can contain `-`, as in the shorthand.
fn is_view_name(name: &str) -> bool {
    is_bare(name) && !name.starts_with(|c: char| c.is_ascii_digit())
}

fn list(out: &mut String, selectors: &[Selector], style: Style) {
    out.push('[');
    for (at, one) in selectors.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        selector(out, one, style);
    }
    out.push(']');
}

fn selector(out: &mut String, selector: &Selector, style: Style) {
    match selector {
        Selector::Name(name) => string(out, name, style),
        Selector::Wildcard => out.push('*'),
        Selector::Index(index) => number(out, *index),
        Selector::Slice { start, end, step } => {
            start.iter().for_each(|at| number(out, *at));
            out.push(':');
            end.iter().for_each(|at| number(out, *at));
            if let Some(step) = step {
                out.push(':');
                number(out, *step);
            }
        }
        Selector::Filter(found) => {
            out.push('?');
            filter(out, &found.node, style);
        }
    }
}

fn number(out: &mut String, number: i64) {
    let _infallible = write!(out, "{number}");
}

fn filter(out: &mut String, filter: &Filter, style: Style) {
    match filter {
        Filter::Or(parts) => joined(out, parts, " || ", style, |part| matches!(part, Filter::Or(_))),
        Filter::And(parts) => {
            joined(out, parts, " && ", style, |part| matches!(part, Filter::Or(_) | Filter::And(_)))
        }
        Filter::Not(inner) => {
            out.push('!');
            grouped(out, inner, style, !matches!(**inner, Filter::Exists(..) | Filter::Call(_)));
        }
        Filter::Exists(root, found) => rooted(out, *root, found, style),
        Filter::Call(function) => call(out, function, style),
        Filter::Compare(left, op, right) => {
            comparable(out, left, style);
            out.push_str(sign(*op));
            comparable(out, right, style);
        }
    }
}

fn joined(out: &mut String, parts: &[Filter], word: &str, style: Style, group: fn(&Filter) -> bool) {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.push_str(word);
        }
        grouped(out, part, style, group(part));
    }
}

fn grouped(out: &mut String, inner: &Filter, style: Style, group: bool) {
    if group {
        out.push('(');
    }
    filter(out, inner, style);
    if group {
        out.push(')');
    }
}

pub(super) fn rooted(out: &mut String, root: bool, found: &Query, style: Style) {
    out.push(if root { '$' } else { '@' });
    query(out, found, style, is_member_name);
}

fn sign(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => " == ",
        CompareOp::Ne => " != ",
        CompareOp::Lt => " < ",
        CompareOp::Lte => " <= ",
        CompareOp::Gt => " > ",
        CompareOp::Gte => " >= ",
    }
}

fn comparable(out: &mut String, side: &Comparable, style: Style) {
    match side {
        Comparable::Null => out.push_str("null"),
        Comparable::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Comparable::Num(number) => out.push_str(&number.0),
        Comparable::Str(text) => string(out, text, style),
        Comparable::Query(root, found) => rooted(out, *root, found, style),
        Comparable::Call(function) => call(out, function, style),
    }
}

fn call(out: &mut String, function: &Function, style: Style) {
    let (name, first, second) = match function {
        Function::Length(one) => ("length", Some(one), None),
        Function::Match(text, pattern) => ("match", Some(text), Some(pattern)),
        Function::Search(text, pattern) => ("search", Some(text), Some(pattern)),
        Function::Count(..) => ("count", None, None),
        Function::Value(..) => ("value", None, None),
    };
    out.push_str(name);
    out.push('(');
    first.into_iter().for_each(|one| comparable(out, one, style));
    if let Some(second) = second {
        out.push_str(", ");
        comparable(out, second, style);
    }
    if let Function::Count(root, found) | Function::Value(root, found) = function {
        rooted(out, *root, found, style);
    }
    out.push(')');
}
