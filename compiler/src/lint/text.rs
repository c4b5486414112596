//! Tests of text, evaluated for a text that a policy states.

use hookc_schema::tree::Op;
use hookc_schema::value::{Kind, Value};
use hookc_syntax::pattern;
use hookc_vm::format::text::{fold, glob};

use crate::ir::{Test, TestRight};

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
