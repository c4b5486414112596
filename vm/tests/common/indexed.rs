//! Modules with indexes, row by row.

use hookc_base::ProbeTag;
use hookc_vm::format::index::hash;
use hookc_vm::format::{INLINE_RANK, Image, Index, Key, NONE, Posting, Probe, tag};
use hookc_vm::{Family, Mode, Strategy};

use super::asm::{Asm, range};

/// A probe of a slot; `start` is the posting of a probe for presence, and otherwise 0.
pub fn probe(kind: ProbeTag, slot: u32, start: u32) -> Probe {
    let rows = range(start as usize, 0);
    Probe { kind: kind.number(), step: 0, low: 0, high: 0, slot: slot.into(), least: 0.into(), rows }
}

/// A posting that is another index.
pub fn leads_to(index: u32) -> Posting {
    Posting { ranks: range(0, 0), index: index.into() }
}

/// The keys of string constants or strings, each with its owner, the number of its value and its text, and its
/// posting: in their buckets.
pub fn put_keys(image: &mut Image, buckets: usize, keys: &[(u32, u32, &str, u32)]) {
    let mut rows: Vec<(usize, u32, u32, u32, u32)> = keys
        .iter()
        .map(|(owner, value, text, posting)| {
            let hash = hash::scalar(*owner, tag::STRING, text.as_bytes());
            (hash::bucket(hash, buckets), *owner, hash::low_half(hash), *value, *posting)
        })
        .collect();
    rows.sort_unstable();
    let before = |bucket: usize| rows.iter().filter(|row| row.0 < bucket).count() as u32;
    image.buckets = (0..=buckets).map(|bucket| before(bucket).into()).collect();
    let key = |(_, owner, hash, value, posting): &(usize, u32, u32, u32, u32)| Key {
        owner: (*owner).into(),
        hash: (*hash).into(),
        value: (*value).into(),
        posting: (*posting).into(),
    };
    image.keys = rows.iter().map(key).collect();
}

/// Event types with so many hooks, which are always true; constant `n` is the string `texts[n]`.
fn hooked(types: &[&str], hooks: usize, texts: &[&str]) -> (Image, u32) {
    let mut asm = Asm::new();
    let slot = asm.slot("v");
    for text in texts {
        asm.constant(&format!("\"{text}\""));
    }
    let (always, action) = (asm.always(), asm.action("x", &[]));
    for name in types {
        asm.event(Family::Thread, name, Strategy::All);
        (0..hooks).for_each(|_| asm.hook(always, action, Mode::Enforce));
    }
    (asm.finish(), slot)
}

/// Two event types: a value of `v` leads to an index in the index, and that to hook 1; another to hook 0.
pub fn nested_indexes() -> Image {
    let texts = ["a", "b"];
    let (mut image, slot) = hooked(&["e", "f"], 2, &texts);
    let mut keys = Vec::new();
    for (owner, posting) in [(0, 0), (2, 1)] {
        image
            .probes
            .extend([probe(ProbeTag::Equal, slot, 0), probe(ProbeTag::Present, slot, INLINE_RANK | 1)]);
        for probe in [owner, owner + 1] {
            image.indexes.push(Index { probes: range(probe as usize, 1), group: NONE.into() });
        }
        image.postings.push(leads_to(owner + 1));
        image.events[posting as usize].index = owner.into();
        keys.extend([(owner, 0, texts[0], posting), (owner, 1, texts[1], INLINE_RANK)]);
    }
    put_keys(&mut image, 1, &keys);
    image
}

/// Indexes within one another, to this depth.
pub fn index_within_index(depth: u32) -> Image {
    let (mut image, slot) = hooked(&["e"], 1, &[]);
    for level in 0..depth {
        let posting = if level + 1 < depth { level } else { INLINE_RANK };
        image.probes.push(probe(ProbeTag::Present, slot, posting));
        image.indexes.push(Index { probes: range(level as usize, 1), group: NONE.into() });
        image.postings.extend((level + 1 < depth).then(|| leads_to(level + 1)));
    }
    image.events[0].index = 0.into();
    image
}

/// Two keys, one in each of two buckets; in one bucket they would be in the same order.
pub fn two_buckets() -> Image {
    let place = |text: &str| {
        let hash = hash::scalar(0, tag::STRING, text.as_bytes());
        (hash::bucket(hash, 2), hash::low_half(hash))
    };
    let texts = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let pairs = texts.iter().flat_map(|one| texts.iter().map(move |other| (*one, *other)));
    let fits = |(one, other): &(&str, &str)| {
        let (one, other) = (place(one), place(other));
        (one.0, other.0) == (0, 1) && one.1 < other.1
    };
    let (one, other) = pairs.into_iter().find(fits).unwrap();
    let mut sorted = [one, other];
    sorted.sort_unstable();
    let (mut image, slot) = hooked(&["e"], 2, &sorted);
    image.probes.push(probe(ProbeTag::Equal, slot, 0));
    image.indexes.push(Index { probes: range(0, 1), group: NONE.into() });
    image.events[0].index = 0.into();
    put_keys(&mut image, 2, &[0, 1].map(|at: u32| (0, at, sorted[at as usize], INLINE_RANK | at)));
    image
}

/// So many keys of one probe, all of equal strings that lead to the same 2000 hooks.
pub fn equal_keys(count: usize) -> Image {
    let (mut image, slot) = hooked(&["e"], 2000, &[]);
    let ranks = range(image.indices.len(), 2000);
    image.indices.extend((0..2000).map(hookc_vm::format::U32::new));
    image.postings.push(Posting { ranks, index: NONE.into() });
    image.probes.push(probe(ProbeTag::EqualFold, slot, 0));
    image.indexes.push(Index { probes: range(0, 1), group: NONE.into() });
    image.events[0].index = 0.into();
    let keys: Vec<_> = (0..count).map(|_| (0, image.add_string("k"), "k", 0)).collect();
    put_keys(&mut image, 1, &keys);
    image
}
