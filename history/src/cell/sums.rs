//! The numbers of the latest matches.

use std::collections::VecDeque;

use super::{Entry, excess};
use crate::decimal::Decimal;
use crate::stamp::{Scope, Stamp};

/// Numbers that are added one by one; more are a difference of two totals.
const FEW: usize = 16;

/// The numbers of the latest matches, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    entries: VecDeque<(Entry<Decimal>, Total)>,
    /// Before the first entry.
    dropped: Total,
}

/// The sum of all numbers up to one; `None` if it has too many digits.
#[derive(Clone, Copy, Debug)]
struct Total(Option<Decimal>);

impl Default for Total {
    fn default() -> Self {
        Self(Some(Decimal::ZERO))
    }
}

/// The totals follow from the numbers.
impl PartialEq for Sums {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Sums {}

impl Sums {
    /// Entries in order.
    pub(crate) fn from_ordered(entries: impl IntoIterator<Item = Entry<Decimal>>) -> Self {
        let mut sums = Self::default();
        entries.into_iter().for_each(|(stamp, number)| sums.push(stamp, number));
        sums
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The oldest first.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = Entry<Decimal>> + '_ {
        self.entries.iter().map(|(entry, _)| *entry)
    }

    pub(crate) fn last(&self) -> Option<Stamp> {
        self.entries.back().map(|((stamp, _), _)| *stamp)
    }

    pub(crate) fn push(&mut self, stamp: Stamp, number: Decimal) {
        let before = self.entries.back().map_or(self.dropped, |(_, total)| *total);
        let total = Total(before.0.and_then(|total| total.plus(number)));
        self.entries.push_back(((stamp, number), total));
    }

    /// Drops the oldest entries; the stamp of the latest that was dropped.
    pub(crate) fn prune(&mut self, capacity: usize, not_before: u64) -> Option<Stamp> {
        let excess = excess(self.iter().map(|(stamp, _)| stamp), capacity, not_before);
        let ((stamp, _), total) = self.entries.drain(..excess).next_back()?;
        self.dropped = total;
        Some(stamp)
    }

    /// Those that may be in a scope.
    pub(crate) fn within(&self, scope: &Scope) -> impl Iterator<Item = Entry<Decimal>> + '_ {
        let start = self.entries.partition_point(|((stamp, _), _)| !scope.may_contain(*stamp));
        self.entries.range(start..).map(|(entry, _)| *entry)
    }

    /// The sum of those in a scope; `None` if it has too many digits, or one may be outside.
    pub(crate) fn sum(&self, scope: &Scope) -> Option<Decimal> {
        let start = self.entries.partition_point(|((stamp, _), _)| !scope.may_contain(*stamp));
        let count = self.len().saturating_sub(start);
        if self.entries.get(start).is_some_and(|((first, _), _)| !scope.surely_contains(*first)) {
            return None;
        }
        if count > FEW {
            let before = start.checked_sub(1).and_then(|before| self.entries.get(before));
            let before = before.map_or(self.dropped, |(_, total)| *total).0;
            let last = self.entries.back().and_then(|(_, total)| total.0);
            if let Some((before, last)) = before.zip(last) {
                return last.plus(before.negated()?);
            }
        }
        self.entries.range(start..).try_fold(Decimal::ZERO, |sum, ((_, number), _)| sum.plus(*number))
    }
}
