//! The search structure of a trie. It is built once per module, so that the cost of reading an
//! event is proportional to the event.

use super::Trie;
use crate::rows::{Edge, NONE, Node};

/// Up to this number, the names of a node are compared by prefix key; beyond it they are searched.
const LINEAR_NAMES: usize = 16;

/// The data for reading events in addition to a trie. It costs twenty bytes per node, and four per
/// slot, eight more if fields are merged.
#[derive(Debug, Default)]
pub struct TrieIndex {
    /// The prefix key of each edge's name.
    prefix_keys: Vec<u64>,
    /// Per slot of the trie, the start of its range in `merged`, which ends at the start of the
    /// next slot. Empty if nothing is merged.
    starts: Vec<u32>,
    /// The derived rows that can take their value from a slot.
    merged: Vec<u32>,
    /// By node, the way to it. A root has no parent.
    parents: Vec<Parent>,
    /// By slot of the trie, its node.
    nodes: Vec<u32>,
}

/// The last step of the way to a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parent {
    /// The parent, or [`NONE`].
    pub(super) node: u32,
    /// The edge from there.
    pub(super) edge: u32,
    /// Steps from the root.
    pub(super) depth: u32,
}

impl TrieIndex {
    /// The index of a trie: a pass over its nodes and edges, one over its derived rows.
    #[must_use]
    pub fn new(trie: &Trie<'_>) -> Self {
        let of = |edge: &Edge| {
            let name = trie.name(edge);
            prefix_key(name, 0, name.len())
        };
        let prefix_keys = trie.edges.iter().map(of).collect();
        let (starts, merged) = if trie.derived.is_empty() { Default::default() } else { merged(trie) };
        Self { prefix_keys, starts, merged, parents: parents(trie), nodes: nodes(trie) }
    }

    /// The last step of the way to a node; `None` for a root.
    pub(super) fn parent(&self, node: u32) -> Option<Parent> {
        self.parents.get(node as usize).copied().filter(|parent| parent.node != NONE)
    }

    /// The node of a slot of the trie.
    pub(super) fn node_of(&self, slot: u32) -> Option<u32> {
        self.nodes.get(slot as usize).copied()
    }

    /// The derived rows that can take their value from a slot.
    pub(super) fn merged(&self, slot: u32) -> &[u32] {
        let slot = slot as usize;
        let place = self.starts.get(slot).zip(self.starts.get(slot.saturating_add(1)));
        place.and_then(|(start, end)| self.merged.get(*start as usize..*end as usize)).unwrap_or_default()
    }

    /// The child for a key, by the names of a node. The key is the text between two positions.
    #[inline]
    pub(super) fn child(
        &self,
        trie: &Trie<'_>,
        names: &Names<'_>,
        text: &[u8],
        (start, end): (usize, usize),
    ) -> Option<u32> {
        let key = || text.get(start..end).unwrap_or_default();
        if names.edges.len() > LINEAR_NAMES {
            return search(trie, names.edges, key());
        }
        let wanted = prefix_key(text, start, end.wrapping_sub(start));
        let place = names.prefix_keys.iter().position(|prefix_key| *prefix_key == wanted)?;
        let edge = names.edges.get(place)?;
        if trie.name(edge) == key() { Some(edge.node.get()) } else { search(trie, names.edges, key()) }
    }

    /// The names of a node, with its edges in name order.
    pub(super) fn names<'g>(&'g self, node: &Node, edges: &'g [Edge]) -> Names<'g> {
        let start = node.edges.start.get() as usize;
        let prefix_keys = self.prefix_keys.get(start..start.saturating_add(edges.len()));
        Names { edges, prefix_keys: prefix_keys.unwrap_or_default() }
    }
}

/// The names of a node in ascending order, each with its prefix key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names<'g> {
    edges: &'g [Edge],
    prefix_keys: &'g [u64],
}

/// Names ascend.
#[inline(never)]
fn search(trie: &Trie<'_>, names: &[Edge], key: &[u8]) -> Option<u32> {
    let found = names.binary_search_by(|edge| trie.name(edge).cmp(key)).ok()?;
    names.get(found).map(|edge| edge.node.get())
}

