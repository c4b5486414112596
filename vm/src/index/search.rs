//! The search: candidates by ascending rank.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use hookc_base::{ProbeTag, row_number};
use hookc_history::CellId;

use super::equal;
use super::group::Sets;
use super::texts::{Hits, folded};
use crate::event::{Item, Kind, Stored};
use crate::module::{Tables, row};
use crate::rows::index::hash;
use crate::rows::{INLINE_RANK, Index, NONE, Probe, tag};
use crate::view::EventView;

/// What a search asks about an event besides its values.
pub(crate) trait Facts {
    /// Whether a predicate about effects can be true of the event.
    fn can_hold(&mut self, effect: u32) -> bool;

    /// Calls `each` with the monitors of a partition that may have seen an event with the key of this one under a row of
    /// ties, or of no tie. `false` if that is unknown.
    fn seen(&mut self, tie: u32, partition: u8, each: &mut dyn FnMut(CellId)) -> bool;
}

/// Buffers of a search, reused by the next one.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// Probes of the event type's index that have not run yet.
    probes: (u32, u32),
    /// Its group, if not opened yet, with its lowest rank.
    group: Option<(u32, u32)>,
    /// The next rank of each cursor.
    heads: BinaryHeap<Reverse<Head>>,
    cursors: Vec<Cursor>,
    sets: Sets,
    pub(super) hits: Hits,
    text: String,
    /// The text of a value of a parsed event.
    written: String,
    /// Postings that probes have found and that are not added yet.
    pub(super) found: Vec<u32>,
    /// Ranks below are done.
    from: u32,
}

/// A rank with its cursor, or [`NONE`] if it is the only one of its posting. Heads are in the order of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Head(u64);

impl Head {
    #[inline]
    fn new(rank: u32, cursor: u32) -> Self {
        Self(u64::from(rank) << u32::BITS | u64::from(cursor))
    }

    #[inline]
    fn rank(self) -> u32 {
        hash::high_half(self.0)
    }

    #[inline]
    fn cursor(self) -> u32 {
        hash::low_half(self.0)
    }
}

/// The source of ranks.
#[derive(Clone, Copy, Debug)]
enum Cursor {
    /// Rows of the index table.
    Ranks { next: u32, end: u32 },
    /// The bits of a group: in the word before `at`, those in `bits` are left; the other half of the set
    /// is `other` words further on. `ranks` is the position of the rank of the group's first entry, which
    /// is in the word `start`.
    Bits { at: u32, end: u32, other: u32, bits: u64, start: u32, ranks: u32 },
}

impl Buffers {
    /// Starts a search in an index, from rank `from` on.
    pub(crate) fn start(&mut self, tables: &Tables<'_>, index: u32, from: u32) {
        self.heads.clear();
        self.cursors.clear();
        self.sets.clear();
        self.hits.start();
        self.from = from;
        let Some(index) = row(tables.indexes, index) else {
            (self.probes, self.group) = ((0, 0), None);
            return;
        };
        let start = index.probes.start.get();
        self.probes = (start, start.saturating_add(index.probes.length.get()));
        self.group = least_of(tables, &index).map(|least| (index.group.get(), least));
    }

    /// The next candidate.
    pub(crate) fn next(&mut self, source: &EventView<'_>, facts: &mut dyn Facts) -> Option<u32> {
        loop {
            if self.probes.0 < self.probes.1 || self.group.is_some() {
                self.open_due(source, facts);
            }
            let Self { heads, cursors, sets, from, .. } = self;
            let mut top = heads.peek_mut()?;
            let (rank, number) = (top.0.rank(), top.0.cursor());
            let is_new = rank >= *from;
            if is_new {
                *from = rank.saturating_add(1);
            }
            let cursor = cursors.get_mut(number as usize);
            match cursor.and_then(|cursor| cursor.step(source.tables, sets, *from)) {
                Some(next) => *top = Reverse(Head::new(next, number)),
                None => drop(PeekMut::pop(top)),
            }
            if is_new {
                return Some(rank);
            }
        }
    }

    /// Runs the probes that may lead to a candidate before the next one.
    fn open_due(&mut self, source: &EventView<'_>, facts: &mut dyn Facts) {
        if let Some((group, least)) = self.group
            && self.is_due(least)
        {
            self.group = None;
            self.open_group(source, group);
        }
        while self.probes.0 < self.probes.1 {
            let number = self.probes.0;
            let Some(probe) = source.tables.probes.get(number as usize) else { return };
            if !self.is_due(probe.least.get()) {
                return;
            }
            self.probes.0 = number.saturating_add(1);
            self.probe(source, (number, probe), facts);
        }
    }

