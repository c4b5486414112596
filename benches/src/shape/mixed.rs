//! Realistic policies: eight event types, rules of one to six leaves and up to four levels, 88 in a
//! hundred conjunctions, 9 alternatives, 3 negations. A scoping leaf makes a rule apply to few
//! events, the others narrow it.

use hookc_oracle::generate::Rng;
use serde_json::Value;

use super::satisfy::satisfy;
use crate::event::{base, set, unset};
use crate::rule::{Cond, Rule, leaf, not, ranked_rules};
use crate::tree;

const EVENTS: &[&str] = &[
    "error",
    "limit",
    "context_window_pressure",
    "before_step",
    "after_step",
    "tool_call",
    "tool_result",
    "message",
];

const COMMANDS: &[&str] =
    &["rm -rf", "git push", "curl", "sudo", "npm publish", "docker run", "kubectl delete", "dd"];

pub(super) fn rule(rng: &mut Rng, n: usize, _hooks: usize) -> Rule {
    let (event, priority) = (rng.pick(EVENTS), u32::try_from(rng.below(5)).unwrap_or(0));
    let when = match rng.below(100) {
        0..=87 => conjunction(rng, 6),
        88..=96 => Cond::Any((0..2 + rng.below(2)).map(|_| conjunction(rng, 2)).collect()),
        _ => negation(rng),
    };
    Rule { id: format!("h{n}"), event, priority, when }
}

/// A scope and what narrows it, up to `most` leaves in all.
fn conjunction(rng: &mut Rng, most: usize) -> Cond {
    let mut conds = scope(rng);
    let more = rng.below(most);
    while conds.iter().map(Cond::leaves).sum::<usize>() < more + 1 {
        let left = more + 1 - conds.iter().map(Cond::leaves).sum::<usize>();
        conds.push(narrow(rng, left));
    }
    if conds.len() > 1 { Cond::All(conds) } else { conds.remove(0) }
}

/// Half of them exclude all but a scope, the other half what every event has.
fn negation(rng: &mut Rng) -> Cond {
    let turns = 20 + rng.below(80);
    not(Cond::Any(if rng.chance(50) {
        vec![leaf("error.code", "ne", code(rng)), leaf("turn_number", "gte", turns)]
    } else {
        vec![leaf("turn_number", "gte", 0), leaf("event.directive", "eq", directive(rng))]
    }))
}

fn directive(rng: &mut Rng) -> String {
    format!("team/directive_{}", rng.below(2000))
}

fn code(rng: &mut Rng) -> String {
    format!("E{:03}", rng.below(500))
}

fn tool(rng: &mut Rng) -> String {
    format!("tool_{}", rng.below(60))
}

fn category(rng: &mut Rng) -> String {
    format!("category_{}", rng.below(40))
}

/// Leaves that few events satisfy.
fn scope(rng: &mut Rng) -> Vec<Cond> {
    let command = rng.pick(COMMANDS);
    let one = match rng.below(20) {
        0..=7 => leaf("event.directive", "eq", directive(rng)),
        8..=12 => leaf("error.code", "eq", code(rng)),
        13 => {
            let piece = leaf("command", "contains", format!("{command} x{}", rng.below(400)));
            return vec![leaf("tool", "eq", tool(rng)), piece];
        }
        14 => {
            let extreme = leaf("limit_value", "gt", 990 + rng.below(10));
            return vec![leaf("classification.category", "eq", category(rng)), extreme];
        }
        15 => leaf("command", "starts_with", format!("{command} y{}", rng.below(4000))),
        16 => leaf("error.message", "contains", format!("needle-{}", rng.below(4000))),
        17 => leaf("limit_value", "gt", 1_000_000 + rng.below(100_000)),
        18 => leaf("command", "regex", format!("^{command} z{}[0-9]+$", rng.below(4000))),
        _ => leaf("file", "ends_with", format!("/dir{}/mod.rs", rng.below(4000))),
    };
    vec![one]
}

/// A condition that about half of the events satisfy, of at most `left` leaves.
fn narrow(rng: &mut Rng, left: usize) -> Cond {
    match rng.below(if left > 2 {
        9
    } else if left > 1 {
        8
    } else {
        6
    }) {
        0 => leaf("turn_number", "gt", rng.below(100)),
        1 => leaf("cost.spend", "lt", f64::from(u32::try_from(rng.below(20)).unwrap_or(0)) + 0.5),
        2 => leaf(
            "classification.category",
            "in",
            (0..5 + rng.below(20)).map(|_| Value::from(category(rng))).collect::<Vec<_>>(),
        ),
        3 => leaf("error.code", "exists", true),
        4 => leaf("tool", "ne", tool(rng)),
        5 => leaf("cost.tokens", "gte", rng.below(5000)),
        6 => Cond::Any(vec![narrow(rng, 1), narrow(rng, 1)]),
        7 => not(Cond::All(vec![narrow(rng, 1), narrow(rng, 1)])),
        _ => Cond::Any(vec![narrow(rng, 1), Cond::All(vec![narrow(rng, 1), narrow(rng, 1)])]),
    }
}

/// Two events in a hundred are generated for one of the first rules of their type, 28 for any rule,
/// the others for none.
pub(super) fn events(rng: &mut Rng, rules: &[Rule], count: usize) -> Vec<Value> {
    let ranked = ranked_rules(rules);
    let early: Vec<&Rule> = EVENTS.iter().flat_map(|event| first(&ranked, event)).collect();
    let event = |_| match rng.below(100) {
        0..=1 => hot(rng, &early),
        2..=29 => hot(rng, &ranked),
        _ => cold(rng),
    };
    (0..count).map(event).collect()
}

/// The first hundredth of an event type's rules.
fn first<'r>(ranked: &[&'r Rule], event: &str) -> Vec<&'r Rule> {
    let rules: Vec<&Rule> = ranked.iter().filter(|rule| rule.event == event).copied().collect();
    let most = rules.len().div_ceil(100);
    rules.into_iter().take(most).collect()
}

pub(super) fn cold_events(rng: &mut Rng, _rules: &[Rule], count: usize) -> Vec<Value> {
    (0..count).map(|_| cold(rng)).collect()
}

/// An event that satisfies no scope.
fn cold(rng: &mut Rng) -> Value {
    let kind = rng.pick(EVENTS);
    plain(rng, kind)
}

fn plain(rng: &mut Rng, kind: &str) -> Value {
    let mut event = base(rng, kind);
    set(&mut event, "event.directive", format!("team/directive_{}", 2000 + rng.below(2000)));
    if rng.chance(70) {
        set(&mut event, "error.code", format!("E{}", 500 + rng.below(500)));
    } else {
        unset(&mut event, "error.code");
    }
    set(&mut event, "classification.category", category(rng));
    set(&mut event, "tool", tool(rng));
    let command = rng.pick(COMMANDS);
    set(&mut event, "command", format!("{command} w{} --flag value", rng.below(4000)));
    set(&mut event, "file", format!("src/a/dir{}/lib.rs", rng.below(4000)));
    event
}

/// An event generated for one of `rules`; some cannot be satisfied, so another one is tried then.
fn hot(rng: &mut Rng, rules: &[&Rule]) -> Value {
    for _ in 0..50 {
        let Some(rule) = (!rules.is_empty()).then(|| rng.pick(rules)) else { break };
        let mut event = plain(rng, rule.event);
        satisfy(&rule.when, &mut event, rng);
        if tree::holds(&rule.when, &event) {
            return event;
        }
    }
    cold(rng)
}
