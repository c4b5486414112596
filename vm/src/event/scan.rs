//! The scan: validates the whole text and captures the values that the trie reaches.
//!
//! A value is read at the trie node of its path, or at none. An element with an index from the end
//! is only known at the end of the array: it is then read again at its node, so the scan is linear
//! except for arrays nested under such indexes.

use super::json::{Found, Json, Kind};
use super::slots::Slots;
use super::trie_index::Place;
use super::{EventError, Trie, TrieIndex};
use crate::limits::EVENT_DEPTH;
use crate::rows::{Edge, NONE};

/// Scans `text` into `slots`.
pub(super) fn scan(
    text: &str,
    depth: usize,
    (trie, index): (&Trie<'_>, &TrieIndex),
    slots: &mut Slots,
) -> Result<(), EventError> {
    let mut scanner = Scanner { json: Json::new(text, depth), trie, index, slots };
    match scanner.root() {
        Ok(Kind::Object) => Ok(()),
        Ok(_) => Err(EventError::NotAnObject),
        Err(error) => Err(*error),
    }
}

/// Scans the text from `start` to its end into `slots`, as the value of a node.
pub(super) fn scan_part(
    text: &str,
    start: usize,
    node: u32,
    (trie, index): (&Trie<'_>, &TrieIndex),
    slots: &mut Slots,
) -> Result<(), EventError> {
    let mut scanner = Scanner { json: Json::new(text, EVENT_DEPTH), trie, index, slots };
    let end = scanner.value(node, start, 0).map_err(|error| *error)?;
    scanner.json.end(end).map_err(|error| *error)
}

struct Scanner<'e, 't, 's> {
    json: Json<'e>,
    trie: &'t Trie<'t>,
    index: &'t TrieIndex,
    slots: &'s mut Slots,
}

impl Scanner<'_, '_, '_> {
    fn root(&mut self) -> Found<Kind> {
        let start = self.json.space(0);
        let kind = self.json.kind(start)?;
        let end = self.value(0, start, 0)?;
        self.json.end(end)?;
        Ok(kind)
    }

    /// Reads the value of a node.
    fn value(&mut self, node: u32, start: usize, depth: usize) -> Found {
        let Some(place) = self.index.place(node) else { return self.json.value(start, depth) };
        let slot = place.slot;
        let kind = self.json.kind(start)?;
        let end = match kind {
            Kind::Object if place.has_names => self.object((node, place), start, depth)?,
            Kind::Array if place.has_indexes => {
                let indexes = self.trie.node(node).map_or(&[] as &[Edge], |row| self.trie.edges_of(row).1);
                self.array(indexes, start, depth)?
            }
            Kind::String => {
                let quoted = self.json.string(start)?;
                if slot != NONE {
                    self.slots.keep_string(slot, &self.json, quoted);
                }
                return Ok(quoted.end.wrapping_add(1));
            }
            _ => self.json.value(start, depth)?,
        };
        if slot != NONE {
            self.slots.keep(slot, kind, start..end);
        }
        Ok(end)
    }

    #[inline(never)]
    fn object(&mut self, node: (u32, &Place), start: usize, depth: usize) -> Found {
        let depth = self.json.deeper(depth)?;
        let (mut at, mut more) = self.json.open(start, b'}');
        while more {
            let (key, value) = self.json.key(at)?;
            let (text, place) = if key.escaped {
                let key = self.slots.decoded(self.json.raw(key));
                (key, (0, key.len()))
            } else {
                (self.json.bytes(), (key.start, key.end))
            };
            let child = self.index.child(self.trie, &node.1.names, text, place);
            at = if child.node == NONE {
                self.json.value(value, depth)?
            } else {
                self.slots.enter(child);
                self.value(child.node, value, depth)?
            };
            (at, more) = self.json.more(at, b'}')?;
        }
        Ok(at)
    }

    #[inline(never)]
    fn array(&mut self, indexes: &[Edge], start: usize, depth: usize) -> Found {
        let depth = self.json.deeper(depth)?;
        let split = indexes.partition_point(|edge| edge.index.get() < 0);
        let (from_end, from_start) = indexes.split_at_checked(split).unwrap_or_default();
        let keep = from_end.first().map_or(0, back);
        let base = self.slots.offsets.len();
        let mut from_start = from_start.iter().peekable();
        let mut count = 0_i64;
        let (mut at, mut more) = self.json.open(start, b']');
        while more {
            if keep > 0 {
                self.slots.remember(at, base, keep);
            }
            at = match from_start.next_if(|edge| edge.index.get() == count) {
                Some(edge) => self.value(edge.node.get(), at, depth)?,
                None => self.json.value(at, depth)?,
            };
            count = count.saturating_add(1);
            (at, more) = self.json.more(at, b']')?;
        }
        self.revisit(from_end, base, depth)?;
        self.slots.offsets.truncate(base);
        Ok(at)
    }

    /// Reads the elements that indexes from the end name.
    fn revisit(&mut self, edges: &[Edge], base: usize, depth: usize) -> Found<()> {
        for edge in edges {
            let place = self.slots.offsets.len().checked_sub(back(edge)).filter(|place| *place >= base);
            if let Some(start) = place.and_then(|place| self.slots.offsets.get(place)) {
                self.value(edge.node.get(), *start, depth)?;
            }
        }
        Ok(())
    }
}

impl Slots {
    /// Records an element of the array that is being read, and drops all but the last `keep` of it
    /// once there are twice as many.
    pub(super) fn remember(&mut self, element: usize, base: usize, keep: usize) {
        let offsets = &mut self.offsets;
        offsets.push(element);
        if offsets.len().saturating_sub(base) >= keep.saturating_mul(2) {
            offsets.drain(base..offsets.len().saturating_sub(keep));
        }
    }
}

/// The distance of an index from the end. One beyond the address space is beyond every array, as
/// the greatest distance is.
pub(super) fn back(edge: &Edge) -> usize {
    usize::try_from(edge.index.get().unsigned_abs()).unwrap_or(usize::MAX)
}
