//! Rules evaluated the straight way over a `serde_json` value: what most
//! programs do, the judge of the neutral workload, and one of the engines that
//! are compared.

use regex::Regex;
use serde_json::Value;

use crate::event::get;
use crate::rule::{Cond, Leaf};

/// Whether a condition is true for an event. Patterns are compiled on each call.
#[must_use]
pub fn holds(cond: &Cond, event: &Value) -> bool {
    match cond {
        Cond::All(conds) => conds.iter().all(|one| holds(one, event)),
        Cond::Any(conds) => conds.iter().any(|one| holds(one, event)),
        Cond::Not(inner) => !holds(inner, event),
        Cond::Leaf(leaf) => test(leaf, get(event, &leaf.path)),
    }
}

/// Whether a leaf is true for the values of its path.
#[must_use]
pub fn test(leaf: &Leaf, actual: Option<&Value>) -> bool {
    let Some(actual) = actual else { return leaf.op == "ne" };
    let want = &leaf.value;
    match leaf.op {
        "eq" => same(actual, want),
        "ne" => !same(actual, want),
        "in" => want.as_array().is_some_and(|values| values.iter().any(|one| same(actual, one))),
        "exists" => !actual.is_null(),
        "gt" | "gte" | "lt" | "lte" => {
            matches!((actual.as_f64(), want.as_f64()), (Some(a), Some(b)) if ordered(leaf.op, a, b))
        }
        op => {
            matches!((actual.as_str(), want.as_str()), (Some(a), Some(b)) if textual(op, a, b))
        }
    }
}

/// Equality; `1` and `1.0` are the same number.
#[must_use]
pub fn same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

/// An ordering operator.
#[must_use]
pub fn ordered(op: &str, a: f64, b: f64) -> bool {
    match op {
        "gt" => a > b,
        "gte" => a >= b,
        "lt" => a < b,
        _ => a <= b,
    }
}

fn textual(op: &str, text: &str, want: &str) -> bool {
    match op {
        "contains" => text.contains(want),
        "starts_with" => text.starts_with(want),
        "ends_with" => text.ends_with(want),
        "regex" => Regex::new(want).is_ok_and(|pattern| pattern.is_match(text)),
        _ => false,
    }
}
