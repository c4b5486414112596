//! The search structure of a trie. It is built once per module, so that the cost of reading an
//! event is proportional to the event.

use std::hash::{BuildHasher, RandomState};

use hookc_base::row_number;

use super::Trie;
use crate::rows::{Edge, NONE, Node};

/// The data for reading events in addition to a trie. It costs some sixty bytes per node, about 200 per
/// name (half as much under a node with many), and four per slot, eight more if fields are merged.
#[derive(Debug, Default)]
pub struct TrieIndex {
    /// By node.
    places: Vec<Place>,
    /// The hash tables of all nodes, one after the other; behind each table the names whose row was taken.
    names: Vec<Name>,
    /// Of the names that need more than a comparison of words.
    others: Vec<Other>,
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

/// What reading a value needs of its node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The slot that captures it, or [`NONE`].
    pub(super) slot: u32,
    /// Whether it has children by name, and by index.
    pub(super) has_names: bool,
    pub(super) has_indexes: bool,
    pub(super) names: Names,
}

/// The hash table of the names of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    /// What words are multiplied by for a hash. They are random, so that no policy can be written whose names
    /// all have the same hash.
    factors: (u64, u64),
    node: u32,
    /// The first row of the table.
    start: u32,
    /// A row of the table is the highest `64 - shift` bits of a hash.
    shift: u32,
}

/// A row of a hash table: a name and its node. One row stands for all long names of a node with the same
/// words and length.
#[derive(Clone, Copy, Debug)]
struct Name {
    words: Words,
    length: u32,
    /// [`NONE`] if the row is empty.
    node: u32,
    /// The slot of the node.
    slot: u32,
    /// Its row of `others`, or [`NONE`] if the words and the length tell whether a key is this name or none.
    other: u32,
}

/// What the words and the length of a name do not tell.
#[derive(Clone, Copy, Debug)]
struct Other {
    /// The name's edge: the bytes between its words may differ from a key's.
    edge: u32,
    /// The next name with the same hash, or [`NONE`].
    next: u32,
}

/// A node that a key leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    /// [`NONE`] if the key leads to none.
    pub(super) node: u32,
    /// The slot that captures it, or [`NONE`].
    pub(super) slot: u32,
}

impl Child {
    const NONE: Self = Self { node: NONE, slot: NONE };
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
        let (starts, merged) = if trie.derived.is_empty() { Default::default() } else { merged(trie) };
        let random = RandomState::new();
        let (random, mut tables) = ([0_u8, 1].map(|half| random.hash_one(half)), NameTables::default());
        let nodes_of = trie.nodes.iter().zip(0_u32..);
        let places = nodes_of.map(|node| tables.place(trie, node, random)).collect();
        let NameTables { names, others } = tables;
        Self { places, names, others, starts, merged, parents: parents(trie), nodes: nodes(trie) }
    }

    /// What reading a value needs of its node.
    #[inline]
    pub(super) fn place(&self, node: u32) -> Option<&Place> {
        self.places.get(node as usize)
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

    /// The child of a node for a key, which is the text between two positions.
    #[inline(always)]
    pub(super) fn child(
        &self,
        trie: &Trie<'_>,
        names: &Names,
        text: &[u8],
        (start, end): (usize, usize),
    ) -> Child {
        let wanted = Words::of(text, start, end);
        let length = end.wrapping_sub(start);
        let row = wanted.hash(names.factors, names.shift).wrapping_add(names.start as usize);
        let Some(name) = self.names.get(row) else { return Child::NONE };
        if name.other != NONE {
            return self.other(trie, names, (name, wanted), text.get(start..end).unwrap_or_default());
        }
        if name.is(wanted, length) { name.child() } else { Child::NONE }
    }

    /// The child for a key whose row of the table has a long name, or several names with the same hash.
    #[inline(never)]
    fn other(&self, trie: &Trie<'_>, names: &Names, (name, wanted): (&Name, Words), key: &[u8]) -> Child {
        let mut name = Some(name);
        while let Some(row) = name {
            let other = self.others.get(row.other as usize);
            if row.is(wanted, key.len()) {
                let long = other.filter(|_| key.len() > SHORT);
                return long.map_or(row.child(), |other| {
                    long_child(trie, (names.node, row.child()), key, other.edge)
                });
            }
            name = other.and_then(|other| self.names.get(other.next as usize));
        }
        Child::NONE
    }
}

impl Name {
    /// No key is as long as an empty row says.
    const EMPTY: Self =
        Self { words: Words { first: 0, last: 0 }, length: NONE, node: NONE, slot: NONE, other: NONE };

    #[inline(always)]
    const fn is(&self, words: Words, length: usize) -> bool {
        let differs = (self.words.first ^ words.first) | (self.words.last ^ words.last);
        differs | (self.length as u64 ^ length as u64) == 0
    }

    const fn child(&self) -> Child {
        Child { node: self.node, slot: self.slot }
    }
}

/// The child of a node for a key that has the words and the length of the name at an edge.
fn long_child(trie: &Trie<'_>, (node, child): (u32, Child), key: &[u8], edge: u32) -> Child {
    if trie.edges.get(edge as usize).is_some_and(|edge| trie.name(edge) == key) {
        return child;
    }
    let other = || {
        // Names ascend.
        let names = trie.edges_of(trie.node(node)?).0;
        let found = names.binary_search_by(|edge| trie.name(edge).cmp(key)).ok()?;
        let node = names.get(found)?.node.get();
        Some(Child { node, slot: trie.node(node)?.slot.get() })
    };
    other().unwrap_or(Child::NONE)
}

/// The first and the last eight bytes of a text. A shorter one is `last`, padded with zeros. With the length
/// they are unique among texts of up to [`SHORT`] bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Words {
    first: u64,
    last: u64,
}

