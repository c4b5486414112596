//! Hooks that match whenever another one does.

use std::hash::Hash;

use hookc_schema::tree::Layer;

use super::contradiction;
use super::fingerprint::fingerprint;
use crate::ir::LowCond;
use crate::link::LinkedHook;

/// Pairs of conditions that are compared in one compilation: all of them in a policy of 100 hooks at one
/// event. Beyond, hooks are not compared: the pairs grow with the square of the hooks.
const PAIRS: usize = 10_000;

/// Hooks that can cover others.
#[derive(Default)]
pub(super) struct Covers<'h>(Vec<(Paths, &'h LinkedHook)>);

impl<'h> Covers<'h> {
    /// Adds a hook.
    pub(super) fn add(&mut self, hook: &'h LinkedHook) {
        if self.0.len() < PAIRS {
            self.0.push((Paths::required(&hook.cond, true), hook));
        }
    }

    /// The first hook of the same layer that `may` cover another one and matches whenever that does; or a few hooks
    /// that together do. Empty if nothing covers it.
    pub(super) fn find(
        &self,
        hook: &LinkedHook,
        may: impl Fn(&LinkedHook) -> bool,
        compared: &mut usize,
    ) -> Vec<&'h LinkedHook> {
        // A shipped hook is there to be overridden.
        let is_shipped = hook.layer == Layer::Builtin;
        if is_shipped || *compared >= PAIRS || self.0.is_empty() {
            return Vec::new();
        }
        let paths_read = Paths::of_cond(&hook.cond);
        let mut left = PAIRS - *compared;
        let mut few = Vec::new();
        let found = self.0.iter().take(left).find(|(paths, other)| {
            left = left.saturating_sub(1);
            let fits = other.layer == hook.layer && paths_read.has(*paths) && may(other);
            if fits && few.len() < TOGETHER {
                few.push(*other);
            }
            fits && contradiction::implies(&hook.cond, &other.cond)
        });
        left = left.saturating_sub(few.len());
        *compared = PAIRS - left;
        found.map_or_else(|| together(hook, few), |(_, other)| vec![*other])
    }
}

/// The most hooks that are compared together.
const TOGETHER: usize = 16;

/// The hooks that are needed so that one certainly matches whenever another hook does.
fn together<'h>(hook: &LinkedHook, mut few: Vec<&'h LinkedHook>) -> Vec<&'h LinkedHook> {
    let cover = |few: &[&LinkedHook]| {
        let conditions: Vec<&LowCond> = few.iter().map(|other| &other.cond).collect();
        contradiction::implies_one_of(&hook.cond, &conditions)
    };
    if few.len() < 2 || !cover(&few) {
        return Vec::new();
    }
    for at in (0..few.len()).rev() {
        let mut fewer = few.clone();
        fewer.remove(at);
        if cover(&fewer) {
            few = fewer;
        }
    }
    few
}

/// A set of paths, as a filter: it may have more than were added.
#[derive(Clone, Copy, Default)]
struct Paths(u64);

impl Paths {
    fn from_read(read: &impl Hash) -> Self {
        Self(1 << (fingerprint(read) % 64))
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The paths of a condition.
    fn of_cond(cond: &LowCond) -> Self {
        match cond {
            LowCond::Const(_) => Self::default(),
            LowCond::Test(test) => Self::from_read(&test.node.path),
            LowCond::Effects(test) => Self::from_read(&test.node),
            LowCond::Past(test) => Self::from_read(&test.node),
            // Its nodes are the children of a value that is then present.
            LowCond::Some(some) => Self::from_read(&some.node.path),
            LowCond::Not(part) => Self::of_cond(part),
            LowCond::All(parts) | LowCond::Any(parts) => {
                parts.iter().map(Self::of_cond).fold(Self::default(), Self::and)
            }
        }
    }

    /// The paths that a condition must have to imply this one.
    fn required(cond: &LowCond, want: bool) -> Self {
        match cond {
            LowCond::Const(_) => Self::default(),
            LowCond::Test(_) | LowCond::Some(_) | LowCond::Effects(_) | LowCond::Past(_) => {
                Self::of_cond(cond)
            }
            LowCond::Not(part) => Self::required(part, !want),
            LowCond::All(parts) | LowCond::Any(parts) => {
                let each = parts.iter().map(|part| Self::required(part, want));
                match matches!(cond, LowCond::All(_)) == want {
                    true => each.fold(Self::default(), Self::and),
                    false => each.fold(Self(u64::MAX), |both, part| Self(both.0 & part.0)),
                }
            }
        }
    }
}
