//! The walk over the tokens of a valid text: captures the values that the trie reaches, as the scan
//! does, and passes over the others by the token that closes them.

use hookc_base::row_number;

use super::json::{Json, Kind, Quoted};
use super::scan::back;
use super::slots::Slots;
use super::tokens::Tokens;
use super::trie_index::{Child, Names, Place};
use super::{Trie, TrieIndex};
use crate::rows::{Edge, NONE};

/// Captures the values of a text in `slots`.
pub(super) fn walk(text: &str, tokens: &Tokens, (trie, index): (&Trie<'_>, &TrieIndex), slots: &mut Slots) {
    let compact = tokens.is_compact();
    Walk { json: Json::new(text, 0), tokens, compact, trie, index, slots }.value(0, 0);
}

struct Walk<'e, 't, 's> {
    json: Json<'e>,
    tokens: &'t Tokens,
    /// Whether strings end directly before the next token, and none has an escape.
    compact: bool,
    trie: &'t Trie<'t>,
    index: &'t TrieIndex,
    slots: &'s mut Slots,
}

/// Every function takes the token where a value starts. The recursion is as deep as the text.
impl Walk<'_, '_, '_> {
    /// Captures the value of a node.
    fn value(&mut self, node: u32, token: usize) {
        let Some(place) = self.index.place(node) else { return };
        let (start, behind) = (self.tokens.start(token), self.tokens.start(token.wrapping_add(1)));
        match self.tokens.byte(token) {
            byte @ (b'{' | b'[') => self.container((node, place), (token, byte)),
            _ if place.slot == NONE => {}
            b'"' => self.string(place.slot, start, behind),
            byte => self.word(place.slot, byte, start, behind),
        }
    }

    /// Captures an object or an array.
    fn container(&mut self, (node, place): (u32, &Place), (token, byte): (usize, u8)) {
        let is_object = byte == b'{';
        if is_object && place.has_names {
            self.object((node, place), token);
        } else if place.has_indexes
            && !is_object
            && let Some(row) = self.trie.node(node)
        {
            self.array(self.trie.edges_of(row).1, token);
        }
        if place.slot != NONE {
            let kind = if is_object { Kind::Object } else { Kind::Array };
            let end = self.tokens.start(self.tokens.mate(token)).wrapping_add(1);
            self.slots.keep_span(place.slot, kind, self.tokens.start(token), end);
        }
    }

    /// Captures a string between the positions of its token and the next one.
    #[inline(always)]
    fn string(&mut self, slot: u32, start: u32, behind: u32) {
        if self.compact {
            let (start, end) = (start.wrapping_add(1), behind.wrapping_sub(1));
            self.slots.keep_span(slot, Kind::String, start, end);
        } else {
            self.slots.keep_string(slot, &self.json, quoted(self.json, self.tokens, start, behind));
        }
    }

    /// Captures a number, or a word, between the positions of its token and the next one.
    #[inline(always)]
    fn word(&mut self, slot: u32, byte: u8, start: u32, behind: u32) {
        let end = if self.compact { behind } else { row_number(self.json.space_before(behind as usize)) };
        let kind = match byte {
            b't' => Kind::True,
            b'f' => Kind::False,
            b'n' => Kind::Null,
            _ => Kind::Number,
        };
        self.slots.keep_span(slot, kind, start, end);
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

    /// A member is its key, a colon, the token where the value starts, and for a scalar the one behind it.
    #[inline(never)]
    fn object(&mut self, (node, place): (u32, &Place), token: usize) {
        let visit = self.slots.visit();
        let (tokens, names) = (self.tokens, self.index.names(place));
        let (starts, bytes) = tokens.spans();
        let mut at = token.wrapping_add(1);
        let mut more = at != tokens.mate(token);
        while more {
            let four = starts.get(at..).and_then(<[u32]>::first_chunk);
            let Some(([key, colon, start, behind], [_, _, byte, next])) =
                four.zip(bytes.get(at..).and_then(<[u8]>::first_chunk))
            else {
                return;
            };
            let child = self.child(node, names, *key, *colon);
            if let Some(child) = &child {
                self.slots.enter(child.node, visit);
            }
            if let b'{' | b'[' = byte {
                let value = at.wrapping_add(2);
                if let Some(child) = &child
                    && let Some(place) = self.index.place(child.node)
                {
                    self.container((child.node, place), (value, *byte));
                }
                let behind = tokens.mate(value).wrapping_add(1);
                at = behind.wrapping_add(1);
                more = tokens.byte(behind) == b',';
                continue;
            }
            if let Some(Child { slot, .. }) = child
                && slot != NONE
            {
                match byte {
                    b'"' => self.string(slot, *start, *behind),
                    byte => self.word(slot, *byte, *start, *behind),
                }
            }
            at = at.wrapping_add(4);
            more = *next == b',';
        }
    }

    /// The child for the key between the positions of its token and of its colon.
    #[inline(always)]
    fn child(&mut self, node: u32, names: Names<'_>, key: u32, colon: u32) -> Option<Child> {
        let json = self.json;
        if self.compact {
            let (start, end) = (key.wrapping_add(1) as usize, colon.wrapping_sub(1) as usize);
            return names.child(self.trie, node, json.bytes(), (start, end));
        }
        self.spaced_child(node, names, quoted(json, self.tokens, key, colon))
    }

    /// The same if there are spaces or escapes in the text.
    #[inline(never)]
    fn spaced_child(&mut self, node: u32, names: Names<'_>, key: Quoted) -> Option<Child> {
        if key.escaped {
            let key = self.slots.decoded(self.json.raw(key));
            names.child(self.trie, node, key, (0, key.len()))
        } else {
            names.child(self.trie, node, self.json.bytes(), (key.start, key.end))
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
