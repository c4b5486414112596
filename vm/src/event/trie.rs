//! The trie of the paths that a module reads.

use zerocopy::little_endian::U32;

use crate::rows::{Derived, Edge, NONE, Node, string};

/// The verified path trie of a module: a tree of the event and one of each view, in which every node
/// except the roots is the child of one edge.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names are the sections'")]
pub struct Trie<'m> {
    pub nodes: &'m [Node],
    pub edges: &'m [Edge],
    pub strings: &'m [U32],
    pub text: &'m [u8],
    pub derived: &'m [Derived],
    /// Slots in all.
    pub slots: u32,
}

impl<'m> Trie<'m> {
    /// The slot whose value a slot has: its own, or for a merged field one of two, by whether the event has a
    /// value in the slot of the guard.
    #[inline]
    pub(crate) fn source(&self, slot: u32, has: impl FnOnce(u32) -> bool) -> u32 {
        let count = (self.slots as usize).saturating_sub(self.derived.len());
        match (slot as usize).checked_sub(count).and_then(|row| self.derived.get(row)) {
            Some(row) if has(row.guard.get()) => row.root.get(),
            Some(row) => row.nested.get(),
            None => slot,
        }
    }

    pub(crate) fn node(&self, number: u32) -> Option<&'m Node> {
        self.nodes.get(number as usize)
    }

    /// The edges of a node: those by name, those by index.
    pub(crate) fn edges_of(&self, node: &Node) -> (&'m [Edge], &'m [Edge]) {
        let edges = part(self.edges, node.edges.start, node.edges.length);
        let names = match edges.last() {
            Some(edge) if edge.name.get() == NONE => edges.partition_point(|edge| edge.name.get() != NONE),
            _ => edges.len(),
        };
        edges.split_at_checked(names).unwrap_or_default()
    }

    /// The name of an edge.
    pub(crate) fn name(&self, edge: &Edge) -> &'m [u8] {
        string(self.strings, self.text, edge.name.get())
    }
}

fn part<T>(rows: &[T], start: U32, length: U32) -> &[T] {
    let start = start.get() as usize;
    rows.get(start..start.saturating_add(length.get() as usize)).unwrap_or_default()
}
