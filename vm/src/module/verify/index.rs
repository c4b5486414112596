//! Indexes: probes, keys and postings. What this proves is that a search is
//! safe, bounded and in rank order; that an index finds every hook that
//! matches is the compiler's part.

use hookc_base::{PartitionTag, ProbeTag};

use super::group::{Sections, group};
use super::{Checked, Claims, Work, ascends, ensure, history, spans, within};
use crate::limits::INDEX_DEPTH;
use crate::module::{Tables, row};
use crate::rows::index::{affix, filter, gram, hash};
use crate::rows::{Event, INLINE_RANK, Index, Key, NONE, Probe, SectionKind, U32, tag};

/// Indexes belong to event types, and everything in them to one index.
pub(super) fn indexes(t: &Tables<'_>, slots: u32, work: &mut Work) -> Checked {
    buckets(t)?;
    let mut state = State::new(t);
    let mut walk = Walk { t, slots, work, state: &mut state, event: 0 };
    for (at, event) in (0..).zip(t.events) {
        walk.event(at, event)?;
        walk.watches(at)?;
    }
    walk.keys()?;
    walk.reach(|_| true)?;
    match walk.left() {
        Some((kind, rows)) => ensure(false, kind, rows, "a row belongs to no index"),
        None => Ok(()),
    }
}

/// Buckets partition the keys in order, and in each the keys ascend.
pub(super) fn buckets(t: &Tables<'_>) -> Checked {
    let count = t.buckets.len().saturating_sub(1);
    let power = if t.keys.is_empty() { t.buckets.is_empty() } else { count.is_power_of_two() };
    let bad = |good, at, what| ensure(good, SectionKind::Buckets, at, what);
    bad(power, t.buckets.len(), "not one more than a power of two")?;
    let starts = t.buckets.first().is_none_or(|first| first.get() == 0);
    let ends = t.buckets.last().is_none_or(|last| last.get() as usize == t.keys.len());
    let ordered = t.buckets.windows(2).all(|pair| matches!(pair, [a, b] if a.get() <= b.get()));
    bad(starts && ends && ordered, 0, "the buckets do not share the keys in order")?;
    for (bucket, pair) in t.buckets.windows(2).enumerate() {
        let [start, end] = pair else { break };
        let keys = t.keys.get(start.get() as usize..end.get() as usize).unwrap_or_default();
        let order = |key: &Key| (key.owner.get(), key.hash.get(), key.value.get());
        let ascends = keys.windows(2).all(|pair| matches!(pair, [a, b] if order(a) < order(b)));
        bad(ascends, bucket, "its keys do not ascend")?;
    }
    Ok(())
}

/// The index of one event type, after [`buckets`]. `state` is that of the event types before.
pub(super) fn index_of(
    t: &Tables<'_>,
    (row, event): (u32, &Event),
    state: &mut State,
    work: &mut Work,
) -> Checked {
    let mut walk = Walk { t, slots: t.slots, work, state, event: row };
    walk.event(row, event)?;
    walk.watches(row)?;
    walk.own_keys()?;
    walk.reach(|owner| owner.event == row)
}

/// What is known of the tables of indexes.
pub(super) struct State {
    probes: Claims,
    sections: Sections,
    /// By probe, followed by dimension: the rows that its keys lead to.
    owners: Vec<Option<Owner>>,
    /// By index and by posting, the number of hooks for which it was checked.
    indexes: Vec<Option<u32>>,
    postings: Vec<Option<u32>>,
    /// By owner, the postings of its keys.
    reaches: Vec<Reach>,
    /// Indexes that are known.
    known: usize,
}

impl State {
    pub(super) fn new(t: &Tables<'_>) -> Self {
        let owners = t.probes.len().saturating_add(t.dims.len());
        Self {
            probes: Claims::new(t.probes.len()),
            sections: Sections::new(t),
            owners: vec![None; owners],
            indexes: vec![None; t.indexes.len()],
            postings: vec![None; t.postings.len()],
            reaches: vec![Reach::default(); owners],
            known: 0,
        }
    }
}

