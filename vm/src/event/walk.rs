//! The walk over the tokens of a valid text: captures the values that the trie reaches, as the scan
//! does, and passes over the others by the token that closes them.

use hookc_base::row_number;

use super::json::{Json, Kind, Quoted};
use super::scan::back;
use super::slots::Slots;
use super::tokens::Tokens;
use super::trie_index::{Child, Names, Place};
use super::{Trie, TrieIndex};
use crate::rows::NONE;

/// Captures the values of a text in `slots`.
pub(super) fn walk(text: &str, tokens: &Tokens, (trie, index): (&Trie<'_>, &TrieIndex), slots: &mut Slots) {
    let json = Json::new(text, 0);
    // A compiled loop for each kind of text.
    if tokens.is_compact() {
        Walk::<true> { json, tokens, trie, index, slots }.value(0, 0);
    } else {
        Walk::<false> { json, tokens, trie, index, slots }.value(0, 0);
    }
}

/// The walk over a text; one that is `COMPACT` has no white space after scalars, and no escapes.
struct Walk<'e, 't, 's, const COMPACT: bool> {
    json: Json<'e>,
    tokens: &'t Tokens,
    trie: &'t Trie<'t>,
    index: &'t TrieIndex,
    slots: &'s mut Slots,
}

/// Every function takes the token where a value starts. The recursion is as deep as arrays are nested.
impl<const COMPACT: bool> Walk<'_, '_, '_, COMPACT> {
    /// Captures the value of a node.
    fn value(&mut self, node: u32, token: usize) {
        let Some(place) = self.index.place(node) else { return };
        let byte = self.tokens.byte(token);
        if byte == b'{' || byte == b'[' {
            if self.container((node, place), token, byte) {
                self.object(node, token);
            }
        } else {
            let (start, after) = (self.tokens.start(token), self.tokens.start(token.wrapping_add(1)));
            self.scalar(Child { node, slot: place.slot }, byte, start, after);
        }
    }

    /// Captures an array with its elements, or an object. Returns whether the members of the object are to be
    /// read: if it has some, and its node has names.
    #[inline(always)]
    fn container(&mut self, (node, place): (u32, &Place), token: usize, byte: u8) -> bool {
        if place.slot != NONE {
            let end = self.tokens.start(self.tokens.mate(token)).wrapping_add(1);
            self.slots.keep_span(place.slot, Kind::of_valid(byte), self.tokens.start(token), end);
        }
        if byte == b'[' {
            self.array((node, place), token);
            return false;
        }
        place.has_names && self.tokens.byte(token.wrapping_add(1)) != b'}'
    }

    /// Captures a string or another scalar between the positions of its token and the next one. No slot
    /// has the number [`NONE`].
    #[inline(always)]
    fn scalar(&mut self, child: Child, byte: u8, start: u32, after: u32) {
        if COMPACT {
            let quote = u32::from(byte == b'"');
            let (start, end) = (start.wrapping_add(quote), after.wrapping_sub(quote));
            return self.slots.keep_member(child, Kind::of_valid(byte), start, end);
        }
        self.slots.enter(child);
        if child.slot == NONE {
        } else if byte == b'"' {
            self.slots.keep_string(child.slot, &self.json, quoted(self.json, self.tokens, start, after));
        } else {
            let end = row_number(self.json.space_before(after as usize));
            self.slots.keep_span(child.slot, Kind::of_valid(byte), start, end);
        }
    }

    /// The token after a value.
    #[inline]
    fn after(&self, token: usize) -> usize {
        let last = match self.tokens.byte(token) {
            b'{' | b'[' => self.tokens.mate(token),
            _ => token,
        };
        last.wrapping_add(1)
    }

    /// Reads the object of a node with the objects inside it. A member is its key, a colon, the token where the
    /// value starts, and for a scalar the one after it.
    #[inline(never)]
    fn object(&mut self, mut node: u32, token: usize) {
        let outer = self.slots.objects.len();
        let (starts, bytes) = self.tokens.spans();
        let Some(mut place) = self.index.place(node) else { return };
        let mut at = token.wrapping_add(1);
        loop {
            let four = starts.get(at..).and_then(<[u32]>::first_chunk);
            let four_bytes = bytes.get(at..).and_then(<[u8]>::first_chunk);
            let (Some([key, colon, start, after]), Some([_, _, byte, next])) = (four, four_bytes) else {
                return;
            };
            let child = self.child(&place.names, *key, *colon);
            let mut next = *next;
            if matches!(byte, b'{' | b'[') {
                let value = at.wrapping_add(2);
                self.slots.enter(child);
                if let Some(inner) = self.index.place(child.node)
                    && self.container((child.node, inner), value, *byte)
                {
                    self.slots.objects.push(node);
                    (node, place) = (child.node, inner);
                    at = value.wrapping_add(1);
                    continue;
                }
                at = self.tokens.mate(value).wrapping_add(1);
                next = self.tokens.byte(at);
            } else {
                self.scalar(child, *byte, *start, *after);
                at = at.wrapping_add(3);
            }
            while next != b',' {
                if self.slots.objects.len() == outer {
                    return;
                }
                let Some(parent) = self.slots.objects.pop() else { return };
                let Some(outside) = self.index.place(parent) else { return };
                (node, place) = (parent, outside);
                at = at.wrapping_add(1);
                next = self.tokens.byte(at);
            }
            at = at.wrapping_add(1);
        }
    }

    /// The child for the key between the positions of its token and of its colon.
    #[inline(always)]
    fn child(&mut self, names: &Names, key: u32, colon: u32) -> Child {
        if COMPACT {
            let (start, end) = (key.wrapping_add(1) as usize, colon.wrapping_sub(1) as usize);
            self.index.child(self.trie, names, self.json.bytes(), (start, end))
        } else {
            self.quoted_child(names, quoted(self.json, self.tokens, key, colon))
        }
    }

    #[inline(never)]
    fn quoted_child(&mut self, names: &Names, key: Quoted) -> Child {
        if key.escaped {
            let key = self.slots.decoded(self.json.raw(key));
            self.index.child(self.trie, names, key, (0, key.len()))
        } else {
            self.index.child(self.trie, names, self.json.bytes(), (key.start, key.end))
        }
    }

    /// Captures the elements of an array that its node has indexes for.
    #[inline(never)]
    fn array(&mut self, (node, place): (u32, &Place), token: usize) {
        let Some(row) = self.trie.node(node).filter(|_| place.has_indexes) else { return };
        let indexes = self.trie.edges_of(row).1;
        let split = indexes.partition_point(|edge| edge.index.get() < 0);
        let (from_end, from_start) = indexes.split_at_checked(split).unwrap_or_default();
        let keep = from_end.first().map_or(0, back);
        let base = self.slots.offsets.len();
        let mut from_start = from_start.iter().peekable();
        let mut count = 0_i64;
        let end = self.tokens.mate(token);
        let mut token = token.wrapping_add(1);
        while token < end {
            if keep > 0 {
                self.slots.remember(token, base, keep);
            }
            if let Some(edge) = from_start.next_if(|edge| edge.index.get() == count) {
                self.value(edge.node.get(), token);
            }
            count = count.saturating_add(1);
            // A comma is after an element but the last.
            token = self.after(token).wrapping_add(1);
        }
        for edge in from_end {
            let place = self.slots.offsets.len().checked_sub(back(edge)).filter(|place| *place >= base);
            if let Some(token) = place.and_then(|place| self.slots.offsets.get(place)) {
                self.value(edge.node.get(), *token);
            }
        }
        self.slots.offsets.truncate(base);
    }
}

/// The string between the position of its token and that of the next one, before which there may be white
/// space.
#[inline(always)]
fn quoted(json: Json<'_>, tokens: &Tokens, start: u32, after: u32) -> Quoted {
    let start = (start as usize).wrapping_add(1);
    let end = json.space_before(after as usize).wrapping_sub(1);
    Quoted { start, end, escaped: tokens.escaped(start, end) }
}
