//! Hooks to indexes: under each witness the hooks that have it.

use std::collections::BTreeSet;
use std::rc::Rc;

use foldhash::fast::RandomState;
use hookc_base::ProbeTag;
use hookc_vm::format::index::gram;
use hookc_vm::limits::INDEX_DEPTH;
use indexmap::IndexMap;

use super::choose::{ChosenSets, EQUALITIES, ExcludedProbes};
use super::witness::{Bound, Key, PlacedSet, ProbeKey, SharedSet, TextId, Witness, Witnesses};
use super::{Node, Posting, Probe, ProbeKind, Shared};
use super::{dims, grams};
use crate::plan::{CondId, ConstId, Event};

/// How many more hooks must search for substrings for a nested index to search for them: its slots
/// have been read once before.
const NESTED: usize = 4;

/// The maximum number of keys with the same hooks that each have a nested index: a module does not
/// share indexes, and its size stays proportional to the policy's.
const COPIES: usize = 16;

/// A hook that an index is to find: its rank and condition.
pub(super) type Entry = (u32, CondId);

/// The index of the hooks of an event type; `None` if they are better looked through.
pub(super) fn event(witnesses: &mut Witnesses<'_>, event: &Event) -> Option<Node> {
    conditions(witnesses, event.hooks.iter().map(|hook| hook.cond))
}

/// The index of what is recorded of an event type, by position.
pub(super) fn watches(witnesses: &mut Witnesses<'_>, event: &Event) -> Option<Node> {
    conditions(witnesses, event.watches.iter().map(|watch| watch.cond))
}

fn conditions(
    witnesses: &mut Witnesses<'_>,
    conditions: impl ExactSizeIterator<Item = CondId>,
) -> Option<Node> {
    if conditions.len() <= witnesses.thresholds.min_indexed {
        return None;
    }
    let entries: Vec<Entry> = (0..).zip(conditions).collect();
    let node = node(witnesses, &entries, &ExcludedProbes::default(), 1);
    let useful =
        !node.probes.is_empty() || !node.group.dims.is_empty() || node.group.ranks.len() < entries.len();
    useful.then_some(node)
}

/// Under each key, the numbers of the sets that have it, ascending.
type SetsByKey = IndexMap<Key, Vec<u32>, RandomState>;

/// A set, and the hooks that have it.
struct Class {
    set: SharedSet,
    entries: Vec<Entry>,
}

fn node(witnesses: &mut Witnesses<'_>, entries: &[Entry], excluded: &ExcludedProbes, depth: usize) -> Node {
    // In a nested index, the grams of the value have already been read.
    let min_grams = witnesses.thresholds.min_grams.saturating_mul(if depth > 1 { NESTED } else { 1 });
    let classes = classes(entries, sets(witnesses, entries, excluded, min_grams));
    let mut under = SetsByKey::default();
    let mut narrow: Vec<(u32, Vec<Bound>)> = Vec::new();
    for (number, class) in (0..).zip(&classes) {
        for witness in &class.set.set.witnesses {
            match witness {
                Witness::Key(key) => {
                    let list = under.entry(*key).or_default();
                    if list.last() != Some(&number) {
                        list.push(number);
                    }
                }
                Witness::Narrow(bounds) => {
                    narrow.extend(class.entries.iter().map(|(rank, _)| (*rank, bounds.clone())));
                }
            }
        }
    }
    narrow.sort_by_key(|(rank, _)| *rank);
    let group = dims::group(narrow, &witnesses.costs, &witnesses.thresholds);
    Node { probes: probes(witnesses, under, &classes, excluded, depth), group }
}

/// Hooks by their set, in the order of the first hook of each.
fn classes(entries: &[Entry], sets: Vec<SharedSet>) -> Vec<Class> {
    let mut classes: IndexMap<*const PlacedSet, Class, RandomState> = IndexMap::default();
    for (entry, set) in entries.iter().zip(sets) {
        let class = classes.entry(Rc::as_ptr(&set)).or_insert_with(|| Class { set, entries: Vec::new() });
        class.entries.push(*entry);
    }
    classes.into_values().collect()
}

/// The witness set of each hook. Substrings in a slot are used only if enough hooks search for
/// them.
fn sets(
    witnesses: &mut Witnesses<'_>,
    entries: &[Entry],
    excluded: &ExcludedProbes,
    min_grams: usize,
) -> Vec<SharedSet> {
    let mut chosen = ChosenSets::default();
    let mut sets: Vec<SharedSet> =
        entries.iter().map(|(_, cond)| witnesses.of_cond(*cond, false, excluded, &mut chosen)).collect();
    let mut wanted: IndexMap<ProbeKey, usize, RandomState> = IndexMap::default();
    for (place, count) in sets.iter().flat_map(|set| anywhere(set)) {
        let wanted = wanted.entry(place).or_default();
        *wanted = wanted.saturating_add(count);
    }
    wanted.retain(|_, count| *count < min_grams);
    let mut excluded = excluded.clone();
    excluded.extend(too_few(witnesses, &sets, &wanted, min_grams));
    let mut chosen = ChosenSets::default();
    for ((_, cond), set) in entries.iter().zip(&mut sets) {
        if anywhere(set).any(|(place, _)| excluded.contains(&place)) {
            *set = witnesses.of_cond(*cond, false, &excluded, &mut chosen);
        }
    }
    sets
}

