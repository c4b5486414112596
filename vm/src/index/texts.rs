//! Keys that are parts of the value's text.

use std::ops::Range;

use super::equal;
use super::search::Buffers;
use crate::event::Item;
use crate::module::Tables;
use crate::rows::index::{affix, filter, gram, hash};
use crate::rows::{Probe, U64, tag};
use crate::text::fold;

impl Buffers {
    /// The keys that are a prefix (or suffix) of the value's text, by length.
    pub(super) fn affixes(
        &mut self,
        tables: &Tables<'_>,
        (number, probe): (u32, &Probe),
        (begins, fold): (bool, bool),
        item: Item<'_>,
        buffer: &mut String,
    ) {
        let Some(text) = item.text() else { return };
        self.affixes_of(tables, (number, probe), begins, folded(fold, &text, buffer).as_bytes());
    }

    /// The keys that are a prefix (or suffix) of a text.
    pub(super) fn affixes_of(
        &mut self,
        tables: &Tables<'_>,
        (number, probe): (u32, &Probe),
        begins: bool,
        text: &[u8],
    ) {
        let Some((lengths, filter)) = tables.filter_of(probe).split_first() else { return };
        for length in affix::lengths(affix::passing(text, begins, lengths.get(), filter)) {
            let part = text.get(affix::part(text, begins, length)).unwrap_or_default();
            self.found.extend(equal::probable(tables, number, (tag::STRING, part)));
        }
    }

    /// The keys that are in the value's text.
    pub(super) fn grams(
        &mut self,
        tables: &Tables<'_>,
        (number, probe): (u32, &Probe),
        fold: bool,
        item: Item<'_>,
        buffer: &mut String,
    ) {
        // An array with an element equal to the text contains the text as well.
        if let Item::Array(_) = item {
            item.elements(&mut |element| {
                if !matches!(element, Item::Array(_)) {
                    self.grams(tables, (number, probe), fold, element, buffer);
                }
                true
            });
            return;
        }
        let Some(text) = item.text() else { return };
        self.grams_of(tables, (number, probe), folded(fold, &text, buffer).as_bytes());
    }

    /// The keys that are in a text: a pass over every `step`th of its grams. Parts without a byte of the probe's
    /// range are passed over.
    pub(super) fn grams_of(&mut self, tables: &Tables<'_>, (number, probe): (u32, &Probe), text: &[u8]) {
        let range = (probe.low, probe.high);
        let (owner, step) = ((number, tables.filter_of(probe)), usize::from(probe.step).max(1));
        let has_byte = |block| range == gram::ALL || gram::has_byte(block, range);
        let (blocks, rest) = text.as_chunks::<BLOCK>();
        // Grams that start before this position have been looked at, or have no byte of the range.
        let mut done = 0;
        let mut left = blocks.iter().zip((0_usize..).step_by(BLOCK));
        while let Some((_, start)) = left.find(|(block, _)| has_byte(block)) {
            self.grams_at_end(tables, owner, (text, step), done..start);
            for at in firsts(step).map(|first| start.saturating_add(first)) {
                let after = text.get(at..).unwrap_or_default();
                match after.first_chunk::<BLOCK>() {
                    Some(part) => self.some_grams(tables, owner, (text, at), part),
                    None => self.some_grams(tables, owner, (text, at), after),
                }
            }
            done = start.saturating_add(BLOCK);
        }
        let start = blocks.len().saturating_mul(BLOCK);
        if text.last_chunk().is_none_or(has_byte) {
            self.grams_at_end(tables, owner, (text, step), done..start);
            for first in firsts(step) {
                let at = start.saturating_add(first);
                self.some_grams(tables, owner, (text, at), rest.get(first..).unwrap_or_default());
            }
        }
    }

    /// The keys with a gram that starts in a range of positions and ends after it.
    #[inline]
    fn grams_at_end(
        &mut self,
        tables: &Tables<'_>,
        owner: (u32, &[U64]),
        (text, step): (&[u8], usize),
        range: Range<usize>,
    ) {
        let last = range.end.saturating_sub(gram::LENGTH.saturating_sub(step));
        let mut at = last.max(range.start);
        // `step_by` would divide.
        while at < range.end {
            let gram = text.get(at..at.saturating_add(gram::LENGTH)).unwrap_or_default();
            self.some_grams(tables, owner, (text, at), gram);
            at = at.saturating_add(step);
        }
    }

