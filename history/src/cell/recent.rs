//! The latest matches.

use std::collections::VecDeque;

use crate::shape::Kind;
use crate::stamp::{Scope, Stamp};

/// The latest matches, in order. Most monitors keep one, which is part of the cell.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Recent {
    last: Option<Stamp>,
    /// Those before it, if there are any.
    #[allow(clippy::box_collection, reason = "every cell has the size of its largest content")]
    earlier: Option<Box<VecDeque<Stamp>>>,
}

impl Recent {
    /// Matches in order.
    pub(crate) fn from_ordered(mut stamps: VecDeque<Stamp>) -> Self {
        let last = stamps.pop_back();
        Self { last, earlier: (!stamps.is_empty()).then(|| Box::new(stamps)) }
    }

    pub(crate) fn last(&self) -> Option<Stamp> {
        self.last
    }

    pub(crate) fn len(&self) -> usize {
        let earlier = self.earlier.as_ref().map_or(0, |earlier| earlier.len());
        earlier.saturating_add(usize::from(self.last.is_some()))
    }

    /// The oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Stamp> + '_ {
        self.earlier.iter().flat_map(|earlier| earlier.iter().copied()).chain(self.last)
    }

    /// Adds a match; the one that it replaces, if the monitor keeps one.
    pub(crate) fn push(&mut self, stamp: Stamp, kind: Kind) -> Option<Stamp> {
        let before = self.last.replace(stamp)?;
        if kind == (Kind::Recent { capacity: 1 }) {
            return Some(before);
        }
        self.earlier.get_or_insert_default().push_back(before);
        None
    }

    /// Drops the oldest beyond the capacity, and those that are out of every window, but not the last one; the latest
    /// that was dropped.
    pub(crate) fn prune(&mut self, capacity: usize, not_before: u64) -> Option<Stamp> {
        let length = self.len();
        let earlier = self.earlier.as_mut()?;
        let old = earlier.iter().take_while(|stamp| stamp.time < not_before).count();
        let excess = old.max(length.saturating_sub(capacity)).min(earlier.len());
        let dropped = earlier.drain(..excess).next_back();
        if earlier.is_empty() {
            self.earlier = None;
        }
        dropped
    }

    /// How many are surely in a scope, and how many may be. They are in order, so these are the last ones.
    pub(crate) fn within(&self, scope: &Scope) -> (usize, usize) {
        let count = |contains: &dyn Fn(Stamp) -> bool| {
            let before = |earlier: &VecDeque<Stamp>| earlier.partition_point(|stamp| !contains(*stamp));
            let earlier = self.earlier.as_ref();
            let earlier = earlier.map_or(0, |earlier| earlier.len().saturating_sub(before(earlier)));
            earlier.saturating_add(usize::from(self.last.is_some_and(contains)))
        };
        (count(&|stamp| scope.surely_contains(stamp)), count(&|stamp| scope.may_contain(stamp)))
    }
}
