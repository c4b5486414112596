//! Hooks over substrings.

use hookc_oracle::generate::Rng;
use serde_json::Value;

use super::hook;
use crate::event::{base, get, set};
use crate::rule::{Rule, leaf};
use crate::text::filler;

pub(super) fn contains(_rng: &mut Rng, n: usize, _hooks: usize) -> Rule {
    hook(n, leaf("error.message", "contains", format!("needle-{n};")))
}

pub(super) fn prefix(_rng: &mut Rng, n: usize, _hooks: usize) -> Rule {
    hook(n, leaf("command", "starts_with", format!("deploy site-{n} ")))
}

pub(super) fn regex(_rng: &mut Rng, n: usize, _hooks: usize) -> Rule {
    hook(n, leaf("command", "regex", format!("^deploy +site-{n} .*--to=[a-z]+$")))
}

/// One in ten messages contains a needle.
pub(super) fn message_events(rng: &mut Rng, rules: &[Rule], count: usize) -> Vec<Value> {
    let event = |_| {
        let mut event = base(rng, "error");
        if rng.chance(10) {
            let before = get(&event, "error.message").and_then(Value::as_str).unwrap_or_default().to_owned();
            let after = filler(rng, 3);
            set(&mut event, "error.message", format!("{before} needle-{}; {after}", rng.below(rules.len())));
        }
        event
    };
    (0..count).map(event).collect()
}

/// One in ten commands is of a hook; the others are near to it.
pub(super) fn command_events(rng: &mut Rng, rules: &[Rule], count: usize) -> Vec<Value> {
    let event = |_| {
        let mut event = base(rng, "error");
        let site = rng.below(rules.len()) + if rng.chance(10) { 0 } else { rules.len() };
        set(&mut event, "command", format!("deploy site-{site} --verbose --to=production"));
        event
    };
    (0..count).map(event).collect()
}
