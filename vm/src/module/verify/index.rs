//! Indexes: probes, keys and postings. What this proves is that a search is
//! safe, bounded and in rank order; that an index finds every hook that
//! matches is the compiler's part.

use hookc_base::ProbeTag;

use super::group::{Sections, group};
use super::{Checked, Claims, Work, ascends, ensure, spans, within};
use crate::limits::INDEX_DEPTH;
use crate::module::{Tables, row};
use crate::rows::index::{affix, filter, gram, hash};
use crate::rows::{INLINE_RANK, Index, Key, NONE, Probe, SectionKind, U32, tag};

/// Indexes belong to event types, and everything in them to one index.
pub(super) fn indexes(t: &Tables<'_>, slots: u32, work: &mut Work) -> Checked {
    let mut walk = Walk {
        t,
        slots,
        work,
        probes: Claims::new(t.probes.len()),
        sections: Sections::new(t),
        owners: vec![None; t.probes.len().saturating_add(t.dims.len())],
        indexes: vec![None; t.indexes.len()],
        postings: vec![None; t.postings.len()],
        reaches: vec![Reach::default(); t.probes.len().saturating_add(t.dims.len())],
    };
    for (at, event) in t.events.iter().enumerate() {
        let index = event.index.get();
        if index != NONE {
            let first = walk.indexes.get(index as usize).is_some_and(Option::is_none);
            ensure(first, SectionKind::Events, at, "the index is out of range, or another event type's")?;
            walk.index(index, event.hooks.length.get(), 0)?;
        }
    }
    walk.keys()?;
    walk.reach()?;
    let left = |kind, rows: usize| ensure(false, kind, rows, "a row belongs to no index");
    match walk.left() {
        Some((kind, rows)) => left(kind, rows),
        None => Ok(()),
    }
}

struct Walk<'w, 't> {
    t: &'w Tables<'t>,
    slots: u32,
    work: &'w mut Work,
    probes: Claims,
    sections: Sections,
    /// By probe, followed by dimension: the rows that its keys lead to.
    owners: Vec<Option<Owner>>,
    /// By index and by posting, the number of hooks for which it was checked.
    indexes: Vec<Option<u32>>,
    postings: Vec<Option<u32>>,
    /// By owner, the postings of its keys.
    reaches: Vec<Reach>,
}

/// The number of ranks that the keys of an owner lead to.
#[derive(Clone, Copy, Default)]
struct Reach {
    /// By the keys with one hash.
    longest: usize,
    /// By all keys.
    sum: usize,
}

impl Reach {
    fn add(&mut self, ranks: usize) {
        self.longest = self.longest.max(ranks);
        self.sum = self.sum.saturating_add(ranks);
    }
}

/// The type of a key's value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    Constant,
    String,
    /// A string, in a probe's filter and the set of its lengths.
    Affix,
    /// A string with a gram.
    Gram,
}

/// The possible owners of keys.
#[derive(Clone, Copy)]
pub(super) struct Owner {
    /// Ranks, or entries of a group, are below.
    pub(super) bound: u32,
    /// Surrounding indexes; for entries, the maximum.
    pub(super) depth: usize,
    /// The type of keys.
    pub(super) value: Value,
}

impl Walk<'_, '_> {
    fn index(&mut self, number: u32, hooks: u32, depth: usize) -> Checked {
        let at = number as usize;
        let bad = |good, what| ensure(good, SectionKind::Indexes, at, what);
        let index = row(self.t.indexes, number);
        bad(index.is_some() && depth < INDEX_DEPTH, "out of range, or nested too deep")?;
        let Some(index) = index else { return Ok(()) };
        if let Some(place) = self.indexes.get_mut(at) {
            *place = Some(hooks);
        }
        bad(self.probes.take(index.probes), "probes out of range, or another index's")?;
        let mut least = 0;
        for (number, probe) in self.t.probes_of(&index) {
            let at = number as usize;
            let ordered = probe.least.get() >= least;
            ensure(ordered, SectionKind::Probes, at, "its least rank is below that of the probe before")?;
            least = probe.least.get();
            self.probe((number, probe), hooks, depth)?;
        }
        self.group(&index, hooks)
    }

