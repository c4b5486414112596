//! Patterns of leaves: regular expressions, each compiled once for a policy,
//! and globs.

use std::collections::HashMap;
use std::rc::Rc;

use hookc_schema::value::Value;
use hookc_syntax::pattern::{LiteralTest, compile, escape, glob_problem, literal_test};

use super::Cx;

/// The valid patterns of one policy, each compiled once; with the equivalent plain test, if there
/// is one.
pub(super) type Known<'a> = HashMap<(&'a str, bool), Option<Rc<LiteralTest>>>;

/// Checks a regular expression; errors are reported at their span.
pub(super) fn regex<'a>(value: &'a Value, pattern: &'a str, fold: bool, cx: &mut Cx<'a>) -> bool {
    if let Some(control) = escape::control(value, pattern) {
        cx.report(control);
        return false;
    }
    let sound = compiled(value, pattern, fold, cx);
    if let Some(doubled) = escape::doubled(value, pattern).filter(|_| sound) {
        cx.report(doubled);
    }
    sound
}

fn compiled<'a>(value: &'a Value, pattern: &'a str, fold: bool, cx: &mut Cx<'a>) -> bool {
    if cx.patterns.contains_key(&(pattern, fold)) {
        return true;
    }
    match compile(pattern, fold) {
        Ok(hir) => {
            let plain = literal_test(&hir).map(Rc::new);
            cx.patterns.insert((pattern, fold), plain);
            true
        }
        Err(error) => {
            cx.report(error.diagnostic(value, pattern));
            false
        }
    }
}

/// Checks a glob; errors are reported at their span.
pub(super) fn glob(value: &Value, cx: &mut Cx<'_>) -> bool {
    let Some(pattern) = value.as_str() else { return false };
    if let Some(control) = escape::control_in_glob(value, pattern) {
        cx.report(control);
        return false;
    }
    let Some(problem) = glob_problem(value, pattern) else { return true };
    cx.report(problem);
    false
}
