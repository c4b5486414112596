//! Groups: hooks as bits, dimension by dimension.

use hookc_base::{DimTag, row_number};

use super::equal;
use crate::event::{Item, Stored};
use crate::module::row;
use crate::rows::index::set;
use crate::rows::{Dim, Group, INLINE_RANK};
use crate::view::EventView;

/// Buffers for the sets of a search.
#[derive(Debug, Default)]
pub(super) struct Sets {
    /// The sets of the opened groups, one after the other.
    pub(super) words: Vec<u64>,
    /// The set of one dimension.
    dim: Vec<u64>,
    text: String,
}

impl Sets {
    pub(super) fn clear(&mut self) {
        self.words.clear();
    }

    /// Computes the set of a group after the others and returns its start.
    pub(super) fn open(&mut self, source: &EventView<'_>, group: &Group) -> usize {
        let entries = group.ranks.length.get() as usize;
        let start = self.words.len();
        let mut dims = source.tables.dims_of(group).peekable();
        // The rest of a range has no bit past the last entry.
        match dims.next_if(|(_, dim)| tag(dim) == Some(DimTag::Range)) {
            Some((_, dim)) => within(source, dim, set::words(entries), &mut self.words),
            None => set::all(entries, &mut self.words),
        }
        for (number, dim) in dims {
            match tag(dim) {
                Some(DimTag::Range) => self.by_range(source, dim, start),
                Some(DimTag::Value) => self.by_value(source, number, dim, start),
                None => {}
            }
        }
        start
    }

    /// Excludes the entries that do not contain the value.
    fn by_range(&mut self, source: &EventView<'_>, dim: &Dim, start: usize) {
        let Some(set) = self.words.get_mut(start..) else { return };
        self.dim.clear();
        within(source, dim, set.len(), &mut self.dim);
        set.iter_mut().zip(&self.dim).for_each(|(word, other)| *word &= other);
    }

    /// Excludes the entries under the value's key.
    fn by_value(&mut self, source: &EventView<'_>, number: u32, dim: &Dim, start: usize) {
        let mut decoded = String::new();
        let item = source.stored(dim.slot.get()).item(&mut decoded);
        let Some(scalar) = equal::scalar(item, &mut self.text) else { return };
        let owner = number.saturating_add(row_number(source.tables.probes.len()));
        let Some(posting) = equal::constant(&source.tables, owner, scalar) else { return };
        let Some(set) = self.words.get_mut(start..) else { return };
        if posting & INLINE_RANK != 0 {
            return set::exclude(set, posting & !INLINE_RANK);
        }
        let entries =
            row(source.tables.postings, posting).map(|posting| source.tables.indices_of(posting.ranks));
        entries.unwrap_or_default().iter().for_each(|entry| set::exclude(set, entry.get()));
    }
}

/// How a dimension excludes; the verifier has checked that its number is known.
fn tag(dim: &Dim) -> Option<DimTag> {
    DimTag::from_number(dim.kind)
}

/// Appends the set of entries, of `width` words, that contain the value's number. Costs at most
/// half a step of toggles, and one pass over the words.
fn within(source: &EventView<'_>, dim: &Dim, width: usize, out: &mut Vec<u64>) {
    let (toggles, sets) = (source.tables.toggles_of(dim), source.tables.words_of(dim));
    let number = match source.stored(dim.slot.get()) {
        Stored::Item(Item::Num(text)) => text.parse::<f64>().ok(),
        _ => None,
    };
    let step = (dim.step.get() as usize).max(1);
    let done = number.map(|number| toggled(source, dim, number));
    let steps = |toggles: usize| toggles.checked_div(step).unwrap_or(0);
    let nearest = match done {
        Some(done) => steps(done.saturating_add(step / 2)).min(steps(toggles.len())),
        // The last set: for values that are not numbers.
        None => sets.len().checked_div(width).unwrap_or(0).saturating_sub(1),
    };
    let start = out.len();
    let first = nearest.saturating_mul(width);
    let recorded = sets.get(first..first.saturating_add(width)).unwrap_or_default();
    out.extend(recorded.iter().map(|word| word.get()));
    let (Some(done), Some(set)) = (done, out.get_mut(start..)) else { return };
    let from = nearest.saturating_mul(step);
    let between = toggles.get(from.min(done)..from.max(done)).unwrap_or_default();
    between.iter().for_each(|entry| set::toggle(set, entry.get()));
}

/// Toggles of the dimension that come before a number.
fn toggled(source: &EventView<'_>, dim: &Dim, number: f64) -> usize {
    let points = source.tables.points_of(dim);
    let at = points.partition_point(|point| point.value.get() < number);
    match points.get(at) {
        Some(point) if point.value.get() <= number => point.passed.get() as usize,
        Some(point) => point.reached.get() as usize,
        None => dim.toggles.length.get() as usize,
    }
}
