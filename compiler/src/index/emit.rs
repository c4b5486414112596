//! Indexes to tables.

use foldhash::fast::RandomState;
use hookc_base::{DimTag, ProbeTag, row_number};
use hookc_vm::format::Image;
use hookc_vm::format::index::{affix, filter, gram, hash};
use hookc_vm::format::{
    Dim as DimRow, Group as GroupRow, INLINE_RANK, Index, Key, NONE, Posting as PostingRow,
    Probe as ProbeRow, Range, U32, U64, tag,
};
use indexmap::IndexMap;

use super::grams::{self, Choice, Grams};
use super::witness::{TextId, Texts};
use super::{Dim, EventIndex, Group, Node, Posting, Probe, ProbeKind, Shared, ranges, recalls};
use crate::fault::Faults;
use crate::rows::range;

/// Fills the tables of indexes, and each event type's index.
pub(super) fn emit(
    nodes: &[EventIndex],
    (texts, grams): (&Texts, &Grams),
    image: &mut Image,
    faults: &Faults,
) {
    let mut emitter = Emitter {
        image,
        texts,
        grams,
        strings: vec![None; texts.len()],
        known: IndexMap::default(),
        shared: IndexMap::default(),
        keys: Vec::new(),
        faults,
    };
    for (at, EventIndex { hooks, watches }) in nodes.iter().enumerate() {
        if let Some(node) = hooks {
            let number = emitter.root(node);
            match emitter.image.events.get_mut(at) {
                Some(event) => event.index = number.into(),
                None => faults.note("an index of no event type"),
            }
        }
        if let Some(node) = watches {
            let number = emitter.root(node);
            let event = row_number(at);
            match emitter.image.observed.iter_mut().find(|row| row.event.get() == event) {
                Some(observed) => observed.index = number.into(),
                None => faults.note("an index of an event type that is not recorded"),
            }
        }
    }
    emitter.finish();
}

struct Emitter<'i, 't> {
    image: &'i mut Image,
    texts: &'t Texts,
    grams: &'t Grams,
    /// By text, the module's string.
    strings: Vec<Option<u32>>,
    /// Ranks that have a posting.
    known: IndexMap<Vec<u32>, u32, RandomState>,
    /// Postings shared by several keys, by their address: `nodes` keeps them alive.
    shared: IndexMap<*const Posting, u32, RandomState>,
    keys: Vec<PendingKey>,
    faults: &'t Faults,
}

/// A key, before the number of probes is known.
struct PendingKey {
    owner: Owner,
    value: Value,
    posting: u32,
}

#[derive(Clone, Copy)]
enum Value {
    Constant(u32),
    String(u32),
    /// A gram of a string.
    Gram(u32, u32),
    Cell(u32),
}

/// Bits of a filter for each key: one text in so many that are of no key gets through.
const SPARSE: usize = 32;

#[derive(Clone, Copy)]
enum Owner {
    Probe(u32),
    Dim(u32),
}