/// A number that differs for most texts: it combines the length and the first eight bytes. Bytes
/// after the text do not affect it.
#[inline]
pub(crate) fn prefix_key(text: &[u8], start: usize, length: usize) -> u64 {
    let rest = text.get(start..).unwrap_or_default();
    let word = rest.first_chunk().map_or_else(|| short(rest), |chunk| u64::from_le_bytes(*chunk));
    let word = match length {
        0 => 0,
        1..8 => word << (64_usize.wrapping_sub(length.wrapping_mul(8)) & 63),
        _ => word,
    };
    word.wrapping_add(length as u64)
}

/// The first eight bytes of a shorter text, padded with zeros.
#[cold]
fn short(bytes: &[u8]) -> u64 {
    let mut chunk = [0; 8];
    chunk.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
    u64::from_le_bytes(chunk)
}

/// The ways to all nodes: children have higher numbers than their parents.
fn parents(trie: &Trie<'_>) -> Vec<Parent> {
    let mut parents = vec![Parent { node: NONE, edge: NONE, depth: 0 }; trie.nodes.len()];
    for (row, node) in trie.nodes.iter().zip(0_u32..) {
        let depth = parents.get(node as usize).map_or(0, |parent| parent.depth.saturating_add(1));
        let edges = row.edges.start.get()..row.edges.start.get().saturating_add(row.edges.length.get());
        for edge in edges {
            let child =
                trie.edges.get(edge as usize).and_then(|row| parents.get_mut(row.node.get() as usize));
            if let Some(child) = child {
                *child = Parent { node, edge, depth };
            }
        }
    }
    parents
}

/// The node of each slot.
fn nodes(trie: &Trie<'_>) -> Vec<u32> {
    let slots = (trie.slots as usize).saturating_sub(trie.derived.len()).min(trie.nodes.len());
    let mut nodes = vec![NONE; slots];
    for (row, node) in trie.nodes.iter().zip(0_u32..) {
        if let Some(place) = nodes.get_mut(row.slot.get() as usize) {
            *place = node;
        }
    }
    nodes
}

/// Sorts the derived rows by their source slots with a counting sort.
fn merged(trie: &Trie<'_>) -> (Vec<u32>, Vec<u32>) {
    let uses = || {
        let numbered = trie.derived.iter().zip(0_u32..);
        numbered.flat_map(|(row, number)| [(row.root.get(), number), (row.nested.get(), number)])
    };
    let mut starts = vec![0_u32; (trie.slots as usize).saturating_add(1)];
    for (slot, _) in uses() {
        if let Some(count) = starts.get_mut(slot as usize) {
            *count = count.saturating_add(1);
        }
    }
    let mut sum = 0_u32;
    for start in &mut starts {
        sum = sum.saturating_add(*start);
        *start = sum;
    }
    // A slot's part is written from its end on, and so its start is then one.
    let mut merged = vec![0; sum as usize];
    for (slot, number) in uses() {
        let Some(start) = starts.get_mut(slot as usize) else { continue };
        *start = start.saturating_sub(1);
        if let Some(place) = merged.get_mut(*start as usize) {
            *place = number;
        }
    }
    (starts, merged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Derived;

    #[test]
    fn prefix_keys() {
        let of = |text: &str| prefix_key(text.as_bytes(), 0, text.len());
        for text in ["", "a", "event", "tool_nam", "tool_name", "é"] {
            for (before, after) in [("", "\":1"), ("{\"", "\":1234567890"), ("x", "")] {
                let inside = format!("{before}{text}{after}");
                assert_eq!(prefix_key(inside.as_bytes(), before.len(), text.len()), of(text), "{inside}");
            }
        }
        assert_ne!(of("ab"), of("ba"));
        assert_ne!(of("tool_name"), of("tool_names"));
        assert_ne!(of("a"), of("a\0"));
    }

    #[test]
    fn merged_by_slot() {
        let row =
            |root: u32, nested: u32| Derived { guard: 0.into(), root: root.into(), nested: nested.into() };
        let derived = [row(0, 1), row(2, 3), row(2, 1)];
        let trie = Trie { nodes: &[], edges: &[], strings: &[], text: &[], derived: &derived, slots: 7 };
        let index = TrieIndex::new(&trie);
        let mut of: Vec<Vec<u32>> = (0..9).map(|slot| index.merged(slot).to_vec()).collect();
        of.iter_mut().for_each(|rows| rows.sort_unstable());
        assert_eq!(of, [vec![0], vec![0, 2], vec![1, 2], vec![1], vec![], vec![], vec![], vec![], vec![]]);
        assert!(TrieIndex::default().merged(0).is_empty());
    }
}