    fn group(&mut self, index: &Index, hooks: u32) -> Checked {
        let number = index.group.get();
        if number == NONE {
            return Ok(());
        }
        group(self.t, number, (hooks, self.slots), &mut self.sections, self.work)?;
        let Some(group) = row(self.t.groups, number) else { return Ok(()) };
        for (dim, _) in self.t.dims_of(&group) {
            let owner = Owner { bound: group.ranks.length.get(), depth: INDEX_DEPTH, value: Value::Constant };
            self.own(self.t.probes.len().saturating_add(dim as usize), owner);
        }
        Ok(())
    }

    fn own(&mut self, place: usize, owner: Owner) {
        if let Some(place) = self.owners.get_mut(place) {
            *place = Some(owner);
        }
    }

    fn probe(&mut self, (number, probe): (u32, &Probe), hooks: u32, depth: usize) -> Checked {
        let at = number as usize;
        let bad = |good, what| ensure(good, SectionKind::Probes, at, what);
        bad(probe.slot.get() < self.slots, "the slot is out of range")?;
        let empty = probe.rows.length.get() == 0;
        let Some(tag) = ProbeTag::from_number(probe.kind) else { return bad(false, "an unknown kind") };
        let steps = matches!(tag, ProbeTag::Has | ProbeTag::HasFold | ProbeTag::Within);
        let known = if steps { matches!(probe.step, 1 | 2 | 4) } else { probe.step == 0 };
        bad(known, "an unknown step")?;
        let ordered = if steps { probe.low <= probe.high } else { (probe.low, probe.high) == (0, 0) };
        bad(ordered, "an empty range of bytes, or a reserved field is not zero")?;
        match tag {
            ProbeTag::Equal | ProbeTag::EqualFold => {
                bad(empty && probe.rows.start.get() == 0, "a reserved field is not zero")?;
                let value = if tag == ProbeTag::Equal { Value::Constant } else { Value::String };
                self.own(at, Owner { bound: hooks, depth, value });
                Ok(())
            }
            ProbeTag::Present => {
                bad(empty, "a reserved field is not zero")?;
                self.posting(probe.rows.start, hooks, depth)
            }
            ProbeTag::Begins | ProbeTag::BeginsFold | ProbeTag::Ends | ProbeTag::EndsFold => {
                bad(self.sections.take_words(probe.rows), "words out of range, or another row's")?;
                let words = probe.rows.length.get().saturating_sub(1);
                bad(words.is_power_of_two(), "a filter not of a power of two of words")?;
                self.own(at, Owner { bound: hooks, depth, value: Value::Affix });
                Ok(())
            }
            ProbeTag::Has | ProbeTag::HasFold | ProbeTag::Within => {
                bad(self.sections.take_words(probe.rows), "words out of range, or another row's")?;
                let words = probe.rows.length.get();
                bad(words.is_power_of_two(), "a filter not of a power of two of words")?;
                self.own(at, Owner { bound: hooks, depth, value: Value::Gram });
                Ok(())
            }
        }
    }

    /// A posting leads to hooks below `hooks`.
    fn posting(&mut self, number: U32, hooks: u32, depth: usize) -> Checked {
        let number = number.get();
        if number & INLINE_RANK != 0 {
            let good = number & !INLINE_RANK < hooks;
            return ensure(good, SectionKind::Postings, 0, "the only rank is out of range");
        }
        let at = number as usize;
        let bad = |good, what| ensure(good, SectionKind::Postings, at, what);
        let Some(known) = self.postings.get_mut(at) else {
            return bad(false, "the posting is out of range");
        };
        let known = known.replace(hooks);
        let Some(posting) = row(self.t.postings, number) else { return Ok(()) };
        if let Some(known) = known {
            bad(known == hooks, "shared by event types")?;
            return bad(posting.index.get() == NONE, "leads to an index, and is shared");
        }
        bad(spans(posting.ranks, self.t.indices), "a range out of range")?;
        let ranks = self.t.indices_of(posting.ranks);
        self.work.charge(size_of_val(ranks))?;
        let good = ascends(ranks) && ranks.last().is_none_or(|last| last.get() < hooks);
        bad(good, "ranks out of range, or not ascending")?;
        let index = posting.index.get();
        if index == NONE {
            return Ok(());
        }
        bad(ranks.is_empty(), "ranks next to an index")?;
        let first = self.indexes.get(index as usize).is_some_and(Option::is_none);
        bad(first, "the index is out of range, or another posting's")?;
        self.index(index, hooks, depth.saturating_add(1))
    }

