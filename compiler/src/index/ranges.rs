//! From intervals to a dimension: sorted points at which entries start and end, and after a fixed
//! number of changes the complete set, so that the set at any number is a recorded one plus a few
//! changes.

use hookc_vm::format::Image;
use hookc_vm::format::index::set;
use hookc_vm::format::{Dim, Point, U32, U64};

use super::Interval;
use hookc_base::{DimTag, row_number};

use crate::plan::SlotId;
use crate::rows::range;

/// Changes between recorded sets at least. On average, a quarter of them is applied. Powers of two: an evaluator finds
/// the nearest set without a division.
const STEP: usize = 16;

/// A change at a number: of entries that come when it is reached, or go when
/// it is passed.
#[derive(Clone, Copy, Debug)]
struct Change {
    at: f64,
    passed: bool,
    entry: u32,
}

/// Appends the rows of a dimension over `entries` entries.
pub(super) fn emit(slot: SlotId, intervals: &[Interval], entries: usize, image: &mut Image) -> Dim {
    let changes = changes(intervals);
    let points = (image.points.len(), points(&changes, image));
    let first = image.toggles.len();
    image.toggles.extend(changes.iter().map(|change| U32::new(change.entry)));
    let step = 1 << STEP.max(set::words(entries) / 4).ilog2();
    let sets = image.words.len();
    let mut now = Set::full(entries);
    for interval in intervals {
        let on = interval.low == f64::NEG_INFINITY && interval.low <= interval.high;
        if !on {
            now.toggle(interval.entry);
        }
    }
    now.record(image);
    for chunk in changes.chunks_exact(step) {
        chunk.iter().for_each(|change| now.toggle(change.entry));
        now.record(image);
    }
    let mut outside = Set::full(entries);
    intervals
        .iter()
        .filter(|interval| !interval.elsewhere)
        .for_each(|interval| outside.toggle(interval.entry));
    outside.record(image);
    Dim {
        kind: DimTag::Range.number(),
        zero: [0; 3],
        slot: slot.0.into(),
        points: range(points.0, points.1),
        toggles: range(first, image.toggles.len()),
        step: row_number(step).into(),
        words: range(sets, image.words.len()),
    }
}

/// The changes in order.
fn changes(intervals: &[Interval]) -> Vec<Change> {
    let mut changes = Vec::with_capacity(intervals.len() * 2);
    for &Interval { entry, low, high, .. } in
        intervals.iter().filter(|interval| interval.low <= interval.high)
    {
        if low > f64::NEG_INFINITY {
            changes.push(Change { at: low, passed: false, entry });
        }
        if high < f64::INFINITY {
            changes.push(Change { at: high, passed: true, entry });
        }
    }
    changes.sort_by(|a, b| {
        a.at.total_cmp(&b.at).then(a.passed.cmp(&b.passed)).then_with(|| a.entry.cmp(&b.entry))
    });
    changes
}

/// Appends the points of changes; one past the last.
fn points(changes: &[Change], image: &mut Image) -> usize {
    let mut done = 0;
    for group in changes.chunk_by(|a, b| a.at.total_cmp(&b.at).is_eq()) {
        let reached = done;
        let passed = reached + group.iter().take_while(|change| !change.passed).count();
        done += group.len();
        let value = group.first().map_or(0.0, |change| change.at).into();
        image.points.push(Point {
            value,
            reached: row_number(reached).into(),
            passed: row_number(passed).into(),
        });
    }
    image.points.len()
}

/// A set of entries as words.
struct Set(Vec<U64>);

impl Set {
    fn full(entries: usize) -> Self {
        let mut words = Vec::new();
        set::all(entries, &mut words);
        Self(words)
    }

    fn toggle(&mut self, entry: u32) {
        set::toggle(&mut self.0, entry);
    }

    fn record(&self, image: &mut Image) {
        image.words.extend_from_slice(&self.0);
    }
}
