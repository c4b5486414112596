//! The search structure of a trie. It is built once per module, so that the cost of reading an
//! event is proportional to the event.

use std::hash::{BuildHasher, RandomState};

use hookc_base::row_number;

use super::Trie;
use crate::rows::{Edge, NONE, Node, place};

/// The data for reading events in addition to a trie. It costs some sixty bytes per node, about 200 per
/// name (half as much under a node with many), and four per slot.
#[derive(Debug, Default)]
pub struct TrieIndex {
    /// By node.
    places: Vec<Place>,
    /// The hash tables of all nodes, one after the other; after each table the names whose row was taken.
    names: Vec<Name>,
    /// Of the names that need more than a comparison of words.
    others: Vec<Other>,
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

/// A row of a hash table: a name and its node. One row represents all long names of a node with the same
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
    /// The place of the edge's name in the strings of the trie; it starts at [`NONE`] if the edge has an index.
    name: (u32, u32),
}

impl Parent {
    const NONE: Self = Self { node: NONE, edge: NONE, depth: 0, name: (NONE, NONE) };

    /// The name of the edge; `None` if it has an index.
    #[inline]
    pub(super) fn name<'m>(&self, trie: &Trie<'m>) -> Option<&'m [u8]> {
        let (start, end) = self.name;
        (start != NONE).then(|| trie.text.get(start as usize..end as usize).unwrap_or_default())
    }
}

impl TrieIndex {
    /// The index of a trie: a pass over its nodes and edges.
    #[must_use]
    pub fn new(trie: &Trie<'_>) -> Self {
        let random = RandomState::new();
        let (random, mut tables) = ([0_u8, 1].map(|half| random.hash_one(half)), NameTables::default());
        let nodes_of = trie.nodes.iter().zip(0_u32..);
        let places = nodes_of.map(|node| tables.place(trie, node, random)).collect();
        let NameTables { names, others } = tables;
        Self { places, names, others, parents: parents(trie), nodes: nodes(trie) }
    }

    /// What reading a value needs of its node.
    #[inline]
    pub(super) fn place(&self, node: u32) -> Option<&Place> {
        self.places.get(node as usize)
    }

    /// The last step of the way to a node; `None` for a root.
    #[inline]
    pub(super) fn parent(&self, node: u32) -> Option<&Parent> {
        self.parents.get(node as usize).filter(|parent| parent.node != NONE)
    }