struct Walk<'w, 't> {
    t: &'w Tables<'t>,
    slots: u32,
    work: &'w mut Work,
    state: &'w mut State,
    /// The row of the event type.
    event: u32,
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
    /// A monitor.
    Cell,
}

/// The possible owners of keys.
#[derive(Clone, Copy)]
pub(super) struct Owner {
    /// The row of the event type.
    event: u32,
    /// Ranks, or entries of a group, are below.
    pub(super) bound: u32,
    /// Surrounding indexes; for entries, the maximum.
    pub(super) depth: usize,
    /// The type of keys.
    pub(super) value: Value,
}

impl Walk<'_, '_> {
    fn event(&mut self, at: u32, event: &Event) -> Checked {
        self.event = at;
        let index = event.index.get();
        if index == NONE {
            return Ok(());
        }
        let first = self.state.indexes.get(index as usize).is_some_and(Option::is_none);
        let what = "the index is out of range, or another event type's";
        ensure(first, SectionKind::Events, at as usize, what)?;
        self.index(index, event.hooks.length.get(), 0)
    }

    /// The index of the watches of an event type.
    fn watches(&mut self, at: u32) -> Checked {
        let Some(observed) = self.t.observed_of(at) else { return Ok(()) };
        let index = observed.index.get();
        if index == NONE {
            return Ok(());
        }
        let first = self.state.indexes.get(index as usize).is_some_and(Option::is_none);
        let what = "the index of its watches is out of range, or another one's";
        ensure(first, SectionKind::Observed, at as usize, what)?;
        self.index(index, observed.watches.length.get(), 0)
    }

    fn index(&mut self, number: u32, hooks: u32, depth: usize) -> Checked {
        let at = number as usize;
        let bad = |good, what| ensure(good, SectionKind::Indexes, at, what);
        let index = row(self.t.indexes, number);
        bad(index.is_some() && depth < INDEX_DEPTH, "out of range, or nested too deep")?;
        let Some(index) = index else { return Ok(()) };
        if let Some(place) = self.state.indexes.get_mut(at) {
            *place = Some(hooks);
        }
        self.state.known = self.state.known.saturating_add(1);
        bad(self.state.probes.take(index.probes), "probes out of range, or another index's")?;
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
        group(self.t, number, (hooks, self.slots), &mut self.state.sections, self.work)?;
        let Some(group) = row(self.t.groups, number) else { return Ok(()) };
        for (dim, _) in self.t.dims_of(&group) {
            let owner = Owner {
                event: self.event,
                bound: group.ranks.length.get(),
                depth: INDEX_DEPTH,
                value: Value::Constant,
            };
            self.own(self.t.probes.len().saturating_add(dim as usize), owner);
        }
        Ok(())
    }

    fn own(&mut self, place: usize, owner: Owner) {
        if let Some(place) = self.state.owners.get_mut(place) {
            *place = Some(owner);
        }
    }

