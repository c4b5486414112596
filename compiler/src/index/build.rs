//! Hooks to indexes: under each witness the hooks that have it.

use foldhash::fast::RandomState;
use hookc_vm::index::kind;
use hookc_vm::limits::INDEX_DEPTH;
use indexmap::IndexMap;

use super::choose::{Barred, EQUALITIES};
use super::dims;
use super::witness::{Bound, Key, Set, TextId, Witness, Witnesses};
use super::{Look, Node, Posting, Probe};
use crate::plan::{CondId, ConstId, Event, SlotId};

/// So many times more hooks must want texts anywhere for an index in another
/// to look for them: its slots have been read once before.
const NESTED: usize = 4;

/// A hook that an index is to find: its rank and condition.
pub(super) type Entry = (u32, CondId);

/// The index of an event type; `None` if its hooks are better looked through.
pub(super) fn event(witnesses: &mut Witnesses<'_>, event: &Event) -> Option<Node> {
    if event.hooks.len() <= witnesses.thresholds.few {
        return None;
    }
    let entries: Vec<Entry> = (0..).zip(event.hooks.iter().map(|hook| hook.cond)).collect();
    let node = node(witnesses, &entries, &Barred::default(), 1);
    let useful =
        !node.probes.is_empty() || !node.group.dims.is_empty() || node.group.ranks.len() < entries.len();
    useful.then_some(node)
}

/// Ranks under a key; one hook may come twice in a row.
type Under = IndexMap<Key, Vec<Entry>, RandomState>;

fn node(witnesses: &mut Witnesses<'_>, entries: &[Entry], barred: &Barred, depth: usize) -> Node {
    // Within another index, the value has been read for grams already.
    let scarce = witnesses.thresholds.scarce.saturating_mul(if depth > 1 { NESTED } else { 1 });
    let sets = sets(witnesses, entries, barred, scarce);
    let mut under = Under::default();
    let mut narrow: Vec<(u32, Vec<Bound>)> = Vec::new();
    for (entry, set) in entries.iter().zip(sets) {
        for witness in set.witnesses {
            match witness {
                Witness::Key(key) => {
                    let list = under.entry(key).or_default();
                    if list.last() != Some(entry) {
                        list.push(*entry);
                    }
                }
                Witness::Narrow(bounds) => narrow.push((entry.0, bounds)),
            }
        }
    }
    let group = dims::group(narrow, &witnesses.costs, &witnesses.thresholds);
    Node { probes: probes(witnesses, under, barred, depth), group }
}

/// The set of each hook. Texts to look for anywhere in a slot take part only
/// where enough hooks want them.
fn sets(witnesses: &mut Witnesses<'_>, entries: &[Entry], barred: &Barred, scarce: usize) -> Vec<Set> {
    let mut sets: Vec<Set> =
        entries.iter().map(|(_, cond)| witnesses.of_cond(*cond, false, barred)).collect();
    let mut wanted: IndexMap<(SlotId, u8), usize, RandomState> = IndexMap::default();
    for set in &sets {
        anywhere(set).for_each(|place| *wanted.entry(place).or_default() += 1);
    }
    let mut barred = barred.clone();
    barred.extend(wanted.iter().filter(|(_, count)| **count < scarce).map(|(place, _)| *place));
    for ((_, cond), set) in entries.iter().zip(&mut sets) {
        if anywhere(set).any(|place| barred.contains(&place)) {
            *set = witnesses.of_cond(*cond, false, &barred);
        }
    }
    sets
}

/// Where a set looks for texts anywhere.
fn anywhere(set: &Set) -> impl Iterator<Item = (SlotId, u8)> + '_ {
    set.witnesses.iter().filter_map(|witness| match witness {
        Witness::Key(key) if matches!(key.kind, kind::HAS | kind::HAS_FOLD) => Some((key.slot, key.kind)),
        _ => None,
    })
}

/// Keys by slot and kind.
fn probes(witnesses: &mut Witnesses<'_>, under: Under, barred: &Barred, depth: usize) -> Vec<Probe> {
    let mut by_place: IndexMap<(SlotId, u8), Vec<(u32, Posting)>, RandomState> = IndexMap::default();
    for (key, entries) in under {
        let posting = posting(witnesses, key, &entries, barred, depth);
        by_place.entry((key.slot, key.kind)).or_default().push((key.value, posting));
    }
    let probe = |((slot, kind), keys): ((SlotId, u8), Vec<(u32, Posting)>)| {
        Some(Probe { slot, look: look(kind, keys)? })
    };
    by_place.into_iter().filter_map(probe).collect()
}

fn look(kind: u8, mut keys: Vec<(u32, Posting)>) -> Option<Look> {
    let texts =
        |keys: Vec<(u32, Posting)>| keys.into_iter().map(|(text, posting)| (TextId(text), posting)).collect();
    Some(match kind {
        kind::EQUAL => Look::Equal(keys.into_iter().map(|(id, posting)| (ConstId(id), posting)).collect()),
        kind::EQUAL_FOLD => Look::EqualFold(texts(keys)),
        kind::PRESENT => Look::Present(keys.pop()?.1),
        kind::HAS | kind::HAS_FOLD => Look::Grams(kind, keys),
        _ => Look::Affixes(kind, texts(keys)),
    })
}

/// The hooks under a key: ranks, or an index if they are many and other
/// witnesses tell them apart.
fn posting(
    witnesses: &mut Witnesses<'_>,
    key: Key,
    entries: &[Entry],
    barred: &Barred,
    depth: usize,
) -> Posting {
    let ranks = || Posting::Ranks(entries.iter().map(|(rank, _)| *rank).collect());
    if entries.len() <= witnesses.thresholds.long || depth >= INDEX_DEPTH {
        return ranks();
    }
    let mut barred = barred.clone();
    match key.kind {
        kind::EQUAL | kind::EQUAL_FOLD | kind::PRESENT => {
            barred.extend(EQUALITIES.map(|kind| (key.slot, kind)));
        }
        kind => drop(barred.insert((key.slot, kind))),
    }
    let inner = node(witnesses, entries, &barred, depth.saturating_add(1));
    let told_apart = inner.group.ranks.len() <= entries.len() / 2 || !inner.group.dims.is_empty();
    if told_apart { Posting::Index(Box::new(inner)) } else { ranks() }
}
