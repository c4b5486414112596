//! The walk over the tokens of a valid text: captures the values that the trie reaches, as the scan
//! does, and passes over the others by the token that closes them.

use super::json::{Json, Kind, Quoted};
use super::scan::back;
use super::slots::Slots;
use super::tokens::Tokens;
use super::trie_index::Place;
use super::{Trie, TrieIndex};
use crate::rows::{Edge, NONE};

/// Captures the values of a text in `slots`.
pub(super) fn walk(text: &str, tokens: &Tokens, (trie, index): (&Trie<'_>, &TrieIndex), slots: &mut Slots) {
    Walk { json: Json::new(text, 0), tokens, trie, index, slots }.value(0, 0);
}

struct Walk<'e, 't, 's> {
    json: Json<'e>,
    tokens: &'t Tokens,
    trie: &'t Trie<'t>,
    index: &'t TrieIndex,
    slots: &'s mut Slots,
}

/// Every function takes the token where a value starts. The recursion is as deep as the text.
impl Walk<'_, '_, '_> {
    /// Captures the value of a node.
    fn value(&mut self, node: u32, token: usize) {
        let Some(place) = self.index.place(node) else { return };
        let kind = match self.tokens.byte(token) {
            b'{' => {
                if place.has_names {
                    self.object((node, place), token);
                }
                Kind::Object
            }
            b'[' => {
                if let Some(row) = self.trie.node(node).filter(|_| place.has_indexes) {
                    self.array(self.trie.edges_of(row).1, token);
                }
                Kind::Array
            }
            byte => {
                let (start, behind) = (self.tokens.start(token), self.tokens.start(token.wrapping_add(1)));
                return self.scalar(place.slot, byte, start, behind);
            }
        };
        if place.slot != NONE {
            let end = self.tokens.start(self.tokens.mate(token)).wrapping_add(1);
            self.slots.keep(place.slot, kind, self.tokens.start(token)..end);
        }
    }

    /// The string between the position of its token and that of the next one, before which there may be
    /// white space.
    #[inline]
    fn quoted_between(&self, start: usize, behind: usize) -> Quoted {
        let (start, end) = (start.wrapping_add(1), self.json.space_before(behind).wrapping_sub(1));
        Quoted { start, end, escaped: self.tokens.escaped(start, end) }
    }

    /// The token behind a value.
    #[inline]
    fn after(&self, token: usize) -> usize {
        let last = match self.tokens.byte(token) {
            b'{' | b'[' => self.tokens.mate(token),
            _ => token,
        };
        last.wrapping_add(1)
    }

    /// The token of the next member or element, if the one before ends before this token.
    #[inline]
    fn next(&self, token: usize) -> Option<usize> {
        (self.tokens.byte(token) == b',').then(|| token.wrapping_add(1))
    }

    /// The token of the first member or element.
    fn first(&self, token: usize) -> Option<usize> {
        let first = token.wrapping_add(1);
        (first != self.tokens.mate(token)).then_some(first)
    }

    fn object(&mut self, node: (u32, &Place), token: usize) {
        let visit = self.slots.visit();
        let mut member = self.first(token);
        while let Some(token) = member {
            let Some((starts, bytes)) = self.tokens.four(token) else { return };
            let ([key, colon, start, behind], [_, _, byte, next]) = (*starts, *bytes);
            let key = self.quoted_between(key as usize, colon as usize);
            let (text, place) = if key.escaped {
                let key = self.slots.decoded(self.json.raw(key));
                (key, (0, key.len()))
            } else {
                (self.json.bytes(), (key.start, key.end))
            };
            let child = self.index.child(self.trie, node, text, place);
            if let Some(child) = child {
                self.slots.enter(child, visit);
            }
            if let b'{' | b'[' = byte {
                let value = token.wrapping_add(2);
                child.into_iter().for_each(|child| self.value(child, value));
                member = self.next(self.tokens.mate(value).wrapping_add(1));
                continue;
            }
            if let Some(place) = child.and_then(|child| self.index.place(child)) {
                self.scalar(place.slot, byte, start as usize, behind as usize);
            }
            member = (next == b',').then(|| token.wrapping_add(4));
        }
    }

    /// Captures a string or another scalar between the positions of its token and the next one.
    #[inline]
    fn scalar(&mut self, slot: u32, byte: u8, start: usize, behind: usize) {
        if slot == NONE {
            return;
        }
        if byte == b'"' {
            let quoted = self.quoted_between(start, behind);
            self.slots.keep_string(slot, &self.json, quoted);
        } else if let Some(kind) = Kind::of(byte) {
            self.slots.keep(slot, kind, start..self.json.space_before(behind));
        }
    }

    fn array(&mut self, indexes: &[Edge], token: usize) {
        let split = indexes.partition_point(|edge| edge.index.get() < 0);
        let (behind, ahead) = indexes.split_at_checked(split).unwrap_or_default();
        let keep = behind.first().map_or(0, back);
        let base = self.slots.offsets.len();
        let mut ahead = ahead.iter().peekable();
        let mut count = 0_i64;
        let mut element = self.first(token);
        while let Some(token) = element {
            if keep > 0 {
                self.slots.remember(token, base, keep);
            }
            if let Some(edge) = ahead.next_if(|edge| edge.index.get() == count) {
                self.value(edge.node.get(), token);
            }
            count = count.saturating_add(1);
            element = self.next(self.after(token));
        }
        for edge in behind {
            let place = self.slots.offsets.len().checked_sub(back(edge)).filter(|place| *place >= base);
            if let Some(token) = place.and_then(|place| self.slots.offsets.get(place)) {
                self.value(edge.node.get(), *token);
            }
        }
        self.slots.offsets.truncate(base);
    }
}