    fn is_due(&self, least: u32) -> bool {
        self.heads.peek().is_none_or(|Reverse(head)| least <= head.rank())
    }

    /// Adds the candidates that a probe finds.
    fn probe(&mut self, source: &EventView<'_>, (number, probe): (u32, &Probe), facts: &mut dyn Facts) {
        let Some(tag) = ProbeTag::from_number(probe.kind) else { return };
        let (slot, start) = (probe.slot.get(), self.found.len());
        if tag == ProbeTag::Acts {
            if facts.can_hold(slot) {
                self.posting(source, probe.rows.start.get(), facts);
            }
            return;
        }
        if tag == ProbeTag::Tied {
            return self.tied(source, (number, probe), facts);
        }
        match (tag, source.scalar(slot)) {
            (ProbeTag::Equal, Some(value)) => {
                let Some(scalar) = equal::scalar(value, &mut self.text) else { return };
                let postings = equal::probable(source.tables, number, scalar);
                return postings.for_each(|posting| self.posting(source, posting, facts));
            }
            (ProbeTag::Present, _) => {
                if source.stored(slot).is_present() {
                    self.posting(source, probe.rows.start.get(), facts);
                }
                return;
            }
            (ProbeTag::Begins | ProbeTag::Ends, Some((Kind::String, text))) => {
                self.affixes_of(source.tables, (number, probe), tag == ProbeTag::Begins, text);
            }
            (ProbeTag::Has, Some((Kind::String, text))) => {
                self.grams_of(source.tables, (number, probe), text);
            }
            _ => self.probe_other(source, (number, probe), tag, source.stored(slot)),
        }
        let mut at = start;
        while let Some(posting) = self.found.get(at).copied() {
            self.posting(source, posting, facts);
            at = at.saturating_add(1);
        }
        self.found.truncate(start);
    }

    /// Adds the candidates that wait for a monitor that may have seen the event's key: all, if that is unknown.
    fn tied(&mut self, source: &EventView<'_>, (number, probe): (u32, &Probe), facts: &mut dyn Facts) {
        let mut found = std::mem::take(&mut self.found);
        let (tables, start) = (source.tables, found.len());
        let is_known = facts.seen(probe.slot.get(), probe.step, &mut |cell| {
            found.extend(equal::probable(tables, number, (tag::STRING, &cell.0)));
        });
        if !is_known {
            found.truncate(start);
            found.push(probe.rows.start.get());
        }
        found.drain(start..).for_each(|posting| self.posting(source, posting, facts));
        self.found = found;
    }

    /// Looks up other probes and values. What it reads of the event is released before the probes of the
    /// candidates run.
    fn probe_other(
        &mut self,
        source: &EventView<'_>,
        (number, probe): (u32, &Probe),
        tag: ProbeTag,
        stored: Stored<'_>,
    ) {
        let (tables, fold) = (&source.tables, is_folding(tag));
        match stored {
            Stored::Item(item) => self.look_up(tables, (number, probe), (tag, fold), item),
            Stored::Escaped(text) => {
                let mut decoded = String::new();
                if fold {
                    text.fold_into(&mut decoded);
                } else {
                    text.decode_into(&mut decoded);
                }
                self.look_up(tables, (number, probe), (tag, false), Item::Str(&decoded));
            }
            Stored::Parsed(parsed) => {
                let mut text = std::mem::take(&mut self.written);
                let reads_text =
                    parsed.number().is_some() || matches!(tag, ProbeTag::Has | ProbeTag::HasFold);
                let item = if reads_text { parsed.item(&mut text) } else { parsed.shape() };
                self.look_up(tables, (number, probe), (tag, fold), item);
                self.written = text;
            }
        }
    }

