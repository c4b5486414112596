//! Hooks that differ in an equality.

use hookc_oracle::generate::Rng;
use serde_json::Value;

use super::hook;
use crate::event::{base, set};
use crate::rule::{Cond, Rule, leaf};

fn directive(n: usize) -> String {
    format!("team/directive_{n}")
}

pub(super) fn selective(rng: &mut Rng, n: usize, _hooks: usize) -> Rule {
    let turns = rng.below(200);
    hook(n, Cond::All(vec![leaf("event.directive", "eq", directive(n)), leaf("turn_number", "gt", turns)]))
}

pub(super) fn shared(_rng: &mut Rng, n: usize, _hooks: usize) -> Rule {
    hook(
        n,
        Cond::All(vec![
            leaf("error.type", "eq", "http"),
            leaf("classification.category", "eq", "transient"),
            leaf("event.directive", "eq", directive(n)),
        ]),
    )
}

/// Half of the events name a directive that a hook asks for.
pub(super) fn events(rng: &mut Rng, rules: &[Rule], count: usize) -> Vec<Value> {
    let event = |_| {
        let mut event = base(rng, "error");
        set(&mut event, "event.directive", directive(rng.below(rules.len() * 2)));
        set(&mut event, "turn_number", rng.below(300));
        event
    };
    (0..count).map(event).collect()
}

/// Values of all lists of a policy.
const LISTED: usize = 1_000_000;

pub(super) fn in_list(_rng: &mut Rng, n: usize, hooks: usize) -> Rule {
    let length = (LISTED / hooks).clamp(1, 10_000);
    let list: Vec<Value> = (0..length).map(|at| Value::from(code(n * length + at))).collect();
    hook(n, leaf("error.code", "in", list))
}

fn code(n: usize) -> String {
    format!("code_{n}")
}

pub(super) fn list_events(rng: &mut Rng, rules: &[Rule], count: usize) -> Vec<Value> {
    let listed = rules.len() * (LISTED / rules.len().max(1)).clamp(1, 10_000);
    let event = |_| {
        let mut event = base(rng, "error");
        set(&mut event, "error.code", code(rng.below(listed * 2)));
        event
    };
    (0..count).map(event).collect()
}

const FIELDS: usize = 10;

/// The false leaf is at any of ten positions.
pub(super) fn near_miss(rng: &mut Rng, n: usize, _hooks: usize) -> Rule {
    let chosen = rng.below(FIELDS);
    let value = |at| if at == chosen { format!("odd_{n}") } else { "on".to_owned() };
    hook(n, Cond::All((0..FIELDS).map(|at| leaf(format!("state.f{at}"), "eq", value(at))).collect()))
}

pub(super) fn miss_events(rng: &mut Rng, _rules: &[Rule], count: usize) -> Vec<Value> {
    let event = |_| {
        let mut event = base(rng, "error");
        (0..FIELDS).for_each(|at| set(&mut event, &format!("state.f{at}"), "on"));
        event
    };
    (0..count).map(event).collect()
}
