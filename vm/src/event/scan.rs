//! The scan: validates the whole text and captures what the trie reaches.
//!
//! A value is read under the trie's node that its path leads to, or under
//! none. An element that an index from the end names is only known when the
//! array has ended: it is then read once more under that node, so that the
//! scan is linear but for arrays nested under such indexes.

use super::lex::{Kind, Lexer};
use super::slots::Slots;
use super::{EventError, Trie};
use crate::module::format::{Edge, NONE};

/// Scans `text` into `slots`.
pub(super) fn scan(text: &str, depth: usize, trie: Trie<'_>, slots: &mut Slots) -> Result<(), EventError> {
    let mut scanner = Scanner { lex: Lexer::new(text, depth), trie, slots };
    scanner.lex.space();
    let kind = scanner.lex.kind()?;
    scanner.value(0, 0)?;
    scanner.lex.end()?;
    if kind == Kind::Object { Ok(()) } else { Err(EventError::NotAnObject) }
}

struct Scanner<'e, 't, 's> {
    lex: Lexer<'e>,
    trie: Trie<'t>,
    slots: &'s mut Slots,
}

impl Scanner<'_, '_, '_> {
    /// Reads the value of a node.
    fn value(&mut self, node: u32, depth: usize) -> Result<(), EventError> {
        let Some(row) = self.trie.node(node) else { return self.lex.value(depth).map(drop) };
        let (names, indexes) = self.trie.edges_of(row);
        let slot = row.slot.get();
        let start = self.lex.at();
        let kind = self.lex.kind()?;
        match kind {
            Kind::Object if !names.is_empty() => self.object(names, depth)?,
            Kind::Array if !indexes.is_empty() => self.array(indexes, depth)?,
            Kind::String => {
                let raw = self.lex.string()?;
                if slot != NONE {
                    self.slots.keep_string(slot, raw, start.saturating_add(1));
                }
                return Ok(());
            }
            _ => drop(self.lex.value(depth)?),
        }
        if slot != NONE {
            self.slots.keep(slot, kind, start..self.lex.at());
        }
        Ok(())
    }

    fn object(&mut self, names: &[Edge], depth: usize) -> Result<(), EventError> {
        let depth = self.lex.deeper(depth)?;
        let visit = self.slots.visit();
        let mut more = self.lex.open(b'}');
        while more {
            let key = self.lex.key()?;
            let child = if key.escaped {
                self.slots.decoded(key, |key| self.trie.child(names, key))
            } else {
                self.trie.child(names, key.text)
            };
            match child {
                Some(node) => {
                    self.slots.enter(node, visit);
                    self.value(node, depth)?;
                }
                None => drop(self.lex.value(depth)?),
            }
            more = self.lex.more(b'}')?;
        }
        Ok(())
    }

    fn array(&mut self, indexes: &[Edge], depth: usize) -> Result<(), EventError> {
        let depth = self.lex.deeper(depth)?;
        let split = indexes.partition_point(|edge| edge.index.get() < 0);
        let (behind, ahead) = indexes.split_at_checked(split).unwrap_or_default();
        let keep = behind.first().map_or(0, back);
        let base = self.slots.offsets.len();
        let mut ahead = ahead.iter().peekable();
        let mut count = 0_i64;
        let mut more = self.lex.open(b']');
        while more {
            if keep > 0 {
                self.remember(base, keep);
            }
            match ahead.next_if(|edge| edge.index.get() == count) {
                Some(edge) => self.value(edge.node.get(), depth)?,
                None => drop(self.lex.value(depth)?),
            }
            count = count.saturating_add(1);
            more = self.lex.more(b']')?;
        }
        self.revisit(behind, base, depth)?;
        self.slots.offsets.truncate(base);
        Ok(())
    }

    /// Remembers where an element begins, and forgets all but the last `keep`
    /// of the array's once there are twice as many.
    fn remember(&mut self, base: usize, keep: usize) {
        let offsets = &mut self.slots.offsets;
        offsets.push(self.lex.at());
        if offsets.len().saturating_sub(base) >= keep.saturating_mul(2) {
            offsets.drain(base..offsets.len().saturating_sub(keep));
        }
    }

    /// Reads the elements that indexes from the end name, and returns to the
    /// array's end.
    fn revisit(&mut self, edges: &[Edge], base: usize, depth: usize) -> Result<(), EventError> {
        let end = self.lex.at();
        for edge in edges {
            let place = self.slots.offsets.len().checked_sub(back(edge)).filter(|place| *place >= base);
            if let Some(start) = place.and_then(|place| self.slots.offsets.get(place)) {
                self.lex.back(*start);
                self.value(edge.node.get(), depth)?;
            }
        }
        self.lex.back(end);
        Ok(())
    }
}

/// How far from the end an index counts.
fn back(edge: &Edge) -> usize {
    usize::try_from(edge.index.get().unsigned_abs()).unwrap_or(usize::MAX)
}
