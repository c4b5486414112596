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
                let between = (self.tokens.start(token), self.tokens.start(token.wrapping_add(1)));
                return scalar(self.slots, (self.json, self.tokens), place.slot, byte, between);
            }
        };
        if place.slot != NONE {
            let end = self.tokens.start(self.tokens.mate(token)).wrapping_add(1);
            self.slots.keep(place.slot, kind, self.tokens.start(token) as usize..end as usize);
        }
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
        let (tokens, json, names) = (self.tokens, self.json, self.index.names(node.1));
        let mut member = self.first(token);
        while let Some(token) = member {
            let Some((starts, bytes)) = tokens.four(token) else { return };
            let ([key, colon, start, behind], [_, _, byte, next]) = (*starts, *bytes);
            let key = quoted(json, tokens, key, colon);
            let child = if key.escaped {
                let key = self.slots.decoded(json.raw(key));
                names.child(self.trie, node.0, key, (0, key.len()))
            } else {
                names.child(self.trie, node.0, json.bytes(), (key.start, key.end))
            };
            if let Some(child) = &child {
                self.slots.enter(child.node, visit);
            }
            if let b'{' | b'[' = byte {
                let value = token.wrapping_add(2);
                child.into_iter().for_each(|child| self.value(child.node, value));
                member = self.next(tokens.mate(value).wrapping_add(1));
                continue;
            }
            if let Some(child) = child {
                scalar(self.slots, (json, tokens), child.slot, byte, (start, behind));
            }
            member = (next == b',').then(|| token.wrapping_add(4));
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

/// The string between the position of its token and that of the next one, before which there may be white
/// space.
#[inline(always)]
fn quoted(json: Json<'_>, tokens: &Tokens, start: u32, behind: u32) -> Quoted {
    let start = (start as usize).wrapping_add(1);
    let end = json.space_before(behind as usize).wrapping_sub(1);
    Quoted { start, end, escaped: tokens.escaped(start, end) }
}

/// Captures a string or another scalar between the positions of its token and the next one.
#[inline(always)]
fn scalar(
    slots: &mut Slots,
    (json, tokens): (Json<'_>, &Tokens),
    slot: u32,
    byte: u8,
    (start, behind): (u32, u32),
) {
    if slot == NONE {
        return;
    }
    if byte == b'"' {
        slots.keep_string(slot, &json, quoted(json, tokens, start, behind));
    } else if let Some(kind) = Kind::of(byte) {
        slots.keep(slot, kind, start as usize..json.space_before(behind as usize));
    }
}
