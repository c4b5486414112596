//! Indexes in the VM, row by row: a search finds the hooks that its keys lead to.

use hookc_base::{DimTag, ProbeTag};
use hookc_vm::format::index::hash;
use hookc_vm::format::op::Op;
use hookc_vm::format::{Dim, Group, INLINE_RANK, Image, Index, Key, NONE, Posting, Probe, U32, tag};
use hookc_vm::{DecideOptions, Family, LoadError, Mode, Module, Strategy};

use crate::common::{self, Asm, amount, decide, end, opened, range};

/// A key of a constant, with its number.
fn key(owner: u32, (text, value): (&str, u32), posting: u32) -> Key {
    let hash = hash::low_half(hash::scalar(owner, tag::STRING, text.as_bytes()));
    Key { owner: owner.into(), hash: hash.into(), value: value.into(), posting: posting.into() }
}

/// Hooks 0 and 1 are found by a value of `v`, and 2 and 3 are a group, without 3 for a value of `w`.
fn indexed() -> Image {
    let mut asm = Asm::new();
    let (v, w) = (asm.slot("v"), asm.slot("w"));
    let a = asm.constant("\"a\"");
    asm.constant("\"c\"");
    let conds = [asm.when(Op::Eq, v, a), asm.when(Op::Eq, v, a), asm.always(), asm.always()];
    let action = asm.action("x", &[]);
    asm.event(Family::Thread, "e", Strategy::All);
    for cond in conds {
        asm.hook(cond, action, Mode::Enforce);
    }
    let mut image = asm.finish();
    let none = range(0, 0);
    let found = range(image.indices.len(), 2);
    let grouped = range(image.indices.len() + 2, 2);
    image.indices.extend([0, 1, 2, 3].map(U32::new));
    image.postings.push(Posting { ranks: found, index: NONE.into() });
    image.keys = vec![key(0, ("a", 0), 0), key(1, ("c", 1), INLINE_RANK | 1)];
    image.buckets = vec![0.into(), 2.into()];
    let (kind, least) = (ProbeTag::Equal.number(), 0.into());
    image.probes.push(Probe { kind, step: 0, low: 0, high: 0, slot: v.into(), least, rows: none });
    let kind = DimTag::Value.number();
    let (step, words) = (0.into(), none);
    image.dims.push(Dim { kind, zero: [0; 3], slot: w.into(), points: none, toggles: none, step, words });
    image.groups.push(Group { ranks: grouped, dims: range(0, 1) });
    image.indexes.push(Index { probes: range(0, 1), group: 0.into() });
    image.events[0].index = 0.into();
    image
}

#[test]
fn keys_lead_to_hooks() {
    let module = Module::load(indexed().encode()).unwrap();
    for (members, hooks) in [
        ("", vec![2, 3]),
        (",\"v\":\"a\"", vec![0, 1, 2, 3]),
        (",\"v\":\"b\",\"w\":\"d\"", vec![2, 3]),
        (",\"v\":\"a\",\"w\":\"c\"", vec![0, 1, 2]),
    ] {
        let event = format!("{{\"event_type\":\"e\"{members}}}");
        assert_eq!(decide(&module, &event, &DecideOptions::default()).unwrap().0, hooks, "{event}");
    }
}

fn rank(image: &mut Image, ranks: hookc_vm::format::Range, at: usize) -> &mut U32 {
    &mut image.indices[ranks.start.get() as usize + at]
}

/// Each check of the verifier: the change that violates it, and the message.
const BREAKS: &[common::Break] = &[
    (|i| i.events[0].index = end(&i.indexes).into(), "the index is out of range"),
    (|i| i.indexes[0].group = end(&i.groups).into(), "out of range, or another index's"),
    (|i| i.probes[0].slot = i.slots.into(), "the slot is out of range"),
    (|i| i.dims[0].slot = i.slots.into(), "the slot is out of range"),
    (|i| i.keys[0].posting = end(&i.postings).into(), "the posting is out of range"),
    (|i| i.keys[0].value = end(&i.consts).into(), "no scalar, or out of range"),
    (|i| i.keys[1].posting = (INLINE_RANK | end(&i.hooks)).into(), "the only rank is out of range"),
    (|i| *rank(i, i.postings[0].ranks, 1) = end(&i.hooks).into(), "ranks out of range, or not ascending"),
    (|i| *rank(i, i.postings[0].ranks, 1) = 0.into(), "ranks out of range, or not ascending"),
    (|i| *rank(i, i.groups[0].ranks, 1) = end(&i.hooks).into(), "ranks out of range, or descending"),
    (|i| *rank(i, i.groups[0].ranks, 1) = 0.into(), "ranks out of range, or descending"),
];

#[test]
fn every_check_of_the_verifier() {
    common::refused(indexed, BREAKS);
}

/// Probes whose keys lead to the same ranks: each is valid alone, and together they would make every event
/// walk through them all.
#[test]
fn keys_that_share_ranks_are_charged() {
    let with_probes = |probes: u32| {
        let mut asm = Asm::new();
        let v = asm.slot("v");
        let a = asm.constant("\"a\"");
        let cond = asm.when(Op::Eq, v, a);
        let action = asm.action("x", &[]);
        asm.event(Family::Thread, "e", Strategy::All);
        (0..2000).for_each(|_| asm.hook(cond, action, Mode::Enforce));
        let mut image = asm.finish();
        let ranks = range(image.indices.len(), 2000);
        image.indices.extend((0..2000).map(U32::new));
        image.postings.push(Posting { ranks, index: NONE.into() });
        image.keys = (0..probes).map(|owner| key(owner, ("a", a), 0)).collect();
        image.buckets = vec![0.into(), probes.into()];
        let (kind, least, rows) = (ProbeTag::Equal.number(), 0.into(), range(0, 0));
        let probe = Probe { kind, step: 0, low: 0, high: 0, slot: v.into(), least, rows };
        image.probes = vec![probe; probes as usize];
        image.indexes.push(Index { probes: range(0, probes as usize), group: NONE.into() });
        image.events[0].index = 0.into();
        image.encode()
    };
    let many = amount(10_000, 400) as u32;
    assert!(Module::load(with_probes(10)).is_ok() && opened(&with_probes(10)).is_ok());
    assert_eq!(Module::load(with_probes(many)).unwrap_err(), LoadError::Sharing);
    assert_eq!(opened(&with_probes(many)).unwrap_err(), LoadError::Sharing);
}