impl<'t> Emitter<'_, 't> {
    /// The index of the hooks, or of the watches, of an event type. A posting belongs to one of them.
    fn root(&mut self, node: &Node) -> u32 {
        self.known.clear();
        self.shared.clear();
        self.node(node)
    }

    /// The index of a node; those in it have higher numbers. The recursion is
    /// bounded by the depth of indexes.
    fn node(&mut self, node: &Node) -> u32 {
        let number = self.image.indexes.len();
        self.image.indexes.push(Index { probes: range(0, 0), group: NONE.into() });
        let mut probes: Vec<(u32, &Probe)> =
            node.probes.iter().map(|probe| (least_of(&probe.look), probe)).collect();
        probes.sort_by_key(|(least, _)| *least);
        let first = self.image.probes.len();
        for (least, probe) in &probes {
            let (slot, step) = match kind_of(&probe.look) {
                ProbeTag::Tied => {
                    let (tie, partition) = recalls::tie_of(probe.slot);
                    (tie.unwrap_or(NONE), partition)
                }
                _ => (probe.slot.0, 0),
            };
            self.image.probes.push(ProbeRow {
                kind: kind_of(&probe.look).number(),
                step,
                low: 0,
                high: 0,
                slot: slot.into(),
                least: (*least).into(),
                rows: range(0, 0),
            });
        }
        let end = self.image.probes.len();
        for (place, (_, probe)) in (first..).zip(&probes) {
            let (rows, step, (low, high)) = self.probe_rows(row_number(place), &probe.look);
            match self.image.probes.get_mut(place) {
                Some(row) => (row.rows, row.step, row.low, row.high) = (rows, row.step | step, low, high),
                None => self.faults.note("a probe without a row"),
            }
        }
        let group = self.group(&node.group);
        let row = Index { probes: range(first, end), group: group.into() };
        self.faults.put(&mut self.image.indexes, number, row, "an index without a row");
        row_number(number)
    }

    /// The rows of a probe, its step, and the range that has a byte of each of its grams.
    fn probe_rows(&mut self, probe: u32, look: &ProbeKind) -> (Range, u8, (u8, u8)) {
        let rows = match look {
            ProbeKind::Equal(keys) => {
                for (id, posting) in keys {
                    let posting = self.posting(posting);
                    self.keys.push(PendingKey {
                        owner: Owner::Probe(probe),
                        value: Value::Constant(id.0),
                        posting,
                    });
                }
                range(0, 0)
            }
            ProbeKind::EqualFold(keys) => {
                for (text, posting) in keys {
                    let (value, posting) = (self.string(*text), self.posting(posting));
                    self.key(probe, Value::String(value), posting);
                }
                range(0, 0)
            }
            ProbeKind::Fact(_, posting) => Range { start: self.posting(posting).into(), length: 0.into() },
            ProbeKind::Tied(keys, every) => {
                for (cell, posting) in keys {
                    let posting = self.posting(posting);
                    self.key(probe, Value::Cell(*cell), posting);
                }
                Range { start: self.posting(every).into(), length: 0.into() }
            }
            ProbeKind::Affixes(_, keys) => {
                let (mut lengths, mut hashes) = (0_u64, Vec::new());
                for (id, posting) in keys {
                    let (value, posting) = (self.string(*id), self.posting(posting));
                    self.key(probe, Value::String(value), posting);
                    let text = self.text(*id).as_bytes();
                    lengths |= self.faults.known(affix::bit(text.len()), 0, "a key that is too long");
                    hashes.push(affix::hash(text, 0..text.len()));
                }
                let start = self.image.words.len();
                self.image.words.push(U64::new(lengths));
                self.filter(&hashes);
                range(start, self.image.words.len())
            }
            ProbeKind::Grams(_, keys) => return self.grams(probe, keys),
        };
        (rows, 0, (0, 0))
    }

    /// The rows of a probe for texts anywhere, its step, and the range that has a byte of each of its grams.
    fn grams(&mut self, probe: u32, keys: &[(TextId, Shared)]) -> (Range, u8, (u8, u8)) {
        let texts: Vec<&str> = keys.iter().map(|(id, _)| self.text(*id)).collect();
        // An index belongs to one key: a text that leads to one has one gram.
        let is_nested = keys.iter().any(|(_, posting)| matches!(**posting, Posting::Index(_)));
        let most = if is_nested { 1 } else { grams::STEPS };
        let Choice { step, range: bytes, grams: chosen } = self.grams.chosen(&texts, most);
        let mut hashes = Vec::new();
        for ((id, posting), grams) in keys.iter().zip(chosen) {
            let (text, posting) = (self.string(*id), self.posting(posting));
            for gram in grams {
                self.key(probe, Value::Gram(gram, text), posting);
                hashes.push(gram::hash(gram));
            }
        }
        let start = self.image.words.len();
        self.filter(&hashes);
        (range(start, self.image.words.len()), step, bytes)
    }

    fn key(&mut self, probe: u32, value: Value, posting: u32) {
        self.keys.push(PendingKey { owner: Owner::Probe(probe), value, posting });
    }

    /// Appends a filter.
    fn filter(&mut self, hashes: &[u32]) {
        let mut words = vec![0_u64; (hashes.len() * SPARSE / u64::BITS as usize).next_power_of_two()];
        for hash in hashes {
            let (word, bit) = filter::place(*hash, words.len());
            match words.get_mut(word) {
                Some(word) => *word |= 1 << bit,
                None => self.faults.note("a key outside its filter"),
            }
        }
        self.image.words.extend(words.into_iter().map(U64::new));
    }

    fn text(&self, id: TextId) -> &'t str {
        let text = self.texts.get_index(id.0 as usize).map(String::as_str);
        self.faults.known(text, "", "a key for a text that the index does not have")
    }

    /// The module's string of a text.
    fn string(&mut self, id: TextId) -> u32 {
        if let Some(Some(known)) = self.strings.get(id.0 as usize) {
            return *known;
        }
        let number = self.image.add_string(self.text(id));
        self.faults.put(&mut self.strings, id.0 as usize, Some(number), "a text without a string");
        number
    }

    fn posting(&mut self, posting: &Posting) -> u32 {
        match posting {
            Posting::Ranks(ranks) => {
                let address = std::ptr::from_ref(posting);
                if let Some(known) = self.shared.get(&address) {
                    return *known;
                }
                let number = self.ranks(ranks);
                self.shared.insert(address, number);
                number
            }
            Posting::Index(node) => {
                let index = self.node(node).into();
                self.image.postings.push(PostingRow { ranks: range(0, 0), index });
                row_number(self.image.postings.len().saturating_sub(1))
            }
        }
    }

    fn ranks(&mut self, ranks: &[u32]) -> u32 {
        if let [only] = ranks
            && only & INLINE_RANK == 0
        {
            return only | INLINE_RANK;
        }
        if let Some(known) = self.known.get(ranks) {
            return *known;
        }
        let number = self.row_of(ranks);
        self.known.insert(ranks.to_vec(), number);
        number
    }

    /// A separate posting.
    fn row_of(&mut self, numbers: &[u32]) -> u32 {
        let ranks = self.pick(numbers);
        self.image.postings.push(PostingRow { ranks, index: NONE.into() });
        row_number(self.image.postings.len().saturating_sub(1))
    }

    fn pick(&mut self, numbers: &[u32]) -> Range {
        let start = self.image.indices.len();
        self.image.indices.extend(numbers.iter().map(|number| U32::new(*number)));
        range(start, self.image.indices.len())
    }

    fn group(&mut self, group: &Group) -> u32 {
        if group.ranks.is_empty() {
            return NONE;
        }
        let ranks = self.pick(&group.ranks);
        let start = self.image.dims.len();
        for dim in &group.dims {
            let row = self.dim(dim, group.ranks.len());
            self.image.dims.push(row);
        }
        let dims = range(start, self.image.dims.len());
        self.image.groups.push(GroupRow { ranks, dims });
        row_number(self.image.groups.len().saturating_sub(1))
    }

    fn dim(&mut self, dim: &Dim, entries: usize) -> DimRow {
        let none = || range(0, 0);
        match dim {
            Dim::Value { slot, keys } => {
                let number = row_number(self.image.dims.len());
                for (id, entries) in keys {
                    let posting = self.row_of(entries);
                    self.keys.push(PendingKey {
                        owner: Owner::Dim(number),
                        value: Value::Constant(id.0),
                        posting,
                    });
                }
                DimRow {
                    kind: DimTag::Value.number(),
                    zero: [0; 3],
                    slot: slot.0.into(),
                    points: none(),
                    toggles: none(),
                    step: 0.into(),
                    words: none(),
                }
            }
            Dim::Range { slot, intervals } => ranges::emit(*slot, intervals, entries, self.image),
        }
    }

    /// Puts the keys in their buckets.
    fn finish(self) {
        let probes = row_number(self.image.probes.len());
        if self.keys.is_empty() {
            return;
        }
        let buckets = self.keys.len().next_power_of_two();
        let mut keys: Vec<(usize, Key)> = self
            .keys
            .iter()
            .map(|wanted| {
                let owner = match wanted.owner {
                    Owner::Probe(number) => number,
                    Owner::Dim(number) => probes.saturating_add(number),
                };
                let hash = self.faults.known(
                    hash_of(self.image, owner, wanted.value),
                    0,
                    "a key for a value that the module does not have",
                );
                let (half, value) = match wanted.value {
                    Value::Constant(value) | Value::String(value) | Value::Cell(value) => {
                        (hash::low_half(hash), value)
                    }
                    Value::Gram(gram, value) => (gram, value),
                };
                let key = Key {
                    owner: owner.into(),
                    hash: half.into(),
                    value: value.into(),
                    posting: wanted.posting.into(),
                };
                (hash::bucket(hash, buckets), key)
            })
            .collect();
        keys.sort_by_key(|(bucket, key)| (*bucket, key.owner.get(), key.hash.get(), key.value.get()));
        let mut rest = keys.iter().peekable();
        let mut placed = 0_usize;
        for bucket in 0..buckets {
            self.image.buckets.push(U32::new(row_number(placed)));
            while rest.next_if(|(at, _)| *at == bucket).is_some() {
                placed = placed.saturating_add(1);
            }
        }
        self.image.buckets.push(U32::new(row_number(placed)));
        self.image.keys = keys.into_iter().map(|(_, key)| key).collect();
    }
}

