//! The path trie, its slots, and the merged fields derived from them.

use std::cmp::Ordering;

use super::{Checked, Claims, Work, ensure, within};
use crate::module::Tables;
use crate::rows::{Edge, NONE, Node, SectionKind, U32};

/// The type paths, by slot.
const TYPE_PATHS: [&[&str]; 3] = [&["event", "type"], &["hook_event_name"], &["event_type"]];

/// Slots of the trie: those that are not derived. The header states their number, so it is compared
/// with the nodes before anything is allocated for them.
pub(super) fn slots(t: &Tables<'_>) -> Checked<u32> {
    let derived = u32::try_from(t.derived.len()).ok();
    let slots = derived.and_then(|derived| t.slots.checked_sub(derived));
    let what = "more derived slots than slots";
    ensure(slots.is_some(), SectionKind::Derived, t.derived.len(), what)?;
    let slots = slots.unwrap_or_default();
    ensure(!t.nodes.is_empty(), SectionKind::Nodes, 0, "no root")?;
    ensure(slots as usize <= t.nodes.len(), SectionKind::Nodes, t.nodes.len(), "fewer nodes than slots")?;
    Ok(slots)
}

/// Trees whose children have higher numbers, of the event and of each view, with every slot at one
/// node; returns the nodes of the type paths, ascending. Paths can have any length: nothing recurses along them, and a path longer
/// than the depth of events is absent.
pub(super) fn nodes(t: &Tables<'_>, slots: u32, work: &mut Work) -> Checked<Vec<U32>> {
    let mut walk = Walk {
        t,
        seen: vec![false; t.nodes.len()],
        edges: Claims::new(t.edges.len()),
        slots: Claims::new(slots as usize),
    };
    for root in std::iter::once(0).chain(t.views.iter().map(|view| view.node.get())) {
        if let Some(seen) = walk.seen.get_mut(root as usize) {
            *seen = true;
        }
    }
    for (row, node) in t.nodes.iter().enumerate() {
        walk.node(row, node, work)?;
    }
    ensure(walk.edges.all(), SectionKind::Edges, t.edges.len(), "an edge belongs to no node")?;
    ensure(walk.slots.all(), SectionKind::Nodes, t.nodes.len(), "a slot is at no node")?;
    type_nodes(t)
}

struct Walk<'t, 'm> {
    t: &'t Tables<'m>,
    /// By node, whether its parent was visited, or it has none.
    seen: Vec<bool>,
    edges: Claims,
    slots: Claims,
}

impl Walk<'_, '_> {
    fn node(&mut self, row: usize, node: &Node, work: &mut Work) -> Checked {
        let bad = |good, what| ensure(good, SectionKind::Nodes, row, what);
        bad(self.seen.get(row) == Some(&true), "no edge leads here, and no view")?;
        bad(self.edges.take(node.edges), "edges out of range, or another node's")?;
        if node.slot.get() != NONE {
            let one = super::Range { start: node.slot, length: 1.into() };
            bad(self.slots.take(one), "a slot out of range, or another node's")?;
        }
        let first = node.edges.start.get() as usize;
        let mut before = None;
        for (at, edge) in self.t.edges_of(node).iter().enumerate() {
            self.edge(first.saturating_add(at), edge, row)?;
            work.charge(self.t.bytes(edge.name.get()).len())?;
            let above = before.is_none_or(|before| order(self.t, before, edge).is_lt());
            ensure(above, SectionKind::Edges, first.saturating_add(at), "not above the edge before it")?;
            before = Some(edge);
        }
        Ok(())
    }

    fn edge(&mut self, row: usize, edge: &Edge, parent: usize) -> Checked {
        let bad = |good, what| ensure(good, SectionKind::Edges, row, what);
        if edge.name.get() != NONE {
            bad(within(edge.name, self.t.strings), "the name is out of range")?;
            bad(edge.index.get() == 0, "an index next to a name")?;
        }
        bad(edge.node.get() as usize > parent, "the child is not above its parent")?;
        let child = self.seen.get_mut(edge.node.get() as usize);
        let free = child.is_some_and(|seen| !std::mem::replace(seen, true));
        bad(free, "the child is out of range, or another's")
    }
}

/// Names before indexes, names by bytes.
fn order(t: &Tables<'_>, a: &Edge, b: &Edge) -> Ordering {
    let index = |edge: &Edge| edge.name.get() == NONE;
    match (index(a), index(b)) {
        (false, false) => t.bytes(a.name.get()).cmp(t.bytes(b.name.get())),
        (true, true) => a.index.get().cmp(&b.index.get()),
        (a, b) => a.cmp(&b),
    }
}

fn type_nodes(t: &Tables<'_>) -> Checked<Vec<U32>> {
    let mut nodes = Vec::new();
    for (slot, path) in (0..).zip(TYPE_PATHS) {
        let mut at = U32::new(0);
        for name in path {
            let edges = t.nodes.get(at.get() as usize).map(|node| t.edges_of(node)).unwrap_or_default();
            let edge = edges
                .iter()
                .find(|edge| edge.name.get() != NONE && t.bytes(edge.name.get()) == name.as_bytes());
            ensure(edge.is_some(), SectionKind::Nodes, at.get() as usize, "a type path is missing")?;
            at = edge.map_or(at, |edge| edge.node);
            nodes.push(at);
        }
        let node = t.nodes.get(at.get() as usize);
        let there = node.is_some_and(|node| node.slot.get() == slot);
        ensure(there, SectionKind::Nodes, at.get() as usize, "not the slot of its type path")?;
    }
    nodes.sort_unstable_by_key(|node| node.get());
    Ok(nodes)
}

/// Merged fields are derived from slots of the trie.
pub(super) fn derived(t: &Tables<'_>, slots: u32) -> Checked {
    for (row, merged) in t.derived.iter().enumerate() {
        let good = [merged.guard, merged.root, merged.nested].iter().all(|slot| slot.get() < slots);
        ensure(good, SectionKind::Derived, row, "an operand is not a slot of the trie")?;
    }
    Ok(())
}
