//! Hooks over numbers.

use hookc_oracle::generate::Rng;
use serde_json::Value;

use super::hook;
use crate::event::{base, set};
use crate::rule::{Cond, Rule, leaf};

/// Intervals of width 1 to 3, over the whole of `0..2 * hooks`.
pub(super) fn ranges(rng: &mut Rng, n: usize, hooks: usize) -> Rule {
    let low = rng.below(hooks * 2);
    let high = low + 1 + rng.below(3);
    hook(n, Cond::All(vec![leaf("limit_value", "gte", low), leaf("limit_value", "lt", high)]))
}

pub(super) fn range_events(rng: &mut Rng, rules: &[Rule], count: usize) -> Vec<Value> {
    let event = |_| {
        let mut event = base(rng, "error");
        // One in ten is inside the intervals.
        let most = rules.len() * if rng.chance(10) { 2 } else { 200 };
        set(
            &mut event,
            "limit_value",
            rng.below(most) + rules.len() * 2 * usize::from(most > rules.len() * 2),
        );
        event
    };
    (0..count).map(event).collect()
}

/// Hook `n` has the threshold `t`, any of `0..hooks`: `limit_value > t` is true for those below the
/// event's value, `cost.spend > hooks - t` for those above.
pub(super) fn dense(_rng: &mut Rng, n: usize, hooks: usize) -> Rule {
    // A multiplier without a common factor permutes the thresholds.
    let t = n * coprime(hooks) % hooks.max(1);
    hook(n, Cond::All(vec![leaf("limit_value", "gt", t), leaf("cost.spend", "gt", hooks - t)]))
}

/// A number without a common factor with `n`, far from small and from `n`.
fn coprime(n: usize) -> usize {
    let gcd = |mut a: usize, mut b: usize| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    (n / 3 + 2..).find(|&candidate| gcd(candidate, n) == 1).unwrap_or(1)
}

/// Their sum never exceeds the number of hooks, so no hook has both.
pub(super) fn dense_events(rng: &mut Rng, rules: &[Rule], count: usize) -> Vec<Value> {
    let hooks = rules.len();
    let event = |_| {
        let mut event = base(rng, "error");
        let limit = hooks * 45 / 100 + rng.below(hooks / 10 + 1);
        set(&mut event, "limit_value", limit);
        set(&mut event, "cost.spend", hooks - limit.min(hooks));
        event
    };
    (0..count).map(event).collect()
}
