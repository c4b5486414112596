//! Changes an event so that a condition is true or false for it.

use hookc_oracle::generate::Rng;
use serde_json::Value;

use crate::event::{get, set, unset};
use crate::rule::{Cond, Leaf};
use crate::tree;

/// Leaf by leaf: a later one may undo an earlier one.
pub(super) fn satisfy(cond: &Cond, event: &mut Value, rng: &mut Rng) {
    if tree::holds(cond, event) {
        return;
    }
    match cond {
        Cond::All(conds) => conds.iter().for_each(|one| satisfy(one, event, rng)),
        Cond::Any(conds) => {
            if let Some(one) = conds.get(rng.below(conds.len())) {
                satisfy(one, event, rng);
            }
        }
        Cond::Not(inner) => refute(inner, event, rng),
        Cond::Leaf(leaf) => meet(leaf, event, rng),
    }
}

fn refute(cond: &Cond, event: &mut Value, rng: &mut Rng) {
    if !tree::holds(cond, event) {
        return;
    }
    match cond {
        Cond::Any(conds) => conds.iter().for_each(|one| refute(one, event, rng)),
        Cond::All(conds) => {
            if let Some(one) = conds.get(rng.below(conds.len())) {
                refute(one, event, rng);
            }
        }
        Cond::Not(inner) => satisfy(inner, event, rng),
        Cond::Leaf(leaf) => miss(leaf, event),
    }
}

fn meet(leaf: &Leaf, event: &mut Value, rng: &mut Rng) {
    let Leaf { path, op, value } = leaf;
    let text = value.as_str().unwrap_or_default();
    let number = value.as_f64().unwrap_or_default();
    match *op {
        "eq" | "gte" | "lte" => set(event, path, value.clone()),
        "ne" => set(event, path, format!("not {text}")),
        "gt" => set(event, path, step(number, 1.0)),
        "lt" => set(event, path, step(number, -0.25)),
        "in" => {
            let values = value.as_array().map(Vec::as_slice).unwrap_or_default();
            if let Some(one) = values.get(rng.below(values.len())) {
                set(event, path, one.clone());
            }
        }
        "exists" => set(event, path, "E999"),
        "starts_with" => set(event, path, format!("{text} --flag")),
        "ends_with" => set(event, path, format!("src{text}")),
        // The only patterns of the workload are of this form.
        "regex" => set(event, path, text.trim_start_matches('^').replace("[0-9]+$", "7")),
        _ => {
            let before = get(event, path).and_then(Value::as_str).unwrap_or_default().to_owned();
            set(event, path, format!("{before} {text}"));
        }
    }
}

fn miss(leaf: &Leaf, event: &mut Value) {
    let number = leaf.value.as_f64().unwrap_or_default();
    match leaf.op {
        "ne" => set(event, &leaf.path, leaf.value.clone()),
        "gt" | "lt" => set(event, &leaf.path, step(number, 0.0)),
        "gte" => set(event, &leaf.path, step(number, -1.0)),
        "lte" => set(event, &leaf.path, step(number, 1.0)),
        "exists" => unset(event, &leaf.path),
        _ => set(event, &leaf.path, "none of it"),
    }
}

/// Whole numbers stay whole in the event's text.
fn step(number: f64, by: f64) -> Value {
    let moved = number + by;
    if moved.fract() == 0.0 && moved.abs() < 1e15 {
        #[allow(clippy::cast_possible_truncation, reason = "it is whole and small")]
        let whole = moved as i64;
        return Value::from(whole);
    }
    Value::from(moved)
}