    /// The keys with a gram of a part of a text, which starts at a position in the text.
    #[inline]
    fn some_grams(
        &mut self,
        tables: &Tables<'_>,
        (number, filter): (u32, &[U64]),
        (text, start): (&[u8], usize),
        part: &[u8],
    ) {
        let is_in = |gram: &[u8; gram::LENGTH]| filter::bit(filter, gram::hash(u32::from_le_bytes(*gram)));
        let (grams, _) = part.as_chunks::<{ gram::LENGTH }>();
        // Without a branch for each gram.
        if grams.iter().fold(0, |any, gram| any | is_in(gram)) & 1 == 0 {
            return;
        }
        for (gram, at) in grams.iter().zip((start..).step_by(gram::LENGTH)) {
            if is_in(gram) & 1 != 0 {
                self.gram(tables, number, (text, at), u32::from_le_bytes(*gram));
            }
        }
    }

    /// The keys with a gram of a text.
    #[inline(never)]
    fn gram(&mut self, tables: &Tables<'_>, probe: u32, (text, at): (&[u8], usize), gram: u32) {
        let mut is_often = None;
        let (first, keys) = equal::bucket(tables, hash::gram(probe, gram));
        for (number, key) in (first..).zip(keys) {
            if key.hash.get() != gram || key.owner.get() != probe {
                continue;
            }
            let Some(state) = self.hits.state(number) else { continue };
            let is_often = match is_often {
                Some(is_often) => is_often,
                // The first key counts for all of its gram.
                None if *state & COUNT == OFTEN => return,
                None => {
                    *state = state.saturating_add(1);
                    *is_often.insert(*state & COUNT == OFTEN)
                }
            };
            let is_new = *state & FOUND == 0;
            if is_new && (is_often || gram::is_around(text, at, gram, tables.bytes(key.value.get()))) {
                *state |= FOUND;
                self.found.push(key.posting.get());
            }
        }
    }
}

/// The positions in a gram at which those of every `step`th position start. A step is a power of two: nothing is divided.
#[inline]
fn firsts(step: usize) -> impl Iterator<Item = usize> {
    (0..gram::LENGTH).filter(move |first| first & step.saturating_sub(1) == 0)
}

/// Bytes of a text whose grams are looked up together, or passed over: a multiple of every step.
const BLOCK: usize = 64;

pub(super) fn folded<'a>(fold: bool, text: &'a str, buffer: &'a mut String) -> &'a str {
    if !fold {
        return text;
    }
    buffer.clear();
    fold::fold_into(text, buffer);
    buffer
}

/// The bits of a key's state that count, for the first key of a gram, how often the gram was found.
const COUNT: u64 = 0x7f;

/// So often, and all keys of a gram are offered without a comparison: many keys with a gram that a text
/// repeats would cost their product.
const OFTEN: u64 = 64;

/// The bit of a key's state that says that its posting is found.
const FOUND: u64 = 0x80;

/// Where the number of the search starts in a key's state.
const SEARCH: u32 = 8;

/// The keys of grams that this search met: by key, the number of the last search that met it, and its
/// state in that search, so nothing needs to be cleared.
#[derive(Debug, Default)]
pub(super) struct Hits {
    search: u64,
    met: Vec<u64>,
}

impl Hits {
    pub(super) fn start(&mut self) {
        self.search = self.search.saturating_add(1);
    }

    /// The state of a key in this search.
    fn state(&mut self, key: u32) -> Option<&mut u64> {
        let key = key as usize;
        if self.met.len() <= key {
            self.met.resize(key.saturating_add(1), 0);
        }
        let state = self.met.get_mut(key)?;
        if *state >> SEARCH != self.search {
            *state = self.search << SEARCH;
        }
        Some(state)
    }
}
