//! Hooks whose leaves are negated: none of them is a witness.

use hookc_oracle::generate::Rng;
use serde_json::Value;

use super::hook;
use crate::event::{base, set};
use crate::rule::{Cond, Rule, leaf, not};

const LETTERS: [&str; 4] = ["a", "b", "c", "d"];
const FLAGS: usize = 8;

/// Three of four values are rejected at each of eight paths: one event in 65,536 passes a hook.
pub(super) fn negation(rng: &mut Rng, n: usize, _hooks: usize) -> Rule {
    let refused = |rng: &mut Rng, at: usize| {
        let kept = rng.pick(&LETTERS);
        let others: Vec<Value> = LETTERS.iter().filter(|l| **l != kept).map(|l| Value::from(*l)).collect();
        not(leaf(format!("state.f{at}"), "in", others))
    };
    hook(n, Cond::All((0..FLAGS).map(|at| refused(rng, at)).collect()))
}

pub(super) fn flag_events(rng: &mut Rng, _rules: &[Rule], count: usize) -> Vec<Value> {
    let event = |_| {
        let mut event = base(rng, "error");
        (0..FLAGS).for_each(|at| set(&mut event, &format!("state.f{at}"), rng.pick(&LETTERS)));
        event
    };
    (0..count).map(event).collect()
}

const KEYS: usize = 40;
const ABSENT: usize = 10;

/// Ten of forty keys must be absent.
pub(super) fn absent(rng: &mut Rng, n: usize, _hooks: usize) -> Rule {
    let mut keys: Vec<usize> = (0..KEYS).collect();
    let mut chosen: Vec<usize> = (0..ABSENT).map(|_| keys.swap_remove(rng.below(keys.len()))).collect();
    chosen.sort_unstable();
    let missing = |key: &usize| not(leaf(format!("state.k{key}"), "exists", true));
    hook(n, Cond::All(chosen.iter().map(missing).collect()))
}

/// Three of five keys are present: one event in about ten thousand matches a hook.
pub(super) fn absent_events(rng: &mut Rng, _rules: &[Rule], count: usize) -> Vec<Value> {
    let event = |_| {
        let mut event = base(rng, "error");
        for key in 0..KEYS {
            if rng.chance(60) {
                set(&mut event, &format!("state.k{key}"), true);
            }
        }
        event
    };
    (0..count).map(event).collect()
}
