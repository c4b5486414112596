//! The walk over the tokens of a valid text: captures the values that the trie reaches, as the scan
//! does, and passes over the others by the token that closes them.

use std::ops::Range;

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
            b'"' => {
                if place.slot != NONE {
                    let quoted = self.quoted(token);
                    self.slots.keep_string(place.slot, &self.json, quoted);
                }
                return;
            }
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
            other => match Kind::of(other) {
                Some(kind) => kind,
                None => return,
            },
        };
        if place.slot != NONE {
            self.slots.keep(place.slot, kind, self.place(kind, token));
        }
    }

    fn place(&self, kind: Kind, token: usize) -> Range<usize> {
        let end = match kind {
            Kind::Object | Kind::Array => self.tokens.start(self.tokens.mate(token)).wrapping_add(1),
            _ => self.end(token),
        };
        self.tokens.start(token)..end
    }

    /// The position behind a scalar: that of the next token, without the white space before it.
    #[inline]
    fn end(&self, token: usize) -> usize {
        self.json.space_before(self.tokens.start(token.wrapping_add(1)))
    }

    #[inline]
    fn quoted(&self, token: usize) -> Quoted {
        let (start, end) = (self.tokens.start(token).wrapping_add(1), self.end(token).wrapping_sub(1));
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
            let key = self.quoted(token);
            let (text, place) = if key.escaped {
                let key = self.slots.decoded(self.json.raw(key));
                (key, (0, key.len()))
            } else {
                (self.json.bytes(), (key.start, key.end))
            };
            let value = token.wrapping_add(2);
            if let Some(node) = self.index.child(self.trie, node, text, place) {
                self.slots.enter(node, visit);
                self.value(node, value);
            }
            member = self.next(self.after(value));
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
