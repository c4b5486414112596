//! Groups: entries, dimensions, and that the recorded sets are what the toggles make of the first.

use hookc_base::DimTag;

use super::{Checked, Claims, Work, ensure, spans};
use crate::module::{Tables, row};
use crate::rows::index::set;
use crate::rows::{Dim, Range, SectionKind, U64};

/// The rows of group sections that already have an owner.
pub(super) struct Sections {
    groups: Claims,
    dims: Claims,
    points: Claims,
    toggles: Claims,
    words: Claims,
}

impl Sections {
    pub(super) fn new(t: &Tables<'_>) -> Self {
        Self {
            groups: Claims::new(t.groups.len()),
            dims: Claims::new(t.dims.len()),
            points: Claims::new(t.points.len()),
            toggles: Claims::new(t.toggles.len()),
            words: Claims::new(t.words.len()),
        }
    }

    /// Assigns words to an owner other than a group: `false` if they are out of range or already
    /// assigned.
    pub(super) fn take_words(&mut self, range: Range) -> bool {
        self.words.take(range)
    }

    /// The first table with a row without an owner.
    pub(super) fn left(&self, t: &Tables<'_>) -> Option<(SectionKind, usize)> {
        let groups = [
            (self.groups.all(), SectionKind::Groups, t.groups.len()),
            (self.dims.all(), SectionKind::Dims, t.dims.len()),
            (self.points.all(), SectionKind::Points, t.points.len()),
            (self.toggles.all(), SectionKind::Toggles, t.toggles.len()),
            (self.words.all(), SectionKind::Words, t.words.len()),
        ];
        groups.into_iter().find(|(is_counted, ..)| !is_counted).map(|(_, kind, rows)| (kind, rows))
    }
}

/// A group of hooks below `hooks`, over `slots` slots.
pub(super) fn group(
    t: &Tables<'_>,
    number: u32,
    (hooks, slots): (u32, u32),
    taken: &mut Sections,
    work: &mut Work,
) -> Checked {
    let bad = |good, what| ensure(good, SectionKind::Groups, number as usize, what);
    let one = Range { start: number.into(), length: 1.into() };
    bad(taken.groups.take(one), "out of range, or another index's")?;
    let Some(group) = row(t.groups, number) else { return Ok(()) };
    bad(spans(group.ranks, t.indices), "a range out of range")?;
    let ranks = t.indices_of(group.ranks);
    work.charge(size_of_val(ranks))?;
    let ordered = ranks.windows(2).all(|pair| matches!(pair, [a, b] if a.get() <= b.get()));
    let last = ranks.last().is_none_or(|last| last.get() < hooks);
    bad(ordered && last, "ranks out of range, or descending")?;
    bad(taken.dims.take(group.dims), "dimensions out of range, or another group's")?;
    for (number, dim) in t.dims_of(&group) {
        let bad = |good, what| ensure(good, SectionKind::Dims, number as usize, what);
        bad(dim.zero == [0; 3], "a reserved field is not zero")?;
        bad(dim.slot.get() < slots, "the slot is out of range")?;
        let tag = DimTag::from_number(dim.kind);
        bad(tag.is_some(), "an unknown kind")?;
        let is_exclusive =
            taken.points.take(dim.points) && taken.toggles.take(dim.toggles) && taken.words.take(dim.words);
        bad(is_exclusive, "rows out of range, or another dimension's")?;
        let check = if tag == Some(DimTag::Range) { by_range(t, dim, ranks.len()) } else { bare(dim) };
        bad(check.is_ok(), check.err().unwrap_or_default())?;
    }
    Ok(())
}

/// The problem of a dimension.
type Sound = Result<(), &'static str>;

/// An exclusion by value has its keys in their own table, and nothing here.
fn bare(dim: &Dim) -> Sound {
    let lengths = [dim.points.length, dim.toggles.length, dim.words.length, dim.step];
    if lengths.iter().all(|length| length.get() == 0) { Ok(()) } else { Err("a reserved field is not zero") }
}

fn by_range(t: &Tables<'_>, dim: &Dim, entries: usize) -> Sound {
    points(t, dim)?;
    let toggles = t.toggles_of(dim);
    if toggles.iter().any(|entry| entry.get() as usize >= entries) {
        return Err("a toggle is out of range");
    }
    let step = dim.step.get() as usize;
    if !step.is_power_of_two() {
        return Err("a step that is not a power of two");
    }
    let recorded = toggles.len().checked_div(step).unwrap_or(0).saturating_add(1);
    let (width, sets) = (set::words(entries), t.words_of(dim));
    if sets.len() != recorded.saturating_add(1).saturating_mul(width) {
        return Err("not a set per step");
    }
    let clean = |set: &[U64]| set::is_within(set, entries);
    let (first, outside) = (sets.get(..width), sets.get(sets.len().saturating_sub(width)..));
    if !first.is_some_and(clean) || !outside.is_some_and(clean) {
        return Err("a set has more entries than the group");
    }
    let mut now = sets.get(..width).unwrap_or_default().to_vec();
    let mut rest = sets.chunks_exact(width.max(1)).skip(1);
    for chunk in toggles.chunks_exact(step) {
        chunk.iter().for_each(|entry| set::toggle(&mut now, entry.get()));
        if rest.next() != Some(now.as_slice()) {
            return Err("a recorded set is not what its toggles make");
        }
    }
    Ok(())
}

/// Points ascend, and share the toggles in order.
fn points(t: &Tables<'_>, dim: &Dim) -> Sound {
    let mut before: Option<f64> = None;
    let mut count = 0;
    for point in t.points_of(dim) {
        let value = point.value.get();
        if value.is_nan() || before.is_some_and(|before| before >= value) {
            return Err("the points do not ascend");
        }
        before = Some(value);
        let (reached, passed) = (point.reached.get(), point.passed.get());
        if reached < count || passed < reached {
            return Err("the points do not share the toggles in order");
        }
        count = passed;
    }
    if count <= dim.toggles.length.get() { Ok(()) } else { Err("a point has more toggles than exist") }
}
