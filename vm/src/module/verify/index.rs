//! Indexes: probes, keys and postings. What this proves is that a search is
//! safe, bounded and in rank order; that an index finds every hook that
//! matches is the compiler's part.

use super::group::{Sections, group};
use super::{Checked, Claims, Work, ascends, ensure, spans, within};
use crate::index::{End, hash, kind};
use crate::limits::INDEX_DEPTH;
use crate::module::format::{Affix, Index, LONE, NONE, Probe, Range, SectionKind, U32, tag};
use crate::module::{Tables, row};

/// Indexes belong to event types, and everything in them to one index.
pub(super) fn indexes(t: &Tables<'_>, slots: u32, work: &mut Work) -> Checked {
    let mut walk = Walk {
        t,
        slots,
        work,
        probes: Claims::new(t.probes.len()),
        affixes: Claims::new(t.affixes.len()),
        literals: Claims::new(t.literals.len()),
        sections: Sections::new(t),
        owners: vec![None; t.probes.len().saturating_add(t.dims.len())],
        indexes: vec![None; t.indexes.len()],
        postings: vec![None; t.postings.len()],
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
    affixes: Claims,
    literals: Claims,
    sections: Sections,
    /// By probe, and behind these by dimension, what its keys lead to.
    owners: Vec<Option<Owner>>,
    /// By index and by posting, for how many hooks it was found sound.
    indexes: Vec<Option<u32>>,
    postings: Vec<Option<u32>>,
}

/// What may look for keys.
#[derive(Clone, Copy)]
pub(super) struct Owner {
    /// Ranks, or entries of a group, are below.
    pub(super) bound: u32,
    /// Indexes around it; for entries, as many as there may be.
    pub(super) depth: usize,
    /// Whether keys are folded strings.
    pub(super) folds: bool,
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
            let owner = Owner { bound: group.ranks.length.get(), depth: INDEX_DEPTH, folds: false };
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
        bad(probe.zero == [0; 3], "a reserved field is not zero")?;
        bad(probe.slot.get() < self.slots, "the slot is out of range")?;
        let empty = probe.rows.length.get() == 0;
        match probe.kind {
            kind::EQUAL | kind::EQUAL_FOLD => {
                bad(empty && probe.rows.start.get() == 0, "a reserved field is not zero")?;
                self.own(at, Owner { bound: hooks, depth, folds: probe.kind == kind::EQUAL_FOLD });
                Ok(())
            }
            kind::PRESENT => {
                bad(empty, "a reserved field is not zero")?;
                self.posting(probe.rows.start, hooks, depth)
            }
            kind::BEGINS..=kind::ENDS_FOLD => {
                bad(self.affixes.take(probe.rows), "affixes out of range, or another probe's")?;
                let end = if probe.kind < kind::ENDS { End::Start } else { End::Finish };
                self.affixes_of(probe.rows, end)?;
                self.t
                    .affixes_of(probe)
                    .iter()
                    .try_for_each(|affix| self.posting(affix.posting, hooks, depth))
            }
            kind::HAS | kind::HAS_FOLD => {
                bad(self.literals.take(probe.rows), "literals out of range, or another probe's")?;
                self.literals_of(probe)?;
                let mut literals = self.t.literals_of(probe).iter();
                literals.try_for_each(|literal| self.posting(literal.posting, hooks, depth))
            }
            _ => bad(false, "an unknown kind"),
        }
    }

    /// Affixes ascend, and each names the longest that it begins (or ends)
    /// with: the last one on the way down from the row before.
    fn affixes_of(&mut self, rows: Range, end: End) -> Checked {
        let start = rows.start.get();
        let mut open: Vec<(u32, &[u8])> = Vec::new();
        let mut before: Option<&[u8]> = None;
        for number in start..start.saturating_add(rows.length.get()) {
            let bad = |good, what| ensure(good, SectionKind::Affixes, number as usize, what);
            let Some(affix) = row::<Affix>(self.t.affixes, number) else { break };
            bad(within(affix.text, self.t.strings), "the string is out of range")?;
            let text = self.t.bytes(affix.text.get());
            self.work.charge(text.len().saturating_mul(2))?;
            bad(
                before.is_none_or(|before| end.order(before, text).is_lt()),
                "not above the affix before it",
            )?;
            before = Some(text);
            while open.last().is_some_and(|(_, shorter)| !end.has(text, shorter)) {
                open.pop();
            }
            let shorter = open.last().map_or(NONE, |(number, _)| *number);
            bad(affix.shorter.get() == shorter, "not its longest shorter affix")?;
            open.push((number, text));
        }
        Ok(())
    }

    fn literals_of(&mut self, probe: &Probe) -> Checked {
        let mut before: &[u8] = &[];
        for (at, literal) in (probe.rows.start.get() as usize..).zip(self.t.literals_of(probe)) {
            let bad = |good, what| ensure(good, SectionKind::Literals, at, what);
            bad(within(literal.text, self.t.strings), "the string is out of range")?;
            let text = self.t.bytes(literal.text.get());
            self.work.charge(text.len())?;
            bad(before < text, "empty, or not above the literal before it")?;
            before = text;
        }
        Ok(())
    }

    /// A posting leads to hooks below `hooks`.
    fn posting(&mut self, number: U32, hooks: u32, depth: usize) -> Checked {
        let number = number.get();
        if number & LONE != 0 {
            let good = number & !LONE < hooks;
            return ensure(good, SectionKind::Postings, 0, "the only rank is out of range");
        }
        let at = number as usize;
        let bad = |good, what| ensure(good, SectionKind::Postings, at, what);
        let Some(known) = self.postings.get_mut(at) else {
            return bad(false, "the posting is out of range");
        };
        if let Some(known) = known.replace(hooks) {
            return bad(known == hooks, "shared by event types");
        }
        let Some(posting) = row(self.t.postings, number) else { return Ok(()) };
        bad(spans(posting.ranks, self.t.indices), "a range out of range")?;
        let ranks = self.t.picked(posting.ranks);
        self.work.charge(size_of_val(ranks))?;
        let good = ascends(ranks) && ranks.last().is_none_or(|last| last.get() < hooks);
        bad(good, "ranks out of range, or not ascending")?;
        let index = posting.index.get();
        if index == NONE {
            return Ok(());
        }
        bad(ranks.is_empty(), "ranks beside an index")?;
        let first = self.indexes.get(index as usize).is_some_and(Option::is_none);
        bad(first, "the index is out of range, or another posting's")?;
        self.index(index, hooks, depth.saturating_add(1))
    }

    /// Buckets share the keys in order; each key is in its bucket, and of a
    /// known owner.
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
            for key in start.get()..end.get() {
                self.key(key as usize, (bucket, count))?;
            }
        }
        Ok(())
    }

    /// The postings of keys. An index is known once the posting that leads to
    /// it is: a round for each level.
    fn key_postings(&mut self) -> Checked {
        let mut left: Vec<u32> = (0..).take(self.t.keys.len()).collect();
        while !left.is_empty() {
            let before = left.len();
            let mut later = Vec::new();
            for at in left {
                let Some(key) = row(self.t.keys, at) else { continue };
                match self.owners.get(key.owner.get() as usize).copied().flatten() {
                    Some(owner) => self.posting(key.posting, owner.bound, owner.depth)?,
                    None => later.push(at),
                }
            }
            let what = "the owner looks for no keys";
            let first = later.first().map_or(0, |at| *at as usize);
            ensure(later.len() < before, SectionKind::Keys, first, what)?;
            left = later;
        }
        Ok(())
    }

    fn key(&mut self, at: usize, (bucket, buckets): (usize, usize)) -> Checked {
        let bad = |good, what| ensure(good, SectionKind::Keys, at, what);
        let Some(key) = self.t.keys.get(at) else { return Ok(()) };
        let folds =
            self.owners.get(key.owner.get() as usize).copied().flatten().is_some_and(|owner| owner.folds);
        let Some((tag, text)) = Self::value(self.t, key.value, folds) else {
            return bad(false, "no scalar, or out of range");
        };
        self.work.charge(text.len())?;
        let hash = hash::scalar(tag, text);
        bad(hash::bucket(hash, key.owner.get(), buckets) == bucket, "not in its bucket")
    }

    /// What a key looks for.
    fn value<'s>(t: &Tables<'s>, value: U32, folds: bool) -> Option<(u32, &'s str)> {
        if folds {
            return within(value, t.strings).then(|| (tag::STRING, t.str(value.get())));
        }
        let constant = row(t.consts, value.get())?;
        match constant.tag.get() {
            kind @ ..=tag::TRUE => Some((kind, "")),
            kind @ ..=tag::STRING => Some((kind, t.str(constant.text.get()))),
            _ => None,
        }
    }

    /// The first table of which a row belongs to nothing.
    fn left(&self) -> Option<(SectionKind, usize)> {
        let t = self.t;
        let indexes = self.indexes.iter().all(Option::is_some);
        let all = [
            (indexes, SectionKind::Indexes, t.indexes.len()),
            (self.probes.all(), SectionKind::Probes, t.probes.len()),
            (self.affixes.all(), SectionKind::Affixes, t.affixes.len()),
            (self.literals.all(), SectionKind::Literals, t.literals.len()),
        ];
        let own = all.into_iter().find(|(all, ..)| !all).map(|(_, kind, rows)| (kind, rows));
        own.or_else(|| self.sections.left(t))
    }
}