    /// The node of a slot of the trie.
    #[inline]
    pub(super) fn node_of(&self, slot: u32) -> Option<u32> {
        self.nodes.get(slot as usize).copied()
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
        let wanted = Words::from_text(text, start, end);
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
        Self { words: Words { first: 0, second: 0 }, length: NONE, node: NONE, slot: NONE, other: NONE };

    #[inline(always)]
    const fn is(&self, words: Words, length: usize) -> bool {
        self.differs(words, length) == 0
    }

    /// Zero for the words and the length of the name.
    #[inline(always)]
    const fn differs(&self, words: Words, length: usize) -> u64 {
        let differs = (self.words.first ^ words.first) | (self.words.second ^ words.second);
        differs | (self.length as u64 ^ length as u64)
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

/// The first 16 bytes of a text, padded with zeros. With the length they are unique among texts of up to
/// [`SHORT`] bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Words {
    first: u64,
    second: u64,
}

/// The bytes of two words.
const SHORT: usize = 16;

/// By length, the bits of two words that belong to a text of less than [`SHORT`] bytes.
const MASKS: [[u64; 2]; SHORT] = {
    let mut masks = [[0; 2]; SHORT];
    let mut rest: &mut [[u64; 2]] = &mut masks;
    let mut length = 0;
    while let [mask, longer @ ..] = rest {
        let word = !(u64::MAX << (length % 8 * 8));
        *mask = if length < 8 { [word, 0] } else { [u64::MAX, word] };
        length += 1;
        rest = longer;
    }
    masks
};

impl Words {
    /// The words of the text between two positions. Bytes around it do not affect them.
    #[inline(always)]
    fn from_text(text: &[u8], start: usize, end: usize) -> Self {
        match text.get(start..start.wrapping_add(SHORT)).and_then(<[u8]>::first_chunk) {
            Some(chunk) => Self::masked(chunk, end.wrapping_sub(start)),
            None => Self::at_end(text, start, end),
        }
    }

    /// The words of the first bytes of a chunk.
    #[inline(always)]
    fn masked(chunk: &[u8; SHORT], length: usize) -> Self {
        let [first, second] = MASKS.get(length).unwrap_or(&[u64::MAX; 2]);
        let words = u128::from_le_bytes(*chunk);
        Self { first: words as u64 & first, second: (words >> 64) as u64 & second }
    }

    fn of_name(name: &[u8]) -> Self {
        Self::from_text(name, 0, name.len())
    }

    /// The words of a text after which there is not enough for a chunk.
    #[inline(never)]
    fn at_end(text: &[u8], start: usize, end: usize) -> Self {
        let Some(chunk) = text.last_chunk::<SHORT>() else {
            let mut chunk = [0; SHORT];
            chunk.iter_mut().zip(text.get(start..end).unwrap_or_default()).for_each(|(to, byte)| *to = *byte);
            return Self::masked(&chunk, end.wrapping_sub(start));
        };
        // The last chunk begins before the text.
        let before = SHORT.wrapping_sub(text.len().wrapping_sub(start)).wrapping_mul(8);
        let rest = u128::from_le_bytes(*chunk) >> (before & 127);
        Self::masked(&rest.to_le_bytes(), end.wrapping_sub(start))
    }

    /// The row of a hash table where the search for these words starts.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "tables have less than 2^32 rows")]
    const fn hash(self, factors: (u64, u64), shift: u32) -> usize {
        let sum = self.first.wrapping_mul(factors.0).wrapping_add(self.second.wrapping_mul(factors.1));
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

/// A number that differs for most texts: it combines the length and the first eight bytes.
#[inline]
pub(crate) fn prefix_key(text: &[u8]) -> u64 {
    let word = text.first_chunk().map_or_else(|| short(text), |chunk| u64::from_le_bytes(*chunk));
    word.wrapping_add(text.len() as u64)
}

/// A text of less than eight bytes as a word, padded with zeros. It is read in halves that overlap: a copy would be
/// read before it is written.
#[inline]
fn short(text: &[u8]) -> u64 {
    let shifted = |word: u64, bytes: usize| word << (bytes.wrapping_mul(8) & 63);
    if let (Some(first), Some(last)) = (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return u64::from(first) | shifted(u64::from(last), text.len().wrapping_sub(4));
    }
    let byte = |place: usize| text.get(place).map_or(0, |byte| shifted(u64::from(*byte), place));
    byte(0) | byte(1) | byte(2)
}

/// The ways to all nodes: children have higher numbers than their parents.
fn parents(trie: &Trie<'_>) -> Vec<Parent> {
    let mut parents = vec![Parent::NONE; trie.nodes.len()];
    for (row, node) in trie.nodes.iter().zip(0_u32..) {
        let depth = parents.get(node as usize).map_or(0, |parent| parent.depth.saturating_add(1));
        let edges = row.edges.start.get()..row.edges.start.get().saturating_add(row.edges.length.get());
        for edge in edges {
            let Some(row) = trie.edges.get(edge as usize) else { continue };
            let name = match row.name.get() {
                NONE => (NONE, NONE),
                name => place(trie.strings, name).unwrap_or_default(),
            };
            if let Some(child) = parents.get_mut(row.node.get() as usize) {
                *child = Parent { node, edge, depth, name };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefix_keys() {
        let key_of = |text: &str| prefix_key(text.as_bytes());
        for text in ["", "a", "ab", "abc", "abcd", "event", "events", "tool_na", "tool_nam", "tool_name", "é"]
        {
            let bytes = text.bytes().take(8).zip((0..64).step_by(8));
            let word: u64 = bytes.map(|(byte, shift)| u64::from(byte) << shift).sum();
            assert_eq!(key_of(text), word + text.len() as u64, "{text}");
        }
        assert_ne!(key_of("ab"), key_of("ba"));
        assert_ne!(key_of("tool_name"), key_of("tool_names"));
        assert_ne!(key_of("a"), key_of("a\0"));
    }

    /// Whatever is around a text, and however little.
    #[test]
    fn words_of_texts() {
        for length in 0..20 {
            let text: String = ('a'..='z').take(length).collect();
            for (before, after) in
                [("", ""), ("{\"", "\":1"), ("", "\":1234567890123456789"), ("a longer text \"", "\"")]
            {
                let (inside, start) = (format!("{before}{text}{after}"), before.len());
                let words = Words::from_text(inside.as_bytes(), start, start + length);
                assert_eq!(words, Words::of_name(text.as_bytes()), "{inside}");
            }
        }
    }
}
