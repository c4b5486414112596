//! Groups: hooks as bits, dimension by dimension.

use hookc_base::{DimTag, row_number};
use zerocopy::{FromBytes, IntoBytes};

use super::equal;
use crate::event::{Item, Kind, Stored};
use crate::module::row;
use crate::number::ShortDecimal;
use crate::rows::index::set;
use crate::rows::{Dim, Group, INLINE_RANK, U64};
use crate::view::EventView;

/// Words of a set that is intersected at once, and tested after each dimension: the others are left out as soon
/// as it is empty.
const NARROW: usize = 8;

/// Words that are tested together.
const LANES: usize = 16;

/// Buffers for the sets of a search.
#[derive(Debug, Default)]
pub(super) struct Sets {
    /// The sets of the opened groups, one after the other: the bytes of their words, because a vector of words
    /// is copied word by word.
    bytes: Vec<u8>,
    /// The set of one dimension, too.
    dim: Vec<u8>,
    text: String,
}

/// A set of a group in [`Sets`]: an entry is in it if it is in both halves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halves {
    /// The first word.
    pub(super) start: usize,
    /// Words of a half.
    pub(super) width: usize,
    /// From a word of the first half to its word of the second; 0 if there is only one half.
    pub(super) other: usize,
}

impl Sets {
    /// The first word from `at` on, before `end`, that has entries, and its number.
    pub(super) fn next_word(&self, at: usize, end: usize, other: usize) -> Option<(usize, u64)> {
        let second = at.checked_add(other)?..end.checked_add(other)?;
        let words = words(&self.bytes);
        let (first, second) = (words.get(at..end)?, words.get(second)?);
        let (blocks, rest) = first.as_chunks::<LANES>();
        let (other_blocks, other_rest) = second.as_chunks::<LANES>();
        // Without a branch for each word.
        let empty = blocks.iter().zip(other_blocks).take_while(|(first, second)| {
            first.iter().zip(second.iter()).fold(0, |any, (a, b)| any | (a.get() & b.get())) == 0
        });
        let done = empty.count();
        let left = match blocks.get(done).zip(other_blocks.get(done)) {
            Some((first, second)) => (first.as_slice(), second.as_slice()),
            None => (rest, other_rest),
        };
        let mut both = left.0.iter().zip(left.1).map(|(a, b)| a.get() & b.get()).enumerate();
        let (place, word) = both.find(|(_, word)| *word != 0)?;
        Some((at.saturating_add(done.saturating_mul(LANES)).saturating_add(place), word))
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Computes the set of a group after the others. Its last range, if there are several, becomes the
    /// second half of the set: a search intersects the halves word by word, as far as it goes.
    pub(super) fn open(&mut self, source: &EventView<'_>, group: &Group) -> Halves {
        let entries = group.ranks.length.get() as usize;
        let (start, width) = (words(&self.bytes).len(), set::words(entries));
        let is_range = |dim: &Dim| tag(dim) == Some(DimTag::Range);
        let ranges = source.tables.dims_of(group).filter(|(_, dim)| is_range(dim)).count();
        if ranges == 0 {
            all(entries, &mut self.bytes);
        }
        let mut range = 0_usize;
        for (number, dim) in source.tables.dims_of(group) {
            if !is_range(dim) {
                self.by_value(source, number, dim, start);
            } else if range == 0 || (width > NARROW && range.saturating_add(1) == ranges) {
                // The rest of a range has no bit past the last entry.
                within(source, dim, width, &mut self.bytes);
                range = range.saturating_add(1);
            } else {
                self.by_range(source, dim, start);
                range = range.saturating_add(1);
            }
            if width <= NARROW && self.is_empty(start) {
                return Halves { start, width: 0, other: 0 };
            }
        }
        Halves { start, width, other: if ranges > 1 && width > NARROW { width } else { 0 } }
    }

    /// Whether the set that starts at a word, the last one, has no entry.
    fn is_empty(&self, start: usize) -> bool {
        let set = words(&self.bytes).get(start..).unwrap_or_default();
        !set.is_empty() && set.iter().all(|word| word.get() == 0)
    }

    /// Excludes the entries that do not contain the value.
    fn by_range(&mut self, source: &EventView<'_>, dim: &Dim, start: usize) {
        let Some(set) = words_mut(&mut self.bytes).get_mut(start..) else { return };
        self.dim.clear();
        within(source, dim, set.len(), &mut self.dim);
        set.iter_mut().zip(words(&self.dim)).for_each(|(word, other)| word.set(word.get() & other.get()));
    }

    /// Excludes the entries under the value's key.
    fn by_value(&mut self, source: &EventView<'_>, number: u32, dim: &Dim, start: usize) {
        let mut decoded = String::new();
        let value = match source.scalar(dim.slot.get()) {
            Some(value) => value,
            None => match source.stored(dim.slot.get()) {
                // No key has a container.
                Stored::Parsed(parsed) if parsed.number().is_none() => return,
                stored => stored.item(&mut decoded).scalar(),
            },
        };
        let Some(scalar) = equal::scalar(value, &mut self.text) else { return };
        let owner = number.saturating_add(row_number(source.tables.probes.len()));
        let Some(posting) = equal::exact(source.tables, owner, scalar) else { return };
        let Some(set) = words_mut(&mut self.bytes).get_mut(start..) else { return };
        if posting & INLINE_RANK != 0 {
            return set::exclude(set, posting & !INLINE_RANK);
        }
        let entries =
            row(source.tables.postings, posting).map(|posting| source.tables.indices_of(posting.ranks));
        entries.unwrap_or_default().iter().for_each(|entry| set::exclude(set, entry.get()));
    }
}

fn words(bytes: &[u8]) -> &[U64] {
    <[U64]>::ref_from_bytes(bytes).unwrap_or_default()
}

fn words_mut(bytes: &mut [u8]) -> &mut [U64] {
    <[U64]>::mut_from_bytes(bytes).unwrap_or_default()
}

/// Appends the set of all of so many entries.
fn all(entries: usize, out: &mut Vec<u8>) {
    let words = set::words(entries);
    out.resize(out.len().saturating_add(words.saturating_mul(size_of::<U64>())), u8::MAX);
    if let Some(last) = out.last_chunk_mut().filter(|_| words > 0) {
        *last = set::last_of_all(entries).to_le_bytes();
    }
}

/// How a dimension excludes; the verifier has checked that its number is known.
fn tag(dim: &Dim) -> Option<DimTag> {
    DimTag::from_number(dim.kind)
}

/// Appends the set of entries, of `width` words, that contain the value's number. Costs at most
/// half a step of toggles, and one pass over the words.
fn within(source: &EventView<'_>, dim: &Dim, width: usize, out: &mut Vec<u8>) {
    let (toggles, sets) = (source.tables.toggles_of(dim), source.tables.words_of(dim));
    let number = match source.scalar(dim.slot.get()) {
        Some((kind, text)) => (kind == Kind::Number).then(|| float(text)).flatten(),
        None => match source.stored(dim.slot.get()) {
            Stored::Item(Item::Num(text)) => float(text.as_bytes()),
            Stored::Parsed(parsed) => parsed.float(),
            _ => None,
        },
    };
    // A power of two: nothing is divided.
    let step = (dim.step.get() as usize).max(1);
    let steps = |toggles: usize| toggles >> step.trailing_zeros();
    let done = number.map(|number| toggled(source, dim, number));
    let nearest = match done {
        Some(done) => steps(done.saturating_add(step / 2)).min(steps(toggles.len())),
        // The last set: for values that are not numbers.
        None => steps(toggles.len()).saturating_add(1),
    };
    let start = out.len();
    let first = nearest.saturating_mul(width);
    let recorded = sets.get(first..first.saturating_add(width)).unwrap_or_default();
    out.extend_from_slice(recorded.as_bytes());
    let (Some(done), Some(set)) = (done, out.get_mut(start..)) else { return };
    let set = words_mut(set);
    let from = nearest.saturating_mul(step);
    let between = toggles.get(from.min(done)..from.max(done)).unwrap_or_default();
    between.iter().for_each(|entry| set::toggle(set, entry.get()));
}

/// A number, rounded.
fn float(text: &[u8]) -> Option<f64> {
    let long = || std::str::from_utf8(text).ok()?.parse().ok();
    ShortDecimal::parse(text).and_then(ShortDecimal::to_f64).or_else(long)
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