    /// Buckets partition the keys in order; each key is in its bucket and has a known owner.
    fn keys(&mut self) -> Checked {
        let buckets = self.t.buckets;
        let count = buckets.len().saturating_sub(1);
        let power = if self.t.keys.is_empty() { buckets.is_empty() } else { count.is_power_of_two() };
        let bad = |good, at, what| ensure(good, SectionKind::Buckets, at, what);
        bad(power, buckets.len(), "not one more than a power of two")?;
        let starts = buckets.first().is_none_or(|first| first.get() == 0);
        let ends = buckets.last().is_none_or(|last| last.get() as usize == self.t.keys.len());
        let ordered = buckets.windows(2).all(|pair| matches!(pair, [a, b] if a.get() <= b.get()));
        bad(starts && ends && ordered, 0, "the buckets do not share the keys in order")?;
        self.key_postings()?;
        for (bucket, pair) in buckets.windows(2).enumerate() {
            let [start, end] = pair else { break };
            let keys = self.t.keys.get(start.get() as usize..end.get() as usize).unwrap_or_default();
            let order = |key: &Key| (key.owner.get(), key.hash.get(), key.value.get());
            let ascends = keys.windows(2).all(|pair| matches!(pair, [a, b] if order(a) < order(b)));
            bad(ascends, bucket, "its keys do not ascend")?;
            self.equal_hashes(keys);
            for key in start.get()..end.get() {
                self.key(key as usize, (bucket, count))?;
            }
        }
        Ok(())
    }

    /// The postings of keys. An index is known once the posting that leads to it is known: one
    /// round per level.
    fn key_postings(&mut self) -> Checked {
        let mut left: Vec<u32> = (0..).take(self.t.keys.len()).collect();
        while !left.is_empty() {
            let before = left.len();
            let mut later = Vec::new();
            for at in left {
                let Some(key) = row(self.t.keys, at) else { continue };
                match self.owners.get(key.owner.get() as usize).copied().flatten() {
                    Some(owner) => {
                        self.posting(key.posting, owner.bound, owner.depth)?;
                        let ranks = self.ranks(key.posting);
                        let reach = self.reaches.get_mut(key.owner.get() as usize);
                        reach.into_iter().for_each(|reach| reach.add(ranks));
                    }
                    None => later.push(at),
                }
            }
            let what = "the owner has no keys";
            let first = later.first().map_or(0, |at| *at as usize);
            ensure(later.len() < before, SectionKind::Keys, first, what)?;
            left = later;
        }
        Ok(())
    }

    /// Keys with equal hashes are found together.
    fn equal_hashes(&mut self, keys: &[Key]) {
        let runs = keys.chunk_by(|a, b| (a.owner, a.hash) == (b.owner, b.hash));
        for run in runs.filter(|run| run.len() > 1) {
            let sum = run.iter().map(|key| self.ranks(key.posting)).fold(0, usize::saturating_add);
            let owner = run.first().map_or(0, |key| key.owner.get() as usize);
            let reach = self.reaches.get_mut(owner);
            reach.into_iter().for_each(|reach| reach.longest = reach.longest.max(sum));
        }
    }

    /// Ranks of a sound posting.
    fn ranks(&self, number: U32) -> usize {
        match number.get() {
            lone if lone & INLINE_RANK != 0 => 1,
            number => row(self.t.postings, number).map_or(0, |posting| posting.ranks.length.get() as usize),
        }
    }

