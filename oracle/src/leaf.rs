//! Leaves, by the operator table of `docs/language.md`.

use std::cmp::Ordering;

use hookc_schema::tree::Op;
use icu_casemap::CaseMapper;
use regex::Regex;

use crate::glob;
use crate::json::Json;
use crate::schema;

/// Whether a present value satisfies `op` against `right`.
pub(crate) fn holds(a: &Json, op: Op, right: &Json, fold: bool) -> bool {
    match op {
        Op::Eq => equal(a, right, fold),
        Op::Ne => !equal(a, right, fold),
        Op::Gt => compare(a, right) == Some(Ordering::Greater),
        Op::Gte => matches!(compare(a, right), Some(Ordering::Greater | Ordering::Equal)),
        Op::Lt => compare(a, right) == Some(Ordering::Less),
        Op::Lte => matches!(compare(a, right), Some(Ordering::Less | Ordering::Equal)),
        Op::In => matches!(right, Json::Arr(items) if items.iter().any(|item| equal(a, item, fold))),
        Op::Contains => contains(a, right, fold),
        Op::StartsWith => texts(a, right, fold).is_some_and(|(a, b)| a.starts_with(&b)),
        Op::EndsWith => texts(a, right, fold).is_some_and(|(a, b)| a.ends_with(&b)),
        Op::Regex => found(a, right, fold),
        Op::Glob => globs(a, right, fold),
        Op::Exists => !matches!(a, Json::Null),
        Op::Matches => false,
    }
}

/// Whether a present value is valid against a schema.
pub(crate) fn matches(a: &Json, schema: &Json, formats: bool) -> bool {
    schema::valid(schema, a, formats)
}

/// Whether a leaf is true if its path selects nothing.
pub(crate) fn holds_absent(op: Op, right: &Json) -> bool {
    match op {
        Op::Eq => matches!(right, Json::Null),
        Op::Ne => !matches!(right, Json::Null),
        Op::In => matches!(right, Json::Arr(items) if items.iter().any(|item| matches!(item, Json::Null))),
        _ => false,
    }
}

/// Whether the operator accepts a right operand of this type.
pub(crate) fn takes(op: Op, right: &Json) -> bool {
    match op {
        Op::Gt | Op::Gte | Op::Lt | Op::Lte => matches!(right, Json::Num(_)),
        Op::In => matches!(right, Json::Arr(_)),
        Op::Contains => !matches!(right, Json::Arr(_) | Json::Obj(_)),
        Op::StartsWith | Op::EndsWith => matches!(right, Json::Str(_)),
        _ => true,
    }
}

fn folded(text: &str) -> String {
    let mapper = CaseMapper::new();
    text.chars().map(|c| mapper.simple_fold(c)).collect()
}

fn equal(a: &Json, b: &Json, fold: bool) -> bool {
    match (a, b) {
        (Json::Str(a), Json::Str(b)) if fold => folded(a) == folded(b),
        _ => a.same(b),
    }
}

fn compare(a: &Json, b: &Json) -> Option<Ordering> {
    match (a, b) {
        (Json::Num(a), Json::Num(b)) => Some(a.cmp(b)),
        _ => None,
    }
}

/// Both texts, folded if both operands are strings and `ignore_case` is set.
fn texts(a: &Json, b: &Json, fold: bool) -> Option<(String, String)> {
    let fold = fold && matches!((a, b), (Json::Str(_), Json::Str(_)));
    let (a, b) = (a.text()?, b.text()?);
    Some(if fold { (folded(&a), folded(&b)) } else { (a, b) })
}

fn contains(a: &Json, needle: &Json, fold: bool) -> bool {
    match a {
        Json::Arr(items) => items.iter().any(|item| equal(item, needle, fold)),
        _ => texts(a, needle, fold).is_some_and(|(a, b)| a.contains(&b)),
    }
}

fn found(a: &Json, pattern: &Json, fold: bool) -> bool {
    let (Some(text), Json::Str(pattern)) = (a.text(), pattern) else { return false };
    let flags = if fold && matches!(a, Json::Str(_)) { "(?i)" } else { "" };
    // A pattern in verbose mode may end in a comment, so the flags precede it.
    Regex::new(&format!("{flags}{pattern}")).is_ok_and(|regex| regex.is_match(&text))
}

fn globs(a: &Json, pattern: &Json, fold: bool) -> bool {
    let Json::Str(text) = a else { return false };
    match pattern {
        Json::Str(pattern) => glob::matches(pattern, text, fold),
        Json::Arr(all) => all.iter().any(|p| matches!(p, Json::Str(p) if glob::matches(p, text, fold))),
        _ => false,
    }
}
