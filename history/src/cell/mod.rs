//! What a monitor keeps for one value of its tie.

mod differing;
mod recent;
mod sums;

use std::collections::VecDeque;

pub(crate) use differing::{Differing, Match};
pub(crate) use recent::Recent;
pub(crate) use sums::Sums;

use crate::decimal::{Decimal, add_numbers};
use crate::key::Key;
use crate::record::{FeedValue, Value};
use crate::shape::Kind;
use crate::stamp::Stamp;

/// What is kept of each match of a `last`, or of a windowed sum.
pub(crate) type Entry<T> = (Stamp, T);

/// Bytes of a stamp and of a key in a file, about.
pub(super) const STAMP: usize = 12;
pub(super) const KEY: usize = 16;

/// The content of a cell, by the kind of its monitor. Entries are ordered by number, the oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    Recent(Recent),
    Differing(Box<Differing>),
    /// How many, and the number of the anchor from which they count.
    Counter {
        count: u64,
        start: u64,
    },
    Total(Box<Total>),
    Sums(Box<Sums>),
    Distinct(Vec<Entry<Key>>),
    Last(VecDeque<Entry<Box<[Option<Value>]>>>),
}

/// A sum, and the number of the anchor from which it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Total {
    pub(crate) sum: Decimal,
    pub(crate) start: u64,
}

/// What a monitor keeps for one value of its tie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// The latest event that may be in the selection without being kept: it was dropped, or its conditions were
    /// unknown. All that are missing happened then or earlier.
    pub(crate) possible: Option<Stamp>,
    /// When it was fed last.
    pub(crate) seen: Stamp,
    pub(crate) body: Body,
}

/// How a cell is fed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) kind: Kind,
    /// The number of the last certain anchor of a counter.
    pub(crate) start: u64,
    /// Entries before this time are out of every window.
    pub(crate) not_before: u64,
    /// Entries of a windowed sum.
    pub(crate) sum: usize,
}

impl Rules {
    /// Value paths of a `last` monitor.
    fn values(&self) -> usize {
        if let Kind::Last { values, .. } = self.kind { usize::from(values) } else { 0 }
    }
}

/// A number of conjuncts; too many are as bad as far too many.
fn small(number: usize) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

impl Cell {
    /// An empty cell. Events up to `possible` are unknown.
    pub(crate) fn new(kind: Kind, seen: Stamp, possible: Option<Stamp>) -> Self {
        let body = match kind {
            Kind::Recent { .. } => Body::Recent(Recent::default()),
            Kind::Differing { .. } => Body::Differing(Box::default()),
            Kind::Counter => Body::Counter { count: 0, start: 0 },
            Kind::Total => Body::Total(Box::new(Total { sum: Decimal::ZERO, start: 0 })),
            Kind::Sums => Body::Sums(Box::default()),
            Kind::Distinct { .. } => Body::Distinct(Vec::new()),
            Kind::Last { .. } => Body::Last(VecDeque::new()),
        };
        Self { possible, seen, body }
    }

    /// Bytes that it takes in a file, about.
    pub(crate) fn bytes(&self) -> usize {
        let entries = |count: usize, bytes: usize| count.saturating_mul(bytes);
        let content = match &self.body {
            Body::Recent(recent) => entries(recent.len(), STAMP),
            Body::Differing(differing) => differing.bytes(),
            Body::Counter { .. } | Body::Total(_) => STAMP,
            Body::Sums(sums) => entries(sums.len(), STAMP.saturating_mul(2)),
            Body::Distinct(values) => entries(values.len(), STAMP.saturating_add(KEY)),
            Body::Last(kept) => kept.iter().map(|(_, values)| last_bytes(values)).sum(),
        };
        // Its key, when it was seen, and what is possible.
        content.saturating_add(KEY).saturating_add(STAMP).saturating_add(STAMP)
    }

    /// Adds an event that may be in the selection.
    pub(crate) fn doubt(&mut self, stamp: Stamp) {
        self.seen = self.seen.max(stamp);
        self.possible = self.possible.max(Some(stamp));
    }

    /// Adds an event that is in the selection.
    pub(crate) fn feed(&mut self, stamp: Stamp, value: &FeedValue, rules: &Rules) {
        self.seen = stamp;
        let lost = self.add(stamp, value, rules);
        self.possible = self.possible.max(lost);
        self.prune(rules);
    }