    /// Probes can share postings, so the work that one event can cause in a search is charged.
    fn reach(&mut self) -> Checked {
        let (probes, dims) = self.reaches.split_at_checked(self.t.probes.len()).unwrap_or_default();
        let of_probes =
            self.t.probes.iter().zip(probes).map(|(probe, reach)| match ProbeTag::from_number(probe.kind) {
                Some(ProbeTag::Present) => self.ranks(probe.rows.start),
                Some(ProbeTag::Begins | ProbeTag::BeginsFold | ProbeTag::Ends | ProbeTag::EndsFold) => {
                    let lengths = self.t.filter_of(probe).first().map_or(0, |set| set.get().count_ones());
                    reach.sum.min(reach.longest.saturating_mul(lengths as usize))
                }
                Some(ProbeTag::Has | ProbeTag::HasFold | ProbeTag::Within) => reach.sum,
                Some(ProbeTag::Equal | ProbeTag::EqualFold) | None => reach.longest,
            });
        let ranks: Vec<usize> = of_probes.chain(dims.iter().map(|reach| reach.longest)).collect();
        ranks.into_iter().try_for_each(|ranks| self.work.charge(ranks.saturating_mul(size_of::<U32>())))
    }

    fn key(&mut self, at: usize, (bucket, buckets): (usize, usize)) -> Checked {
        let bad = |good, what| ensure(good, SectionKind::Keys, at, what);
        let Some(key) = self.t.keys.get(at) else { return Ok(()) };
        let owner = key.owner.get();
        let Some(value) = self.owners.get(owner as usize).copied().flatten().map(|owner| owner.value) else {
            return bad(false, "the owner has no keys");
        };
        let Some((tag, text)) = scalar(self.t, key.value, value) else {
            return bad(false, "no scalar, or out of range");
        };
        self.work.charge(text.len())?;
        let probe = row(self.t.probes, owner);
        let words = probe.map_or(&[] as &[_], |probe| self.t.filter_of(&probe));
        let hash = match value {
            Value::Gram => {
                let gram = key.hash.get();
                let has = text.len() <= gram::LONGEST && gram::of(text).any(|own| own == gram);
                bad(has, "no gram of its string, or too long")?;
                bad(filter::is_in(words, gram::hash(gram)), "not in its probe's filter")?;
                let range = probe.map_or(gram::ALL, |probe| (probe.low, probe.high));
                bad(gram::has_byte(&gram.to_le_bytes(), range), "no byte of its probe's range")?;
                hash::gram(owner, gram)
            }
            Value::Affix => {
                let (lengths, words) =
                    words.split_first().map_or((0, words), |(set, rest)| (set.get(), rest));
                let has = affix::bit(text.len()).is_some_and(|bit| lengths & bit != 0);
                bad(has, "its length is not in its probe's set")?;
                bad(filter::is_in(words, affix::hash(text, 0..text.len())), "not in its probe's filter")?;
                hash::scalar(owner, tag, text)
            }
            Value::Constant | Value::String => hash::scalar(owner, tag, text),
        };
        let half = value == Value::Gram || hash::low_half(hash) == key.hash.get();
        bad(half && hash::bucket(hash, buckets) == bucket, "not its hash, or not in its bucket")
    }

    /// The first table with a row without an owner.
    fn left(&self) -> Option<(SectionKind, usize)> {
        let t = self.t;
        let indexes = self.indexes.iter().all(Option::is_some);
        let all = [
            (indexes, SectionKind::Indexes, t.indexes.len()),
            (self.probes.all(), SectionKind::Probes, t.probes.len()),
        ];
        let own = all.into_iter().find(|(all, ..)| !all).map(|(_, kind, rows)| (kind, rows));
        own.or_else(|| self.sections.left(t))
    }
}

/// What a key searches for: the tag and text of a constant, or a string.
fn scalar<'t>(t: &Tables<'t>, value: U32, kind: Value) -> Option<(u32, &'t [u8])> {
    if kind != Value::Constant {
        return within(value, t.strings).then(|| (tag::STRING, t.bytes(value.get())));
    }
    let constant = row(t.consts, value.get())?;
    match constant.tag.get() {
        kind @ ..=tag::TRUE => Some((kind, &[])),
        kind @ ..=tag::STRING => Some((kind, t.bytes(constant.text.get()))),
        _ => None,
    }
}
