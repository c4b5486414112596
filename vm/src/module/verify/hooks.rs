//! Event types, hooks, labels and source locations.

use std::collections::BTreeSet;

use super::history;
use super::text::{blob, cut};
use super::{Checked, Claims, Work, ascends, ensure, spans, within};
use hookc_base::{Family, Layer, Strategy, row_number};

use crate::limits::EVENT_VIEWS;
use crate::module::Tables;
use crate::rows::{Event, Hook, HookTest, Range, SectionKind, U32};

/// Event types ascend, and share all hooks among them.
pub(super) fn events(t: &Tables<'_>, slots: u32, work: &mut Work) -> Checked {
    let mut claims = Claims::new(t.hooks.len());
    let mut before: Option<(u8, &[u8])> = None;
    let mut known = KnownLists::default();
    for (row, event) in t.events.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::Events, row, what);
        bad(Family::from_number(event.family).is_some(), "an unknown family")?;
        bad(Strategy::from_number(event.strategy).is_some(), "an unknown strategy")?;
        bad(event.zero == [0; 2], "a reserved field is not zero")?;
        bad(within(event.name, t.strings), "the name is out of range")?;
        let key = (event.family, t.bytes(event.name.get()));
        work.charge(key.1.len())?;
        bad(before.is_none_or(|before| before < key), "not above the event type before it")?;
        before = Some(key);
        bad(claims.take(event.hooks), "hooks out of range, or another event type's")?;
        reads(t, event, slots, row, &mut known, work)?;
    }
    ensure(claims.all(), SectionKind::Hooks, t.hooks.len(), "a hook belongs to no event type")
}

/// Lists that have been checked: event types can share them.
#[derive(Default)]
struct KnownLists {
    reads: BTreeSet<(u32, u32)>,
    whole: BTreeSet<(u32, u32)>,
    views: BTreeSet<(u32, u32)>,
}

fn reads(
    t: &Tables<'_>,
    event: &Event,
    slots: u32,
    row: usize,
    known: &mut KnownLists,
    work: &mut Work,
) -> Checked {
    let bad = |good, what| ensure(good, SectionKind::Events, row, what);
    let ranges = [event.reads, event.whole, event.views];
    bad(ranges.into_iter().all(|range| spans(range, t.indices)), "a range out of range")?;
    if known.reads.insert(bounds(event.reads)) {
        let nodes = row_number(t.nodes.len());
        bad(bounded(t, event.reads, nodes, work)?, "read nodes out of range, or not ascending")?;
    }
    if known.whole.insert(bounds(event.whole)) {
        bad(bounded(t, event.whole, slots, work)?, "whole slots out of range, or not ascending")?;
    }
    bad(event.views.length.get() as usize <= EVENT_VIEWS, "too many views")?;
    if known.views.insert(bounds(event.views)) {
        let views = row_number(t.views.len());
        bad(bounded(t, event.views, views, work)?, "views out of range, or not ascending")?;
    }
    Ok(())
}

const fn bounds(range: Range) -> (u32, u32) {
    (range.start.get(), range.length.get())
}

fn bounded(t: &Tables<'_>, range: Range, bound: u32, work: &mut Work) -> Checked<bool> {
    let indices = t.indices_of(range);
    work.charge(size_of_val(indices))?;
    Ok(ascends(indices) && indices.last().is_none_or(|last: &U32| last.get() < bound))
}

/// Hooks have a condition and an action, and known modes and policies.
pub(super) fn hooks(t: &Tables<'_>) -> Checked {
    t.hooks.iter().enumerate().try_for_each(|(row, hook)| self::hook(t, row, hook))
}

/// Watches have conditions.
pub(super) fn watches(t: &Tables<'_>) -> Checked {
    t.watches.iter().enumerate().try_for_each(|(row, watch)| history::watch_tests(t, row, watch))
}

/// A hook has a condition and an action, and known modes and policies.
pub(super) fn hook(t: &Tables<'_>, row: usize, hook: &Hook) -> Checked {
    let bad = |good, what| ensure(good, SectionKind::Hooks, row, what);
    let (known, what) = match hook.test() {
        HookTest::Cond(cond) => ((cond as usize) < t.conds.len(), "the condition is out of range"),
        HookTest::Pred(pred) => {
            let known = t.preds.get(pred as usize);
            (
                known.is_some_and(|pred| history::is_whole(t, pred)),
                "the predicate is out of range, or tests a node or a recall",
            )
        }
    };
    bad(known, what)?;
    bad((hook.action.get() as usize) < t.actions.len(), "the action is out of range")?;
    bad(hook.has_known_modes(), "an unknown mode, `on_error` or `on_failure`")?;
    Ok(())
}

/// Either every hook has a label and a source location, or none has. Returns the text of names.
pub(super) fn names<'m>(t: &Tables<'m>) -> Checked<&'m str> {
    let hooks = t.hooks.len();
    let (labels, locations) = (t.labels.len(), t.locations.len());
    ensure(labels == 0 || labels == hooks, SectionKind::Labels, labels, "not a label per hook")?;
    ensure(
        locations == 0 || locations == hooks,
        SectionKind::Locations,
        locations,
        "not a location per hook",
    )?;
    let used = labels > 0 || locations > 0 || !t.cell_names.is_empty();
    ensure(used || t.names.is_empty(), SectionKind::Names, 0, "unused names")?;
    blob(t.names, SectionKind::Names)
}

/// The names of patterns.
pub(super) fn cell_names(t: &Tables<'_>, names: &str) -> Checked {
    let mut least = 0;
    for (row, name) in t.cell_names.iter().enumerate() {
        let bad = |good, what| ensure(good, SectionKind::CellNames, row, what);
        bad(
            name.cell.get() >= least && within(name.cell, t.cells),
            "the monitor is out of range, or not ascending",
        )?;
        bad(cut(names, name.text).is_some(), "not a range of whole characters")?;
        least = name.cell.get().saturating_add(1);
    }
    Ok(())
}

/// The labels of hooks.
pub(super) fn labels(t: &Tables<'_>, names: &str, hooks: std::ops::Range<usize>) -> Checked {
    for (row, label) in (hooks.start..).zip(t.labels.get(hooks.clone()).unwrap_or_default()) {
        let bad = |good, what| ensure(good, SectionKind::Labels, row, what);
        bad(cut(names, label.name).is_some(), "not a range of whole characters")?;
        let layer = u8::try_from(label.layer.get()).ok().and_then(Layer::from_number);
        bad(layer.is_some(), "an unknown layer")?;
    }
    Ok(())
}

/// The locations of hooks.
pub(super) fn locations(t: &Tables<'_>, names: &str, hooks: std::ops::Range<usize>) -> Checked {
    for (row, location) in (hooks.start..).zip(t.locations.get(hooks.clone()).unwrap_or_default()) {
        let bad = |good, what| ensure(good, SectionKind::Locations, row, what);
        bad(cut(names, location.file).is_some(), "not a range of whole characters")?;
        bad(location.line.get() > 0 && location.column.get() > 0, "lines and columns count from 1")?;
    }
    Ok(())
}