    /// Adds an event; the stamp if the event cannot be kept.
    fn add(&mut self, stamp: Stamp, value: &FeedValue, rules: &Rules) -> Option<Stamp> {
        match (&mut self.body, value) {
            (Body::Recent(recent), _) => recent.push(stamp, rules.kind),
            (Body::Differing(entries), FeedValue::Excluded(excluded))
                if rules.kind == (Kind::Differing { conjuncts: small(excluded.len()) }) =>
            {
                entries.add(stamp, excluded)
            }
            (Body::Counter { count, start }, _) => {
                if *start < rules.start {
                    (*count, *start) = (0, rules.start);
                }
                *count = count.saturating_add(1);
                None
            }
            (Body::Total(total), FeedValue::Numbers(numbers)) => {
                if total.start < rules.start {
                    **total = Total { sum: Decimal::ZERO, start: rules.start };
                }
                match add_numbers(total.sum, numbers) {
                    Some(sum) => total.sum = sum,
                    None => return Some(stamp),
                }
                None
            }
            (Body::Sums(entries), FeedValue::Numbers(numbers)) => match add_numbers(Decimal::ZERO, numbers) {
                Some(number) => {
                    entries.push(stamp, number);
                    None
                }
                None => Some(stamp),
            },
            (Body::Distinct(entries), FeedValue::Values(values)) => {
                entries.retain(|(_, value)| !values.contains(value));
                for (index, value) in values.iter().enumerate() {
                    if !values.iter().take(index).any(|earlier| earlier == value) {
                        entries.push((stamp, *value));
                    }
                }
                None
            }
            (Body::Last(entries), FeedValue::Kept(values)) if rules.values() == values.len() => {
                entries.push_back((stamp, values.clone().into_boxed_slice()));
                None
            }
            _ => Some(stamp),
        }
    }

    /// Drops the oldest entries beyond the capacity, and those that are out of every window.
    pub(crate) fn prune(&mut self, rules: &Rules) {
        let capacity = match rules.kind {
            Kind::Recent { capacity } | Kind::Distinct { capacity } => usize::from(capacity),
            Kind::Last { capacity, .. } => usize::from(capacity),
            _ => rules.sum,
        };
        let dropped = match &mut self.body {
            Body::Recent(recent) => recent.prune(capacity, rules.not_before),
            Body::Sums(sums) => sums.prune(capacity, rules.not_before),
            Body::Last(entries) => drop_oldest(entries, capacity, rules.not_before, |(stamp, _)| *stamp),
            Body::Distinct(entries) => {
                let excess = excess(entries.iter().map(|(stamp, _)| *stamp), capacity, rules.not_before);
                entries.drain(..excess).next_back().map(|(stamp, _)| stamp)
            }
            Body::Differing(_) | Body::Counter { .. } | Body::Total(_) => None,
        };
        self.possible = self.possible.max(dropped);
    }
}

/// How many of the oldest entries are beyond the capacity, or out of every window. One is always kept.
fn excess(stamps: impl ExactSizeIterator<Item = Stamp>, capacity: usize, not_before: u64) -> usize {
    let length = stamps.len();
    let old = stamps.take(length.saturating_sub(1)).take_while(|stamp| stamp.time < not_before).count();
    old.max(length.saturating_sub(capacity))
}

/// Drops the oldest entries; the stamp of the latest that was dropped.
fn drop_oldest<T>(
    entries: &mut VecDeque<T>,
    capacity: usize,
    not_before: u64,
    stamp: impl Fn(&T) -> Stamp,
) -> Option<Stamp> {
    let excess = excess(entries.iter().map(&stamp), capacity, not_before);
    entries.drain(..excess).next_back().map(|entry| stamp(&entry))
}

/// Bytes of an entry of `last` in a file, about.
fn last_bytes(values: &[Option<Value>]) -> usize {
    let text = |value: &Option<Value>| value.as_ref().and_then(Value::text).map_or(0, str::len);
    let texts: usize = values.iter().map(|value| text(value).saturating_add(KEY)).sum();
    texts.saturating_add(STAMP)
}