/// The places with few substrings where a search costs more than evaluating the hooks. It costs half as much if it
/// passes over the parts of a value that have no rare byte.
fn too_few(
    witnesses: &Witnesses<'_>,
    sets: &[SharedSet],
    few: &IndexMap<ProbeKey, usize, RandomState>,
    min_grams: usize,
) -> Vec<ProbeKey> {
    let half = min_grams.div_ceil(2);
    let mut texts: IndexMap<ProbeKey, Vec<&str>, RandomState> = IndexMap::default();
    for witness in sets.iter().flat_map(|set| &set.set.witnesses) {
        let Witness::Key(key) = witness else { continue };
        let place = (key.slot, key.kind);
        if few.get(&place).is_some_and(|count| *count >= half) {
            let text = witnesses.texts.get_index(key.value as usize);
            texts.entry(place).or_default().extend(text.map(String::as_str));
        }
    }
    let is_rare = |place| {
        let texts = texts.get(place).map_or(&[] as &[_], Vec::as_slice);
        !texts.is_empty() && witnesses.grams.chosen(texts, grams::STEPS).range != gram::ALL
    };
    few.keys().filter(|place| !is_rare(*place)).copied().collect()
}

/// Where a set searches for substrings, and for how many.
fn anywhere(set: &PlacedSet) -> impl Iterator<Item = (ProbeKey, usize)> + '_ {
    let is_anywhere = |kind| matches!(kind, ProbeTag::Has | ProbeTag::HasFold | ProbeTag::Within);
    set.places.iter().copied().filter(move |((_, kind), _)| is_anywhere(*kind))
}

/// Keys by slot and kind. Keys of a slot with the same sets lead to the same hooks: they share one
/// posting.
fn probes(
    witnesses: &mut Witnesses<'_>,
    under: SetsByKey,
    classes: &[Class],
    excluded: &ExcludedProbes,
    depth: usize,
) -> Vec<Probe> {
    let mut alike: IndexMap<(ProbeKey, Vec<u32>), Vec<u32>, RandomState> = IndexMap::default();
    for (key, sets) in under {
        alike.entry(((key.slot, key.kind), sets)).or_default().push(key.value);
    }
    let mut by_place: IndexMap<ProbeKey, Vec<(u32, Shared)>, RandomState> = IndexMap::default();
    for ((place, sets), values) in alike {
        let posting = Rc::new(posting(
            witnesses,
            (place, values.len()),
            &hooks(witnesses, classes, &sets),
            excluded,
            depth,
        ));
        let keys = by_place.entry(place).or_default();
        keys.extend(values.into_iter().map(|value| (value, Shared::clone(&posting))));
    }
    let probe = |((slot, kind), keys): (ProbeKey, Vec<(u32, Shared)>)| {
        Some(Probe { slot, look: probe_kind(kind, keys)? })
    };
    by_place.into_iter().filter_map(probe).collect()
}

/// The hooks of some sets, by rank.
fn hooks(witnesses: &Witnesses<'_>, classes: &[Class], sets: &[u32]) -> Vec<Entry> {
    let entries_of = |number: &u32| {
        let entries = classes.get(*number as usize).map(|class| class.entries.as_slice());
        witnesses.faults.known(entries, &[], "a posting of hooks that the event does not have")
    };
    let mut entries: Vec<Entry> = sets.iter().flat_map(entries_of).copied().collect();
    entries.sort_by_key(|(rank, _)| *rank);
    entries
}

fn probe_kind(kind: ProbeTag, mut keys: Vec<(u32, Shared)>) -> Option<ProbeKind> {
    let texts =
        |keys: Vec<(u32, Shared)>| keys.into_iter().map(|(text, posting)| (TextId(text), posting)).collect();
    Some(match kind {
        ProbeTag::Equal => {
            ProbeKind::Equal(keys.into_iter().map(|(id, posting)| (ConstId(id), posting)).collect())
        }
        ProbeTag::EqualFold => ProbeKind::EqualFold(texts(keys)),
        ProbeTag::Present | ProbeTag::Acts => ProbeKind::Fact(kind, keys.pop()?.1),
        ProbeTag::Tied => {
            let hooks: BTreeSet<u32> =
                keys.iter().flat_map(|(_, posting)| posting.ranks()).copied().collect();
            let every = Rc::new(Posting::Ranks(hooks.into_iter().collect()));
            ProbeKind::Tied(keys, every)
        }
        ProbeTag::Has | ProbeTag::HasFold | ProbeTag::Within => ProbeKind::Grams(kind, texts(keys)),
        _ => ProbeKind::Affixes(kind, texts(keys)),
    })
}

/// The hooks under some keys of a slot: ranks, or an index if there are many, other witnesses
/// separate them, and few keys would each have a copy of it.
fn posting(
    witnesses: &mut Witnesses<'_>,
    ((slot, kind), keys): (ProbeKey, usize),
    entries: &[Entry],
    excluded: &ExcludedProbes,
    depth: usize,
) -> Posting {
    let ranks = || Posting::Ranks(entries.iter().map(|(rank, _)| *rank).collect());
    let overlong = entries.len() > witnesses.thresholds.max_posting && keys <= COPIES;
    if !overlong || depth >= INDEX_DEPTH || kind == ProbeTag::Tied {
        return ranks();
    }
    let mut excluded = excluded.clone();
    match kind {
        ProbeTag::Equal | ProbeTag::EqualFold | ProbeTag::Present => {
            excluded.extend(EQUALITIES.map(|kind| (slot, kind)));
        }
        kind => drop(excluded.insert((slot, kind))),
    }
    let inner = node(witnesses, entries, &excluded, depth.saturating_add(1));
    let is_distinct = inner.group.ranks.len() <= entries.len() / 2 || !inner.group.dims.is_empty();
    if is_distinct { Posting::Index(Box::new(inner)) } else { ranks() }
}
