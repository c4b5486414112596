//! Groups: the hooks that only ranges and exclusions separate.

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::cost::Costs;
use super::witness::Bound;
use super::{Dim, Group, IndexThresholds, Interval};
use crate::plan::{ConstId, SlotId};

/// The group of hooks with their bounds, ranks ascending.
pub(super) fn group(narrow: Vec<(u32, Vec<Bound>)>, costs: &Costs, thresholds: &IndexThresholds) -> Group {
    let mut ranges: IndexMap<SlotId, Vec<Interval>, RandomState> = IndexMap::default();
    let mut values: IndexMap<SlotId, IndexMap<ConstId, Vec<u32>, RandomState>, RandomState> =
        IndexMap::default();
    for (entry, (_, bounds)) in (0..).zip(&narrow) {
        for bound in bounds {
            match *bound {
                Bound::Low(slot, low, elsewhere) => {
                    let high = f64::INFINITY;
                    within(ranges.entry(slot).or_default(), Interval { entry, low, high, elsewhere });
                }
                Bound::High(slot, high, elsewhere) => {
                    let low = f64::NEG_INFINITY;
                    within(ranges.entry(slot).or_default(), Interval { entry, low, high, elsewhere });
                }
                Bound::Not(slot, id) => {
                    let entries = values.entry(slot).or_default().entry(id).or_default();
                    if entries.last() != Some(&entry) {
                        entries.push(entry);
                    }
                }
            }
        }
    }
    let least = thresholds.least.max(narrow.len() / thresholds.share.max(1));
    let ranges = ranges.into_iter().filter(|(_, intervals)| intervals.len() >= least);
    // An event has one of the slot's values.
    let excluded = |slot: SlotId, keys: &IndexMap<ConstId, Vec<u32>, RandomState>| {
        keys.values().map(Vec::len).sum::<usize>() / costs.named(slot).saturating_add(1)
    };
    let values = values.into_iter().filter(|(slot, keys)| excluded(*slot, keys) >= thresholds.least);
    let ranges = ranges.map(|(slot, intervals)| Dim::Range { slot, intervals });
    let values = values.map(|(slot, keys)| Dim::Value { slot, keys: keys.into_iter().collect() });
    Group { dims: ranges.chain(values).collect(), ranks: narrow.iter().map(|(rank, _)| *rank).collect() }
}

/// Narrows an entry's interval; entries come in order.
fn within(intervals: &mut Vec<Interval>, more: Interval) {
    match intervals.last_mut().filter(|last| last.entry == more.entry) {
        Some(last) => {
            (last.low, last.high) = (last.low.max(more.low), last.high.min(more.high));
            last.elsewhere &= more.elsewhere;
        }
        None => intervals.push(more),
    }
}