    fn probe(&mut self, (number, probe): (u32, &Probe), hooks: u32, depth: usize) -> Checked {
        let at = number as usize;
        let bad = |good, what| ensure(good, SectionKind::Probes, at, what);
        let empty = probe.rows.length.get() == 0;
        let Some(tag) = ProbeTag::from_number(probe.kind) else { return bad(false, "an unknown kind") };
        match tag {
            ProbeTag::Acts => bad(within(probe.slot, self.t.effects), "the predicate is out of range")?,
            ProbeTag::Tied => {
                bad(
                    history::is_event_tie(self.t, probe.slot),
                    "the tie is out of range, or of a bound node",
                )?;
            }
            _ => bad(probe.slot.get() < self.slots, "the slot is out of range")?,
        }
        let steps = matches!(tag, ProbeTag::Has | ProbeTag::HasFold | ProbeTag::Within);
        let known = match tag {
            // Whose history it looks at.
            ProbeTag::Tied => PartitionTag::from_number(probe.step).is_some(),
            _ if steps => matches!(probe.step, 1 | 2 | 4),
            _ => probe.step == 0,
        };
        bad(known, "an unknown step")?;
        let ordered = if steps { probe.low <= probe.high } else { (probe.low, probe.high) == (0, 0) };
        bad(ordered, "an empty range of bytes, or a reserved field is not zero")?;
        match tag {
            ProbeTag::Equal | ProbeTag::EqualFold => {
                bad(empty && probe.rows.start.get() == 0, "a reserved field is not zero")?;
                let value = if tag == ProbeTag::Equal { Value::Constant } else { Value::String };
                self.own(at, Owner { event: self.event, bound: hooks, depth, value });
                Ok(())
            }
            ProbeTag::Present | ProbeTag::Acts => {
                bad(empty, "a reserved field is not zero")?;
                self.posting(probe.rows.start, hooks, depth)?;
                self.charge_ranks(self.ranks(probe.rows.start))
            }
            ProbeTag::Tied => {
                bad(empty, "a reserved field is not zero")?;
                self.own(at, Owner { event: self.event, bound: hooks, depth, value: Value::Cell });
                self.posting(probe.rows.start, hooks, depth)?;
                self.charge_ranks(self.ranks(probe.rows.start))
            }
            ProbeTag::Begins | ProbeTag::BeginsFold | ProbeTag::Ends | ProbeTag::EndsFold => {
                bad(self.state.sections.take_words(probe.rows), "words out of range, or another row's")?;
                let words = probe.rows.length.get().saturating_sub(1);
                bad(words.is_power_of_two(), "a filter not of a power of two of words")?;
                self.own(at, Owner { event: self.event, bound: hooks, depth, value: Value::Affix });
                Ok(())
            }
            ProbeTag::Has | ProbeTag::HasFold | ProbeTag::Within => {
                bad(self.state.sections.take_words(probe.rows), "words out of range, or another row's")?;
                let words = probe.rows.length.get();
                bad(words.is_power_of_two(), "a filter not of a power of two of words")?;
                self.own(at, Owner { event: self.event, bound: hooks, depth, value: Value::Gram });
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
        let Some(known) = self.state.postings.get_mut(at) else {
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
        let first = self.state.indexes.get(index as usize).is_some_and(Option::is_none);
        bad(first, "the index is out of range, or another posting's")?;
        self.index(index, hooks, depth.saturating_add(1))
    }

    /// Each key is in its bucket and has a known owner.
    fn keys(&mut self) -> Checked {
        self.key_postings()?;
        let count = self.t.buckets.len().saturating_sub(1);
        for (bucket, pair) in self.t.buckets.windows(2).enumerate() {
            let [start, end] = pair else { break };
            for key in start.get()..end.get() {
                self.key(key as usize, |hash| hash::bucket(hash, count) == bucket)?;
            }
        }
        self.equal_hashes();
        Ok(())
    }

    /// Verifies the keys of this event type. An index is known once the posting that leads to it is
    /// known: one round per level.
    fn own_keys(&mut self) -> Checked {
        let mut left: Vec<u32> = (0..).take(self.t.keys.len()).collect();
        loop {
            let (known, pending) = (self.state.known, std::mem::take(&mut left));
            for at in pending {
                let Some(key) = row(self.t.keys, at) else { continue };
                match self.state.owners.get(key.owner.get() as usize).copied().flatten() {
                    Some(owner) if owner.event == self.event => {
                        self.key_posting(&key, owner)?;
                        let (t, at) = (self.t, at as usize);
                        self.key(at, |hash| is_in_bucket(t, at, hash))?;
                    }
                    Some(_) => {}
                    None => left.push(at),
                }
            }
            if self.state.known == known {
                self.equal_hashes();
                return Ok(());
            }
        }
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
                match self.state.owners.get(key.owner.get() as usize).copied().flatten() {
                    Some(owner) => self.key_posting(&key, owner)?,
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

    fn key_posting(&mut self, key: &Key, owner: Owner) -> Checked {
        self.posting(key.posting, owner.bound, owner.depth)?;
        let ranks = self.ranks(key.posting);
        let reach = self.state.reaches.get_mut(key.owner.get() as usize);
        reach.into_iter().for_each(|reach| reach.add(ranks));
        Ok(())
    }

    /// Keys with equal hashes are found together. They are neighbours in a bucket.
    fn equal_hashes(&mut self) {
        let runs = self.t.keys.chunk_by(|a, b| (a.owner, a.hash) == (b.owner, b.hash));
        for run in runs.filter(|run| run.len() > 1) {
            let sum = run.iter().map(|key| self.ranks(key.posting)).fold(0, usize::saturating_add);
            let owner = run.first().map_or(0, |key| key.owner.get() as usize);
            let reach = self.state.reaches.get_mut(owner);
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

    /// Probes can share postings, so the work that one event can cause in a search is charged, here that of
    /// keys.
    fn reach(&mut self, is_due: impl Fn(&Owner) -> bool) -> Checked {
        for at in 0..self.state.owners.len() {
            let Some(owner) = self.state.owners.get(at).copied().flatten().filter(&is_due) else { continue };
            let reach = self.state.reaches.get(at).copied().unwrap_or_default();
            let ranks = match owner.value {
                Value::Constant | Value::String => reach.longest,
                Value::Gram | Value::Cell => reach.sum,
                Value::Affix => {
                    let words = self.t.probes.get(at).map_or(&[] as &[_], |probe| self.t.filter_of(probe));
                    let lengths = words.first().map_or(0, |set| set.get().count_ones());
                    reach.sum.min(reach.longest.saturating_mul(lengths as usize))
                }
            };
            self.charge_ranks(ranks)?;
        }
        Ok(())
    }

    fn charge_ranks(&mut self, ranks: usize) -> Checked {
        self.work.charge(ranks.saturating_mul(size_of::<U32>()))
    }

    /// A key has a value of its owner's type, and is in the bucket of its hash.
    #[inline]
    fn key(&mut self, at: usize, is_in_bucket: impl Fn(u64) -> bool) -> Checked {
        let bad = |good, what| ensure(good, SectionKind::Keys, at, what);
        let Some(key) = self.t.keys.get(at) else { return Ok(()) };
        let owner = key.owner.get();
        let Some(value) = self.state.owners.get(owner as usize).copied().flatten().map(|owner| owner.value)
        else {
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
                let has = text.len() <= gram::LONGEST && gram::grams(text).any(|found| found == gram);
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
            Value::Cell => {
                let is_side = probe.is_some_and(|probe| history::is_waited_for(self.t, &probe, key.value));
                bad(is_side, "a monitor of another tie or partition")?;
                hash::scalar(owner, tag, text)
            }
            Value::Constant | Value::String => hash::scalar(owner, tag, text),
        };
        let half = value == Value::Gram || hash::low_half(hash) == key.hash.get();
        bad(half && is_in_bucket(hash), "not its hash, or not in its bucket")
    }

    /// The first table with a row without an owner.
    fn left(&self) -> Option<(SectionKind, usize)> {
        let t = self.t;
        let indexes = self.state.indexes.iter().all(Option::is_some);
        let kinds = [
            (indexes, SectionKind::Indexes, t.indexes.len()),
            (self.state.probes.all(), SectionKind::Probes, t.probes.len()),
        ];
        let unused =
            kinds.into_iter().find(|(is_counted, ..)| !is_counted).map(|(_, kind, rows)| (kind, rows));
        unused.or_else(|| self.state.sections.left(t))
    }
}

/// Whether a key is in the bucket of a hash.
fn is_in_bucket(t: &Tables<'_>, key: usize, hash: u64) -> bool {
    let bucket = hash::bucket(hash, t.buckets.len().saturating_sub(1));
    let bound = |bucket: usize| t.buckets.get(bucket).map(|bound| bound.get() as usize);
    let (start, end) = (bound(bucket), bound(bucket.saturating_add(1)));
    start.is_some_and(|start| start <= key) && end.is_some_and(|end| key < end)
}

/// What a key searches for: the tag and text of a constant, or a string.
fn scalar<'t>(t: &Tables<'t>, value: U32, kind: Value) -> Option<(u32, &'t [u8])> {
    if kind == Value::Cell {
        return t.cells.get(value.get() as usize).map(|cell| (tag::STRING, cell.id.as_slice()));
    }
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