    /// Finds the postings of a value, folded first if `fold` says so.
    fn look_up(
        &mut self,
        tables: &Tables<'_>,
        (number, probe): (u32, &Probe),
        (tag, fold): (ProbeTag, bool),
        item: Item<'_>,
    ) {
        let mut text = std::mem::take(&mut self.text);
        match tag {
            ProbeTag::Equal => {
                let scalar = equal::scalar(item.scalar(), &mut text);
                let postings = scalar.map(|scalar| equal::probable(tables, number, scalar));
                self.found.extend(postings.into_iter().flatten());
            }
            ProbeTag::EqualFold => {
                if let Item::Str(string) = item {
                    let string = (tag::STRING, folded(fold, string, &mut text).as_bytes());
                    self.found.extend(equal::probable(tables, number, string));
                }
            }
            // They need no value.
            ProbeTag::Present | ProbeTag::Acts | ProbeTag::Tied => {}
            ProbeTag::Begins | ProbeTag::BeginsFold | ProbeTag::Ends | ProbeTag::EndsFold => {
                let begins = matches!(tag, ProbeTag::Begins | ProbeTag::BeginsFold);
                self.affixes(tables, (number, probe), (begins, fold), item, &mut text);
            }
            ProbeTag::Has | ProbeTag::HasFold => {
                self.grams(tables, (number, probe), fold, item, &mut text);
            }
            ProbeTag::Within => {
                if let Item::Array(json) | Item::Object(json) = item {
                    self.grams_of(tables, (number, probe), json.as_bytes());
                }
            }
        }
        self.text = text;
    }

    /// Adds the candidates of a posting. The recursion depth is the nesting of indexes, which the
    /// verifier bounds.
    fn posting(&mut self, source: &EventView<'_>, posting: u32, facts: &mut dyn Facts) {
        if posting & INLINE_RANK != 0 {
            self.heads.push(Reverse(Head::new(posting & !INLINE_RANK, NONE)));
            return;
        }
        let Some(posting) = source.tables.postings.get(posting as usize) else { return };
        let ranks = posting.ranks;
        let start = ranks.start.get();
        self.cursor(source, Cursor::Ranks { next: start, end: start.saturating_add(ranks.length.get()) });
        if let Some(index) = source.tables.indexes.get(posting.index.get() as usize) {
            for (number, probe) in source.tables.probes_of(index) {
                self.probe(source, (number, probe), facts);
            }
            self.open_group(source, index.group.get());
        }
    }

    fn open_group(&mut self, source: &EventView<'_>, group: u32) {
        let Some(group) = source.tables.groups.get(group as usize) else { return };
        let halves = self.sets.open(source, group);
        let (start, end) = (row_number(halves.start), row_number(halves.start.saturating_add(halves.width)));
        let (other, ranks) = (row_number(halves.other), group.ranks.start.get());
        self.cursor(source, Cursor::Bits { at: start, end, other, bits: 0, start, ranks });
    }

    /// Adds a cursor if it has a rank.
    fn cursor(&mut self, source: &EventView<'_>, mut cursor: Cursor) {
        if let Some(rank) = cursor.step(source.tables, &self.sets, self.from) {
            self.heads.push(Reverse(Head::new(rank, row_number(self.cursors.len()))));
            self.cursors.push(cursor);
        }
    }
}

impl Cursor {
    /// The next rank from `from` on.
    fn step(&mut self, tables: &Tables<'_>, sets: &Sets, from: u32) -> Option<u32> {
        let rank = |place: u32| row(tables.indices, place).map(|rank| rank.get());
        match self {
            Self::Ranks { next, end } => {
                while *next < *end {
                    let found = rank(*next)?;
                    *next = next.saturating_add(1);
                    if found >= from {
                        return Some(found);
                    }
                }
                None
            }
            Self::Bits { at, end, other, bits, start, ranks } => loop {
                if *bits == 0 {
                    let found = sets.next_word(*at as usize, *end as usize, *other as usize);
                    let (word, left) = found?;
                    (*at, *bits) = (row_number(word).saturating_add(1), left);
                }
                let word = at.saturating_sub(1).saturating_sub(*start);
                let entry = word.saturating_mul(u64::BITS).saturating_add(bits.trailing_zeros());
                let found = rank(ranks.saturating_add(entry))?;
                *bits &= bits.wrapping_sub(1);
                if found >= from {
                    return Some(found);
                }
            },
        }
    }
}

/// The least rank of an index's group.
fn least_of(tables: &Tables<'_>, index: &Index) -> Option<u32> {
    let group = row(tables.groups, index.group.get())?;
    tables.indices_of(group.ranks).first().map(|rank| rank.get())
}

/// Whether a probe folds what it reads.
fn is_folding(tag: ProbeTag) -> bool {
    use ProbeTag::{BeginsFold, EndsFold, EqualFold, HasFold};
    matches!(tag, EqualFold | BeginsFold | EndsFold | HasFold)
}