fn kind_of(look: &ProbeKind) -> ProbeTag {
    match look {
        ProbeKind::Equal(_) => ProbeTag::Equal,
        ProbeKind::Tied(..) => ProbeTag::Tied,
        ProbeKind::EqualFold(_) => ProbeTag::EqualFold,
        ProbeKind::Fact(kind, _) | ProbeKind::Affixes(kind, _) | ProbeKind::Grams(kind, _) => *kind,
    }
}

/// The least rank that a probe leads to.
fn least_of(look: &ProbeKind) -> u32 {
    let least = match look {
        ProbeKind::Equal(keys) => keys.iter().map(|(_, posting)| least(posting)).min(),
        ProbeKind::EqualFold(keys) | ProbeKind::Affixes(_, keys) | ProbeKind::Grams(_, keys) => {
            keys.iter().map(|(_, posting)| least(posting)).min()
        }
        ProbeKind::Fact(_, posting) | ProbeKind::Tied(_, posting) => Some(least(posting)),
    };
    least.unwrap_or(0)
}

fn least(posting: &Posting) -> u32 {
    match posting {
        Posting::Ranks(ranks) => ranks.first().copied().unwrap_or(0),
        Posting::Index(node) => {
            let probes = node.probes.iter().map(|probe| least_of(&probe.look)).min();
            probes.into_iter().chain(node.group.ranks.first().copied()).min().unwrap_or(0)
        }
    }
}

fn hash_of(image: &Image, owner: u32, value: Value) -> Option<u64> {
    let string = |number: u32| image.string(number);
    Some(match value {
        Value::Gram(gram, _) => hash::gram(owner, gram),
        Value::String(number) => hash::scalar(owner, tag::STRING, string(number)?),
        Value::Cell(number) => hash::scalar(owner, tag::STRING, &image.cells.get(number as usize)?.id),
        Value::Constant(number) => {
            let constant = image.consts.get(number as usize)?;
            let text = constant.text.get();
            hash::scalar(owner, constant.tag.get(), if text == NONE { &[] } else { string(text)? })
        }
    })
}
