//! Tests of text, evaluated for a text that a policy states.

use hookc_schema::tree::Op;
use hookc_schema::value::{Kind, Value};
use hookc_syntax::pattern;
use hookc_vm::format::text::{fold, glob};
use regex_syntax::hir::{Hir, Look};

use crate::ir::{Test, TestRight};

/// Whether a pattern is about the start of a text, and about its end.
pub(super) fn anchors(hir: &Hir) -> (bool, bool) {
    let properties = hir.properties();
    (properties.look_set_prefix().contains(Look::Start), properties.look_set_suffix().contains(Look::End))
}

/// Whether a byte of a text is between letters or digits.
pub(crate) fn is_between_letters(text: &str, at: usize) -> bool {
    let is =
        |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at)).is_some_and(u8::is_ascii_alphanumeric);
    is(at.checked_sub(1)) && is(at.checked_add(1))
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
    result(test.op, test.fold, literal(test)?, text.as_str()?)
}

/// The result of an operator for a text, if it is a test of text and the result is known.
pub(crate) fn result(op: Op, fold: bool, right: &Value, text: &str) -> Option<bool> {
    let one = |right: &Value| -> Option<bool> {
        let right = right.as_str()?;
        Some(match (op, fold) {
            (Op::Contains, false) => text.contains(right),
            (Op::Contains, true) => fold::contains(text, right),
            (Op::StartsWith, false) => text.starts_with(right),
            (Op::StartsWith, true) => fold::starts_with(text, right),
            (Op::EndsWith, false) => text.ends_with(right),
            (Op::EndsWith, true) => fold::ends_with(text, right),
            (Op::Glob, fold) => glob::matches(right, text, fold),
            (Op::Regex, fold) if right.len() <= PATTERN => {
                let hir = pattern::hir(right, fold)?;
                regex::Regex::new(&hir.to_string()).ok()?.is_match(text)
            }
            _ => return None,
        })
    };
    match (op, &right.kind) {
        (Op::Glob, Kind::Seq(items)) => {
            let results: Option<Vec<bool>> = items.iter().map(one).collect();
            Some(results?.contains(&true))
        }
        _ => one(right),
    }
}
