//! Tests of text, evaluated for a text that a policy states.

use hookc_base::text::Case;
use hookc_schema::tree::Op;
use hookc_schema::value::{Kind, Value};
use hookc_syntax::pattern;
use hookc_vm::text::{fold, glob};
use regex::Regex;
use regex_syntax::hir::{Hir, Look};

use crate::ir::{Test, TestRight};

/// Whether a pattern is about the start of a text, and about its end.
pub(super) fn anchors(hir: &Hir) -> (bool, bool) {
    let properties = hir.properties();
    (properties.look_set_prefix().contains(Look::Start), properties.look_set_suffix().contains(Look::End))
}

/// Like [`anchors`], for a pattern as written; `None` if it is invalid.
pub(crate) fn anchored(pattern: &str) -> Option<(bool, bool)> {
    regex_syntax::parse(pattern).ok().map(|hir| anchors(&hir))
}

/// Whether a byte of a text is between letters or digits.
pub(crate) fn is_between_letters(text: &str, at: usize) -> bool {
    let is_letter =
        |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at)).is_some_and(u8::is_ascii_alphanumeric);
    is_letter(at.checked_sub(1)) && is_letter(at.checked_add(1))
}

/// The longest pattern that is compiled for a text.
const PATTERN: usize = 1000;

/// Whether it compares text with parts of a text, or with a pattern.
pub(super) fn is_test(test: &Test) -> bool {
    literal(test).is_some()
}

fn literal(test: &Test) -> Option<&Value> {
    match (&test.right, test.op) {
        (TestRight::Value(value), Op::Contains | Op::StartsWith | Op::EndsWith | Op::Regex | Op::Glob) => {
            Some(value)
        }
        _ => None,
    }
}

/// The result of such a test for a text, if it is known.
pub(super) fn of_test(test: &Test, text: &Value) -> Option<bool> {
    result(test.op, test.case, literal(test)?, text.as_str()?)
}

/// Whether a test of text certainly implies another one. Both compare the same value.
pub(super) fn implies(given: &Test, then: &Test) -> bool {
    let (Some(left), Some(right)) = (literal(given), literal(then)) else { return false };
    if given.op == Op::Glob {
        return implied_by_globs(given, left, then, right);
    }
    let (Some(left), Some(right)) = (left.as_str(), right.as_str()) else { return false };
    if given.case.is_ignored() && !then.case.is_ignored() {
        return false;
    }
    let known = |op: Op| has_part(op, then.case, left, right) == Some(true);
    match (given.op, then.op) {
        (Op::StartsWith | Op::EndsWith, Op::Contains) => known(Op::Contains),
        // A list contains a text as a whole.
        (Op::Contains, Op::Contains) => (given.never_list || then.never_list) && known(Op::Contains),
        (Op::StartsWith, Op::StartsWith) | (Op::EndsWith, Op::EndsWith) => known(then.op),
        _ => false,
    }
}

/// Globs with a certain text imply it, and each of some globs is one of more.
fn implied_by_globs(given: &Test, left: &Value, then: &Test, right: &Value) -> bool {
    if given.case.is_ignored() || then.case.is_ignored() {
        return false;
    }
    let each = |is_implied: fn(&str, &str) -> bool| {
        texts(left).all(|glob| texts(right).any(|right| is_implied(glob, right)))
    };
    match then.op {
        Op::Glob => each(|glob, right| covers(right, glob)),
        Op::StartsWith => each(|glob, right| start(glob).starts_with(right)),
        Op::EndsWith => each(|glob, right| end(&certain(glob)).ends_with(right)),
        Op::Contains => each(|glob, right| has_part_of(&certain(glob), right)),
        _ => false,
    }
}

/// A glob without the slashes that a match may not have: `**/` also matches nothing.
fn certain(glob: &str) -> String {
    glob.replace("**/", "**")
}

/// Whether a glob matches everything that another one does, as far as the texts show.
fn covers(wide: &str, glob: &str) -> bool {
    let rest = wide.strip_suffix("**").filter(|rest| start(rest) == *rest);
    wide == glob || rest.is_some_and(|rest| start(glob).starts_with(rest))
}

/// The text with which every match of a glob starts.
fn start(glob: &str) -> &str {
    let end = glob.find(['*', '?', '[', '{', '\\']).unwrap_or(glob.len());
    glob.get(..end).unwrap_or_default()
}

/// The text with which every match of a glob ends.
fn end(glob: &str) -> &str {
    let rest = glob.rfind(['*', '?', ']', '}', '\\']).map_or(Some(glob), |at| glob.get(at + 1..));
    // A character after a backslash is itself, and may be a part of more than one.
    rest.filter(|_| !glob.contains('\\')).unwrap_or_default()
}

/// Whether every match of a glob contains a text.
fn has_part_of(glob: &str, text: &str) -> bool {
    let is_plain = !glob.contains(['[', '{', '\\']);
    start(glob).contains(text)
        || end(glob).contains(text)
        || is_plain && glob.split(['*', '?']).any(|part| part.contains(text))
}

/// The texts of a list, or of the value itself.
fn texts(value: &Value) -> impl Iterator<Item = &str> {
    let items: &[Value] = match &value.kind {
        Kind::Seq(items) => items,
        _ => std::slice::from_ref(value),
    };
    items.iter().filter_map(Value::as_str)
}

/// Whether a text contains another one, or starts or ends with it; `None` for other operators.
fn has_part(op: Op, case: Case, text: &str, part: &str) -> Option<bool> {
    Some(match (op, case.is_ignored()) {
        (Op::Contains, false) => text.contains(part),
        (Op::Contains, true) => fold::contains(text, part),
        (Op::StartsWith, false) => text.starts_with(part),
        (Op::StartsWith, true) => fold::starts_with(text, part),
        (Op::EndsWith, false) => text.ends_with(part),
        (Op::EndsWith, true) => fold::ends_with(text, part),
        _ => return None,
    })
}

/// A pattern that is not too long.
pub(super) fn compiled(right: &str, case: Case) -> Option<Regex> {
    let hir = pattern::hir(right, case).filter(|_| right.len() <= PATTERN)?;
    Regex::new(&hir.to_string()).ok()
}

/// The result of an operator for a text, if it is a test of text and the result is known.
pub(crate) fn result(op: Op, case: Case, right: &Value, text: &str) -> Option<bool> {
    let one = |right: &Value| -> Option<bool> {
        let right = right.as_str()?;
        match op {
            Op::Glob => Some(glob::matches(right, text, case)),
            Op::Regex => Some(compiled(right, case)?.is_match(text)),
            _ => has_part(op, case, text, right),
        }
    };
    match (op, &right.kind) {
        (Op::Glob, Kind::Seq(items)) => {
            let results: Option<Vec<bool>> = items.iter().map(one).collect();
            Some(results?.contains(&true))
        }
        _ => one(right),
    }
}