/// The bytes of two words.
const SHORT: usize = 16;

impl Words {
    /// The words of the text between two positions. Bytes around it do not affect them.
    #[inline(always)]
    fn of(text: &[u8], start: usize, end: usize) -> Self {
        let length = end.wrapping_sub(start);
        // A short text is the last bytes of a word: the shift removes those before it.
        let shift = 64_usize.saturating_sub(length.wrapping_mul(8));
        if let Some(last) = text.get(end.wrapping_sub(8)..).and_then(<[u8]>::first_chunk)
            && let Some(first) = text.get(start..).and_then(<[u8]>::first_chunk)
            && shift < 64
        {
            let first = if shift == 0 { u64::from_le_bytes(*first) } else { 0 };
            return Self { first, last: u64::from_le_bytes(*last) >> shift };
        }
        Self::at_edge(text, start, shift)
    }

    fn of_name(name: &[u8]) -> Self {
        Self::of(name, 0, name.len())
    }

    /// The words of a text of less than eight bytes around which there is not enough for a whole word.
    #[inline(never)]
    fn at_edge(text: &[u8], start: usize, shift: usize) -> Self {
        let rest = text.get(start..).unwrap_or_default();
        let word = rest.first_chunk().map_or_else(|| short(rest), |chunk| u64::from_le_bytes(*chunk));
        // Two shifts, because the text may be empty.
        let half = (shift / 2) & 63;
        Self { first: 0, last: word << half << half >> half >> half }
    }

    /// The row of a hash table where the search for these words starts.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "tables have less than 2^32 rows")]
    const fn hash(self, factors: (u64, u64), shift: u32) -> usize {
        let sum = self.first.wrapping_mul(factors.0).wrapping_add(self.last.wrapping_mul(factors.1));
        (sum >> (shift & 63)) as usize
    }
}

/// The hash tables while they are built.
#[derive(Default)]
struct NameTables {
    names: Vec<Name>,
    others: Vec<Other>,
}

/// How often other factors are tried for the names of a node, so that no two have the same hash.
const TRIES: u32 = 8;

/// A node with more names is given half as many rows a name, and the first factors.
const MANY: usize = 64;

impl NameTables {
    /// The place of a node, whose names are appended as a hash table.
    fn place(&mut self, trie: &Trie<'_>, (node, number): (&Node, u32), random: [u64; 2]) -> Place {
        let (edges, indexes) = trie.edges_of(node);
        let (has_names, has_indexes) = (!edges.is_empty(), !indexes.is_empty());
        let spread = if edges.len() > MANY { 2 } else { 4 };
        let size = edges.len().saturating_mul(spread).next_power_of_two().max(2);
        let shift = 64_u32.saturating_sub(size.trailing_zeros());
        let words: Vec<Words> = edges.iter().map(|edge| Words::of_name(trie.name(edge))).collect();
        let factors = if has_names { factors(&words, shift, random) } else { (0, 0) };
        let start = self.names.len();
        let hashes = Names { factors, node: number, start: row_number(start), shift };
        if has_names {
            self.names.resize(start.saturating_add(size), Name::EMPTY);
        }
        for (edge, edge_number) in edges.iter().zip(node.edges.start.get()..) {
            self.add(trie, &hashes, (edge, edge_number));
        }
        Place { slot: node.slot.get(), has_names, has_indexes, names: hashes }
    }

    /// Adds the name of an edge to the table of its node.
    fn add(&mut self, trie: &Trie<'_>, table: &Names, (edge, edge_number): (&Edge, u32)) {
        let name = trie.name(edge);
        let words = Words::of_name(name);
        let mut at = words.hash(table.factors, table.shift).saturating_add(table.start as usize);
        let child = edge.node.get();
        let slot = trie.node(child).map_or(NONE, |node| node.slot.get());
        while let Some(row) = self.names.get(at).copied() {
            if row.node == NONE {
                break;
            }
            if row.is(words, name.len()) {
                return;
            }
            let other = if row.other == NONE { self.new_other(NONE) } else { row.other };
            let end = row_number(self.names.len());
            if let Some(row) = self.names.get_mut(at) {
                row.other = other;
            }
            let Some(other) = self.others.get_mut(other as usize) else { return };
            if other.next == NONE {
                other.next = end;
                self.names.push(Name::EMPTY);
            }
            at = other.next as usize;
        }
        let other = if name.len() > SHORT { self.new_other(edge_number) } else { NONE };
        if let Some(row) = self.names.get_mut(at) {
            *row = Name { words, length: row_number(name.len()), node: child, slot, other };
        }
    }

    /// Returns the number of a new row.
    fn new_other(&mut self, edge: u32) -> u32 {
        self.others.push(Other { edge, next: NONE });
        row_number(self.others.len().saturating_sub(1))
    }
}

/// Factors by which words have different hashes, or else the first of those that were tried. Of many words some
/// have the same hash by any.
fn factors(words: &[Words], shift: u32, random: [u64; 2]) -> (u64, u64) {
    // Both are odd, so that no bit of a word is lost.
    let rotated = |attempt: u32| {
        let [first, last] = random.map(|half| half.rotate_left(attempt.wrapping_mul(8)) | 1);
        (first, last)
    };
    let are_different = |factors: &(u64, u64)| {
        let mut rows: Vec<usize> = words.iter().map(|words| words.hash(*factors, shift)).collect();
        rows.sort_unstable();
        rows.is_sorted_by(|one, next| one < next)
    };
    let tries = if words.len() > MANY { 1 } else { TRIES };
    let mut others = (1..tries).map(rotated);
    others.find(are_different).unwrap_or_else(|| rotated(0))
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
        let Some(start) = starts.get_mut(slot as usize) else {
            continue;
        };
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
